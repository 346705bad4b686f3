// A program: a straight line of op calls. One op is a program of one node; a captured model is a program of many.
// JSON round trip; the Python form (repros, compiling) is in python_source.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/tensor_spec.h"

namespace neuroncheck {

// A tensor made earlier in the program: an input, or an output of a node.
struct ValueRef {
  int node = -1;  // -1: program input number `index`
  int index = 0;  // input number, or which output of the node

  bool operator==(const ValueRef&) const = default;
};

struct SymbolRef {
  int symbol = 0;

  bool operator==(const SymbolRef&) const = default;
};

struct None {
  bool operator==(const None&) const = default;
};

struct Argument;
using ArgumentList = std::vector<Argument>;

// One argument of a call. Text serves Device, MemoryFormat ("torch.channels_last"), Layout and str parameters alike: the schema says which.
// A Device parameter is never written: it is always the device the program runs on.
struct Argument {
  std::variant<None, bool, std::int64_t, double, std::string, Dtype, ValueRef, SymbolRef, ArgumentList> value;

  bool operator==(const Argument&) const = default;
};

struct Node {
  std::string op;          // "aten::add.Tensor"
  ArgumentList arguments;  // in schema order, keyword-only ones included; what is left off at the end is the schema's default

  bool operator==(const Node&) const = default;
};

struct Program {
  std::vector<TensorSpec> inputs;
  std::vector<Node> nodes;
  std::vector<ValueRef> outputs;
  int symbols = 0;  // how many symbols are open

  bool operator==(const Program&) const = default;
};

// How gradients are taken: for every floating output a grad_output of its shape is made with this fill (seed mixed with the output number),
// and the gradients of all inputs with requires_grad are further outputs of the *_backward paths, in input order.
struct Backward {
  Fill fill;

  bool operator==(const Backward&) const = default;
};

// One run of the program: the values of its symbols. Inputs of step k > 0 take their seeds mixed with k.
struct Binding {
  SymbolValues symbols;

  bool operator==(const Binding&) const = default;
};

struct Case {
  Program program;
  std::vector<Binding> bindings = {Binding{}};  // several are a shape trajectory through the same compiled function
  std::vector<Backward> backward;               // empty, or one

  bool operator==(const Case&) const = default;
};

void to_json(nlohmann::json& json, const Program& program);
void from_json(const nlohmann::json& json, Program& program);
void to_json(nlohmann::json& json, const Case& test_case);
void from_json(const nlohmann::json& json, Case& test_case);

// Every reference points at something earlier, every symbol is open and bound, literal fills have as many values as elements. from_json checks it;
// throws UserError.
void require_well_formed(const Program& program);
void require_well_formed(const Case& test_case);

// Canonical JSON: keys sorted, no spaces, floating numbers as hex bits ({"f64": "3ff0000000000000"}).
std::string canonical_json(const Case& test_case);
// XXH64 of the canonical JSON as 16 hex digits.
std::string id_of(const Case& test_case);
std::string id_of_json(std::string_view canonical);

// What makes a target compile anew: the case without its fills, as a hash.
std::uint64_t compile_key(const Case& test_case);

// The input's spec as step `step` of the trajectory sees it (seed mixed with the step when step > 0).
TensorSpec input_at_step(const Case& test_case, std::size_t input, std::size_t step);

// The same values in contiguous inputs, or in one that is.
void make_contiguous(TensorSpec& input);
Case made_contiguous(Case test_case);

}  // namespace neuroncheck
