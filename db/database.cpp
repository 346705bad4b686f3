#include "db/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>

#include "db/embedded_sql.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

constexpr const char* kRemedy = "name another file with --db";

std::int64_t number(const SQLite::Database& database, const char* sql) {
  SQLite::Statement statement(database, sql);
  statement.executeStep();
  return statement.getColumn(0).getInt64();
}

[[noreturn]] void explain(const std::filesystem::path& file, const SQLite::Exception& error) {
  const std::string name = file.string();
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
      throw UserError(fmt::format("{}: not a SQLite database; {}", name, kRemedy));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw UserError(fmt::format("{}: locked by another process; wait for it to end, or {}", name, kRemedy));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      throw UserError(fmt::format("{}: cannot be opened or written ({}); check its folder and rights, or {}", name, error.what(), kRemedy));
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw UserError(fmt::format("{}: {}; free space on its disk, or {}", name, error.what(), kRemedy));
    case SQLITE_CORRUPT:
      throw UserError(fmt::format("{}: damaged ({}); restore it from a copy, or {}", name, error.what(), kRemedy));
    default:
      throw UserError(fmt::format("{}: {}; {}", name, error.what(), kRemedy));
  }
}

// Version of our schema; 0: an empty file. Everything else is refused before a byte of it is changed.
int schema_version(const SQLite::Database& database, const std::filesystem::path& file) {
  const auto application = number(database, "PRAGMA application_id");
  const auto version = number(database, "PRAGMA user_version");
  if (application == kApplicationId && version > kSchemaVersion) {
    throw UserError(fmt::format("{}: written by a newer neuroncheck (schema {}, this one knows {}); use that version, or {}", file.string(), version,
                                kSchemaVersion, kRemedy));
  }
  if (application == kApplicationId && version > 0) return static_cast<int>(version);
  if (number(database, "SELECT count(*) FROM sqlite_schema") == 0) return 0;
  throw UserError(fmt::format("{}: a database of another program; {}", file.string(), kRemedy));
}

// Views hold no data: those of an older version are made anew.
void drop_views(SQLite::Database& database) {
  std::vector<std::string> names;
  SQLite::Statement select(database, "SELECT name FROM sqlite_schema WHERE type = 'view'");
  while (select.executeStep()) names.push_back(select.getColumn(0).getString());
  select.reset();
  for (const std::string& name : names) database.exec("DROP VIEW " + name);
}

// In one transaction: a file is of one version or of the next, whatever happens.
void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& file) {
  database.exec("BEGIN IMMEDIATE");
  const int version = schema_version(database, file);  // another process may have been quicker
  if (version < kSchemaVersion) {
    drop_views(database);
    if (version == 0) database.exec(tables_sql());
    for (int from = version; from > 0 && from < kSchemaVersion; ++from) {
      database.exec(std::string(migrations().at(static_cast<std::size_t>(from) - 1)));
    }
    database.exec(views_sql());
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kSchemaVersion));
  }
  database.exec("COMMIT");
}

std::string choose_journal(SQLite::Database& database, const std::filesystem::path& file) {
  struct statfs facts = {};
  const bool network = ::statfs(file.c_str(), &facts) == 0 && is_network_filesystem(static_cast<std::int64_t>(facts.f_type));
  database.exec(network ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  return network ? file.string() + " is on a network file system: written with a rollback journal, which is slower" : "";
}

Database open_to_write(const std::filesystem::path& file, int busy_ms) {
  Database result{file, SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_ms), ""};
  if (sqlite3_db_readonly(result.handle.getHandle(), "main") == 1) {
    throw UserError(fmt::format("{}: read-only; check its rights, or {}", file.string(), kRemedy));
  }
  if (schema_version(result.handle, file) < kSchemaVersion) bring_up_to_date(result.handle, file);
  result.note = choose_journal(result.handle, file);
  result.handle.exec("BEGIN IMMEDIATE; COMMIT");  // a lock shows here, not in the middle of a run
  return result;
}

