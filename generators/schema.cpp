#include "generators/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <regex>
#include <utility>

#include "harness/user_error.h"

namespace neuroncheck::generators {
namespace {

[[noreturn]] void refuse(const std::string& schema, const std::string& why) { throw UserError(fmt::format("schema '{}': {}", schema, why)); }

// The parts between commas that lie in no bracket.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

Parameter parse_parameter(const std::string& schema, const std::string& text) {
  static const std::regex form(R"((\w+)(?:\([^!]*\))?(\?)?(\[(\d*)\])?(\?)? (\w+)(=(.*))?)");
  std::smatch match;
  if (!std::regex_match(text, match, form)) refuse(schema, fmt::format("parameter '{}' is not understood (one that is written to has no row)", text));
  Parameter parameter;
  parameter.type = match[1];
  parameter.is_list = match[3].matched;
  parameter.optional = match[5].matched || (match[2].matched && !parameter.is_list);
  if (match[4].length() > 0) parameter.length = std::stoi(match[4]);
  parameter.name = match[6];
  if (match[7].matched) parameter.value = match[8];
  return parameter;
}

int count_returns(const std::string& schema, const std::string& text) {
  const bool several = text.starts_with('(') && text.ends_with(')');
  const std::vector<std::string> results = split(several ? text.substr(1, text.size() - 2) : text);
  static const std::regex tensor_form(R"(Tensor(?:\([^!]*\))?( \w+)?)");
  for (const std::string& result : results) {
    if (!std::regex_match(result, tensor_form)) refuse(schema, fmt::format("result '{}' is no tensor of its own", result));
  }
  if (results.empty()) refuse(schema, "it returns nothing");
  return static_cast<int>(results.size());
}

// The default of a parameter, where it is a literal or a list of them.
std::optional<Argument> literal(const std::string& text) {
  if (text.size() > 1 && (text.front() == '"' || text.front() == '\'')) return argument(text.substr(1, text.size() - 2));
  if (text.starts_with('[') && text.ends_with(']')) {
    ArgumentList items;
    for (const std::string& part : split(text.substr(1, text.size() - 2))) {
      std::optional<Argument> item = literal(part);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    return Argument{std::move(items)};
  }
  if (text == "None") return none();
  if (text == "True" || text == "False") return argument(text == "True");
  std::int64_t integer = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), integer).ptr == text.data() + text.size()) return argument(integer);
  double number = 0.0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size()) return argument(number);
  return std::nullopt;
}

// Sizes that tensors of one call share by name.
class NamedSizes {
 public:
  NamedSizes(DraftBuilder& build, const SchemaHints& hints) : build_(build), hints_(hints), left_(build.budget()) {}

  Sizes of(const std::vector<NamedSize>& sizes) {
    Sizes result;
    for (const NamedSize& size : sizes) {
      const auto* name = std::get_if<std::string>(&size);
      result.push_back(name != nullptr ? of(*name) : std::get<std::int64_t>(size));
    }
    return result;
  }

 private:
  std::int64_t of(const std::string& name) {
    const auto [known, is_new] = drawn_.try_emplace(name, 1);
    if (!is_new) return known->second;
    known->second = draw(name);
    left_ = std::max<std::int64_t>(left_ / std::max<std::int64_t>(known->second, 1), 1);
    return known->second;
  }

  // The edges have the first free size 0, or all of them 1.
  std::int64_t draw(const std::string& name) {
    const auto given = hints_.dimensions.find(name);
    if (given != hints_.dimensions.end()) return build_.pick().one_of(given->second);
    if (build_.edge() == Edge::scalar) return 1;
    if (build_.edge() == Edge::empty && !std::exchange(has_empty_, true)) return 0;
    return boundary_size(build_.pick(), left_);
  }

  DraftBuilder& build_;
  const SchemaHints& hints_;
  std::int64_t left_;  // elements that further sizes may make
  bool has_empty_ = false;
  std::map<std::string, std::int64_t> drawn_;
};

// Draws the arguments of one call, in the order of the schema.
class Arguments {
 public:
  Arguments(DraftBuilder& build, const SchemaHints& hints) : build_(build), hints_(hints), named_(build, hints), common_(build.sizes()) {}

