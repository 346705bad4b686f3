#include "db/finding_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "db/layout.h"
#include "db/statement.h"
#include "harness/record.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

constexpr std::size_t kColumns = 120;

struct Found {
  std::int64_t id = 0, run = 0;
  Record minimal;
  std::string target, run_date, triage, cause, repro_line;
  bool simulated = false;
  std::int64_t retries = 0, retries_failed = 0, shrink_steps = 0, cells_of_cause = 0;
};

std::optional<Found> find(const SQLite::Database& database, const std::string& case_id) {
  SQLite::Statement select =
      prepare(database,
              "SELECT f.id, f.run, f.retries, f.retries_failed, f.shrink_steps, q.target, q.run_date, f.triage, coalesce(u.text, ''), f.repro_line, "
              "q.simulated, "
              "f.minimal, (SELECT count(DISTINCT x.cell) FROM result x WHERE x.run = f.run AND x.verdict = f.verdict AND x.cause IS f.cause) "
              "FROM finding f JOIN run_of q ON q.run = f.run LEFT JOIN cause u ON u.id = f.cause LEFT JOIN result o ON o.run = f.run AND o.row = "
              "f.row AND o.n = f.n "
              "AND o.cell = f.cell AND o.verdict = f.verdict LEFT JOIN test_case t ON t.id = o.test_case "
              "WHERE f.case_id GLOB ?1 || '*' OR t.case_id GLOB ?1 || '*' ORDER BY q.run_date DESC, f.id LIMIT 1",
              case_id);
  if (!select.executeStep()) return std::nullopt;
  Found found;
  int column = 0;
  for (std::int64_t* field : {&found.id, &found.run, &found.retries, &found.retries_failed, &found.shrink_steps})
    *field = select.getColumn(column++).getInt64();
  for (std::string* field : {&found.target, &found.run_date, &found.triage, &found.cause, &found.repro_line})
    *field = select.getColumn(column++).getString();
  found.simulated = select.getColumn(10).getInt() != 0;
  found.minimal = nlohmann::json::parse(select.getColumn(11).getString()).get<Record>();
  found.cells_of_cause = select.getColumn(12).getInt64();
  return found;
}

std::string inputs_of(const std::string& case_json) {
  const nlohmann::json json = nlohmann::json::parse(case_json, nullptr, false);
  const auto pointer = nlohmann::json::json_pointer("/program/inputs");
  if (json.is_discarded() || !json.contains(pointer)) return fit(case_json, kColumns - 12);
  std::vector<std::string> inputs;
  for (const auto& input : json.at(pointer))
    inputs.push_back(fmt::format("{}{}", input.value("dtype", ""), input.contains("sizes") ? input["sizes"].dump() : ""));
  return fmt::format("{}", fmt::join(inputs, ", "));
}

std::string placement_of(const PlacementEvidence& evidence) {
  std::string text(name_of(evidence.placement));
  for (const FallbackUse& use : evidence.fallbacks)
    text += fmt::format(", {} on the CPU ({}, {})", use.op, counted(use.copies, "transfer"), counted(use.bytes, "byte"));
  for (const std::string& line : evidence.disagreements) text += "; " + line;
  return text;
}

std::string index_of(const WorstElement& worst) {
  return fmt::format("{} {} [{}]{}", worst.what, worst.output, fmt::join(worst.index, ", "),
                     worst.step > 0 ? fmt::format(" of step {}", worst.step) : "");
}

std::string weak_oracles(const Verdict& verdict) {
  if (!verdict.weak_default_sees && !verdict.weak_vendor_sees) return "";
  const auto word = [](const std::optional<bool>& sees) { return !sees ? "not asked" : *sees ? "sees it" : "blind"; };
  return fmt::format("assert_close {}; tolerance 1e-2 {}", word(verdict.weak_default_sees), word(verdict.weak_vendor_sees));
}

