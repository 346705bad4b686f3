#include "oracles/bounded_tensor.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ops/as_strided_native.h>

#include <stdexcept>

namespace neuroncheck::oracles {
namespace {

at::Tensor bound_of(const at::Tensor& value, const Companion& companion) {
  if (!companion.bound.defined()) return {};
  return companion.bound.as_strided(value.sizes(), value.strides(), value.storage_offset());
}

at::Tensor flat_zeros(const at::Tensor& value) {
  const auto elements = static_cast<std::int64_t>(value.storage().nbytes() / value.itemsize());
  return at::zeros({elements}, at::kDouble);
}

bool laid_out_alike(const at::Tensor& a, const at::Tensor& b) {
  return a.storage_offset() == 0 && b.storage_offset() == 0 && a.strides() == b.strides() && a.is_non_overlapping_and_dense();
}

std::shared_ptr<Companion> make_companion(const PairTensor& pair) {
  auto companion = std::make_shared<Companion>(Companion{{}, pair.representable, pair.narrowed, pair.value.numel()});
  if (!pair.bound.defined()) return companion;
  if (laid_out_alike(pair.value, pair.bound)) {
    companion->bound = pair.bound;
    return companion;
  }
  companion->bound = flat_zeros(pair.value);
  bound_of(pair.value, *companion).copy_(pair.bound);
  return companion;
}

// The wrapper: sizes and strides are the value's, the storage is out of reach.
struct BoundedImpl : c10::TensorImpl {
  BoundedImpl(at::Tensor value_in, std::shared_ptr<Companion> companion_in, caffe2::TypeMeta shown)
      : TensorImpl(c10::DispatchKeySet(c10::DispatchKey::PrivateUse2), shown, at::kCPU),
        value(std::move(value_in)),
        companion(std::move(companion_in)) {
    follow_value();
    set_storage_access_should_throw();
  }

  void follow_value() {
    set_sizes_and_strides(value.sizes(), value.strides(), value.storage_offset());
    if (value.unsafeGetTensorImpl()->is_wrapped_number()) set_wrapped_number(true);
  }

  // Autograd keeps variables through these three: without them it would lose the pair.
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const c10::VariableVersion& version, bool allow_change) const override {
    return detached(version, allow_change);
  }
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(c10::VariableVersion&& version, bool allow_change) const override {
    return detached(std::move(version), allow_change);
  }
  void shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) override {
    auto* source = static_cast<BoundedImpl*>(other.get());
    value = source->value;
    companion = source->companion;
    copy_tensor_metadata(source, this, version_counter(), allow_tensor_metadata_change());
  }

  at::Tensor value;
  std::shared_ptr<Companion> companion;

 private:
  template <typename Version>
  c10::intrusive_ptr<TensorImpl> detached(Version&& version, bool allow_change) const {
    auto result = c10::make_intrusive<BoundedImpl>(value, companion, dtype());
    copy_tensor_metadata(this, result.get(), std::forward<Version>(version), allow_change);
    return result;
  }
};

BoundedImpl& implementation(const at::Tensor& tensor) { return *static_cast<BoundedImpl*>(tensor.unsafeGetTensorImpl()); }

void write_bound(const at::Tensor& value, Companion& companion, const at::Tensor& bound) {
  if (!bound.defined() && !companion.bound.defined()) return;
  if (!companion.bound.defined()) companion.bound = flat_zeros(value);
  at::Tensor there = bound_of(value, companion);
  if (bound.defined()) {
    there.copy_(bound);
  } else {
    there.zero_();
  }
}

}  // namespace

bool is_bounded(const at::Tensor& tensor) { return tensor.defined() && tensor.unsafeGetTensorImpl()->key_set().has(c10::DispatchKey::PrivateUse2); }

bool carries_a_bound(at::ScalarType type) { return at::isFloatingType(type) || at::isComplexType(type); }

