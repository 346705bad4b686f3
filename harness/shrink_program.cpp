#include "harness/shrink_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/hazards.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

bool is_well_formed(const Case& test_case) {
  try {
    require_well_formed(test_case);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

template <class Visit>
void for_each_argument(ArgumentList& arguments, const Visit& visit) {
  for (Argument& argument : arguments) {
    visit(argument);
    if (auto* list = std::get_if<ArgumentList>(&argument.value)) for_each_argument(*list, visit);
  }
}

template <class Visit>
void for_each_reference(Program& program, const Visit& visit) {
  for (Node& node : program.nodes) {
    for_each_argument(node.arguments, [&](Argument& argument) {
      if (auto* ref = std::get_if<ValueRef>(&argument.value)) visit(*ref);
    });
  }
  for (ValueRef& ref : program.outputs) visit(ref);
}

// Pointers to all arguments, lists before their elements.
std::vector<Argument*> arguments_of(Case& test_case) {
  std::vector<Argument*> all;
  for (Node& node : test_case.program.nodes) {
    for_each_argument(node.arguments, [&](Argument& argument) { all.push_back(&argument); });
  }
  return all;
}

// Without the node: what used it uses `instead`, where there is one; a reference that is left over makes the case ill-formed.
Case without_node(Case test_case, int node, const ValueRef* instead) {
  Program& program = test_case.program;
  const ValueRef replacement = instead == nullptr ? ValueRef{} : *instead;
  program.nodes.erase(program.nodes.begin() + node);
  for_each_reference(program, [&](ValueRef& ref) {
    if (ref.node == node) ref = instead == nullptr ? ValueRef{.node = -1, .index = -1} : replacement;
    if (ref.node > node) --ref.node;
  });
  return test_case;
}

Case without_unused_inputs(Case test_case) {
  Program& program = test_case.program;
  for (int input = static_cast<int>(program.inputs.size()) - 1; input >= 0; --input) {
    bool used = false;
    for_each_reference(program, [&](const ValueRef& ref) { used = used || ref == ValueRef{.node = -1, .index = input}; });
    if (used) continue;
    program.inputs.erase(program.inputs.begin() + input);
    for_each_reference(program, [&](ValueRef& ref) { ref.index -= ref.node < 0 && ref.index > input ? 1 : 0; });
  }
  return test_case;
}

// Without the last node; its tensor arguments that nodes made are the outputs.
Case without_last_node(Case test_case) {
  Program& program = test_case.program;
  std::vector<ValueRef> outputs;
  for_each_argument(program.nodes.back().arguments, [&](const Argument& argument) {
    const auto* ref = std::get_if<ValueRef>(&argument.value);
    if (ref != nullptr && ref->node >= 0 && std::find(outputs.begin(), outputs.end(), *ref) == outputs.end()) outputs.push_back(*ref);
  });
  program.nodes.pop_back();
  if (outputs.empty()) outputs = {ValueRef{.node = static_cast<int>(program.nodes.size()) - 1, .index = 0}};
  program.outputs = std::move(outputs);
  return test_case;
}

std::vector<ValueRef> tensor_arguments(Node node) {
  std::vector<ValueRef> refs;
  for_each_argument(node.arguments, [&](const Argument& argument) {
    if (const auto* ref = std::get_if<ValueRef>(&argument.value)) refs.push_back(*ref);
  });
  return refs;
}

std::vector<Argument> simpler(const Argument& argument) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument.value)) {
    return {{std::int64_t{0}}, {std::int64_t{1}}, {*integer / 2}, {*integer < 0 ? -(*integer + 1) : *integer - 1}};
  }
  if (const auto* number = std::get_if<double>(&argument.value)) return {{0.0}, {1.0}, {std::nearbyint(*number)}};
  std::vector<Argument> shorter;
  if (const auto* list = std::get_if<ArgumentList>(&argument.value)) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      ArgumentList rest = *list;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      shorter.push_back({std::move(rest)});
    }
  }
  return shorter;
}

}  // namespace

void Candidates::add(Case candidate) {
  if (cases_.size() >= most_ || !(measure_of(candidate) < measure_) || !is_well_formed(candidate) || !is_harmless(candidate)) return;
  const std::uint64_t key = compile_key(candidate);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (keys_[i] == key && cases_[i] == candidate) return;
  }
  keys_.push_back(key);
  cases_.push_back(std::move(candidate));
}

void drop_nodes(const Case& test_case, Candidates& candidates) {
  const Program& program = test_case.program;
  if (program.nodes.size() > 1) {
    candidates.add(without_unused_inputs(without_last_node(test_case)));
    for (int node = 0; node < static_cast<int>(program.nodes.size()); ++node) {
      candidates.add(without_unused_inputs(without_node(test_case, node, nullptr)));
      for (const ValueRef& ref : tensor_arguments(program.nodes[static_cast<std::size_t>(node)])) {
        candidates.add(without_unused_inputs(without_node(test_case, node, &ref)));
      }
    }
  }
  for (const ValueRef& output : program.outputs) {
    Case candidate = test_case;
    candidate.program.outputs = {output};
    candidates.add(std::move(candidate));
  }
  candidates.add(without_unused_inputs(test_case));
}

void drop_steps(const Case& test_case, Candidates& candidates) {
  if (test_case.bindings.size() < 2) return;
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    Case candidate = test_case;
    candidate.bindings.erase(candidate.bindings.begin() + static_cast<std::ptrdiff_t>(step));
    candidates.add(std::move(candidate));
  }
}

Case bound(Case test_case) {
  const SymbolValues values = std::exchange(test_case.bindings.front().symbols, {});
  const auto value = [&](int symbol) { return values[static_cast<std::size_t>(symbol)]; };
  for (TensorSpec& spec : test_case.program.inputs) {
    for (Dim& dim : spec.sizes) {
      if (dim.symbol >= 0) dim = Dim{.size = value(dim.symbol)};
    }
  }
  for (Argument* argument : arguments_of(test_case)) {
    if (const auto* ref = std::get_if<SymbolRef>(&argument->value)) argument->value = value(ref->symbol);
  }
  test_case.program.symbols = 0;
  return test_case;
}

void simplify_arguments(const Case& test_case, Candidates& candidates) {
  Case copy = test_case;
  const std::vector<Argument*> arguments = arguments_of(copy);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (Argument& replacement : simpler(*arguments[i])) {
      Case candidate = test_case;
      *arguments_of(candidate)[i] = std::move(replacement);
      candidates.add(std::move(candidate));
    }
  }
}

}  // namespace neuroncheck
