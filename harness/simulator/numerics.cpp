#include "harness/simulator/numerics.h"

#include <ATen/ATen.h>

#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "harness/simulator/personality.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {
namespace {

enum class Movement { none, exact_bits, any_dtype };

// Ops that the vendor exempts from narrowing too, and ops that only move data: there 16-bit values must not pass through float32 (NaN payloads).
Movement movement_of(const c10::OperatorHandle& op) {
  static const std::set<std::string, std::less<>> lossless = read_names("lossless");
  static const std::set<std::string, std::less<>> moving = read_names("movement");
  const std::string name = base_name(op);
  if (is_view(op) || lossless.contains(name) || draws_random_numbers(op)) return Movement::any_dtype;
  return moving.contains(name) ? Movement::exact_bits : Movement::none;
}

bool any_tensor(const Values& values, bool (*has)(at::ScalarType)) {
  bool found = false;
  for (const c10::IValue& value : values) {
    for_each_tensor(value, [&](const at::Tensor& tensor) { found = found || has(tensor.scalar_type()); });
  }
  return found;
}

enum class Trip { there, there_and_back };

// The tensor in `dtype`, or brought back from it; with its strides, from which torch derives those of results.
at::Tensor converted(const at::Tensor& tensor, at::ScalarType dtype, Trip trip) {
  const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
  const at::Tensor storage = tensor.as_strided({elements}, {1}, 0).to(dtype);
  const at::Tensor result = (trip == Trip::there_and_back ? storage.to(tensor.scalar_type()) : storage)
                                .as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) result.unsafeGetTensorImpl()->set_wrapped_number(true);
  return result;
}

template <class Wide, class Narrow>
bool survives(const at::Tensor& tensor) {
  if (!tensor.is_contiguous()) return false;
  const Wide* data = tensor.const_data_ptr<Wide>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    const Wide back = static_cast<Wide>(static_cast<Narrow>(data[i]));
    if (back != data[i] && data[i] == data[i]) return false;
  }
  return true;
}

std::string dtype_key(const c10::OperatorHandle& op, const Values& arguments) {
  std::string key = full_name(op);
  for (const c10::IValue& value : arguments) {
    key += '|';
    if (value.isInt()) key += std::to_string(value.toInt());
    if (value.isScalar() && !value.isInt()) key += value.tagKind();
    for_each_tensor(value, [&](const at::Tensor& tensor) {
      key += static_cast<char>('a' + static_cast<int>(tensor.scalar_type()));
      if (tensor.dim() == 0) key += '0';
    });
  }
  return key;
}

std::vector<at::ScalarType> dtypes_of(const Values& values) {
  std::vector<at::ScalarType> dtypes;
  for (const c10::IValue& value : values) {
    for_each_tensor(value, [&](const at::Tensor& tensor) { dtypes.push_back(tensor.scalar_type()); });
  }
  return dtypes;
}

// In which dtypes torch answers is asked of its CPU kernel, once per op and argument dtypes. Its dtype errors are the device's. Empty: unknown,
// since that kernel does not exist for 16 bits; then every float32 answer is of the 16-bit dtype.
std::vector<at::ScalarType> answer_dtypes(const c10::OperatorHandle& op, const Values& arguments) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<at::ScalarType>> known;
  const std::string key = dtype_key(op, arguments);
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
  }
  std::vector<at::ScalarType> dtypes;
  try {
    dtypes = dtypes_of(call_cpu(op, copies_of_written(op, arguments)));
  } catch (const c10::Error& error) {
    if (std::string_view(error.what_without_backtrace()).find("not implemented for") == std::string_view::npos) throw;
  }
  const std::lock_guard lock(mutex);
  known.emplace(key, dtypes);
  return dtypes;
}

at::ScalarType first_16_bit(const Values& arguments) {
  for (const at::ScalarType dtype : dtypes_of(arguments)) {
    if (is_16_bit(dtype)) return dtype;
  }
  return at::kFloat;
}

struct Written {
  at::Tensor original, computed;
};

// Arguments in float32 in place of 16 bits. `written` remembers what has to be written back.
std::vector<Written> widen(const c10::OperatorHandle& op, Values& arguments) {
  std::vector<Written> written;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::Argument& parameter = op.schema().arguments()[i];
    const bool remember = is_written(parameter);
    transform_tensors(arguments[i], [&](const at::Tensor& tensor) {
      if (!is_16_bit(tensor.scalar_type())) return tensor;
      const at::Tensor wide = converted(tensor, at::kFloat, Trip::there);
      if (remember) written.push_back({tensor, wide});
      return wide;
    });
    if (parameter.name().ends_with("dtype") && arguments[i].isInt() && is_16_bit(static_cast<at::ScalarType>(arguments[i].toInt()))) {
      arguments[i] = static_cast<std::int64_t>(at::kFloat);
    }
  }
  return written;
}