std::vector<std::string> lines_of(const Found& found, const std::filesystem::path& file) {
  const Verdict& verdict = found.minimal.verdict;
  std::vector<std::string> lines;
  const auto say = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) lines.push_back(fit(fmt::format("{:<11} {}", label, text), kColumns));
  };
  lines.push_back(fit(fmt::format("{}{} {} {} case {}", found.simulated ? "SIMULATED " : "", found.minimal.op, name_of(found.minimal.dtype),
                                  name_of(found.minimal.path), found.minimal.case_id),
                      kColumns));
  say("verdict", fmt::format("{}{}, {} on {}, run {} of {}", name_of(verdict.kind), verdict.reason.empty() ? "" : " (" + verdict.reason + ")",
                             found.triage, found.target, found.run, found.run_date));
  if (verdict.worst) {
    const WorstElement& worst = *verdict.worst;
    say("at", index_of(worst));
    say("got", worst.got);
    say("expected", fmt::format("{}, allowed {} .. {}; off by {:.4g} ulps, {:.4g} times what is allowed", worst.expected, worst.low, worst.high,
                                verdict.error_ulps, verdict.bound_share));
  } else {
    say("error", verdict.detail);
  }
  say("inputs", inputs_of(found.minimal.case_json));
  say("placement", placement_of(found.minimal.evidence));
  say("cause", fmt::format("{}{}shared by {}", found.cause, found.cause.empty() ? "" : ", ", counted(found.cells_of_cause, "cell")));
  say("would see", weak_oracles(verdict));
  say("repeats", fmt::format("{} of {} in a fresh worker; {}", found.retries_failed, found.retries, counted(found.shrink_steps, "shrink step")));
  lines.push_back(fmt::format("{:<11} {}", "replay", repro_in(file, found.repro_line)));  // never cut
  return lines;
}

// A result that was not shrunk: what its row says.
std::string result_text(const SQLite::Database& database, const std::string& case_id) {
  SQLite::Statement select =
      prepare(database,
              "SELECT q.simulated, k.op, k.dtype, k.path, t.case_id, x.verdict, coalesce(x.reason, ''), x.triage, q.target, q.run, q.run_date, "
              "coalesce(u.text, ''), coalesce(x.detail, ''), t.json FROM test_case t JOIN result x ON x.test_case = t.id "
              "JOIN run_of q ON q.run = x.run JOIN cell_of k ON k.cell = x.cell LEFT JOIN cause u ON u.id = x.cause "
              "WHERE t.case_id GLOB ? || '*' ORDER BY q.run_date DESC LIMIT 1",
              case_id);
  if (!select.executeStep())
    throw UserError(fmt::format("no case '{}' in {}; `neuroncheck query errors` lists them", case_id, database.getFilename()));
  const auto column = [&](int i) { return select.getColumn(i).getString(); };
  std::string text =
      fit(fmt::format("{}{} {} {} case {}", column(0) == "1" ? "SIMULATED " : "", column(1), column(2), column(3), column(4)), kColumns) + "\n";
  text += fmt::format("verdict     {} {}, {} on {}, run {} of {}\n", column(5), column(6), column(7), column(8), column(9), column(10));
  if (!column(11).empty()) text += fit("cause       " + column(11), kColumns) + "\n";
  if (!column(12).empty()) text += fit("error       " + column(12), kColumns) + "\n";
  text += fit("inputs      " + inputs_of(column(13)), kColumns) + "\n";
  return text +
         fmt::format("replay      neuroncheck replay {} --target {} --path {} --db {}\n", column(4), column(8), column(3), database.getFilename());
}

}  // namespace

std::string finding_text(const Database& database, const std::string& case_id) {
  const std::optional<Found> found = find(database.handle, case_id);
  if (!found) return result_text(database.handle, case_id);
  return fmt::format("{}\n", fmt::join(lines_of(*found, database.file), "\n"));
}

std::optional<StoredCase> stored_case(const Database& database, const std::string& case_id) {
  SQLite::Statement select = prepare(database.handle, "SELECT json, case_id FROM test_case WHERE case_id GLOB ? || '*' LIMIT 2", case_id);
  if (!select.executeStep()) return std::nullopt;
  StoredCase stored{select.getColumn(0).getString(), "", "", ""};
  const std::string whole_id = select.getColumn(1).getString();
  if (select.executeStep()) throw UserError(fmt::format("several cases begin with '{}': give more of the id", case_id));
  SQLite::Statement origin =
      prepare(database.handle,
              "WITH met (run, cell, rank) AS ("
              "SELECT f.run, f.cell, v.rank FROM finding f JOIN verdict v ON v.word = f.verdict WHERE f.case_id = ?1 UNION ALL "
              "SELECT x.run, x.cell, v.rank FROM test_case e JOIN result x ON x.test_case = e.id JOIN verdict v ON "
              "v.word = x.verdict WHERE e.case_id = ?1) "
              "SELECT t.name, r.fault, c.path FROM met m JOIN run r ON r.id = m.run JOIN series s ON s.id = r.series "
              "JOIN target t ON t.id = s.target JOIN cell c ON c.id = m.cell ORDER BY r.id DESC, m.rank DESC, c.path LIMIT 1",
              whole_id);
  if (origin.executeStep()) {
    stored.target = origin.getColumn(0).getString();
    stored.fault = origin.getColumn(1).getString();
    stored.path = origin.getColumn(2).getString();
  }
  return stored;
}

}  // namespace neuroncheck
