// Arguments drawn from an operator's schema, for operators nobody wrote a recipe for; its author may say more of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// "Tensor x", "int[2] stride=1", "float? eps=None": one parameter, its type taken apart.
struct Parameter {
  std::string name;
  std::string type;  // Tensor, int, SymInt, float, bool, str, Scalar, ScalarType, ...; of the elements where it is a list
  bool optional = false;
  bool is_list = false;
  int length = 0;                    // int[2]; 0: any
  std::optional<std::string> value;  // the default, as written
};

struct OpSchema {
  std::string op;  // "my::gelu", "my::gelu.out"
  std::vector<Parameter> parameters;
  int returns = 1;
};

// In torch's own writing: "my::gelu(Tensor x, float scale=1.0) -> Tensor". Throws UserError that says what is not understood: results that are no
// tensors, parameters that are written to.
OpSchema parse_schema(const std::string& text);

// A size that is a number, or one name for the same number in several tensors.
using NamedSize = std::variant<std::int64_t, std::string>;

struct TensorHint {
  std::optional<Dtype> dtype;                   // none: the row's
  std::optional<std::vector<NamedSize>> sizes;  // none: drawn
  std::optional<Fill> fill;                     // none: numbers of all kinds
};

struct SchemaHints {
  std::map<std::string, TensorHint> tensors;                    // by parameter
  std::map<std::string, std::vector<Argument>> choices;         // by parameter that is no tensor: one of these
  std::map<std::string, std::vector<std::int64_t>> dimensions;  // by name of a size: one of these; without: drawn
  bool guess_dtypes = false;                                    // tensors of which nothing is said are now and then indices or truth values
};

// Throws UserError for hints of parameters that the schema does not have, and for parameters whose values cannot be guessed (str) without choices.
Recipe from_schema(const OpSchema& schema, const SchemaHints& hints);

// Whether a call keeps to what was said of sizes and choices: a case that shrinks out of it stands for nothing its author meant.
bool fits(const OpSchema& schema, const SchemaHints& hints, const Case& test_case);

}  // namespace neuroncheck::generators
