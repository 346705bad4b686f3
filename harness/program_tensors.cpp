// The tensors of program_runner.h: from specs to memory, and from memory to bits.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/as_strided_native.h>

#include <algorithm>
#include <cstring>
#include <deque>
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
  std::vector<std::int64_t> index;
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    index.push_back(sizes[d] - 1);
    offset += index[d] * strides[d];
  }
  for (std::int64_t i = c10::multiply_integers(sizes) - 1; i >= 0; --i) {
    visit(i, offset);
    std::size_t d = sizes.size();
    for (; d > 0 && index[d - 1] == 0; --d) {
      index[d - 1] = sizes[d - 1] - 1;
      offset += index[d - 1] * strides[d - 1];
    }
    if (d == 0) return;
    --index[d - 1];
    offset -= strides[d - 1];
  }
}

bool is_row_major(at::IntArrayRef sizes, at::IntArrayRef strides) {
  std::int64_t expected = 1;
  for (std::size_t d = sizes.size(); d-- > 0; expected *= sizes[d]) {
    if (sizes[d] != 1 && strides[d] != expected) return false;
  }
  return true;
}

std::vector<std::byte> row_major_bytes(const std::byte* first, std::size_t width, at::IntArrayRef sizes, at::IntArrayRef strides) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(c10::multiply_integers(sizes)) * width);
  if (is_row_major(sizes, strides)) {
    std::memcpy(bytes.data(), first, bytes.size());
    return bytes;
  }
  walk_backwards(sizes, strides, [&](std::int64_t i, std::int64_t offset) {
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * width, first + offset * static_cast<std::int64_t>(width), width);
  });
  return bytes;
}

at::Tensor poisoned_storage(Dtype dtype, std::int64_t elements) {
  at::Tensor flat(at::detail::empty_cpu({elements}, scalar_type(dtype)));
  std::memset(flat.mutable_data_ptr(), poison_byte(dtype), flat.nbytes());
  return flat;
}

// A tensor that is no view for autograd, though it shares the storage. On the CPU (every case makes several) the dispatcher is spared.
at::Tensor laid_out(const at::Tensor& flat, const Placed& placed) {
  if (flat.is_cpu()) return at::native::as_strided_tensorimpl(flat, placed.sizes, placed.strides, placed.offset);
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  return flat.as_strided(placed.sizes, placed.strides, placed.offset);
}

// The values drawn last: the plain run, the subject's paths and the reference of a case all begin with the same ones. A memo of a pure function.
class RecentValues {
 public:
  const std::vector<std::byte>& of(const TensorSpec& spec, const std::vector<std::int64_t>& sizes) {
    for (const Entry& entry : entries_) {
      if (entry.dtype == spec.dtype && entry.sizes == sizes && entry.fill == spec.fill) return entry.values;
    }
    if (entries_.size() == kKept) entries_.pop_front();
    return entries_.emplace_back(Entry{spec.fill, spec.dtype, sizes, make_values(spec.fill, spec.dtype, sizes)}).values;
  }

 private:
  static constexpr std::size_t kKept = 8;  // more inputs than nearly every case has
  struct Entry {
    Fill fill;
    Dtype dtype;
    std::vector<std::int64_t> sizes;
    std::vector<std::byte> values;
  };
  std::deque<Entry> entries_;
};

at::Tensor filled_storage(const TensorSpec& spec, const Placed& placed) {
  at::Tensor flat = poisoned_storage(spec.dtype, placed.storage + kGuardElements);
  static thread_local RecentValues recent;
  const std::vector<std::byte>& values = recent.of(spec, placed.sizes);
  const std::size_t width = bytes_of(spec.dtype);
  std::byte* first = static_cast<std::byte*>(flat.mutable_data_ptr()) + placed.offset * static_cast<std::int64_t>(width);
  if (is_row_major(placed.sizes, placed.strides)) {
    if (!values.empty()) std::memcpy(first, values.data(), values.size());
    return flat;
  }
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
  if (tensor.is_cpu()) return at::native::as_strided_tensorimpl(tensor, {elements}, {1}, 0);
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  return tensor.as_strided({elements}, {1}, 0).to(at::kCPU);
}

// Element bytes of a plain tensor, from a copy of its whole storage.
std::vector<std::byte> strided_bytes(const at::Tensor& tensor, const at::Tensor& storage_on_cpu) {
  const std::size_t width = tensor.element_size();
  const auto* first = static_cast<const std::byte*>(storage_on_cpu.const_data_ptr()) + static_cast<std::size_t>(tensor.storage_offset()) * width;
  return row_major_bytes(first, width, tensor.sizes(), tensor.strides());
}

