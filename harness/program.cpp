#include "harness/program.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <stdexcept>

#include "harness/random.h"
#include "harness/shrink_tensor.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

// What a reference may point at, seen from one place of the program.
struct Scope {
  std::size_t inputs = 0;
  std::size_t nodes = 0;
  int symbols = 0;
  std::string where;
};

void require(const Scope& scope, const ValueRef& ref) {
  const int count = static_cast<int>(ref.node < 0 ? scope.inputs : scope.nodes);
  const int number = ref.node < 0 ? ref.index : ref.node;
  if (ref.node < -1 || ref.index < 0 || number >= count) {
    throw UserError(fmt::format("{}: refers to {} {}, but only {} come before it", scope.where, ref.node < 0 ? "input" : "node", number, count));
  }
}

void require(const Scope& scope, int symbol) {
  if (symbol < 0 || symbol >= scope.symbols) {
    throw UserError(fmt::format("{}: refers to symbol s{}, but the program opens {} (key 'symbols')", scope.where, symbol, scope.symbols));
  }
}

void require(const Scope& scope, const ArgumentList& arguments) {
  for (const Argument& argument : arguments) {
    if (const auto* ref = std::get_if<ValueRef>(&argument.value)) require(scope, *ref);
    if (const auto* ref = std::get_if<SymbolRef>(&argument.value)) require(scope, ref->symbol);
    if (const auto* list = std::get_if<ArgumentList>(&argument.value)) require(scope, *list);
  }
}

void require(const Scope& scope, const TensorSpec& spec) {
  for (const Dim& dim : spec.sizes) {
    if (dim.symbol >= 0) require(scope, dim.symbol);
    if (dim.symbol < 0 && dim.size < 0) throw UserError(fmt::format("{}: key 'sizes': {} is negative", scope.where, dim.size));
  }
  if (spec.layout == LayoutKind::strided && spec.strides.size() != spec.sizes.size()) {
    throw UserError(fmt::format("{}: key 'strides': {} strides for {} sizes", scope.where, spec.strides.size(), spec.sizes.size()));
  }
  if (spec.offset < 0) throw UserError(fmt::format("{}: key 'offset': {} is negative", scope.where, spec.offset));
  for (const std::int64_t stride : spec.strides) {
    if (stride < 0) throw UserError(fmt::format("{}: key 'strides': {} is negative", scope.where, stride));
  }
}

void require_literals_fit(const Program& program, const SymbolValues& symbols) {
  for (const TensorSpec& spec : program.inputs) {
    if (spec.fill.kind != FillKind::literal) continue;
    const std::int64_t count = element_count(sizes_of(spec, symbols));
    if (count != static_cast<std::int64_t>(spec.fill.bits.size())) {
      throw UserError(fmt::format("key 'bits': {} values for a tensor of {} elements", spec.fill.bits.size(), count));
    }
  }
}

// Order-dependent hash of what is added.
class Hash {
 public:
  void add(std::uint64_t number) { state_ = mix(state_, number); }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(int number) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number))); }
  void add(const std::string& text) { state_ = hash_of(text, state_); }
  void add(const ArgumentList& arguments);
  void add(const TensorSpec& spec);
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

struct ArgumentHasher {
  Hash& hash;
  void operator()(None) const { hash.add(0); }
  void operator()(bool value) const { hash.add(value ? 1 : 0); }
  void operator()(std::int64_t value) const { hash.add(value); }
  void operator()(double value) const { hash.add(std::bit_cast<std::uint64_t>(value)); }
  void operator()(const std::string& text) const { hash.add(text); }
  void operator()(Dtype dtype) const { hash.add(static_cast<int>(dtype)); }
  void operator()(const ValueRef& ref) const {
    hash.add(ref.node);
    hash.add(ref.index);
  }
  void operator()(SymbolRef ref) const { hash.add(ref.symbol); }
  void operator()(const ArgumentList& list) const { hash.add(list); }
};

void Hash::add(const ArgumentList& arguments) {
  add(arguments.size());
  for (const Argument& argument : arguments) {
    add(argument.value.index());
    std::visit(ArgumentHasher{*this}, argument.value);
  }
}

