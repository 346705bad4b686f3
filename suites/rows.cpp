#include "suites/rows.h"

#include <algorithm>

#include "generators/draft_builder.h"

namespace neuroncheck {
namespace {

std::string op_of(const std::string& name) {
  const std::string prefix = "pattern/";
  if (name.starts_with(prefix)) {
    return "pattern::" + name.substr(prefix.size());
  }
  if (name.find("::") != std::string::npos) return name;
  return "aten::" + name.substr(0, name.find('/'));
}

std::string word_of(Trait trait) {
  switch (trait) {
    case Trait::differentiable:
      return "differentiable";
    case Trait::invalid:
      return "invalid";
    case Trait::in_place:
      return "in_place";
    case Trait::out:
      return "out";
    case Trait::trajectory:
      return "trajectory";
    case Trait::pattern:
      return "pattern";
    case Trait::estimated:
      return "estimated";
    case Trait::structural:
      return "structural";
    case Trait::eager_only:
      return "eager_only";
    case Trait::sweep:
      return "sweep";
    case Trait::custom:
      return "custom";
  }
  throw std::logic_error("word_of: unknown trait");
}

RowGenerator generator_of(const std::string& op, const generators::Recipe& recipe, generators::Gradients gradients) {
  return [=](const generators::DrawRequest& request) {
    return rc::Gen<generators::Draft>([=](const rc::Random& random, int /*size*/) {  // the slot says it
      generators::DraftBuilder build(op, request, gradients, random);
      recipe(build);
      return rc::shrinkable::just(build.take());
    });
  };
}

Row row_of(const std::string& family, const RowLine& line) {
  const auto has = [&](Trait trait) { return std::find(line.traits.begin(), line.traits.end(), trait) != line.traits.end(); };
  const std::string op = op_of(line.name);
  const bool differentiable = has(Trait::differentiable);
  Row row{
      .name = line.name,
      .op = op,
      .family = family,
      .dtypes = line.dtypes,
      .generator = generator_of(op, line.recipe, differentiable ? generators::Gradients::on_some_slots : generators::Gradients::none),
      .differentiable = differentiable,
      .invalid = has(Trait::invalid),
      .compiles = !has(Trait::eager_only),
      .strength = has(Trait::structural)  ? Strength::structural
                  : has(Trait::estimated) ? Strength::estimated
                                          : Strength::rigorous,
      .admits = {},
      .slots = has(Trait::sweep) ? 1 : 0,
      .source = {},
      .tags = {},
  };
  for (const Trait trait : line.traits) {
    row.tags.push_back(word_of(trait));
  }
  return row;
}

}  // namespace

Dtypes floats() { return {Dtype::float32, Dtype::bfloat16, Dtype::float16, Dtype::float64}; }

Dtypes numerics() {
  Dtypes dtypes = floats();
  dtypes.insert(dtypes.end(), {Dtype::int64, Dtype::int32, Dtype::int8, Dtype::uint8});
  return dtypes;
}

Dtypes everything() {
  Dtypes dtypes = numerics();
  dtypes.push_back(Dtype::bool_);
  return dtypes;
}

Dtypes integers() { return {Dtype::int64, Dtype::int32, Dtype::int8, Dtype::uint8, Dtype::int16, Dtype::bool_}; }

Dtypes without(Dtypes dtypes, std::initializer_list<Dtype> left_out) {
  std::erase_if(dtypes, [&](Dtype dtype) { return std::find(left_out.begin(), left_out.end(), dtype) != left_out.end(); });
  return dtypes;
}

std::vector<Row> rows_of(const std::string& family, const std::vector<RowLine>& lines) {
  std::vector<Row> rows;
  rows.reserve(lines.size());
  for (const RowLine& line : lines) {
    rows.push_back(row_of(family, line));
  }
  return rows;
}

}  // namespace neuroncheck
