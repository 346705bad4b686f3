#include "oracles/profile.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "harness/enum_names.h"
#include "harness/json_fields.h"
#include "harness/user_error.h"
#include "oracles/error_conformance.h"

namespace neuroncheck::oracles {
namespace {

constexpr std::array kRoundings = {
    EnumName<OutputRounding>{OutputRounding::nearest_even, "nearest_even"}, EnumName<OutputRounding>{OutputRounding::faithful, "faithful"},
    EnumName<OutputRounding>{OutputRounding::toward_zero, "toward_zero"}, EnumName<OutputRounding>{OutputRounding::stochastic, "stochastic"}};
constexpr std::array kHeights = {EnumName<SummationHeight>{SummationHeight::sequential, "sequential"},
                                 EnumName<SummationHeight>{SummationHeight::tiled, "tiled"},
                                 EnumName<SummationHeight>{SummationHeight::pairwise, "pairwise"}};
constexpr std::array kFlushPolicies = {EnumName<FlushPolicy>{FlushPolicy::keep, "keep"}, EnumName<FlushPolicy>{FlushPolicy::flush, "flush"},
                                       EnumName<FlushPolicy>{FlushPolicy::either, "either"}};
enum class Tag { documented, assumed };
constexpr std::array kTags = {EnumName<Tag>{Tag::documented, "documented"}, EnumName<Tag>{Tag::assumed, "assumed"}};

Tag read_tag(JsonFields& fields, std::string_view what, std::string& source) {
  std::string tag;
  fields.required("tag", tag);
  fields.required("source", source);
  if (source.empty()) throw UserError(fmt::format("{}: key 'source' is empty: say where this is written, or why it is assumed", what));
  return find_value(kTags, tag, "tag");
}

Personality read_personality(const nlohmann::json& json) {
  Personality entry;
  JsonFields fields(json, "personality");
  fields.required("op", entry.op);
  fields.required("argument", entry.argument);
  fields.required("when", entry.when);
  fields.required("gives", entry.gives);
  entry.documented = read_tag(fields, "personality", entry.source) == Tag::documented;
  fields.done();
  return entry;
}

DocumentedError read_documented_error(const nlohmann::json& json) {
  DocumentedError entry;
  JsonFields fields(json, "documented_errors");
  fields.required("op", entry.op);
  fields.required("when", entry.when);
  fields.required("raises", entry.raises);
  fields.required("text", entry.text);
  const Tag tag = read_tag(fields, "documented_errors", entry.source);
  fields.done();
  if (tag != Tag::documented) throw UserError("key 'documented_errors': an error that is only assumed excuses nothing");
  if (entry.when != "empty_input") throw UserError(fmt::format("key 'documented_errors': unknown when '{}': empty_input", entry.when));
  if (entry.text.empty()) throw UserError("key 'documented_errors': 'text' is empty: every error would match");
  if (conforming_class(entry.raises) != entry.raises) throw UserError(fmt::format("key 'documented_errors': unknown class '{}'", entry.raises));
  return entry;
}

// Reads the tagged lines of a profile file.
class Lines {
 public:
  Lines(const nlohmann::json& json, Profile& profile) : fields_(json, "profile"), profile_(profile) {}

  template <class T>
  void value(const std::string& key, T& target) {
    target = read_value<T>(line(key), key);
  }

  template <class Enum, std::size_t kCount>
  void word(const std::string& key, const std::array<EnumName<Enum>, kCount>& names, Enum& target) {
    target = find_value(names, read_value<std::string>(line(key), key), key);
  }

  void number(const std::string& key, double smallest, double& target) {
    value(key, target);
    if (!std::isfinite(target) || target < smallest) throw UserError(fmt::format("key '{}': a number of at least {} is wanted", key, smallest));
  }

  nlohmann::json line(const std::string& key) {
    const nlohmann::json* found = fields_.find(key);
    if (found == nullptr) throw UserError(fmt::format("key '{}' is missing: a profile states every line", key));
    JsonFields line(*found, key);
    const nlohmann::json* value = line.find("value");
    if (value == nullptr) throw UserError(fmt::format("key '{}': 'value' is missing", key));
    std::string source;
    if (read_tag(line, key, source) == Tag::assumed) profile_.assumed.insert(key);
    line.done();
    return *value;
  }