  Argument draw(const Parameter& parameter) {
    const auto choices = hints_.choices.find(parameter.name);
    if (choices != hints_.choices.end()) return build_.pick().one_of(choices->second);
    if (parameter.type == "Tensor") return tensors(parameter);
    if (parameter.value && build_.pick().chance(50)) {
      if (const std::optional<Argument> usual = literal(*parameter.value)) return *usual;
    }
    if (parameter.optional && build_.pick().chance(50)) return none();
    return parameter.is_list ? several(parameter, [&] { return number(parameter.type); }) : number(parameter.type);
  }

 private:
  Argument several(const Parameter& parameter, const std::function<Argument()>& one) {
    ArgumentList items;
    const std::int64_t length = parameter.length > 0 ? parameter.length : build_.pick().between(1, 3);
    for (std::int64_t i = 0; i < length; ++i) items.push_back(one());
    return {std::move(items)};
  }

  Argument tensors(const Parameter& parameter) {
    if (parameter.optional && build_.pick().chance(50)) return none();
    const auto found = hints_.tensors.find(parameter.name);
    const TensorHint hint = found == hints_.tensors.end() ? TensorHint{} : found->second;
    if (parameter.is_list) return several(parameter, [&] { return tensor(hint); });
    return tensor(hint);
  }

  Argument tensor(const TensorHint& hint) {
    const Dtype dtype = hint.dtype.value_or(hints_.guess_dtypes ? guessed_dtype() : build_.dtype());
    const Sizes sizes = hint.sizes ? named_.of(*hint.sizes) : guessed_sizes();
    const bool counts = hints_.guess_dtypes && dtype == Dtype::int64 && build_.pick().chance(70);
    return {build_.input(dtype, sizes, hint.fill ? Fills{*hint.fill} : counts ? indices(3) : numbers(dtype))};
  }

  Dtype guessed_dtype() {
    const std::int64_t kind = build_.pick().between(0, 9);
    return kind == 0 ? Dtype::int64 : kind == 1 ? Dtype::bool_ : build_.dtype();
  }

  // Mostly those of the other tensors, or what broadcasts to them.
  Sizes guessed_sizes() {
    if (build_.pick().chance(60)) return common_;
    return build_.pick().chance(60) ? broadcastable(build_.pick(), common_) : build_.sizes();
  }

  Argument number(const std::string& type) {
    if (type == "bool") return argument(build_.pick().chance(50));
    if (type == "float") return argument(build_.pick().one_of({0.5, 1.0, 2.0, -1.25, 0.0, 1e-5}));
    if (type == "Scalar") return scalar(build_);
    if (type == "ScalarType") return argument(build_.dtype());
    return argument(build_.pick().one_of<std::int64_t>({0, 1, 2, -1, 3}));
  }

  DraftBuilder& build_;
  const SchemaHints& hints_;
  NamedSizes named_;
  Sizes common_;
};

void check_dimensions(const OpSchema& schema, const SchemaHints& hints) {
  for (const auto& [name, sizes] : hints.dimensions) {
    const auto uses = [&, &name = name](const auto& tensor) {
      const auto& wanted = tensor.second.sizes;
      return wanted && std::find(wanted->begin(), wanted->end(), NamedSize(name)) != wanted->end();
    };
    if (std::any_of(hints.tensors.begin(), hints.tensors.end(), uses)) continue;
    throw UserError(fmt::format("no tensor of {} has a size named '{}' under 'sizes'", schema.op, name));
  }
}

bool can_be_guessed(const Parameter& parameter) {
  static const std::vector<std::string> types = {"Tensor", "int", "SymInt", "float", "bool", "Scalar", "ScalarType"};
  return std::find(types.begin(), types.end(), parameter.type) != types.end();
}

