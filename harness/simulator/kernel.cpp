#include "harness/simulator/kernel.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

#include "harness/simulator/faults.h"
#include "harness/simulator/generator.h"
#include "harness/simulator/memory.h"

namespace neuroncheck::simulator {
namespace {

struct Twin {
  at::Tensor device, host;
  bool written = false;
};

bool on_device(const at::Tensor& tensor) { return tensor.device().is_privateuseone(); }

class Call {
 public:
  explicit Call(const c10::OperatorHandle& op) : op_(op) {}

  Values to_host(Values arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool written = is_written(op_.schema().arguments()[i]);
      convert(arguments[i], i);
      transform_tensors(arguments[i], [&](const at::Tensor& tensor) { return host_of(tensor, i, written); });
    }
    return arguments;
  }

  Values to_device(Values results) {
    for (const Twin& twin : twins_) follow(twin);
    for (c10::IValue& result : results) {
      transform_tensors(result, [&](const at::Tensor& host) { return device_of(host); });
    }
    return results;
  }

 private:
  at::Tensor host_of(const at::Tensor& tensor, std::size_t position, bool written) {
    if (!on_device(tensor)) {
      TORCH_CHECK(tensor.dim() == 0 || !tensor.device().is_cpu(), "Non-scalar tensor arg", position, " is on cpu device, expected neuron");
      return tensor;
    }
    for (const Twin& twin : twins_) {
      if (twin.device.is_same(tensor)) return twin.host;
    }
    twins_.push_back({tensor, host_alias(tensor), written});
    return twins_.back().host;
  }

  void convert(c10::IValue& value, std::size_t position) {
    const bool names_device = position < op_.schema().arguments().size() && op_.schema().arguments()[position].name() == "device";
    if (value.isDevice() && value.toDevice().is_privateuseone()) value = at::Device(at::kCPU);
    if (value.isNone() && names_device) value = at::Device(at::kCPU);
    if (value.isGenerator() && value.toGenerator().device().is_privateuseone()) value = host_generator(value.toGenerator());
    if (value.isStorage() && value.toStorage().device_type() == c10::DeviceType::PrivateUse1) {
      set_from_ = value.toStorage();
      value = host_storage(*set_from_);
    }
  }

  // A written argument may have been resized or put on another storage by its kernel.
  void follow(const Twin& twin) {
    if (!twin.written || twin.device._is_zerotensor()) return;
    c10::TensorImpl* impl = twin.device.unsafeGetTensorImpl();
    const c10::Storage& storage = twin.host.storage();
    if (storage.unsafeGetStorageImpl() != host_storage(twin.device.storage()).unsafeGetStorageImpl()) {
      impl->set_storage_keep_dtype(device_storage_of(storage));
    }
    follow_host(twin.device.storage());
    const bool laid_out_alike = twin.host.sizes() == twin.device.sizes() && twin.host.strides() == twin.device.strides() &&
                                twin.host.storage_offset() == twin.device.storage_offset();
    if (!laid_out_alike) impl->set_sizes_and_strides(twin.host.sizes(), twin.host.strides(), twin.host.storage_offset());
  }

  at::Tensor device_of(const at::Tensor& host) {
    for (const Twin& twin : twins_) {
      if (twin.host.is_same(host)) return twin.device;
    }
    return device_tensor(host, device_storage_of(host.storage()));
  }

  c10::Storage device_storage_of(const c10::Storage& host) {
    const c10::StorageImpl* impl = host.unsafeGetStorageImpl();
    if (set_from_ && host_storage(*set_from_).unsafeGetStorageImpl() == impl) return *set_from_;
    for (const Twin& twin : twins_) {
      if (twin.device._is_zerotensor()) continue;
      if (host_storage(twin.device.storage()).unsafeGetStorageImpl() == impl) return twin.device.storage();
    }
    for (const c10::Storage& adopted : adopted_) {
      if (host_storage(adopted).unsafeGetStorageImpl() == impl) return adopted;
    }
    adopted_.push_back(adopt(host));
    return adopted_.back();
  }

  const c10::OperatorHandle& op_;
  std::vector<Twin> twins_;
  std::vector<c10::Storage> adopted_;
  std::optional<c10::Storage> set_from_;
};

bool is_integer(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && c10::isIntegralType(value.toTensor().scalar_type(), /*includeBool=*/true);
}
bool is_int64(const c10::IValue& value) { return value.isTensor() && value.toTensor().defined() && value.toTensor().scalar_type() == at::kLong; }
bool is_native_int64(const c10::IValue& value) { return settings().native_int64 && is_int64(value); }
bool is_odd_width(const c10::IValue& value) { return is_integer(value) && value.toTensor().element_size() != 4; }

struct Refusal {
  bool (*refuses)(const c10::IValue& first_argument);
  const char* text;
};

}  // namespace

Values run_on_device(const c10::OperatorHandle& op, Values arguments, Path path) {
  Call call(op);
  return call.to_device(compute_with_faults(op, call.to_host(std::move(arguments)), path));
}

std::string compiler_refusal(const c10::OperatorHandle& op, const Values& arguments) {
  const Refusal matmul = {&is_native_int64, "[NCC_EVRF035] integer matrix multiplication is not supported on this target"};
  const Refusal scatter = {&is_native_int64, "[NCC_EVRF060] scatter with compute on integers is not supported on this target"};
  static const std::multimap<std::string, Refusal, std::less<>> refusals = {
      {"mm", matmul},
      {"bmm", matmul},
      {"addmm", matmul},
      {"scatter_add", scatter},
      {"index_add", scatter},
      {"embedding_dense_backward", scatter},
      {"pow", {&is_native_int64, "[NCC_EVRF062] 64-bit integer power is not supported on this target"}},
      {"topk", {&is_integer, "[NCC_EVRF013] TopK of integers is not supported"}},
      {"bitwise_right_shift", {&is_odd_width, "[NCC_EVRF022] shift-right is supported for 32-bit integers only"}},
  };
  if (arguments.empty()) return "";
  const auto [first, last] = refusals.equal_range(base_name(op));
  const auto found = std::find_if(first, last, [&](const auto& row) { return row.second.refuses(arguments.front()); });
  return found == last ? "" : found->second.text;
}

}  // namespace neuroncheck::simulator
