#include "harness/expectation.h"

#include <algorithm>
#include <tuple>

#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

constexpr double kCeilingFactor = 10.0;  // ten times worse than known is a regression (matrix.md section 2)

template <class Word>
nlohmann::json words_of(const std::vector<Word>& values) {
  if (values.empty()) return "*";
  nlohmann::json words = nlohmann::json::array();
  for (const Word value : values) words.push_back(name_of(value));
  return words;
}

// A list of words, or "*" for any, which is an empty list here.
template <class Parse>
auto read_words(JsonFields& fields, const std::string& key, Parse parse) {
  std::vector<decltype(parse(std::string_view()))> values;
  const nlohmann::json* found = fields.find(key);
  if (found == nullptr) throw UserError(fmt::format("key '{}' is missing: a list, or \"*\" for any", key));
  if (*found == "*") return values;
  for (const auto& word : read_value<std::vector<std::string>>(*found, key)) values.push_back(parse(word));
  if (values.empty()) throw UserError(fmt::format("key '{}': an empty list matches nothing: write \"*\" for any", key));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

bool is_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

void read_date(JsonFields& fields, const std::string& key, std::string& date) {
  fields.optional(key, date);
  if (!date.empty() && !is_date(date)) throw UserError(fmt::format("key '{}': '{}' is not a date: write YYYY-MM-DD", key, date));
}

void require_text(JsonFields& fields, const std::string& key, std::string& text) {
  fields.required(key, text);
  if (text.empty()) throw UserError(fmt::format("key '{}' is empty", key));
}

Expectation read_expectation(const nlohmann::json& json) {
  Expectation entry;
  JsonFields fields(json, "expectation");
  require_text(fields, "op", entry.op);
  if (entry.op.find_first_of("*?") != std::string::npos) throw UserError(fmt::format("key 'op': '{}': one exact overload, no wildcard", entry.op));
  entry.dtypes = read_words(fields, "dtypes", parse_dtype);
  entry.paths = read_words(fields, "paths", parse_path);
  if (const nlohmann::json* word = fields.find("input_class")) entry.input_class = parse_input_class(read_value<std::string>(*word, "input_class"));
  fields.optional("builds_from", entry.builds_from);
  fields.optional("builds_to", entry.builds_to);
  std::string verdict;
  fields.required("verdict", verdict);
  entry.verdict = parse_verdict_kind(verdict);
  fields.optional("verdict_reason", entry.verdict_reason);
  if (fields.find("ceiling_ulps") != nullptr) fields.required("ceiling_ulps", entry.ceiling_ulps.emplace());
  require_text(fields, "issue", entry.issue);
  require_text(fields, "reason", entry.reason);
  read_date(fields, "since", entry.since);
  read_date(fields, "review", entry.review);
  read_date(fields, "until", entry.until);
  fields.done();
  if (entry.verdict == VerdictKind::skipped && entry.until.empty()) throw UserError("key 'until' is missing: a skip needs an end");
  return entry;
}

// Keys in reading order, not sorted: what is matched first, why last.
std::string json_of(const Expectation& entry) {
  nlohmann::ordered_json json;
  json["op"] = entry.op;
  json["dtypes"] = words_of(entry.dtypes);
  json["paths"] = words_of(entry.paths);
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  if (entry.input_class) json["input_class"] = name_of(*entry.input_class);
  put("builds_from", entry.builds_from);
  put("builds_to", entry.builds_to);
  json["verdict"] = name_of(entry.verdict);
  put("verdict_reason", entry.verdict_reason);
  if (entry.ceiling_ulps) json["ceiling_ulps"] = *entry.ceiling_ulps;
  put("issue", entry.issue);
  put("reason", entry.reason);
  put("since", entry.since);
  put("review", entry.review);
  put("until", entry.until);
  std::string text = "  {";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("{}\n    \"{}\": {}", text.back() == '{' ? "" : ",", key, value.dump());
  }
  return text + "\n  }";
}

auto order_of(const Expectation& entry) {
  return std::tie(entry.op, entry.dtypes, entry.paths, entry.verdict, entry.verdict_reason, entry.input_class, entry.builds_from, entry.builds_to);
}

// How much an entry says about what it matches: more named conditions win.
int specificity(const Expectation& entry) {
  const auto given = [](bool condition) { return condition ? 1 : 0; };
  return given(!entry.dtypes.empty()) + given(!entry.paths.empty()) + given(entry.input_class.has_value()) + given(!entry.verdict_reason.empty()) +
         given(!entry.builds_from.empty() || !entry.builds_to.empty());
}

template <class Value>
bool overlap(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.empty() || b.empty()) return true;
  return std::any_of(a.begin(), a.end(), [&](Value value) { return std::find(b.begin(), b.end(), value) != b.end(); });
}