template <class Value>
void check_names(const OpSchema& schema, const std::map<std::string, Value>& by_name, bool tensors) {
  for (const auto& entry : by_name) {
    const std::string& name = entry.first;
    const auto known = std::find_if(schema.parameters.begin(), schema.parameters.end(), [&](const Parameter& one) { return one.name == name; });
    if (known == schema.parameters.end()) throw UserError(fmt::format("{} has no parameter '{}'", schema.op, name));
    if ((known->type == "Tensor") != tensors) {
      throw UserError(fmt::format("parameter '{}' of {} is {}: say more of it under '{}'", name, schema.op, tensors ? "no tensor" : "a tensor",
                                  tensors ? "choices" : "tensors"));
    }
  }
}

// The sizes that names were found to stand for in one call.
using FoundSizes = std::map<std::string, std::int64_t>;

bool fits_size(const NamedSize& wanted, const Dim& dim, const SchemaHints& hints, FoundSizes& found) {
  if (const auto* size = std::get_if<std::int64_t>(&wanted)) return dim.size == *size;
  const std::string& name = std::get<std::string>(wanted);
  const auto given = hints.dimensions.find(name);
  const bool is_given = given == hints.dimensions.end() || std::find(given->second.begin(), given->second.end(), dim.size) != given->second.end();
  return is_given && found.try_emplace(name, dim.size).first->second == dim.size;
}

bool fits_tensor(const TensorHint& hint, const TensorSpec& spec, const SchemaHints& hints, FoundSizes& found) {
  if (!hint.sizes) return true;
  if (spec.sizes.size() != hint.sizes->size()) return false;
  for (std::size_t i = 0; i < spec.sizes.size(); ++i) {
    if (!fits_size((*hint.sizes)[i], spec.sizes[i], hints, found)) return false;
  }
  return true;
}

}  // namespace

bool fits(const OpSchema& schema, const SchemaHints& hints, const Case& test_case) {
  FoundSizes found;
  for (const Node& node : test_case.program.nodes) {
    for (std::size_t i = 0; node.op == schema.op && i < std::min(schema.parameters.size(), node.arguments.size()); ++i) {
      const std::string& name = schema.parameters[i].name;
      const Argument& argument = node.arguments[i];
      const auto choices = hints.choices.find(name);
      if (choices != hints.choices.end() && std::find(choices->second.begin(), choices->second.end(), argument) == choices->second.end())
        return false;
      const auto tensor = hints.tensors.find(name);
      const auto* ref = std::get_if<ValueRef>(&argument.value);
      if (tensor == hints.tensors.end() || ref == nullptr || ref->node >= 0) continue;
      if (!fits_tensor(tensor->second, test_case.program.inputs.at(static_cast<std::size_t>(ref->index)), hints, found)) return false;
    }
  }
  return true;
}

OpSchema parse_schema(const std::string& text) {
  static const std::regex form(R"(([A-Za-z_]\w*::\w+(?:\.\w+)?)\((.*)\) -> (.+))");
  std::smatch match;
  if (!std::regex_match(text, match, form)) refuse(text, "expected 'name::op(Tensor x, ...) -> Tensor'");
  OpSchema schema;
  schema.op = match[1];
  for (const std::string& parameter : split(match[2])) {
    if (parameter != "*") schema.parameters.push_back(parse_parameter(text, parameter));
  }
  schema.returns = count_returns(text, match[3]);
  return schema;
}

Recipe from_schema(const OpSchema& schema, const SchemaHints& hints) {
  check_names(schema, hints.tensors, true);
  check_names(schema, hints.choices, false);
  for (const Parameter& parameter : schema.parameters) {
    if (can_be_guessed(parameter) || parameter.optional || parameter.value || hints.choices.contains(parameter.name)) continue;
    throw UserError(fmt::format("parameter '{}' of {}: values of type {} cannot be guessed: give some under 'choices'", parameter.name, schema.op,
                                parameter.type));
  }
  check_dimensions(schema, hints);
  return [=](DraftBuilder& build) {
    Arguments draw(build, hints);
    ArgumentList arguments;
    for (const Parameter& parameter : schema.parameters) {
      const bool unknown = !can_be_guessed(parameter) && !hints.choices.contains(parameter.name);
      arguments.push_back(unknown ? literal(parameter.value.value_or("None")).value_or(none()) : draw.draw(parameter));
    }
    build.returns(build.call(std::move(arguments)), schema.returns);
  };
}

}  // namespace neuroncheck::generators
