#include "suites/ready_rows.h"

#include <utility>

#include "generators/ready_cases.h"
#include "suites/row.h"
#include "suites/suite.h"

namespace neuroncheck {
namespace {

Row row_of(const std::filesystem::path& folder, const generators::ReadyRow& ready, const std::string& source) {
  return {
      .name = ready.row,
      .op = ready.op,
      .family = source,
      .dtypes = ready.dtypes,
      .generator =
          [draw = generators::ready_draw(folder, ready)](const generators::DrawRequest& request) {
            return rc::Gen<generators::Draft>([=](const rc::Random& /*random*/, int /*size*/) { return rc::shrinkable::just(draw(request)); });
          },
      .differentiable = ready.differentiable,
      .invalid = ready.invalid,
      .compiles = ready.compiles,
      .strength = Strength::structural,  // at least: what each of its results was judged with stands there
      .admits = {},
      .slots = ready.cases,
      .source = ready.digest,
      .tags = {source},
  };
}

}  // namespace

std::string_view list_of_source(std::string_view family) { return family == kOpInfo ? "opinfo_samples" : family == kSchema ? "schema" : ""; }

void add_ready_rows(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    const generators::ReadyIndex index = generators::load_ready_index(folder);
    for (const generators::ReadyRow& ready : index.rows) add_row(row_of(folder, ready, index.source));
  }
}

std::vector<CatalogueEntry> not_captured(const std::vector<std::filesystem::path>& folders) {
  std::vector<CatalogueEntry> entries;
  for (const std::filesystem::path& folder : folders) {
    generators::ReadyIndex index = generators::load_ready_index(folder);
    for (generators::NotCaptured& missing : index.missing) {
      CatalogueEntry entry;
      entry.op = std::move(missing.op);
      entry.lists = {std::string(list_of_source(index.source))};
      entry.untestable = std::move(missing.reason);
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

}  // namespace neuroncheck
