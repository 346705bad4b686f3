#include "harness/witness.h"

namespace neuroncheck {
namespace {

// A copy keeps the strides of what is dense (at::_to_copy); all steps of a trajectory are laid out alike.
Case copied(Case test_case) {
  for (TensorSpec& input : test_case.program.inputs) {
    const Placed placed = place(input, test_case.bindings.front().symbols);
    if (!is_dense(placed.sizes, placed.strides)) make_contiguous(input);
  }
  return test_case;
}

Target decompositions() {
  Target target;
  target.name = "decompositions";
  target.compile_backend = "neuroncheck_decompositions";  // neuroncheck_host.py
  target.paths = {Path::compiled, Path::compiled_backward};
  return target;
}

}  // namespace

const Observation& Witness::of(const Case& test_case, Path path) {
  const std::pair key{compile_key(test_case), path};
  if (last_ && key == last_key_ && test_case == last_case_) return *last_;
  last_.reset();  // what throws below leaves no answer behind
  if (is_compiled(path) && decomposed_ == nullptr) decomposed_ = open_session(decompositions(), "", "");
  Observation seen = is_compiled(path) ? decomposed_->run(test_case, path) : plain_.run(copied(test_case), path);
  last_case_ = test_case;
  last_key_ = key;
  return last_.emplace(std::move(seen));
}

const Observation& Witness::layout_of(const Case& test_case, Path path) {
  const bool known = last_ && std::pair{compile_key(test_case), path} == last_key_ && std::holds_alternative<Returned>(last_->outcome);
  return known ? *last_ : of(test_case, path);
}

}  // namespace neuroncheck
