// The device in torch's eyes: its name, guard, hooks and allocator, registered when the library is loaded.
#include <ATen/Parallel.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "harness/simulator/generator.h"
#include "harness/simulator/memory.h"

namespace neuroncheck::simulator {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;
constexpr c10::DeviceIndex kDevices = 1;

void check_index(c10::DeviceIndex index) { TORCH_CHECK_VALUE(index < kDevices, "Invalid device id: ", static_cast<int>(index)); }

// One device, one queue, everything in order.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType static_type = kType;
  Guard() = default;
  explicit Guard(c10::DeviceType) {}
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device to) const override {
    check_index(to.index());
    return getDevice();
  }
  c10::Device getDevice() const override { return {kType, 0}; }
  void setDevice(c10::Device to) const override { check_index(to.index()); }
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
  c10::Stream getNewStream(c10::Device device, int) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return getStream(stream.device()); }
  c10::DeviceIndex deviceCount() const noexcept override { return kDevices; }
  void destroyEvent(void*, c10::DeviceIndex) const noexcept override {}
  void record(void**, const c10::Stream&, c10::DeviceIndex, c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void synchronizeEvent(void*) const override {}
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeDevice(c10::DeviceIndex) const override {}
  void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {}
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override { return default_generator(); }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return new_generator(); }
  c10::Device getDeviceFromPtr(void*) const override { return {kType, 0}; }
  c10::DeviceIndex deviceCount() const override { return kDevices; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex index) const override { check_index(index); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    check_index(index);
    return 0;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override { return exchangeDevice(index); }
  void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t bytes) const override { resize_device_storage(storage, bytes); }
};

// Everything that must be there before the first tensor. One thread, so that every result is repeatable.
const bool kRegistered = [] {
  c10::register_privateuse1_backend("neuron");
  c10::SetAllocator(kType, device_allocator());
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  at::set_num_threads(1);
  return true;
}();

}  // namespace
}  // namespace neuroncheck::simulator
