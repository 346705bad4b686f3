#include "suites/ready_rows.h"

#include <utility>

#include "generators/ready_cases.h"
#include "suites/row.h"
#include "suites/suite.h"

namespace neuroncheck {
namespace {

Row row_of(const std::filesystem::path& folder, const generators::ReadyRow& ready) {
  return {
      .name = ready.row,
      .op = ready.op,
      .family = std::string(kOpInfo),
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
      .tags = {std::string(kOpInfo)},
  };
}

}  // namespace

void add_ready_rows(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  for (const generators::ReadyRow& ready : generators::load_ready_index(folder).rows) add_row(row_of(folder, ready));
}

std::vector<CatalogueEntry> not_captured(const std::filesystem::path& folder) {
  std::vector<CatalogueEntry> entries;
  if (folder.empty()) return entries;
  for (generators::NotCaptured& missing : generators::load_ready_index(folder).missing) {
    CatalogueEntry entry;
    entry.op = std::move(missing.op);
    entry.lists = {std::string(kSampleList)};
    entry.untestable = std::move(missing.reason);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace neuroncheck
