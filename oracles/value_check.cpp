#include "oracles/value_check.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "oracles/moves.h"
#include "oracles/ordering.h"

namespace neuroncheck::oracles {
namespace {

struct Place {
  std::size_t step;
  std::size_t output;
  const char* what;
};

Acceptance check_one(const Bounded& expected, const HostTensor& got, const Place& place, const AcceptanceOptions& options) {
  if (expected.unchecked) return {};
  Acceptance found = expected.selection ? accept_order(expected, got) : accept(expected, got, options);
  found.blind = found.elements > 0 && found.unproven == found.elements;
  if (found.worst) {
    found.worst->step = static_cast<int>(place.step);
    found.worst->output = static_cast<int>(place.output);
    found.worst->what = place.what;
  }
  return found;
}

Acceptance check_mutated(const Bounded& expected, const HostTensor& got, const Place& place, const AcceptanceOptions& options) {
  if (expected.dtype != Dtype::float64 || options.float64_written_back_in == Dtype::float64) return check_one(expected, got, place, options);
  Bounded narrowed = expected;
  narrowed.computed_in = options.float64_written_back_in;
  return check_one(narrowed, got, place, options);
}

bool hold_same_bits(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b) {
  return std::ranges::equal(a, b, [](const HostTensor& x, const HostTensor& y) { return x.dtype == y.dtype && x.bytes == y.bytes; });
}

}  // namespace

bool same_bits(const Returned& a, const Returned& b) {
  return std::ranges::equal(a.steps, b.steps, [](const Step& x, const Step& y) {
    return hold_same_bits(x.outputs, y.outputs) && hold_same_bits(x.inputs_after, y.inputs_after);
  });
}

Acceptance check_values(const Reference& reference, const Returned& seen, Path path, const AcceptanceOptions& options) {
  Acceptance all;
  if (reference.steps.size() != seen.steps.size()) throw std::logic_error("the reference has another number of steps than the observation");
  for (std::size_t step = 0; step < seen.steps.size(); ++step) {
    const ReferenceStep& expected = reference.steps[step];
    const Step& got = seen.steps[step];
    const std::vector<Bounded>& outputs = is_backward(path) ? expected.gradients : expected.outputs;
    if (outputs.size() != got.outputs.size()) throw std::logic_error("the reference has another number of outputs than the observation");
    const char* what = is_backward(path) ? "gradient" : "output";
    for (std::size_t i = 0; i < outputs.size(); ++i) merge(all, check_one(outputs[i], got.outputs[i], {step, i, what}, options));
    if (expected.mutated.size() != expected.mutated_inputs.size()) throw std::logic_error("one value per mutated input");
    for (std::size_t k = 0; k < expected.mutated.size() && !got.inputs_after.empty(); ++k) {
      const auto input = static_cast<std::size_t>(expected.mutated_inputs[k]);
      merge(all, check_mutated(expected.mutated[k], got.inputs_after.at(input), {step, input, "input_after"}, options));
    }
  }
  return all;
}

bool only_moves(const Program& program) {
  const auto moves = [](const Node& node) {
    const std::string name = base_op(node.op);
    const auto is_named = [&](std::string_view move) { return name.starts_with("aten::") && std::string_view(name).substr(6) == move; };
    return std::any_of(kMoves.begin(), kMoves.end(), is_named) || std::any_of(kCompositeMoves.begin(), kCompositeMoves.end(), is_named);
  };
  return std::all_of(program.nodes.begin(), program.nodes.end(), moves);
}

AcceptanceOptions options_for(const Program& program, Path path, const Profile& profile) {
  const bool moves = !is_backward(path) && only_moves(program);
  AcceptanceOptions options{profile.rounding, profile.flush_outputs, ZeroSign::ignored};
  if (is_compiled(path)) options.float64_written_back_in = computed_in(profile, Dtype::float64);
  if (moves) options.flush = FlushPolicy::keep;
  if (moves && profile.copies_keep_zero_sign) options.sign_of_zero = ZeroSign::judged;
  return options;
}

}  // namespace neuroncheck::oracles