PairTensor unwrap(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  if (!is_bounded(tensor)) {
    const at::ScalarType shown = tensor.scalar_type();
    if (!carries_a_bound(shown)) return {tensor, {}, shown, true, false, nullptr};
    const at::ScalarType wide = at::isComplexType(shown) ? at::kComplexDouble : at::kDouble;
    // Autograd's zeros have no memory. A number that Python wrote is no tensor of the device: it may be rounded to a narrower format, or not.
    const at::Tensor read = tensor._is_zerotensor() ? at::zeros(tensor.sizes(), wide) : tensor.detach().to(wide).resolve_conj();
    const bool is_number = tensor.unsafeGetTensorImpl()->is_wrapped_number();
    return {read, {}, shown, !is_number, is_number, nullptr};
  }
  const BoundedImpl& bounded = implementation(tensor);
  return {bounded.value,
          bound_of(bounded.value, *bounded.companion),
          tensor.scalar_type(),
          bounded.companion->representable,
          bounded.companion->narrowed,
          bounded.companion};
}

at::Tensor wrap(const PairTensor& pair) {
  if (!pair.value.defined()) return {};
  if (!carries_a_bound(pair.shown) && !pair.bound.defined() && !pair.companion) return pair.value;
  auto companion = pair.companion ? pair.companion : make_companion(pair);
  return at::detail::make_tensor<BoundedImpl>(pair.value, std::move(companion), c10::scalarTypeToTypeMeta(pair.shown));
}

at::Tensor wrap_leaf(const at::Tensor& plain) {
  PairTensor leaf{plain.detach(), {}, plain.scalar_type(), true, false, nullptr};
  if (!at::isFloatingType(plain.scalar_type())) {
    return at::detail::make_tensor<BoundedImpl>(leaf.value, make_companion(leaf), c10::scalarTypeToTypeMeta(leaf.shown));
  }
  // Strides are kept, gaps and overlaps included: views of a leaf must behave as those of the tensor it stands for.
  const auto elements = static_cast<std::int64_t>(plain.storage().nbytes() / plain.itemsize());
  const at::Tensor storage(at::detail::empty_cpu({elements}, at::kDouble));
  storage.copy_(at::native::as_strided_tensorimpl(leaf.value, {elements}, {1}, 0));
  leaf.value = at::native::as_strided_tensorimpl(storage, plain.sizes(), plain.strides(), plain.storage_offset());
  return wrap(leaf);
}

void write_through(const at::Tensor& destination, const PairTensor& source) {
  if (!is_bounded(destination)) {
    const bool loses = source.bound.defined() || (at::isFloatingType(source.shown) && !source.representable);
    if (loses) throw std::logic_error("the reference would lose a bound: a plain tensor is written by an op with bounded arguments");
    destination.copy_(source.value);
    return;
  }
  BoundedImpl& bounded = implementation(destination);
  bounded.value.copy_(source.value);
  write_bound(bounded.value, *bounded.companion, source.bound);
  const bool all = !is_part(destination);
  bounded.companion->representable = source.representable && (all || bounded.companion->representable);
  bounded.companion->narrowed = source.narrowed && (all || bounded.companion->narrowed);
}

bool is_part(const at::Tensor& destination) {
  return is_bounded(destination) && destination.numel() != implementation(destination).companion->elements;
}

void resize_to(const at::Tensor& destination, at::IntArrayRef sizes) {
  if (destination.sizes() == sizes) return;
  if (!is_bounded(destination)) {
    destination.resize_(sizes);
    return;
  }
  BoundedImpl& bounded = implementation(destination);
  bounded.value.resize_(sizes);
  bounded.companion->bound = at::Tensor();
  bounded.companion->elements = bounded.value.numel();
  synchronise(destination);
}

void relabel(const at::Tensor& destination, const PairTensor& view) {
  BoundedImpl& bounded = implementation(destination);
  bounded.value = view.value;
  bounded.companion = view.companion ? view.companion : make_companion(view);
  synchronise(destination);
}

void synchronise(const at::Tensor& tensor) { implementation(tensor).follow_value(); }

}  // namespace neuroncheck::oracles
