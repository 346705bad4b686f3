#include <ATen/ATen.h>

#include <limits>

#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"
#include "oracles/rules_creation.h"
#include "oracles/rules_random.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Range anything(const Call&) { return {-kInfinity, kInfinity}; }
Range from_zero(const Call&) { return {0.0, kInfinity}; }
Range truth(const Call&) { return {0.0, 1.0}; }
Range interval(const Call& call) { return {call.named("from")->toDouble(), call.named("to")->toDouble()}; }
Range classes(const Call& call) { return {0.0, static_cast<double>(call.tensor(0).size(-1) - 1)}; }

Range limits(const Call& call) {
  const c10::IValue* low = call.named("low");
  return {low == nullptr ? 0.0 : static_cast<double>(low->toInt()), static_cast<double>(call.named("high")->toInt() - 1)};
}

}  // namespace

void add_creation(RuleTable& table) {
  table["aten::eye.out"] = made_into();
  table["aten::eye.m_out"] = made_into();
  table["aten::arange.start_out"] = arange_into();
  for (const char* ends : {".Scalar_Tensor", ".Tensor_Scalar", ".Tensor_Tensor"}) {
    table[std::string("aten::linspace") + ends] = linspace();
    table[std::string("aten::logspace") + ends] = logspace();
  }
  table["aten::resize"] = resize();
  table["aten::set"] = set();
  for (const char* op : {"cauchy", "normal", "normal_", "randn_like"}) table[std::string("aten::") + op] = drawn(anything);
  for (const char* op : {"exponential", "geometric", "log_normal"}) table[std::string("aten::") + op] = drawn(from_zero);
  table["aten::bernoulli"] = drawn(truth);
  table["aten::uniform"] = drawn(interval);
  table["aten::multinomial"] = drawn(classes);
  table["aten::randint_like"] = drawn(limits);
  table["aten::native_dropout"] = dropout();
  table["aten::rrelu_with_noise"] = rrelu();
}

}  // namespace neuroncheck::oracles
