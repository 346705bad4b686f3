#include "harness/target.h"

#include <algorithm>

#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

std::vector<Path> read_paths(const nlohmann::json& json) {
  std::vector<Path> paths;
  for (const auto& word : read_value<std::vector<std::string>>(json, "paths")) paths.push_back(parse_path(word));
  if (paths.empty()) throw UserError("target: key 'paths': at least one is needed");
  return paths;
}

std::string one_of(const std::string& key, const std::string& text, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  throw UserError(fmt::format("target: key '{}': unknown word '{}': one of {}", key, text, fmt::join(known, ", ")));
}

Target read_target(const nlohmann::json& json) {
  Target target;
  JsonFields fields(json, "target");
  fields.required("name", target.name);
  fields.optional("device", target.device);
  fields.optional("simulated", target.simulated);
  fields.optional("imports", target.imports);
  fields.optional("package", target.package);
  fields.optional("library", target.library);
  fields.optional("compile_backend", target.compile_backend);
  fields.optional("evidence", target.evidence);
  fields.optional("tracker_module", target.tracker_module);
  fields.optional("profile", target.profile);
  fields.optional("permissive_profile", target.permissive_profile);
  fields.optional("environment", target.environment);
  fields.optional("dynamic", target.dynamic);
  fields.optional("refused_codes", target.refused_codes);
  fields.optional("refused_texts", target.refused_texts);
  fields.optional("distribution", target.distribution);
  fields.optional("companions", target.companions);
  fields.optional("install", target.install);
  if (const nlohmann::json* paths = fields.find("paths")) target.paths = read_paths(*paths);
  fields.optional("faults", target.faults);
  fields.done();
  one_of("evidence", target.evidence, {"host", "privateuse1"});
  one_of("dynamic", target.dynamic, {"refused", "supported"});
  const bool compiles = std::any_of(target.paths.begin(), target.paths.end(), is_compiled);
  if (compiles && target.compile_backend.empty()) throw UserError("target: key 'paths' has compiled paths, but key 'compile_backend' is missing");
  return target;
}

std::filesystem::path file_of(const std::string& name_or_path, const std::filesystem::path& folder) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json")) return name_or_path;
  std::filesystem::path file = folder / (name_or_path + ".json");
  if (std::filesystem::exists(file)) return file;
  throw UserError(fmt::format("unknown target '{}': one of {}, or the path of a JSON file", name_or_path, fmt::join(target_names(folder), ", ")));
}

}  // namespace

bool is_each_workers_own(std::string_view value) {
  return value.find(kCorePlaceholder) != std::string_view::npos || value.find(kCachePlaceholder) != std::string_view::npos;
}

Target load_target(const std::string& name_or_path, const std::filesystem::path& folder) {
  return read_file(file_of(name_or_path, folder), read_target);
}

std::vector<std::string> target_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace neuroncheck