// Strided memory that holds the values as they are: no lazy conjugation or negation.
bool is_plain(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && !tensor._is_zerotensor() && !tensor.is_conj() && !tensor.is_neg() && tensor.has_storage();
}

at::Tensor plain_on_cpu(const at::Tensor& tensor) {
  if (tensor._is_zerotensor()) return at::zeros(tensor.sizes(), tensor.scalar_type());  // it has no memory, on the CPU either
  if (tensor.layout() != at::kStrided) return tensor.cpu().to_dense().contiguous();
  at::Tensor raw = tensor;
  const bool conjugate = raw.is_conj(), negative = raw.is_neg();
  if (conjugate) raw = raw.conj();  // takes the bit off
  if (negative) raw = at::_neg_view(raw);
  at::Tensor host = raw.cpu();
  if (conjugate) host = host.conj().resolve_conj();
  return negative ? host.neg() : host;
}

std::vector<std::byte> element_bytes(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return {};
  if (is_plain(tensor) && !tensor.is_cpu()) {
    const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
    if (lies_in_storage(tensor, elements)) return strided_bytes(tensor, whole_storage_on_cpu(tensor));
  }
  const at::Tensor host = plain_on_cpu(tensor);
  return row_major_bytes(static_cast<const std::byte*>(host.const_data_ptr()), host.element_size(), host.sizes(), host.strides());
}

void fill_aliases(HostTensor& host, const at::Tensor& tensor, std::span<const at::Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (tensor.is_same(inputs[i])) host.is_input = true;
    const bool shares = tensor.has_storage() && inputs[i].has_storage() && tensor.storage().is_alias_of(inputs[i].storage());
    if (shares && host.alias_of_input < 0) host.alias_of_input = static_cast<int>(i);
  }
}

HostTensor described(const at::Tensor& tensor, std::span<const at::Tensor> inputs) {
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
  const bool is_number = tensor.unsafeGetTensorImpl()->is_wrapped_number();
  host.device = is_number ? kNumber : c10::DeviceTypeName(tensor.device().type(), /*lower_case=*/true);
  host.requires_grad = tensor.requires_grad();
  fill_aliases(host, tensor, inputs);
  return host;
}

// Whether what lies around and between the elements still is poison.
bool guard_intact(const Placed& placed, std::span<const unsigned char> bytes, std::size_t width, int poison) {
  const auto is_poison = [&](unsigned char byte) { return byte == poison; };
  if (is_row_major(placed.sizes, placed.strides)) {
    const std::size_t first = static_cast<std::size_t>(placed.offset) * width;
    const std::size_t end = first + static_cast<std::size_t>(c10::multiply_integers(placed.sizes)) * width;
    return std::ranges::all_of(bytes.first(first), is_poison) && std::ranges::all_of(bytes.subspan(end), is_poison);
  }
  std::vector<bool> is_used(bytes.size() / width);
  walk_backwards(placed.sizes, placed.strides,
                 [&](std::int64_t, std::int64_t offset) { is_used[static_cast<std::size_t>(placed.offset + offset)] = true; });
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (!is_used[i] && !std::ranges::all_of(bytes.subspan(i * width, width), is_poison)) return false;
  }
  return true;
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
  HostTensor host = described(tensor, inputs);
  if (tensor.defined()) host.bytes = element_bytes(tensor.detach());
  return host;
}

// Where the tensor was given other memory (resize_, set_), there is no guard left to look at.
HostTensor input_to_host(const at::Tensor& tensor, const TensorSpec& spec, const SymbolValues& symbols, std::span<const at::Tensor> inputs) {
  const Placed placed = place(spec, symbols);
  const std::size_t width = bytes_of(spec.dtype), size = static_cast<std::size_t>(placed.storage + kGuardElements) * width;
  const bool same_memory = is_plain(tensor) && tensor.storage().nbytes() == size && dtype_of(tensor) == spec.dtype;
  if (!same_memory || !lies_in_storage(tensor, placed.storage + kGuardElements)) return to_host(tensor, inputs);
  HostTensor host = described(tensor, inputs);
  const at::Tensor storage = whole_storage_on_cpu(tensor);
  host.bytes = strided_bytes(tensor, storage);
  const std::span bytes(static_cast<const unsigned char*>(storage.const_data_ptr()), size);
  host.guard_broken = !guard_intact(placed, bytes, width, poison_byte(spec.dtype));
  return host;
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