std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char letter : std::filesystem::absolute(file).string()) {
    const bool plain = letter != '?' && letter != '#' && letter != '%';
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri + "?immutable=1";
}

Database open_to_read(const std::filesystem::path& file, int busy_ms) {
  if (!std::filesystem::exists(file)) {
    throw UserError(fmt::format("{}: no such database; `neuroncheck run --db {}` makes one, or {}", file.string(), file.string(), kRemedy));
  }
  Database result{file, SQLite::Database(file.string(), SQLite::OPEN_READONLY, busy_ms), ""};
  try {
    number(result.handle, "PRAGMA user_version");
  } catch (const SQLite::Exception& error) {
    // A WAL database in a folder where its -shm file cannot be made: nobody can be writing it either.
    if (error.getErrorCode() != SQLITE_CANTOPEN && error.getErrorCode() != SQLITE_READONLY) throw;
    result.handle = SQLite::Database(immutable_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI, busy_ms);
  }
  const int version = schema_version(result.handle, file);
  if (version == 0) throw UserError(fmt::format("{}: empty; `neuroncheck run --db {}` fills it", file.string(), file.string()));
  if (version < kSchemaVersion) {
    throw UserError(
        fmt::format("{}: written by an older neuroncheck (schema {}, this one reads {}); `neuroncheck db upgrade {}` brings it up to date",
                    file.string(), version, kSchemaVersion, file.string()));
  }
  return result;
}

}  // namespace

bool is_network_filesystem(std::int64_t filesystem_type) {
  // From statfs(2) and linux/magic.h: nfs, smb, cifs, smb2, 9p, ceph, lustre, gpfs, afs, fuse (sshfs, s3fs and the like).
  constexpr std::array<std::uint32_t, 10> kNetwork = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x01021997,
                                                      0x00C36400, 0x0BD00BD0, 0x47504653, 0x5346414F, 0x65735546};
  return std::find(kNetwork.begin(), kNetwork.end(), static_cast<std::uint32_t>(filesystem_type)) != kNetwork.end();
}

Database open_database(const std::filesystem::path& file, const OpenOptions& options) {
  try {
    return options.access == Access::write ? open_to_write(file, options.busy_ms) : open_to_read(file, options.busy_ms);
  } catch (const SQLite::Exception& error) {
    explain(file, error);
  }
}

std::int64_t resolve_run(const SQLite::Database& database, const std::string& text) {
  SQLite::Statement find(
      database,
      "SELECT id FROM run WHERE ?1 = 'latest' OR CAST(id AS TEXT) = ?1 OR (length(?1) > 3 AND (started GLOB ?1 || '*' OR uid GLOB ?1 || '*')) "
      "ORDER BY CAST(id AS TEXT) = ?1 DESC, started DESC, id DESC LIMIT 1");
  find.bind(1, text);
  if (find.executeStep()) return find.getColumn(0).getInt64();
  std::string known;
  SQLite::Statement newest(database, "SELECT id, started FROM run ORDER BY started DESC, id DESC LIMIT 5");
  while (newest.executeStep())
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", newest.getColumn(0).getInt64(), newest.getColumn(1).getString());
  throw UserError(fmt::format("no run '{}' in this database; {}", text, known.empty() ? "it holds none yet" : "the newest are " + known));
}

std::string check_integrity(const SQLite::Database& database) {
  std::string trouble;
  try {
    SQLite::Statement integrity(database, "PRAGMA integrity_check");
    while (integrity.executeStep()) {
      if (integrity.getColumn(0).getString() != "ok") trouble += integrity.getColumn(0).getString() + "\n";
    }
    SQLite::Statement references(database, "PRAGMA foreign_key_check");
    while (references.executeStep())
      trouble += fmt::format("dangling reference from {} to {}\n", references.getColumn(0).getString(), references.getColumn(2).getString());
  } catch (const SQLite::Exception& error) {
    trouble += fmt::format("{}\n", error.what());  // too damaged even for the check
  }
  return trouble;
}

}  // namespace neuroncheck
