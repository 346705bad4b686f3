// Builds a draft step by step; what the recipes of the op families are written in.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/draft.h"
#include "generators/fills.h"
#include "generators/picker.h"
#include "generators/shapes.h"

namespace neuroncheck::generators {

enum class Gradients : std::uint8_t { none, on_some_slots };

class DraftBuilder {
 public:
  DraftBuilder(std::string op, const DrawRequest& request, Gradients gradients, const rc::Random& random);

  Picker& pick() { return pick_; }
  Dtype dtype() const { return request_.dtype; }
  int slot() const { return request_.slot; }
  Edge edge() const { return edge_of(request_.slot); }
  std::int64_t budget() const { return element_budget(size_); }

  // A shape within the budget: 0-dim (or all ones) at slot 0, empty at slot 1.
  Sizes sizes(int min_rank = 0, int max_rank = 4);

  // A new input, read only, in a drawn layout. Floating ones require grad on the slots that take gradients.
  ValueRef input(const Sizes& sizes, Fills fills);
  ValueRef input(Dtype dtype, const Sizes& sizes, Fills fills);
  // A new input that the program writes to.
  ValueRef written(Dtype dtype, const Sizes& sizes, Fills fills);
  // A new input whose sizes may be symbols: contiguous.
  ValueRef symbolic(std::vector<Dim> sizes, Fills fills);

  // The spec of an input, to change what was drawn.
  TensorSpec& spec(ValueRef input) { return draft_.test_case.program.inputs[static_cast<std::size_t>(input.index)]; }

  // A call of the row's op, or of another; its outputs are `{result.node, 0 ..}`.
  ValueRef call(ArgumentList arguments);
  ValueRef call(std::string_view op, ArgumentList arguments);

  // Further outputs of the program: `count` outputs of one node, from the one referred to on.
  void returns(ValueRef node, int count = 1);

  // Opens one symbol and binds it to each value in turn; returns its reference.
  SymbolRef symbol(const std::vector<std::int64_t>& values);

  Draft take();

 private:
  std::string op_;
  DrawRequest request_;
  bool takes_gradients_;
  Picker pick_;
  int size_;
  Draft draft_;
};

using Recipe = std::function<void(DraftBuilder&)>;

template <typename T>
Argument argument(T value) {
  return {std::move(value)};
}
inline Argument argument(int value) { return {std::int64_t{value}}; }
inline Argument argument(const char* value) { return {std::string(value)}; }
inline Argument none() { return {None{}}; }
Argument list(const Sizes& values);

// An argument list of anything that argument() takes.
template <typename... T>
ArgumentList arguments(T... values) {
  return {argument(std::move(values))...};
}

// Argument lists, sizes or fills, one after the other.
template <typename T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

// One of the lists; nothing, and nothing is drawn, where there are none.
ArgumentList one_of(DraftBuilder& build, const std::vector<ArgumentList>& lists);
// A static scalar of the dtype's kind: one of the floating or of the integral choices.
Argument choose(DraftBuilder& build, std::initializer_list<double> floating, std::initializer_list<std::int64_t> integral);
// A static scalar that every dtype of the kind represents, so that no conversion of it can round.
Argument scalar(DraftBuilder& build);
// A dimension of a shape of this rank (0-dim has -1 and 0), counted from the end half of the time.
std::int64_t dimension(DraftBuilder& build, std::size_t rank);

}  // namespace neuroncheck::generators
