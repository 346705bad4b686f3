// The tensors of program_runner.h: from specs to memory, and from memory to bits.
#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "harness/program_runner.h"
#include "harness/random.h"

namespace neuroncheck {
namespace {

// NaN of every floating format; a striking number for integers; a legal bool.
int poison_byte(Dtype dtype) {
  if (dtype == Dtype::bool_) return 1;
  return is_integer(dtype) ? 0xA5 : 0xFF;
}

// Calls visit(i, offset) for element i in row-major order, last first: where elements share memory, the first of them is written last and stays.
template <typename Visit>
void walk_backwards(at::IntArrayRef sizes, at::IntArrayRef strides, Visit visit) {
  const std::int64_t count = c10::multiply_integers(sizes);
  std::vector<std::int64_t> index(sizes.size());
  for (std::int64_t i = count - 1; i >= 0; --i) {
    std::int64_t rest = i, offset = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      offset += rest % sizes[d] * strides[d];
      rest /= sizes[d];
    }
    visit(i, offset);
  }
}

std::vector<std::byte> row_major_bytes(const std::byte* first, std::size_t width, at::IntArrayRef sizes, at::IntArrayRef strides) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(c10::multiply_integers(sizes)) * width);
  walk_backwards(sizes, strides, [&](std::int64_t i, std::int64_t offset) {
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * width, first + offset * static_cast<std::int64_t>(width), width);
  });
  return bytes;
}

at::Tensor poisoned_storage(Dtype dtype, std::int64_t elements) {
  at::Tensor flat = at::empty({elements}, scalar_type(dtype));
  std::memset(flat.mutable_data_ptr(), poison_byte(dtype), flat.nbytes());
  return flat;
}

// A tensor that is no view for autograd, though it shares the storage.
at::Tensor laid_out(const at::Tensor& flat, const Placed& placed) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  return flat.as_strided(placed.sizes, placed.strides, placed.offset);
}

at::Tensor filled_storage(const TensorSpec& spec, const Placed& placed) {
  at::Tensor flat = poisoned_storage(spec.dtype, placed.storage + kGuardElements);
  const std::vector<std::byte> values = make_values(spec.fill, spec.dtype, placed.sizes);
  const std::size_t width = bytes_of(spec.dtype);
  std::byte* first = static_cast<std::byte*>(flat.mutable_data_ptr()) + placed.offset * static_cast<std::int64_t>(width);
  walk_backwards(placed.sizes, placed.strides, [&](std::int64_t i, std::int64_t offset) {
    std::memcpy(first + offset * static_cast<std::int64_t>(width), values.data() + static_cast<std::size_t>(i) * width, width);
  });
  return flat;
}

bool lies_in_storage(const at::Tensor& tensor, std::int64_t elements) {
  std::int64_t last = tensor.storage_offset();
  for (std::int64_t d = 0; d < tensor.dim(); ++d) last += (tensor.size(d) - 1) * tensor.stride(d);
  return tensor.numel() == 0 || last < elements;
}

// Copied as one flat tensor: that needs no computing on the device.
at::Tensor whole_storage_on_cpu(const at::Tensor& tensor) {
  const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  return tensor.as_strided({elements}, {1}, 0).to(at::kCPU);
}

// Read here with the tensor's strides.
at::Tensor on_cpu(const at::Tensor& tensor) {
  if (tensor.is_cpu()) return tensor;
  if (!tensor.has_storage()) return tensor.cpu();
  const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
  if (!lies_in_storage(tensor, elements)) return tensor.cpu();
  return whole_storage_on_cpu(tensor).as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

at::Tensor plain_on_cpu(const at::Tensor& tensor) {
  at::Tensor raw = tensor.detach();
  if (raw.layout() != at::kStrided || raw._is_zerotensor()) return raw.cpu().to_dense().contiguous();
  const bool conjugate = raw.is_conj(), negative = raw.is_neg();
  if (conjugate) raw = raw.conj();  // takes the bit off
  if (negative) raw = at::_neg_view(raw);
  at::Tensor host = on_cpu(raw);
  if (conjugate) host = host.conj().resolve_conj();
  return negative ? host.neg() : host;
}

void fill_aliases(HostTensor& host, const at::Tensor& tensor, std::span<const at::Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (tensor.is_same(inputs[i])) host.is_input = true;
    const bool shares = tensor.has_storage() && inputs[i].has_storage() && tensor.storage().is_alias_of(inputs[i].storage());
    if (shares && host.alias_of_input < 0) host.alias_of_input = static_cast<int>(i);
  }
}

}  // namespace

