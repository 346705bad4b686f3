// The rules of the reference: what each ATen op does to values and bounds. THE table is in table_*.cpp; the functions behind its kinds are
// in rules_*.cpp. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bounded.h"
#include "oracles/bounded_tensor.h"
#include "oracles/pair.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

// How the device stores and computes one shown dtype.
struct Precision {
  const NumberFormat* stored = nullptr;    // of the shown dtype
  const NumberFormat* computed = nullptr;  // what results are rounded to: narrower than `stored` where the profile demotes
  Step step;
};

// What the kernels need to know of the evaluation they run in.
class Context {
 public:
  explicit Context(const Profile& profile) : profile_(profile) {}

  const Profile& profile() const { return profile_; }
  const Precision& precision(at::ScalarType shown);
  // Relative error of a function by its name in the profile.
  double function_error(const std::string& name, const Precision& precision) const;

  // A tensor is written to by an op whose schema does not say so; autograd must not hear of it (Tensor::_version() stays).
  void note_written(const at::Tensor& tensor) { written_.insert(tensor.unsafeGetTensorImpl()); }
  bool is_written(const at::Tensor& tensor) const { return written_.contains(tensor.unsafeGetTensorImpl()); }

  // Something in the evaluation is known less well than by a derived bound; the weakest stays, with the first reason for it.
  void weaken(Strength strength, const std::string& why);
  Strength strength() const { return strength_; }
  const std::string& why() const { return why_; }

 private:
  const Profile& profile_;
  Strength strength_ = Strength::rigorous;
  std::string why_;
  std::map<at::ScalarType, Precision> precisions_;
  std::set<const c10::TensorImpl*> written_;  // of tensors that the evaluation holds until its end
};

// One call of a functional op (in-place and out= forms are calls of it whose results are then written). Arguments in schema order.
class Call {
 public:
  Call(const c10::OperatorHandle& op, std::vector<c10::IValue> arguments, Context& context)
      : op_(op), arguments_(std::move(arguments)), context_(context) {}

  Context& context() const { return context_; }
  std::string name() const { return op_.schema().name(); }  // base name
  const c10::OperatorHandle& op() const { return op_; }
  const c10::IValue& argument(std::size_t i) const { return arguments_[i]; }
  const std::vector<c10::IValue>& arguments() const { return arguments_; }
  int index_of(std::string_view argument) const;              // -1: the schema has none
  const c10::IValue* named(std::string_view argument) const;  // null: the schema has none

  bool is_scalar(std::size_t i) const;  // a Scalar by the schema: a number that becomes part of values

  at::Tensor tensor(std::size_t i) const { return arguments_[i].isTensor() ? arguments_[i].toTensor() : at::Tensor(); }
  PairTensor pair(std::size_t i) const { return unwrap(tensor(i)); }
  // All tensors in the arguments, those in lists included.
  std::vector<at::Tensor> tensors() const;

  // The dtype arguments of the call promote to; `operands` are positions of tensors or scalars.
  at::ScalarType promoted(const std::vector<int>& operands) const;
  // The dtype argument, if the schema has one and it is given; else `otherwise`.
  at::ScalarType dtype_or(at::ScalarType otherwise) const;

  // Runs the op on plain tensors; `of` gives the plain tensor that stands for an argument. A dtype argument becomes float64 or complex128.
  using Substitution = std::function<at::Tensor(const PairTensor&)>;
  std::vector<at::Tensor> run(const Substitution& of) const { return run(of, arguments_); }
  std::vector<at::Tensor> run(const Substitution& of, std::vector<c10::IValue> arguments) const;
  // The same with one plain tensor for each of tensors(), in their order.
  std::vector<at::Tensor> run_on(const std::vector<at::Tensor>& tensors) const { return run_on(tensors, arguments_); }
  std::vector<at::Tensor> run_on(const std::vector<at::Tensor>& tensors, std::vector<c10::IValue> arguments) const;
  // What run_on() calls the op with.
  std::vector<c10::IValue> arguments_on(const std::vector<at::Tensor>& tensors) const;

 private:
  std::vector<c10::IValue> substituted(const Substitution& of, const std::vector<c10::IValue>& arguments) const;

  const c10::OperatorHandle& op_;
  std::vector<c10::IValue> arguments_;
  Context& context_;
};

using Rule = std::function<std::vector<PairTensor>(const Call&)>;

// The rule of a functional op, by base name ("aten::add") or, where overloads differ, by full name ("aten::max.dim"); null: none.
const Rule* rule_of(const std::string& base_name, const std::string& overload);

// --- what rules are made of ---

// The argument as a rule that is not a move consumes it: float64 values in which the device's rounding between ops, its demotion, its flushing and
// the conversion to `target` (or its absence) are covered by the bound.
PairTensor consumed(const PairTensor& pair, at::ScalarType target, Context& context);
PairTensor consumed(const at::IValue& argument, at::ScalarType target, Context& context);

// |value| + bound.
at::Tensor magnitude(const PairTensor& pair);
// The bound, zeros where it is undefined.
at::Tensor bound_or_zeros(const PairTensor& pair);
// Undefined when it is zero everywhere.
at::Tensor without_zeros(const at::Tensor& bound);

}  // namespace neuroncheck::oracles
