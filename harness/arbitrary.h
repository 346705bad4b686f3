// RapidCheck's view of cases, for the tests of this room.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/program.h"

namespace neuroncheck::arbitrary {

inline Fill fill() {
  Fill fill;
  fill.kind = static_cast<FillKind>(*rc::gen::inRange(0, static_cast<int>(FillKind::literal)));
  fill.low = *rc::gen::element(0.0, -0.0, -3.5, 0x1p-1074);
  fill.high = *rc::gen::element(1.0, 10.0);
  fill.parameter = *rc::gen::inRange(0, 9);
  fill.seed = *rc::gen::arbitrary<std::uint64_t>();
  return fill;
}

inline TensorSpec tensor(int symbols) {
  TensorSpec spec;
  spec.dtype = *rc::gen::elementOf(std::vector<Dtype>(kAllDtypes.begin(), kAllDtypes.end()));
  const int rank = *rc::gen::inRange(0, 4);
  bool literal = *rc::gen::inRange(0, 4) == 0;
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    const bool symbol = symbols > 0 && *rc::gen::inRange(0, 3) == 0;
    Dim dim;
    if (symbol) {
      dim.symbol = *rc::gen::inRange(0, symbols);
    } else {
      dim.size = *rc::gen::element(0, 1, 2, 3, 4, 5);
    }
    count *= dim.size;
    literal = literal && !symbol;
    spec.sizes.push_back(dim);
  }
  spec.layout = static_cast<LayoutKind>(*rc::gen::inRange(0, 7));
  if (spec.layout == LayoutKind::strided) {
    for (int i = 0; i < rank; ++i) spec.strides.push_back(*rc::gen::inRange(0, 9));
    spec.offset = *rc::gen::inRange(0, 4);
  }
  spec.fill = fill();
  if (literal) {
    spec.fill.kind = FillKind::literal;
    for (std::int64_t i = 0; i < count; ++i) spec.fill.bits.push_back(static_cast<std::uint64_t>(*rc::gen::inRange(0, 256)));
  }
  spec.requires_grad = *rc::gen::arbitrary<bool>();
  return spec;
}

inline ValueRef reference(int inputs, int nodes) {
  const int number = *rc::gen::inRange(0, inputs + nodes);
  return number < inputs ? ValueRef{.node = -1, .index = number} : ValueRef{.node = number - inputs, .index = 0};
}

inline Argument argument(const Program& program, int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 9 : 8)) {
    case 0:
      return {None{}};
    case 1:
      return {*rc::gen::arbitrary<bool>()};
    case 2:
      return {*rc::gen::arbitrary<std::int64_t>()};
    case 3:
      return {*rc::gen::element(0.0, -0.0, 0.1, 1e300, 1.0 / 3.0)};
    case 4:
      return {*rc::gen::element<std::string>("", "floor", "a \"quoted\" word")};
    case 5:
      return {Dtype::bfloat16};
    case 6:
      return program.symbols > 0 ? Argument{SymbolRef{*rc::gen::inRange(0, program.symbols)}} : Argument{None{}};
    case 7:
      return {reference(static_cast<int>(program.inputs.size()), static_cast<int>(program.nodes.size()))};
    default:
      break;
  }
  ArgumentList list;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(argument(program, depth - 1));
  return {std::move(list)};
}

inline Case test_case() {
  Case result;
  Program& program = result.program;
  program.symbols = *rc::gen::inRange(0, 3);
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) program.inputs.push_back(tensor(program.symbols));
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    Node node{.op = *rc::gen::element<std::string>("aten::add.Tensor", "aten::sum"), .arguments = {}};
    for (int k = *rc::gen::inRange(0, 4); k > 0; --k) node.arguments.push_back(argument(program, 1));
    program.nodes.push_back(std::move(node));
  }
  program.outputs.push_back(reference(static_cast<int>(program.inputs.size()), static_cast<int>(program.nodes.size())));
  result.bindings.clear();
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) {
    result.bindings.push_back({SymbolValues(static_cast<std::size_t>(program.symbols), *rc::gen::inRange(0, 5))});
  }
  if (*rc::gen::arbitrary<bool>()) result.backward.push_back({fill()});
  return result;
}

}  // namespace neuroncheck::arbitrary
