#include "generators/alignments.h"

#include "generators/forms.h"
#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

struct Alignment {
  std::int64_t steps, batch, blank;
  ValueRef log_probs, targets;
  Argument input_lengths, target_lengths;
  bool full;  // every sequence and target
};

Argument lengths_of(DraftBuilder& build, Lengths lengths, const Sizes& numbers) {
  return lengths == Lengths::lists ? list(numbers) : argument(numbers_of(build, numbers));
}

// So many steps that every target can be said, with a blank between any two of its labels: no loss is infinite.
Alignment draw_alignment(DraftBuilder& build, Lengths lengths) {
  Picker& pick = build.pick();
  const bool small = build.edge() == Edge::scalar;
  Alignment drawn{};
  const std::int64_t labels = small ? 1 : pick.between(1, 5), classes = pick.between(2, 6);
  drawn.batch = small ? 1 : pick.between(1, 4);
  drawn.steps = 2 * labels + 1 + (small ? 0 : pick.between(0, 8));
  drawn.full = pick.chance(50);
  const bool first = pick.chance(50);
  drawn.blank = first ? 0 : classes - 1;
  Sizes of_inputs, of_targets;
  for (std::int64_t i = 0; i < drawn.batch; ++i) {
    of_targets.push_back(drawn.full ? labels : pick.between(1, labels));
    of_inputs.push_back(drawn.full ? drawn.steps : pick.between(2 * of_targets.back() + 1, drawn.steps));
  }
  drawn.log_probs = dense_input(build, {drawn.steps, drawn.batch, classes}, {between(-6, -0.125)});
  const auto low = static_cast<double>(first ? 1 : 0);
  drawn.targets = made_contiguous(build, build.input(Dtype::int64, {drawn.batch, labels}, {between(low, low + static_cast<double>(classes - 1))}));
  drawn.input_lengths = lengths_of(build, lengths, of_inputs);
  drawn.target_lengths = lengths_of(build, lengths, of_targets);
  return drawn;
}

ArgumentList forward_arguments(const Alignment& drawn, bool zero_infinity) {
  return arguments(drawn.log_probs, drawn.targets, drawn.input_lengths, drawn.target_lengths, drawn.blank, zero_infinity);
}

}  // namespace

Recipe ctc_loss(Lengths lengths) {
  return [=](DraftBuilder& build) {
    const Alignment drawn = draw_alignment(build, lengths);
    build.returns(build.call(forward_arguments(drawn, build.pick().chance(30))), drawn.full ? 2 : 1);
  };
}

Recipe ctc_loss_gradient(Lengths lengths) {
  return [=](DraftBuilder& build) {
    const Alignment drawn = draw_alignment(build, lengths);
    const bool zero_infinity = build.pick().chance(30);
    const ValueRef grad = dense_input(build, {drawn.batch}, factors(build.dtype(), 1));
    const char* forward = lengths == Lengths::lists ? "aten::_ctc_loss" : "aten::_ctc_loss.Tensor";
    const ValueRef loss = build.call(forward, forward_arguments(drawn, zero_infinity)), table{loss.node, 1};
    build.returns(build.call(
        arguments(grad, drawn.log_probs, drawn.targets, drawn.input_lengths, drawn.target_lengths, loss, table, drawn.blank, zero_infinity)));
  };
}

}  // namespace neuroncheck::generators