at::Tensor make_cpu_tensor(const TensorSpec& spec, const SymbolValues& symbols) {
  const Placed placed = place(spec, symbols);
  return laid_out(filled_storage(spec, placed), placed);
}

at::Tensor make_tensor(const TensorSpec& spec, const SymbolValues& symbols, const at::Device& device) {
  if (device.is_cpu()) return make_cpu_tensor(spec, symbols);
  const Placed placed = place(spec, symbols);
  const at::NoGradGuard no_grad;
  const at::Tensor host = filled_storage(spec, placed);
  const at::Tensor flat = at::empty({host.numel()}, host.options().device(device));
  flat.copy_(host);
  return laid_out(flat, placed);
}

at::Tensor make_grad_output(const Case& test_case, std::size_t output, std::size_t step, const at::Tensor& like) {
  TensorSpec spec;
  spec.dtype = dtype_of(like);
  spec.fill = test_case.backward.at(0).fill;
  for (const std::int64_t size : like.sizes()) spec.sizes.push_back(Dim{.size = size});
  spec.fill.seed = mix(spec.fill.seed, output);
  if (step > 0) spec.fill.seed = mix(spec.fill.seed, step);
  return make_cpu_tensor(spec, {});
}

HostTensor to_host(const at::Tensor& tensor, std::span<const at::Tensor> inputs) {
  HostTensor host;
  if (!tensor.defined()) {
    host.device = "undefined";
    host.sizes = {0};
    host.strides = {1};
    return host;
  }
  host.dtype = dtype_of(tensor);
  host.sizes = tensor.sizes().vec();
  if (tensor.layout() == at::kStrided) host.strides = tensor.strides().vec();
  host.device = c10::DeviceTypeName(tensor.device().type(), /*lower_case=*/true);
  host.requires_grad = tensor.requires_grad();
  fill_aliases(host, tensor, inputs);
  const at::Tensor plain = plain_on_cpu(tensor);
  const std::size_t width = plain.element_size();
  if (plain.numel() > 0) host.bytes = row_major_bytes(static_cast<const std::byte*>(plain.const_data_ptr()), width, plain.sizes(), plain.strides());
  return host;
}

// Where the tensor was given other memory (resize_, set_), there is nothing left to look at.
bool guard_intact(const at::Tensor& tensor, const TensorSpec& spec, const SymbolValues& symbols) {
  const Placed placed = place(spec, symbols);
  const std::size_t width = bytes_of(spec.dtype), size = static_cast<std::size_t>(placed.storage + kGuardElements) * width;
  if (!tensor.has_storage() || tensor.storage().nbytes() != size || dtype_of(tensor) != spec.dtype) return true;
  const at::Tensor flat = whole_storage_on_cpu(tensor.detach());
  std::vector<bool> is_used(size / width);
  walk_backwards(placed.sizes, placed.strides,
                 [&](std::int64_t, std::int64_t offset) { is_used[static_cast<std::size_t>(placed.offset + offset)] = true; });
  const auto* bytes = static_cast<const unsigned char*>(flat.const_data_ptr());
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_used[i / width] && bytes[i] != poison_byte(spec.dtype)) return false;
  }
  return true;
}

Dtype dtype_of(const at::Tensor& tensor) {
  for (const Dtype dtype : kAllDtypes) {
    if (scalar_type(dtype) == tensor.scalar_type()) return dtype;
  }
  throw std::runtime_error(std::string("a tensor of dtype ") + c10::toString(tensor.scalar_type()) + " is not in the harness' list");
}

at::ScalarType scalar_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::bool_:
      return at::kBool;
    case Dtype::uint8:
      return at::kByte;
    case Dtype::int8:
      return at::kChar;
    case Dtype::int16:
      return at::kShort;
    case Dtype::int32:
      return at::kInt;
    case Dtype::int64:
      return at::kLong;
    case Dtype::float16:
      return at::kHalf;
    case Dtype::bfloat16:
      return at::kBFloat16;
    case Dtype::float32:
      return at::kFloat;
    case Dtype::float64:
      return at::kDouble;
    case Dtype::float8_e4m3fn:
      return at::kFloat8_e4m3fn;
    case Dtype::float8_e5m2:
      return at::kFloat8_e5m2;
    case Dtype::complex64:
      return at::kComplexFloat;
  }
  throw std::logic_error("unknown dtype");
}

}  // namespace neuroncheck
