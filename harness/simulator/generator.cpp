#include "harness/simulator/generator.h"

#include <ATen/CPUGeneratorImpl.h>

namespace neuroncheck::simulator {
namespace {

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  explicit DeviceGenerator(at::Generator host)
      : GeneratorImpl(c10::Device(c10::DeviceType::PrivateUse1, 0), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)), host_(std::move(host)) {}

  const at::Generator& host() const { return host_; }
  void set_current_seed(std::uint64_t seed) override { host_.set_current_seed(seed); }
  void set_offset(std::uint64_t offset) override { host_.set_offset(offset); }
  std::uint64_t get_offset() const override { return host_.get_offset(); }
  std::uint64_t current_seed() const override { return host_.current_seed(); }
  std::uint64_t seed() override { return host_.seed(); }
  void set_state(const c10::TensorImpl& state) override { host_.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { return host_.unsafeGetGeneratorImpl()->get_state(); }

 private:
  DeviceGenerator* clone_impl() const override { return new DeviceGenerator(host_.clone()); }

  at::Generator host_;
};

}  // namespace

at::Generator new_generator() { return at::make_generator<DeviceGenerator>(at::detail::createCPUGenerator()); }

const at::Generator& default_generator() {
  static const at::Generator generator = at::make_generator<DeviceGenerator>(at::detail::getDefaultCPUGenerator());
  return generator;
}

at::Generator host_generator(const at::Generator& device_generator) {
  return static_cast<DeviceGenerator*>(device_generator.unsafeGetGeneratorImpl())->host();
}

}  // namespace neuroncheck::simulator
