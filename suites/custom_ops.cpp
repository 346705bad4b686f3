#include "suites/custom_ops.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "generators/schema.h"
#include "harness/json_fields.h"
#include "harness/random.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::NamedSize;
using generators::SchemaHints;
using generators::TensorHint;

// Calls `read` with every key and value of an object that may be missing.
template <class Read>
void each(const nlohmann::json* object, const std::string& key, Read read) {
  if (object == nullptr) return;
  if (!object->is_object()) throw UserError(fmt::format("key '{}': an object is wanted", key));
  for (const auto& [name, value] : object->items()) read(name, value);
}

std::vector<NamedSize> read_sizes(const nlohmann::json& json) {
  std::vector<NamedSize> sizes;
  for (const nlohmann::json& size : json) {
    if (size.is_string()) {
      sizes.emplace_back(size.get<std::string>());
    } else {
      sizes.emplace_back(read_value<std::int64_t>(size, "sizes"));
    }
  }
  return sizes;
}

TensorHint read_tensor(const nlohmann::json& json) {
  TensorHint hint;
  JsonFields fields(json, "tensor");
  if (fields.find("dtype") != nullptr) {
    fields.word("dtype", parse_dtype, hint.dtype.emplace());
  }
  if (const nlohmann::json* sizes = fields.find("sizes")) hint.sizes = read_sizes(*sizes);
  if (const nlohmann::json* fill = fields.find("fill")) hint.fill = fill->get<Fill>();
  fields.done();
  return hint;
}

Argument read_choice(const nlohmann::json& json) {
  if (json.is_null()) return generators::none();
  if (json.is_boolean()) return generators::argument(json.get<bool>());
  if (json.is_number_integer()) return generators::argument(json.get<std::int64_t>());
  if (json.is_number()) return generators::argument(json.get<double>());
  if (json.is_string()) return generators::argument(json.get<std::string>());
  if (!json.is_array()) throw UserError("a number, text, true, false, null or a list of them is wanted");
  ArgumentList list;
  for (const nlohmann::json& element : json) list.push_back(read_choice(element));
  return {std::move(list)};
}

template <class Value, class Read>
std::vector<Value> some(const nlohmann::json& json, const std::string& name, Read read) {
  if (!json.is_array() || json.empty()) throw UserError(fmt::format("'{}': a list of at least one is wanted", name));
  std::vector<Value> values;
  for (const nlohmann::json& value : json) values.push_back(read(value));
  return values;
}

SchemaHints read_hints(JsonFields& fields) {
  SchemaHints hints;
  each(fields.find("tensors"), "tensors", [&](const std::string& name, const nlohmann::json& json) { hints.tensors[name] = read_tensor(json); });
  each(fields.find("choices"), "choices",
       [&](const std::string& name, const nlohmann::json& json) { hints.choices[name] = some<Argument>(json, name, read_choice); });
  each(fields.find("dimensions"), "dimensions", [&](const std::string& name, const nlohmann::json& json) {
    hints.dimensions[name] = some<std::int64_t>(json, name, [&](const nlohmann::json& size) { return read_value<std::int64_t>(size, name); });
  });
  return hints;
}

CustomOpLine read_op(const nlohmann::json& json) {
  CustomOpLine line;
  std::string schema;
  std::vector<std::string> dtypes;
  JsonFields fields(json, "op");
  fields.required("schema", schema);
  fields.required("dtypes", dtypes);
  fields.optional("reference", line.reference);
  fields.optional("bound", line.bound);
  fields.optional("profile", line.profile);
  const SchemaHints hints = read_hints(fields);
  fields.done();
  if (dtypes.empty()) throw UserError(fmt::format("key 'dtypes' of '{}': at least one is needed", schema));
  const generators::OpSchema parsed = generators::parse_schema(schema);
  RowLine row{parsed.op, {}, generators::from_schema(parsed, hints), {Trait::custom}};
  for (const std::string& dtype : dtypes) row.dtypes.push_back(parse_dtype(dtype));
  if (line.bound.empty()) row.traits.push_back(Trait::estimated);
  line.row = rows_of("custom", {row}).front();
  line.row.admits = [=](const Case& test_case) { return generators::fits(parsed, hints, test_case); };
  return line;
}

}  // namespace

CustomOps load_custom_ops(const std::filesystem::path& file) {
  return read_file(file, [](const nlohmann::json& json) {
    CustomOps custom;
    JsonFields fields(json, "custom operators");
    fields.optional("imports", custom.imports);
    const nlohmann::json* ops = fields.find("ops");
    fields.done();
    if (ops == nullptr || !ops->is_array() || ops->empty()) throw UserError("key 'ops': a list of at least one operator is wanted");
    for (const nlohmann::json& op : *ops) custom.ops.push_back(read_op(op));
    return custom;
  });
}

std::string custom_sources(const std::filesystem::path& file, const CustomOps& custom) {
  std::set<std::string> modules(custom.imports.begin(), custom.imports.end());
  for (const CustomOpLine& line : custom.ops) {
    for (const std::string& function : {line.reference, line.bound}) modules.insert(function.substr(0, function.rfind('.')));
  }
  std::string text = read_text(file);
  for (const std::string& module : modules) {
    const std::filesystem::path source = std::filesystem::absolute(file).parent_path() / (module + ".py");
    if (std::filesystem::is_regular_file(source)) text += '\n' + read_text(source);
  }
  return text;
}

void add_custom_rows(const std::filesystem::path& file) {
  if (file.empty()) return;
  CustomOps custom = load_custom_ops(file);
  const std::string source =
      hex_of(hash_of(custom_sources(file, custom)));  // a run goes on, and is compared, with the same kernels and references only
  for (CustomOpLine& line : custom.ops) {
    if (find_row(line.row.name) != nullptr) throw UserError(fmt::format("{}: there is a row {} already", file.string(), line.row.name));
    line.row.source = source;
    add_row(std::move(line.row));
  }
}

}  // namespace neuroncheck
