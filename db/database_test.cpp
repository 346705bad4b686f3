#include "db/database.h"

#include <gtest/gtest.h>

#include <fstream>

#include "db/embedded_sql.h"
#include "db/statement.h"
#include "db/test_runs.h"
#include "harness/user_error.h"
#include "harness/verdict.h"

namespace neuroncheck {
namespace {

using test_runs::TemporaryFolder;

std::string error_of(const std::filesystem::path& file, const OpenOptions& options = {}) {
  try {
    open_database(file, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::string& message, const std::string& file, const std::string& words) {
  EXPECT_NE(message.find(file), std::string::npos) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(Database, IsCreatedWithItsMarksAndFoundAgain) {
  const TemporaryFolder folder;
  {
    const Database database = open_database(folder.file("a.db"));
    EXPECT_EQ(integer(database.handle, "PRAGMA application_id"), kApplicationId);
    EXPECT_EQ(integer(database.handle, "PRAGMA user_version"), kSchemaVersion);
    EXPECT_EQ(text(database.handle, "PRAGMA journal_mode"), "wal");
    EXPECT_EQ(check_integrity(database.handle), "");
  }
  EXPECT_EQ(error_of(folder.file("a.db")), "");
  EXPECT_EQ(error_of(folder.file("a.db"), {.access = Access::read}), "");
}

TEST(Database, RefusesAFileThatIsNotSqlite) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("notes.txt")) << std::string(4096, 'x');
  expect_refused(error_of(folder.file("notes.txt")), "notes.txt", "not a SQLite database");
}

TEST(Database, RefusesAndLeavesAloneADatabaseOfAnotherProgram) {
  const TemporaryFolder folder;
  SQLite::Database(folder.file("b.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE theirs (x)");
  expect_refused(error_of(folder.file("b.db")), "b.db", "another program");
  const SQLite::Database after(folder.file("b.db").string());
  EXPECT_EQ(integer(after, "SELECT count(*) FROM sqlite_schema"), 1);
  EXPECT_EQ(text(after, "PRAGMA journal_mode"), "delete");
}

// A file as version 1 wrote it.
std::filesystem::path old_file(const TemporaryFolder& folder) {
  std::ifstream dump(NEURONCHECK_FIXTURES "/schema_1.sql");
  const std::string sql{std::istreambuf_iterator<char>(dump), {}};
  SQLite::Database database(folder.file("old.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(sql);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId) + "; PRAGMA user_version = 1");
  return folder.file("old.db");
}

TEST(Database, AnOlderSchemaIsBroughtUpToDateAndKeepsWhatItHolds) {
  const TemporaryFolder folder;
  const std::filesystem::path file = old_file(folder);
  const Database database = open_database(file);
  EXPECT_EQ(integer(database.handle, "PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(check_integrity(database.handle), "");
  EXPECT_EQ(integer(database.handle, "SELECT count(*) FROM result"), 36);
  EXPECT_EQ(integer(database.handle, "SELECT count(*) FROM lists"), 0);  // the catalogue comes with the next run
  EXPECT_GT(integer(database.handle, "SELECT count(*) FROM coverage"), 0);
  const TemporaryFolder other;
  const Database fresh = open_database(other.file("new.db"));
  const char* schema = "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name)";
  EXPECT_EQ(text(database.handle, schema), text(fresh.handle, schema));
  const char* columns =
      "SELECT group_concat(line, ' ') FROM (SELECT t.name || '.' || c.name || ':' || c.type AS line FROM sqlite_schema t, pragma_table_info(t.name) "
      "c "
      "WHERE t.name NOT LIKE 'sqlite_%' ORDER BY line)";
  EXPECT_EQ(text(database.handle, columns), text(fresh.handle, columns));
}

TEST(Database, ToReadAnOlderSchemaSaysHowToBringItUpToDate) {
  const TemporaryFolder folder;
  expect_refused(error_of(old_file(folder), {.access = Access::read}), "old.db", "neuroncheck db upgrade");
}

TEST(Database, EveryEarlierVersionHasAMigration) { EXPECT_EQ(migrations().size(), static_cast<std::size_t>(kSchemaVersion) - 1); }

TEST(Database, RefusesANewerSchema) {
  const TemporaryFolder folder;
  open_database(folder.file("a.db")).handle.exec("PRAGMA user_version = 99");
  expect_refused(error_of(folder.file("a.db")), "a.db", "newer neuroncheck");
  expect_refused(error_of(folder.file("a.db"), {.access = Access::read}), "a.db", "newer neuroncheck");
}

TEST(Database, SaysThatAFolderCannotBeWritten) { expect_refused(error_of("/proc/neuroncheck.db"), "/proc/neuroncheck.db", "--db"); }

TEST(Database, SaysThatThereIsNothingToRead) {
  const TemporaryFolder folder;
  expect_refused(error_of(folder.file("none.db"), {.access = Access::read}), "none.db", "no such database");
  EXPECT_FALSE(std::filesystem::exists(folder.file("none.db")));
}

TEST(Database, SaysThatAnotherProcessHoldsIt) {
  const TemporaryFolder folder;
  Database holder = open_database(folder.file("a.db"));
  holder.handle.exec("BEGIN IMMEDIATE");
  expect_refused(error_of(folder.file("a.db"), {.busy_ms = 0}), "a.db", "locked by another process");
}

TEST(Database, KnowsNetworkFilesystems) {
  EXPECT_TRUE(is_network_filesystem(0x6969));
  EXPECT_TRUE(is_network_filesystem(static_cast<std::int64_t>(0xFF534D42)));
  EXPECT_FALSE(is_network_filesystem(0xEF53));      // ext4
  EXPECT_FALSE(is_network_filesystem(0x01021994));  // tmpfs
}

TEST(Database, HoldsTheVerdictsOfTheHarness) {
  const TemporaryFolder folder;
  const Database database = open_database(folder.file("a.db"));
  SQLite::Statement select(database.handle, "SELECT word, rank, bucket FROM verdict");
  int words = 0;
  for (; select.executeStep(); ++words) {
    const VerdictKind kind = parse_verdict_kind(select.getColumn(0).getString());
    EXPECT_EQ(rank_of(kind), select.getColumn(1).getInt()) << name_of(kind);
    EXPECT_EQ(name_of(bucket_of(kind)), select.getColumn(2).getString()) << name_of(kind);
  }
  EXPECT_EQ(words, static_cast<int>(VerdictKind::harness_error) + 1);
}

TEST(Database, ResolvesRuns) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  EXPECT_THROW(resolve_run(database.handle, "latest"), UserError);
  const Plan old_plan = test_runs::small_plan("2026-03-01T10:00:00Z"), new_plan = test_runs::small_plan("2026-03-02T10:00:00Z");
  const auto newer = test_runs::store_run(database, new_plan, test_runs::all_passed(new_plan));
  const auto older = test_runs::store_run(database, old_plan, test_runs::all_passed(old_plan));
  EXPECT_EQ(resolve_run(database.handle, "latest"), newer);
  EXPECT_EQ(resolve_run(database.handle, "2026-03-01"), older);
  EXPECT_EQ(resolve_run(database.handle, std::to_string(older)), older);
  EXPECT_THROW(resolve_run(database.handle, "2025"), UserError);
}

}  // namespace
}  // namespace neuroncheck