bool texts_overlap(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

// "2.13.0" before "2.14": numbers count as numbers, anything else ends a part.
bool version_less(std::string_view a, std::string_view b) {
  const auto part = [](std::string_view& text) {
    std::int64_t number = 0;
    std::size_t i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && number < 1'000'000'000'000; ++i) number = number * 10 + (text[i] - '0');
    for (; i < text.size() && (text[i] < '0' || text[i] > '9'); ++i) {
    }
    text.remove_prefix(i);
    return number;
  };
  while (!a.empty() || !b.empty()) {
    const std::int64_t left = part(a), right = part(b);
    if (left != right) return left < right;
  }
  return false;
}

bool ranges_overlap(const Expectation& a, const Expectation& b) {
  const auto ends_before = [](const Expectation& first, const Expectation& second) {
    return !first.builds_to.empty() && !second.builds_from.empty() && version_less(first.builds_to, second.builds_from);
  };
  return !ends_before(a, b) && !ends_before(b, a);
}

// Input classes never keep two entries apart: a case can be in several.
bool both_match_something(const Expectation& a, const Expectation& b) {
  return a.op == b.op && a.verdict == b.verdict && overlap(a.dtypes, b.dtypes) && overlap(a.paths, b.paths) &&
         texts_overlap(a.verdict_reason, b.verdict_reason) && ranges_overlap(a, b);
}

// Numbered as in the file, from 1.
void refuse_ambiguous(const std::vector<Expectation>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (specificity(entries[i]) != specificity(entries[j]) || !both_match_something(entries[i], entries[j])) continue;
      throw UserError(fmt::format("entries {} and {} ({}, {}) match the same results and are equally specific: merge them or narrow one", j + 1,
                                  i + 1, entries[i].op, name_of(entries[i].verdict)));
    }
  }
}

Baseline read_baseline(const nlohmann::json& json) {
  if (!json.is_array()) throw UserError("a list of entries is wanted");
  Baseline baseline{.exists = true, .entries = {}};
  for (const nlohmann::json& entry : json) {
    try {
      baseline.entries.push_back(read_expectation(entry));
    } catch (const UserError& error) {
      throw UserError(fmt::format("entry {}: {}", baseline.entries.size() + 1, error.what()));
    }
  }
  refuse_ambiguous(baseline.entries);
  return baseline;
}

bool matches(const Expectation& entry, const Record& record) {
  const auto& classes = record.input_classes;
  return entry.op == record.op && entry.verdict == record.verdict.kind && overlap(entry.dtypes, {record.dtype}) &&
         overlap(entry.paths, {record.path}) && (entry.verdict_reason.empty() || entry.verdict_reason == record.verdict.reason) &&
         (!entry.input_class || std::find(classes.begin(), classes.end(), *entry.input_class) != classes.end());
}

}  // namespace

Baseline for_build(Baseline baseline, std::string_view version) {
  if (version.empty()) return baseline;
  std::erase_if(baseline.entries, [&](const Expectation& entry) {
    return (!entry.builds_from.empty() && version_less(version, entry.builds_from)) ||
           (!entry.builds_to.empty() && version_less(entry.builds_to, version));
  });
  return baseline;
}

Baseline load_baseline(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return Baseline{};
  return read_file(file, read_baseline);
}

std::string canonical_baseline(const Baseline& baseline) {
  std::vector<Expectation> entries = baseline.entries;
  std::sort(entries.begin(), entries.end(), [](const Expectation& a, const Expectation& b) { return order_of(a) < order_of(b); });
  std::string text = "[";
  for (const Expectation& entry : entries) text += fmt::format("{}\n{}", text == "[" ? "" : ",", json_of(entry));
  return text + (entries.empty() ? "]\n" : "\n]\n");
}

const Expectation* match(const Baseline& baseline, const Record& record) {
  const Expectation* best = nullptr;
  for (const Expectation& entry : baseline.entries) {
    if (matches(entry, record) && (best == nullptr || specificity(entry) > specificity(*best))) best = &entry;
  }
  return best;
}

Triage triage(const Baseline& baseline, const Record& record) {
  const VerdictKind kind = record.verdict.kind;
  if (kind == VerdictKind::not_run) return Triage::absent;
  if (kind == VerdictKind::harness_error) return Triage::first_seen;  // our bug: red whoever listed it
  const Bucket bucket = bucket_of(kind);
  if (bucket != Bucket::wrong && bucket != Bucket::broken) return Triage::expected;
  const Expectation* known = match(baseline, record);
  if (known == nullptr) return Triage::first_seen;
  const bool worse = known->ceiling_ulps && !(record.verdict.error_ulps <= kCeilingFactor * *known->ceiling_ulps);
  return worse ? Triage::regressed : Triage::expected;
}

}  // namespace neuroncheck
