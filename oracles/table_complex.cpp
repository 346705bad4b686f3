#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

void add_complex(RuleTable& table) {
  table["aten::view_as_real"] = view_as_real();
  table["aten::view_as_complex"] = view_as_complex();
  table["aten::complex"] = complex_of_parts();
  table["aten::polar"] = polar();
  table["aten::_conj"] = conjugate();
  table["aten::_conj_physical"] = conjugate();
  table["aten::angle"] = angle();
  for (const char* op : {"_fft_r2c", "_fft_c2c", "_fft_c2r"}) table[std::string("aten::") + op] = fourier_transform();
}

}  // namespace neuroncheck::oracles
