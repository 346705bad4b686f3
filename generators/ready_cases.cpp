#include "generators/ready_cases.h"

#include <map>
#include <memory>
#include <utility>

#include "harness/json_fields.h"
#include "harness/plan.h"

namespace neuroncheck::generators {
namespace {

std::vector<Dtype> read_dtypes(const nlohmann::json& json) {
  std::vector<Dtype> dtypes;
  for (const nlohmann::json& name : json) dtypes.push_back(parse_dtype(read_value<std::string>(name, "dtypes")));
  return dtypes;
}

ReadyRow read_row(const nlohmann::json& json) {
  ReadyRow row;
  JsonFields fields(json, "row");
  fields.required("row", row.row);
  fields.required("op", row.op);
  fields.required("file", row.file);
  fields.required("digest", row.digest);
  fields.required("cases", row.cases);
  fields.required("differentiable", row.differentiable);
  fields.required("invalid", row.invalid);
  fields.required("compiles", row.compiles);
  if (const nlohmann::json* dtypes = fields.find("dtypes")) row.dtypes = read_dtypes(*dtypes);
  fields.done();
  if (row.dtypes.empty() || row.cases < 1) throw UserError(fmt::format("row {}: keys 'dtypes' and 'cases': at least one is needed", row.row));
  return row;
}

NotCaptured read_missing(const nlohmann::json& json) {
  NotCaptured missing;
  JsonFields fields(json, "missing");
  fields.required("op", missing.op);
  fields.required("reason", missing.reason);
  fields.done();
  return missing;
}

using Cases = std::map<Dtype, std::vector<Case>>;

Cases load_cases(const std::filesystem::path& file) {
  return read_file(file, [](const nlohmann::json& json) {
    Cases cases;
    for (const auto& [dtype, list] : json.items()) cases[parse_dtype(dtype)] = list.get<std::vector<Case>>();
    return cases;
  });
}

Case without_gradients(Case test_case) {
  test_case.backward.clear();
  for (TensorSpec& input : test_case.program.inputs) input.requires_grad = false;
  return test_case;
}

}  // namespace

ReadyIndex load_ready_index(const std::filesystem::path& folder) {
  return read_file(folder / "index.json", [](const nlohmann::json& json) {
    ReadyIndex index;
    for (const nlohmann::json& row : json.at("rows")) index.rows.push_back(read_row(row));
    for (const nlohmann::json& missing : json.at("missing")) index.missing.push_back(read_missing(missing));
    index.source = read_value<std::string>(json.at("source"), "source");
    return index;
  });
}

ReadyDraw ready_draw(const std::filesystem::path& folder, const ReadyRow& row) {
  return [file = folder / row.file, loaded = std::make_shared<Cases>()](const DrawRequest& request) {
    if (loaded->empty()) *loaded = load_cases(file);
    const auto found = loaded->find(request.dtype);
    if (found == loaded->end() || found->second.empty()) throw UserError(fmt::format("{}: no case of {}", file.string(), name_of(request.dtype)));
    const Case& ready = found->second[static_cast<std::size_t>(request.slot) % found->second.size()];
    return Draft{.test_case = takes_gradients(request.slot) ? ready : without_gradients(ready), .fills = {}};
  };
}

}  // namespace neuroncheck::generators
