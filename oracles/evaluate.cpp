#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/operators.h"
#include "harness/program_runner.h"
#include "oracles/active_context.h"
#include "oracles/factories.h"
#include "oracles/reference.h"
#include "oracles/rule_parts.h"
#include "oracles/rules_random.h"
#include "oracles/selected_indices.h"

namespace neuroncheck::oracles {
namespace {

using Tensors = std::vector<at::Tensor>;

// A program under way.
struct Run {
  const Case& test_case;
  std::size_t step;
  Context& context;
  Tensors inputs;
  std::vector<Tensors> values;  // by node
  std::vector<std::vector<std::optional<Selection>>> selections;

  const SymbolValues& symbols() const { return test_case.bindings[step].symbols; }
  const at::Tensor& value(const ValueRef& ref) const {
    return ref.node < 0 ? inputs.at(static_cast<std::size_t>(ref.index))
                        : values.at(static_cast<std::size_t>(ref.node)).at(static_cast<std::size_t>(ref.index));
  }
  at::Tensor& value(const ValueRef& ref) { return const_cast<at::Tensor&>(std::as_const(*this).value(ref)); }
};

void collect_references(const ArgumentList& arguments, std::vector<ValueRef>& found) {
  for (const Argument& argument : arguments) {
    if (const auto* ref = std::get_if<ValueRef>(&argument.value)) found.push_back(*ref);
    if (const auto* list = std::get_if<ArgumentList>(&argument.value)) collect_references(*list, found);
  }
}

std::vector<ValueRef> written_references(const Node& node) {
  const auto& parameters = find_operator(node.op).schema().arguments();
  std::vector<ValueRef> written;
  for (std::size_t i = 0; i < std::min(parameters.size(), node.arguments.size()); ++i) {
    if (parameters[i].alias_info() != nullptr && parameters[i].alias_info()->isWrite()) collect_references({node.arguments[i]}, written);
  }
  return written;
}

bool is_random(const Node& node) { return draws_random_numbers(base_op(node.op)); }

// Integers and truth values that a program with floating inputs, or random numbers, writes to: what is written may be in doubt.
std::vector<bool> may_become_ambiguous(const Program& program) {
  const auto floating = [](const TensorSpec& spec) { return is_floating(spec.dtype); };
  std::vector<bool> ambiguous(program.inputs.size());
  const bool exact = std::none_of(program.inputs.begin(), program.inputs.end(), floating) && std::ranges::none_of(program.nodes, is_random);
  if (exact) return ambiguous;
  for (const Node& node : program.nodes) {
    for (const ValueRef& ref : written_references(node)) {
      if (ref.node < 0) ambiguous[static_cast<std::size_t>(ref.index)] = true;
    }
  }
  return ambiguous;
}

Tensors make_inputs(const Case& test_case, std::size_t step) {
  const std::vector<bool> ambiguous = may_become_ambiguous(test_case.program);
  Tensors inputs;
  for (std::size_t i = 0; i < test_case.program.inputs.size(); ++i) {
    const TensorSpec spec = input_at_step(test_case, i, step);
    const at::Tensor plain = make_cpu_tensor(spec, test_case.bindings[step].symbols);
    if (!is_floating(spec.dtype) && !ambiguous[i]) {
      inputs.push_back(plain);
      continue;
    }
    inputs.push_back(wrap_leaf(plain));
    if (spec.requires_grad && !test_case.backward.empty()) inputs.back().requires_grad_(true);
  }
  return inputs;
}

// --- integers of a device that computes 64-bit integers in 32 bits ---

bool narrows_integers(const Run& run, const Node& node) {
  const Profile& profile = run.context.profile();
  return profile.demotes_int64 && !profile.demotion_exempt.contains(base_op(node.op));
}

// Wraps values around in the tensor itself; its aliases see it, as they see the device's own memory.
void narrow(const at::Tensor& tensor) {
  if (is_bounded(tensor) || tensor.scalar_type() != at::kLong) return;
  const at::Tensor narrowed = tensor.to(at::kInt).to(at::kLong);
  if (!at::equal(narrowed, tensor)) tensor.copy_(narrowed);
}

at::Tensor narrowed_copy(const at::Tensor& tensor) {
  if (is_bounded(tensor) || tensor.scalar_type() != at::kLong) return tensor;
  const at::Tensor narrowed = tensor.to(at::kInt).to(at::kLong);
  return at::equal(narrowed, tensor) ? tensor : narrowed;
}

// --- nodes ---

bool is_out_form(const Node& node) {
  const auto& parameters = find_operator(node.op).schema().arguments();
  return std::any_of(parameters.begin(), parameters.end(), [](const c10::Argument& parameter) { return parameter.is_out(); });
}

Tensors call_on(const Run& run, const Node& node, const Tensors& inputs, const std::vector<Tensors>& values) {
  return call_node(node, inputs, values, run.symbols(), at::Device(at::kCPU));
}

template <typename Replace>
Tensors call_replaced(const Run& run, const Node& node, Replace replace) {
  Tensors inputs = run.inputs;
  std::vector<Tensors> values = run.values;
  std::vector<ValueRef> references;
  collect_references(node.arguments, references);
  const std::vector<ValueRef> written = written_references(node);
  for (const ValueRef& ref : references) {
    if (std::find(written.begin(), written.end(), ref) != written.end()) continue;  // it keeps its memory
    at::Tensor& tensor = ref.node < 0 ? inputs.at(static_cast<std::size_t>(ref.index))
                                      : values.at(static_cast<std::size_t>(ref.node)).at(static_cast<std::size_t>(ref.index));
    tensor = replace(tensor);
  }
  return call_on(run, node, inputs, values);
}

bool makes_plain_floats(const Tensors& outputs) {
  for (const at::Tensor& output : outputs) {
    if (output.defined() && !is_bounded(output) && at::isFloatingType(output.scalar_type())) return true;
  }
  return false;
}

// Exact integers and truth values are plain tensors, where an op that writes to them could leave no doubt.
void make_room_for_doubt(at::Tensor& tensor) {
  if (tensor.defined() && !is_bounded(tensor)) tensor = wrap_leaf(tensor);
}

Tensors evaluate_node(Run& run, const Node& node) {
  std::vector<ValueRef> references;
  collect_references(node.arguments, references);
  if (references.empty()) {
    Tensors outputs = call_on(run, node, run.inputs, run.values);
    if (makes_plain_floats(outputs) || is_random(node)) outputs = {wrap(make_factory_result(node, outputs.at(0), run.symbols(), run.context))};
    return outputs;
  }
  const bool in_doubt = std::ranges::any_of(references, [&](const ValueRef& ref) { return is_bounded(run.value(ref)); });
  if (in_doubt && !is_out_form(node)) {
    for (const ValueRef& ref : written_references(node)) make_room_for_doubt(run.value(ref));
  }
  const bool narrows = narrows_integers(run, node);
  if (narrows && !is_out_form(node)) {
    for (const ValueRef& ref : written_references(node)) narrow(run.value(ref));  // what an in-place op writes it reads as well
  }
  Tensors outputs = narrows ? call_replaced(run, node, narrowed_copy) : call_on(run, node, run.inputs, run.values);
  // Floats from integers alone: torch's own kernel has rounded them, so the rule makes them anew. So it does what torch has drawn.
  if (makes_plain_floats(outputs) || (is_random(node) && !std::ranges::all_of(outputs, is_bounded))) {
    outputs = call_replaced(run, node, [&](const at::Tensor& t) { return is_bounded(t) ? t : wrap_leaf(narrows ? narrowed_copy(t) : t); });
  }
  if (narrows) {
    for (const at::Tensor& output : outputs) narrow(output);
    for (const ValueRef& ref : written_references(node)) narrow(run.value(ref));  // ops on lists return nothing
  }
  return outputs;
}

// What an op selects from, kept before the op may overwrite it: the values as the device reads them, since ties are ties among those.
at::Tensor source_of_selection(const Run& run, const Node& node, const at::Tensor& tensor) {
  const PairTensor pair = unwrap(narrows_integers(run, node) ? narrowed_copy(tensor) : tensor);
  const bool narrows = run.context.profile().demotes_float64 && !run.context.profile().demotion_exempt.contains(base_op(node.op));
  const PairTensor seen = narrows && at::isFloatingType(pair.shown) ? as_seen(pair, run.context) : pair;
  return wrap({seen.value.clone(), seen.bound, seen.shown, true, true, nullptr});
}

void run_nodes(Run& run) {
  for (const Node& node : run.test_case.program.nodes) {
    std::vector<ValueRef> references;
    collect_references(node.arguments, references);
    const bool selects = is_selecting(node) && !references.empty();
    const at::Tensor self = selects ? source_of_selection(run, node, run.value(references[0])) : at::Tensor();
    if (is_random(node)) run.context.weaken(Strength::structural, "random numbers are judged by their range");
    run.values.push_back(evaluate_node(run, node));
    std::vector<std::optional<Selection>>& selections = run.selections.emplace_back();
    for (std::size_t i = 0; i < run.values.back().size() && selects; ++i) {
      selections.push_back(selection_of(node, static_cast<int>(i), self, run.values.back()));
    }
  }
}

// --- results ---

template <typename Element>
std::vector<Element> elements(const at::Tensor& tensor, at::ScalarType type) {
  const at::Tensor flat = tensor.to(type).contiguous();
  const Element* first = flat.const_data_ptr<Element>();
  return {first, first + flat.numel()};
}

Bounded to_bounded(const at::Tensor& tensor, Context& context) {
  const PairTensor pair = unwrap(tensor);
  Bounded result;
  result.dtype = dtype_of(tensor);
  result.computed_in = pair.narrowed ? computed_in(context.profile(), result.dtype) : result.dtype;
  result.sizes = tensor.sizes().vec();
  if (is_floating(result.dtype)) {
    result.values = elements<double>(pair.value, at::kDouble);
  } else {
    result.integers = elements<std::int64_t>(pair.value, at::kLong);
  }
  if (pair.bound.defined()) result.bounds = elements<double>(pair.bound, at::kDouble);
  for (const double bound : result.bounds) {
    if (!(bound >= 0.0)) throw std::logic_error("the reference made a bound that is NaN or negative");
  }
  return result;
}

void require_equal(const Bounded& made, const HostTensor& plain, std::size_t output) {
  if (made.dtype == plain.dtype && made.sizes == plain.sizes) return;
  throw std::logic_error(fmt::format("the reference's output {} is {} [{}], the plain run's is {} [{}]", output, name_of(made.dtype),
                                     fmt::join(made.sizes, ", "), name_of(plain.dtype), fmt::join(plain.sizes, ", ")));
}

std::vector<Bounded> take_gradients(const Run& run, const Tensors& outputs) {
  Tensors roots, seeds, leaves;
  for (const std::size_t i : differentiable_outputs(outputs)) {
    roots.push_back(outputs[i]);
    seeds.push_back(wrap_leaf(make_grad_output(run.test_case, i, run.step, outputs[i])));
  }
  for (const at::Tensor& input : run.inputs) {
    if (input.requires_grad()) leaves.push_back(input);
  }
  if (leaves.empty()) return {};
  Tensors gradients(leaves.size());
  if (!roots.empty()) gradients = torch::autograd::grad(roots, leaves, seeds, std::nullopt, false, true);
  std::vector<Bounded> result;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    // An unused input has gradient zero.
    const at::Tensor gradient = gradients[i].defined() ? gradients[i] : at::zeros(leaves[i].sizes(), leaves[i].scalar_type());
    result.push_back(to_bounded(gradient, run.context));
  }
  return result;
}

// Outputs that come straight from empty-like ops are not values at all.
bool is_uninitialised(const Case& test_case, const ValueRef& ref) {
  if (ref.node < 0) return false;
  const Node& node = test_case.program.nodes[static_cast<std::size_t>(ref.node)];
  const std::string op = base_op(node.op);
  if (op == "aten::view_as_real") return is_uninitialised(test_case, std::get<ValueRef>(node.arguments.at(0).value));
  return op.rfind("aten::empty", 0) == 0 || op.rfind("aten::new_empty", 0) == 0;
}

// The indices that an out= form wrote there are judged by what they select, as those that it returns.
std::optional<Selection> selection_written_to(const Run& run, const at::Tensor& input) {
  std::optional<Selection> found;
  for (std::size_t node = 0; node < run.selections.size(); ++node) {
    for (std::size_t i = 0; i < run.selections[node].size(); ++i) {
      if (run.values[node][i].is_same(input)) found = run.selections[node][i];
    }
  }
  return found;
}

ReferenceStep evaluate_one(const Case& test_case, std::size_t step, const neuroncheck::Step& structure, Context& context) {
  Run run{test_case, step, context, make_inputs(test_case, step), {}, {}};
  std::vector<std::int64_t> versions;
  for (const at::Tensor& input : run.inputs) versions.push_back(input._version());
  run_nodes(run);
  ReferenceStep result;
  Tensors outputs;
  for (std::size_t i = 0; i < test_case.program.outputs.size(); ++i) {
    const ValueRef& ref = test_case.program.outputs[i];
    outputs.push_back(run.value(ref));
    Bounded& bounded = result.outputs.emplace_back(to_bounded(outputs.back(), context));
    require_equal(bounded, structure.outputs.at(i), i);
    bounded.unchecked = is_uninitialised(test_case, ref);
    if (bounded.unchecked) context.weaken(Strength::structural, "uninitialised memory has no values");
    if (ref.node < 0 || run.selections[static_cast<std::size_t>(ref.node)].empty()) continue;
    bounded.selection = run.selections[static_cast<std::size_t>(ref.node)][static_cast<std::size_t>(ref.index)];
  }
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    if (run.inputs[i]._version() == versions[i] && !context.is_written(run.inputs[i])) continue;
    result.mutated.push_back(to_bounded(run.inputs[i], context));
    result.mutated.back().selection = selection_written_to(run, run.inputs[i]);
    result.mutated_inputs.push_back(static_cast<int>(i));
  }
  if (!test_case.backward.empty()) result.gradients = take_gradients(run, outputs);
  return result;
}

}  // namespace

Reference evaluate(const Case& test_case, const Returned& structure, const Profile& profile) {
  Context context(profile);
  const ContextScope scope(context);
  c10::AutoGradMode grad_mode(!test_case.backward.empty());
  Reference reference;
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    reference.steps.push_back(evaluate_one(test_case, step, structure.steps.at(step), context));
  }
  reference.strength = context.strength();
  reference.note = context.why();
  return reference;
}

}  // namespace neuroncheck::oracles
