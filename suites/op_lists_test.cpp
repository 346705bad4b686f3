#include "suites/op_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "harness/temporary_folder.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

const std::filesystem::path kData = std::filesystem::path(NEURONCHECK_SUITES) / "data";

std::int64_t count(const std::vector<CatalogueEntry>& entries, const std::function<bool(const CatalogueEntry&)>& has) {
  return std::count_if(entries.begin(), entries.end(), has);
}

std::int64_t on_list(const std::vector<CatalogueEntry>& entries, const std::string& list) {
  return count(entries, [&](const CatalogueEntry& entry) { return std::find(entry.lists.begin(), entry.lists.end(), list) != entry.lists.end(); });
}

std::string error_with_reason(const std::string& line) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(kData / "aten_ops.tsv", folder.path() / "aten_ops.tsv");
  std::ofstream(folder.path() / "untestable.tsv") << "op\treason\n" << line << "\n";
  try {
    catalogue_entries(catalogue(), folder.path());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(OpLists, AreTheFrozenDenominators) {
  const auto entries = catalogue_entries(catalogue(), kData);
  EXPECT_EQ(count(entries, [](const CatalogueEntry& entry) { return !entry.lists.empty(); }), 857);
  EXPECT_EQ(on_list(entries, "core_aten"), 193);
  EXPECT_EQ(on_list(entries, "vendor_registered"), 385);
  EXPECT_EQ(on_list(entries, "opinfo"), 608);
}

TEST(OpLists, AtMostThreePercentCannotBeTested) {
  const auto entries = catalogue_entries(catalogue(), kData);
  EXPECT_LE(100 * count(entries, [](const CatalogueEntry& entry) { return !entry.untestable.empty(); }), 3 * 857);
}

TEST(OpLists, EveryRowsOpIsKnown) {
  const auto entries = catalogue_entries(catalogue(), kData);
  for (const Row& row : catalogue()) {
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const CatalogueEntry& entry) { return entry.op == row.op; })) << row.op;
  }
}

TEST(OpLists, AReasonIsForAListedOpWithoutARow) {
  EXPECT_NE(error_with_reason("aten::nonesuch\tbecause").find("untestable.tsv:2: aten::nonesuch is on no list"), std::string::npos);
  EXPECT_NE(error_with_reason("aten::neg\tbecause").find("has a row"), std::string::npos);
  EXPECT_NE(error_with_reason("aten::neg").find("1 columns, not 2"), std::string::npos);
}

}  // namespace
}  // namespace neuroncheck
