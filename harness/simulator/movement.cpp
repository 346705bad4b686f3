#include "harness/simulator/movement.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/copy_native.h>

#include <algorithm>
#include <array>

#include "harness/simulator/fallback.h"
#include "harness/simulator/memory.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {
namespace {

using OptionalDtype = std::optional<at::ScalarType>;
using OptionalLayout = std::optional<at::Layout>;
using OptionalDevice = std::optional<at::Device>;
using OptionalFormat = std::optional<at::MemoryFormat>;

const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::Tensor new_tensor(at::IntArrayRef sizes, at::ScalarType dtype, OptionalFormat format) {
  return at::detail::empty_generic(sizes, device_allocator(), kKeys, dtype, format);
}

at::Tensor host_view(const at::Tensor& tensor) { return tensor.device().is_privateuseone() ? host_alias(tensor) : tensor; }

// Without the dispatcher: a copy is not host work.
void copy_bytes(const at::Tensor& from, const at::Tensor& to) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  at::Tensor target = host_view(to);
  at::native::copy_(target, host_view(from), /*non_blocking=*/false);
}

at::Tensor empty(c10::SymIntArrayRef sizes, OptionalDtype dtype, OptionalLayout, OptionalDevice, std::optional<bool>, OptionalFormat format) {
  tracker().executed("aten::empty");
  return new_tensor(C10_AS_INTARRAYREF_SLOW(sizes), dtype.value_or(at::typeMetaToScalarType(at::get_default_dtype())), format);
}

at::Tensor empty_strided(c10::SymIntArrayRef sizes, c10::SymIntArrayRef strides, OptionalDtype dtype, OptionalLayout, OptionalDevice,
                         std::optional<bool>) {
  tracker().executed("aten::empty_strided");
  return at::detail::empty_strided_generic(C10_AS_INTARRAYREF_SLOW(sizes), C10_AS_INTARRAYREF_SLOW(strides), device_allocator(), kKeys,
                                           dtype.value_or(at::typeMetaToScalarType(at::get_default_dtype())));
}

at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool) {
  copy_bytes(from, to);
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
  if (from.sizes() != to.sizes()) to.resize_(from.sizes());
  copy_bytes(from, to);
  return to;
}

at::Tensor zero_tensor(c10::SymIntArrayRef sizes, OptionalDtype dtype, OptionalLayout, OptionalDevice, std::optional<bool>) {
  const auto type = dtype.value_or(at::typeMetaToScalarType(at::get_default_dtype()));
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(kKeys | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor), c10::scalarTypeToTypeMeta(type),
                                                         c10::Device(c10::DeviceType::PrivateUse1, 0));
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(C10_AS_INTARRAYREF_SLOW(sizes));
  return tensor;
}

bool is_plain(OptionalFormat format) {
  return !format || *format == at::MemoryFormat::Contiguous || *format == at::MemoryFormat::Preserve || settings().all_native;
}

// A layout that the device cannot make is made on the host.
at::Tensor formatted_on_host(const char* name, const at::Tensor& self, at::MemoryFormat format) {
  refuse_when_strict(name, std::string(name) + ": Neuron tensors only support contiguous or preserve memory format");
  tracker().fell_back(std::string("aten::") + name);
  return self.cpu().contiguous(format).to(self.device(), self.scalar_type(), false, false, at::MemoryFormat::Preserve);
}

at::Tensor clone(const at::Tensor& self, OptionalFormat format) {
  if (!is_plain(format)) return formatted_on_host("contiguous", self, *format);
  tracker().executed("aten::clone");
  const at::Tensor result = new_tensor(self.sizes(), self.scalar_type(), settings().all_native ? format : std::nullopt);
  copy_bytes(self, result);
  return result;
}

at::Tensor to_copy(const at::Tensor& self, OptionalDtype dtype, OptionalLayout layout, OptionalDevice device, std::optional<bool> pin,
                   bool non_blocking, OptionalFormat format) {
  const bool stays = !device || device->is_privateuseone();
  if (stays && !is_plain(format)) return formatted_on_host("_to_copy", dtype ? self.to(*dtype) : self, *format);
  if (stays) tracker().executed("aten::_to_copy");
  return at::native::_to_copy(self, dtype, layout, device, pin, non_blocking, format);
}

constexpr std::array<std::string_view, 7> kNames = {"aten::empty.memory_format",   "aten::empty_strided", "aten::_copy_from",
                                                    "aten::_copy_from_and_resize", "aten::clone",         "aten::_to_copy",
                                                    "aten::_efficientzerotensor"};

}  // namespace

void register_movement(torch::Library& library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("_copy_from", &copy_from);
  library.impl("_copy_from_and_resize", &copy_from_and_resize);
  library.impl("_efficientzerotensor", &zero_tensor);
  library.impl("clone", &clone);
  library.impl("_to_copy", &to_copy);
}

bool is_movement_kernel(std::string_view full_name) { return std::find(kNames.begin(), kNames.end(), full_name) != kNames.end(); }

}  // namespace neuroncheck::simulator
