#include "suites/op_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

#include "harness/user_error.h"
#include "suites/ready_rows.h"
#include "suites/suite.h"

namespace neuroncheck {
namespace {

using Line = std::vector<std::string>;
using Entries = std::map<std::string, CatalogueEntry>;

Line split(const std::string& text) {
  Line words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

// Calls `use` with the words of each line behind the first, which must be `header`.
void read_table(const std::filesystem::path& file, const std::string& header, const std::function<void(const Line&)>& use) {
  std::ifstream in(file);
  std::string text;
  if (!in || !std::getline(in, text)) throw UserError(fmt::format("{}: cannot be read; the installation is incomplete", file.string()));
  if (text != header) throw UserError(fmt::format("{}:1: expected the columns '{}'", file.string(), header));
  const std::size_t columns = split(header).size();
  for (int number = 2; std::getline(in, text); ++number) {
    const Line words = split(text);
    if (words.size() != columns) throw UserError(fmt::format("{}:{}: {} columns, not {}", file.string(), number, words.size(), columns));
    try {
      use(words);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
}

void add_lists(Entries& entries, const std::filesystem::path& file) {
  const std::string header =
      "op\tcore_aten\ttorchneuron_2026_04\tcomposite_implicit\tcomposite_explicit\tcpu_kernel\tview\tmutates\topinfos_forward\topinfos_backward";
  read_table(file, header, [&](const Line& words) {
    CatalogueEntry& entry = entries[words[0]];
    if (words[1] == "1") entry.lists.emplace_back("core_aten");
    if (words[2] == "1") entry.lists.emplace_back("vendor_registered");
    if (words[8] != "0" || words[9] != "0") entry.lists.emplace_back("opinfo");
  });
}

void add_rows(Entries& entries, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (row.invalid) continue;
    CatalogueEntry& entry = entries[row.op];
    entry.family = row.family;
    const std::string_view list = list_of_source(row.family);
    if (!list.empty() && entry.lists.empty()) entry.lists.emplace_back(list);
    ++entry.rows;
    entry.strength = std::max(entry.strength, row.strength);
    entry.gradients = entry.gradients || row.differentiable;
    entry.compiled = entry.compiled || row.compiles;
    for (const Dtype dtype : row.dtypes) {
      if (std::find(entry.dtypes.begin(), entry.dtypes.end(), dtype) == entry.dtypes.end()) entry.dtypes.push_back(dtype);
    }
  }
}

void add_reasons(Entries& entries, const std::filesystem::path& file) {
  read_table(file, "op\treason", [&](const Line& words) {
    const auto found = entries.find(words[0]);
    if (found == entries.end()) throw UserError(words[0] + " is on no list");
    if (found->second.rows > 0) throw UserError(words[0] + " has a row in the catalogue");
    found->second.untestable = words[1];
  });
}

}  // namespace

std::vector<CatalogueEntry> catalogue_entries(const std::vector<Row>& rows, const std::filesystem::path& data, std::vector<CatalogueEntry> further) {
  Entries entries;
  add_lists(entries, data / "aten_ops.tsv");
  add_rows(entries, rows);
  add_reasons(entries, data / "untestable.tsv");
  std::vector<CatalogueEntry> result;
  for (auto& [op, entry] : entries) {
    entry.op = op;
    result.push_back(std::move(entry));
  }
  std::move(further.begin(), further.end(), std::back_inserter(result));
  return result;
}

}  // namespace neuroncheck