void write_back(const std::vector<Written>& written, Rounding rounding) {
  for (const Written& one : written) {
    if (one.original.sizes() != one.computed.sizes()) one.original.resize_(one.computed.sizes());
    one.original.copy_(round_to(one.computed, one.original.scalar_type(), rounding));
  }
}

// An in-place op reads its destination, so that is narrowed as an input; the old contents of out= are left alone.
Values compute_narrowed(const c10::OperatorHandle& op, Values arguments) {
  const auto narrow_in_place = [](const at::Tensor& tensor) {
    const at::Tensor result = narrowed(tensor);
    if (!result.is_same(tensor)) tensor.copy_(result);
  };
  const bool in_place = is_in_place(op);
  Values written;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool writes = is_written(op.schema().arguments()[i]);
    if (writes) written.push_back(arguments[i]);
    if (!writes) transform_tensors(arguments[i], &narrowed);
    if (writes && in_place) for_each_tensor(arguments[i], narrow_in_place);
  }
  Values results = compute_with_personality(op, std::move(arguments));
  for (const c10::IValue& value : written) for_each_tensor(value, narrow_in_place);
  if (written.empty()) {
    for (c10::IValue& result : results) transform_tensors(result, [&](const at::Tensor& tensor) { return narrowed(tensor); });
  }
  return results;
}

Values compute_wide(const c10::OperatorHandle& op, Values arguments, Rounding rounding) {
  const std::vector<at::ScalarType> dtypes = answer_dtypes(op, arguments);
  const at::ScalarType narrow = first_16_bit(arguments);
  const std::vector<Written> written = widen(op, arguments);
  Values results = compute_narrowed(op, std::move(arguments));
  write_back(written, rounding);
  std::size_t n = 0;
  for (c10::IValue& result : results) {
    transform_tensors(result, [&](const at::Tensor& tensor) {
      const at::ScalarType answer = n < dtypes.size() ? dtypes[n] : tensor.scalar_type() == at::kFloat ? narrow : tensor.scalar_type();
      ++n;
      for (const Written& one : written) {
        if (one.computed.is_same(tensor)) return one.original;
      }
      return round_to(tensor, answer, rounding);
    });
  }
  return results;
}

bool asks_for_16_bit(const c10::OperatorHandle& op, const Values& arguments) {
  const c10::IValue dtype = argument(op, arguments, "dtype");
  return dtype.isInt() && is_16_bit(static_cast<at::ScalarType>(dtype.toInt()));
}

}  // namespace

bool is_16_bit(at::ScalarType dtype) { return dtype == at::kHalf || dtype == at::kBFloat16; }

at::Tensor round_to(const at::Tensor& tensor, at::ScalarType dtype, Rounding rounding) {
  if (tensor.scalar_type() == dtype) return tensor;
  const at::Tensor nearest = tensor.to(dtype);
  if (rounding == Rounding::nearest_even || !is_16_bit(dtype) || tensor.scalar_type() != at::kFloat) return nearest;
  // One step toward zero where rounding went away from it: the magnitude's bits minus one.
  const at::Tensor away = nearest.to(at::kFloat).abs().gt(tensor.abs());
  return nearest.view(at::kShort).sub(away.to(at::kShort)).view(dtype);
}

at::Tensor narrowed(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kDouble) {
    if (survives<double, float>(tensor)) return tensor;
    return converted(tensor, at::kFloat, Trip::there_and_back);
  }
  if (tensor.scalar_type() == at::kLong && !settings().native_int64) {
    if (survives<std::int64_t, std::int32_t>(tensor)) return tensor;
    return converted(tensor, at::kInt, Trip::there_and_back);
  }
  return tensor;
}

Values compute_with_numerics(const c10::OperatorHandle& op, Values arguments, Rounding rounding) {
  const Movement movement = movement_of(op);
  if (movement == Movement::any_dtype) return call_cpu(op, std::move(arguments));
  const bool wide = any_tensor(arguments, &is_16_bit) || asks_for_16_bit(op, arguments);
  if (movement == Movement::none && wide) return compute_wide(op, std::move(arguments), rounding);
  const bool computes = any_tensor(arguments, [](at::ScalarType) { return true; });
  return computes ? compute_narrowed(op, std::move(arguments)) : compute_with_personality(op, std::move(arguments));
}

}  // namespace neuroncheck::simulator
