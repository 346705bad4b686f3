// Tensors of the reference: on DispatchKey::PrivateUse2, each a float64 value and a bound, showing the dtype that is tested. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

namespace neuroncheck::oracles {

// What all views of one storage share, so that writes through a view land in its base.
struct Companion {
  at::Tensor bound;            // flat, element by element beside the value's storage; undefined: zero everywhere
  bool representable = false;  // every value is one of the shown dtype: leaves, moves of them, exact results
  bool narrowed = false;       // the device has already computed these values in the format it demotes to
  std::int64_t elements = 0;   // of the tensor that was made with the storage: what is written as a whole is of the writer's kind
};

// A tensor outside of the dispatcher. Integer and bool tensors keep their own dtype in `value`; a bound > 0 makes an element ambiguous.
struct PairTensor {
  at::Tensor value;  // float64, or complex128 whose parts are both within the bound
  at::Tensor bound;  // sizes of `value`; undefined: zero everywhere
  at::ScalarType shown = at::kFloat;
  bool representable = false;
  bool narrowed = false;
  std::shared_ptr<Companion> companion;  // of the storage that `value` lies in, when it is a wrapped tensor's
};

bool is_bounded(const at::Tensor& tensor);
// Floating and complex numbers; others are exact, or ambiguous.
bool carries_a_bound(at::ScalarType type);

// A plain tensor is exact.
PairTensor unwrap(const at::Tensor& tensor);
// Exact integers become plain tensors. `pair.companion` is kept: the result is then a view.
at::Tensor wrap(const PairTensor& pair);
at::Tensor wrap_leaf(const at::Tensor& plain);

// Writes value and bound into the destination, as the dispatcher's in-place ops do; broadcasts. Throws std::logic_error when a plain tensor would
// lose a bound.
void write_through(const at::Tensor& destination, const PairTensor& source);
// Some elements that share the destination's storage would not be written.
bool is_part(const at::Tensor& destination);
// Gives `destination` other sizes (out= forms), contents undefined.
void resize_to(const at::Tensor& destination, at::IntArrayRef sizes);
// Makes `destination` another view of what it is a view of already, or of another storage, as transpose_ and set_ do.
void relabel(const at::Tensor& destination, const PairTensor& view);
// After something changed sizes or strides of the value behind the wrapper.
void synchronise(const at::Tensor& tensor);

}  // namespace neuroncheck::oracles