void Hash::add(const TensorSpec& spec) {
  add(static_cast<int>(spec.dtype));
  add(spec.sizes.size());
  for (const Dim& dim : spec.sizes) {
    add(dim.symbol);
    if (dim.symbol < 0) add(dim.size);
  }
  add(static_cast<int>(spec.layout));
  if (spec.layout == LayoutKind::strided) {
    for (const std::int64_t stride : spec.strides) add(stride);
    add(spec.offset);
  }
  add(spec.requires_grad ? 1 : 0);
}

}  // namespace

void require_well_formed(const Program& program) {
  if (program.symbols < 0) throw UserError("program: key 'symbols' is negative");
  Scope scope{.inputs = program.inputs.size(), .nodes = 0, .symbols = program.symbols, .where = ""};
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    scope.where = fmt::format("input {}", i);
    require(scope, program.inputs[i]);
  }
  for (const Node& node : program.nodes) {
    scope.where = fmt::format("node {} ({})", scope.nodes, node.op);
    require(scope, node.arguments);
    ++scope.nodes;
  }
  scope.where = "outputs";
  for (const ValueRef& ref : program.outputs) require(scope, ref);
}

void require_well_formed(const Case& test_case) {
  require_well_formed(test_case.program);
  if (test_case.bindings.empty()) throw UserError("case: key 'bindings': at least one is needed");
  if (test_case.backward.size() > 1) throw UserError("case: key 'backward': at most one");
  for (const Binding& binding : test_case.bindings) {
    if (static_cast<int>(binding.symbols.size()) != test_case.program.symbols) {
      throw UserError(fmt::format("binding: {} values for {} symbols", binding.symbols.size(), test_case.program.symbols));
    }
    for (const std::int64_t value : binding.symbols) {
      if (value < 0) throw UserError(fmt::format("binding: {} is negative", value));
    }
    require_literals_fit(test_case.program, binding.symbols);
  }
}

std::uint64_t compile_key(const Case& test_case) {
  const Program& program = test_case.program;
  Hash hash;
  hash.add(program.inputs.size());
  for (const TensorSpec& spec : program.inputs) hash.add(spec);
  hash.add(program.nodes.size());
  for (const Node& node : program.nodes) {
    hash.add(node.op);
    hash.add(node.arguments);
  }
  for (const ValueRef& ref : program.outputs) ArgumentHasher{hash}(ref);
  hash.add(test_case.bindings.size());
  for (const Binding& binding : test_case.bindings) {
    for (const std::int64_t value : binding.symbols) hash.add(value);
  }
  hash.add(test_case.backward.size());
  return hash.value();
}

namespace {

// Where elements share memory, the first of them in row-major order is what all of them show.
void show_what_is_shared(TensorSpec& input) {
  const Placed placed = place(input, {});
  const std::int64_t count = element_count(placed.sizes);
  if (placed.storage - placed.offset >= count) return;
  input = as_literal(std::move(input));
  std::map<std::int64_t, std::uint64_t> shown;  // by offset
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0, rest = i;
    for (std::size_t dim = placed.sizes.size(); dim-- > 0; rest /= placed.sizes[dim]) offset += rest % placed.sizes[dim] * placed.strides[dim];
    std::uint64_t& bits = input.fill.bits[static_cast<std::size_t>(i)];
    bits = shown.try_emplace(offset, bits).first->second;
  }
}

}  // namespace

void make_contiguous(TensorSpec& input) {
  if (input.layout == LayoutKind::expanded || input.layout == LayoutKind::strided) show_what_is_shared(input);
  input.layout = LayoutKind::contiguous;
  input.strides.clear();
  input.offset = 0;
}

Case made_contiguous(Case test_case) {
  for (TensorSpec& input : test_case.program.inputs) make_contiguous(input);
  return test_case;
}

TensorSpec input_at_step(const Case& test_case, std::size_t input, std::size_t step) {
  TensorSpec spec = test_case.program.inputs.at(input);
  if (step > 0) spec.fill.seed = mix(spec.fill.seed, step);
  return spec;
}

}  // namespace neuroncheck