  template <class Entry>
  void entries(const std::string& key, Entry (*read)(const nlohmann::json&), std::vector<Entry>& target) {
    const nlohmann::json* found = fields_.find(key);
    if (found == nullptr || !found->is_array()) throw UserError(fmt::format("key '{}': a list is wanted (empty: none)", key));
    for (const nlohmann::json& entry : *found) target.push_back(read(entry));
  }

  void name_and_done() {
    std::string about;
    fields_.required("name", profile_.name);
    fields_.required("about", about);
    fields_.done();
  }

 private:
  JsonFields fields_;
  Profile& profile_;
};

void read_accumulator(Lines& lines, Profile& profile) {
  for (const auto& [from, to] : read_value<std::map<std::string, std::string>>(lines.line("accumulator"), "accumulator")) {
    profile.accumulator[parse_dtype(from)] = parse_dtype(to);
  }
}

void read_function_ulp(Lines& lines, Profile& profile) {
  lines.value("function_ulp", profile.function_ulp);
  for (const auto& [function, ulp] : profile.function_ulp) {
    if (!std::isfinite(ulp) || ulp < 0) throw UserError(fmt::format("key 'function_ulp': {} must not be negative", function));
  }
}

Profile read_profile(const nlohmann::json& json) {
  Profile profile;
  Lines lines(json, profile);
  lines.word("rounding", kRoundings, profile.rounding);
  read_accumulator(lines, profile);
  lines.number("accumulator_factor", 1.0, profile.accumulator_factor);
  lines.word("height", kHeights, profile.height);
  lines.value("tile", profile.tile);
  read_function_ulp(lines, profile);
  lines.number("default_function_ulp", 0.0, profile.default_function_ulp);
  lines.word("flush_inputs", kFlushPolicies, profile.flush_inputs);
  lines.word("flush_outputs", kFlushPolicies, profile.flush_outputs);
  lines.value("demotes_float64", profile.demotes_float64);
  lines.value("demotes_int64", profile.demotes_int64);
  lines.value("demotion_exempt", profile.demotion_exempt);
  lines.value("copies_keep_zero_sign", profile.copies_keep_zero_sign);
  lines.entries("personality", &read_personality, profile.personality);
  lines.entries("documented_errors", &read_documented_error, profile.documented_errors);
  lines.name_and_done();
  if (profile.tile < 1) throw UserError("key 'tile': at least 1");
  return profile;
}

}  // namespace

Profile load_profile(const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / (name + ".json");
  std::ifstream stream(file);
  if (!stream) throw UserError(fmt::format("{}: no such profile: check key 'profile' of the target", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const nlohmann::json json = parse_json(text, file.string());
  try {
    Profile profile = read_profile(json);
    if (profile.name != name) throw UserError(fmt::format("key 'name': '{}' is not the file's name", profile.name));
    return profile;
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

Dtype accumulator_of(const Profile& profile, Dtype dtype) {
  const auto found = profile.accumulator.find(dtype);
  if (found != profile.accumulator.end()) return found->second;
  if (dtype == Dtype::float64 && profile.demotes_float64) return Dtype::float32;
  return is_floating(dtype) && bytes_of(dtype) < 4 ? Dtype::float32 : dtype;
}

Dtype computed_in(const Profile& profile, Dtype dtype) { return dtype == Dtype::float64 && profile.demotes_float64 ? Dtype::float32 : dtype; }

std::string base_op(std::string_view op) {
  const std::size_t name = op.find("::") == std::string_view::npos ? 0 : op.find("::") + 2;
  std::string base(op.substr(0, op.find('.', name)));
  const bool in_place = base.size() > name + 1 && base.back() == '_' && base[base.size() - 2] != '_';
  if (in_place) base.pop_back();
  return base;
}

const Personality* find_personality(const Profile& profile, std::string_view op, std::string_view when) {
  const std::string base = base_op(op);
  for (const Personality& entry : profile.personality) {
    if (entry.op == base && entry.when == when) return &entry;
  }
  return nullptr;
}

}  // namespace neuroncheck::oracles
