#include "oracles/moves.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

void add_moves(RuleTable& table) {
  for (const std::string_view op : kMoves) table["aten::" + std::string(op)] = move();
  for (const char* op : {"zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "empty_like", "new_empty", "new_empty_strided",
                         "zero", "fill.Scalar"}) {
    table[std::string("aten::") + op] = creation();
  }
  table["aten::_to_copy"] = cast();
  table["aten::copy"] = copy();
  table["aten::fill.Tensor"] = copy();
  for (const char* op : {"nonzero", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "_local_scalar_dense", "equal", "allclose"}) {
    table[std::string("aten::") + op] = plain();
  }
}

}  // namespace neuroncheck::oracles
