// The words and the JSON form of fills.
#include <cmath>

#include "harness/enum_names.h"
#include "harness/fill.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

constexpr std::array kFillNames = {
    EnumName<FillKind>{FillKind::normal, "normal"},
    EnumName<FillKind>{FillKind::uniform, "uniform"},
    EnumName<FillKind>{FillKind::log_uniform, "log_uniform"},
    EnumName<FillKind>{FillKind::positive, "positive"},
    EnumName<FillKind>{FillKind::exact_integer, "exact_integer"},
    EnumName<FillKind>{FillKind::ties, "ties"},
    EnumName<FillKind>{FillKind::special, "special"},
    EnumName<FillKind>{FillKind::distinct, "distinct"},
    EnumName<FillKind>{FillKind::repeated, "repeated"},
    EnumName<FillKind>{FillKind::extremes, "extremes"},
    EnumName<FillKind>{FillKind::index, "index"},
    EnumName<FillKind>{FillKind::permutation, "permutation"},
    EnumName<FillKind>{FillKind::probability, "probability"},
    EnumName<FillKind>{FillKind::every_pattern, "every_pattern"},
    EnumName<FillKind>{FillKind::constant, "constant"},
    EnumName<FillKind>{FillKind::literal, "literal"},
};

}  // namespace

std::string_view name_of(FillKind kind) { return find_name(kFillNames, kind); }

FillKind parse_fill_kind(std::string_view text) { return find_value(kFillNames, text, "fill"); }

void to_json(nlohmann::json& json, const Fill& fill) {
  const Fill usual;
  json = nlohmann::json::object();
  if (fill.kind != usual.kind) json["kind"] = name_of(fill.kind);
  if (fill.low != 0.0 || std::signbit(fill.low)) json["low"] = exact_number(fill.low);
  if (fill.high != usual.high) json["high"] = exact_number(fill.high);
  put_unless(json, "parameter", fill.parameter, usual.parameter);
  if (fill.seed != usual.seed) json["seed"] = hex_of(fill.seed);
  for (const std::uint64_t bits : fill.bits) json["bits"].push_back(fmt::format("{:x}", bits));
}

void from_json(const nlohmann::json& json, Fill& fill) {
  fill = {};
  JsonFields fields(json, "fill");
  fields.word("kind", parse_fill_kind, fill.kind);
  fields.optional("low", fill.low);
  fields.optional("high", fill.high);
  fields.optional("parameter", fill.parameter);
  fields.word("seed", parse_hex, fill.seed);
  std::vector<std::string> bits;
  fields.optional("bits", bits);
  for (const std::string& text : bits) fill.bits.push_back(parse_hex(text));
  fields.done();
}

}  // namespace neuroncheck
