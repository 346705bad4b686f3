#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

// A polynomial of degree n is n steps of a three-term recurrence whose coefficients, (constant + x) times something, round: as if x were off by n
// roundings of it.
Rule recurrence(double constant) {
  return estimated({}, [=](const Call& call) -> std::vector<at::Tensor> {
    if (call.tensors().size() != 2) return {};  // a number in the place of one
    const at::Tensor x = call.pair(0).value, degree = unwrap(call.tensors()[1]).value;
    const double unit = call.context().precision(shown_types(call).front()).step.unit;
    return call.run_on({x + (x.abs() + constant) * degree.to(at::kDouble).clamp_min(0.0) * unit, degree});
  });
}

}  // namespace

// What has neither rule nor decomposition is estimated without a line here.
void add_estimated(RuleTable& table) {
  table["aten::linalg_lstsq"] = estimated();  // a composite: taken apart it writes pairs into plain tensors of its own making
  for (const char* kind : {"chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
                           "hermite_polynomial_h", "hermite_polynomial_he", "legendre_polynomial_p"}) {
    table[std::string("aten::special_") + kind] = recurrence(0.0);
  }
  for (const char* kind : {"laguerre_polynomial_l", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
                           "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w"}) {
    table[std::string("aten::special_") + kind] = recurrence(1.0);  // 2k + 1 - x, 2x - 1
  }
  for (const std::string sampler : {"aten::grid_sampler_2d", "aten::grid_sampler_3d"}) {
    table[sampler] = estimated({1});
    table[sampler + "_backward"] = estimated({2});
  }
}

}  // namespace neuroncheck::oracles
