#include "generators/elementwise.h"
#include "generators/lists.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::Form, generators::ListOp, generators::map_list, generators::Partner;
using enum Trait;

struct ListFamily {
  const char* name;
  Dtypes dtypes, in_place_dtypes;
  ListOp op;
  std::vector<Partner> partners = {Partner::list, Partner::scalar, Partner::scalars, Partner::tensor};
};

// True division of integers makes floats.
Dtype quotient(Dtype dtype) { return is_floating(dtype) ? dtype : Dtype::float32; }

std::string overload_of(Partner partner) {
  switch (partner) {
    case Partner::list:
      return "List";
    case Partner::scalar:
      return "Scalar";
    case Partner::scalars:
      return "ScalarList";
    case Partner::tensor:
      return "Tensor";
  }
  throw std::logic_error("overload_of: unknown partner");
}

void add_rows(const ListFamily& family, std::vector<RowLine>& lines) {
  const std::string base = std::string("_foreach_") + family.name;
  for (const Partner partner : family.partners) {
    const std::string overload = overload_of(partner);
    lines.push_back({base + "." + overload, family.dtypes, map_list(family.op, partner), {differentiable}});
    lines.push_back({base + "_." + overload, family.in_place_dtypes, map_list(family.op, partner, Form::in_place), {in_place}});
    lines.push_back({base + "." + overload + "_out", family.dtypes, map_list(family.op, partner, Form::out), {out}});
  }
}

}  // namespace

std::vector<Row> lists_rows() {
  const std::vector<Partner> no_tensor = {Partner::list, Partner::scalar, Partner::scalars};  // sub has no such overload
  std::vector<RowLine> lines;
  for (const ListFamily& family : {ListFamily{"add", everything(), everything(), {generators::numbers, generators::scalar, true}},
                                   ListFamily{"sub", numerics(), numerics(), {generators::numbers, generators::scalar, true}, no_tensor},
                                   ListFamily{"mul", everything(), everything(), {generators::numbers, generators::scalar}},
                                   ListFamily{"div", numerics(), floats(), {generators::divisors, generators::divisor, false, quotient}}}) {
    add_rows(family, lines);
  }
  lines.push_back({"_foreach_norm.Scalar", floats(), generators::norm_list(), {differentiable}});
  lines.push_back({"_foreach_norm.Scalar_out", floats(), generators::norm_list(Form::out), {out}});
  for (const std::string kind : {"adam", "adamw"}) {
    // Of float64, a device that narrows writes back what it has not changed.
    const Dtypes narrow = without(floats(), {Dtype::float64});
    lines.push_back({"_fused_" + kind + "_", narrow, generators::adam_step(false), {in_place}});
    lines.push_back({"_fused_" + kind + "_.tensor_lr", narrow, generators::adam_step(true), {in_place, eager_only}});
  }
  return rows_of("lists", lines);
}

}  // namespace neuroncheck
