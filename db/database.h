// The database file: created on first use, recognised by its application_id, refused when it is foreign or newer.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace neuroncheck {

inline constexpr std::int32_t kApplicationId = 0x4E43484B;  // "NCHK"
inline constexpr int kSchemaVersion = 3;

enum class Access : std::uint8_t { read, write };

struct OpenOptions {
  Access access = Access::write;
  int busy_ms = 5000;  // how long to wait for another writer
};

struct Database {
  std::filesystem::path file;
  SQLite::Database handle;
  std::string note;  // what the user should know about how it is written; usually empty
};

// Write access creates a missing file. WAL with synchronous=NORMAL, on network file systems a rollback journal (then `note` says so).
// Throws UserError with the remedy: missing, foreign, newer, unwritable or locked file.
Database open_database(const std::filesystem::path& file, const OpenOptions& options = {});

// statfs's f_type: WAL needs shared memory, which network file systems do not give.
bool is_network_filesystem(std::int64_t filesystem_type);

// A run by its number, the beginning of its date or uid, or "latest". Throws UserError that lists the newest runs.
std::int64_t resolve_run(const SQLite::Database& database, const std::string& text);

// PRAGMA integrity_check and foreign_key_check; empty: sound.
std::string check_integrity(const SQLite::Database& database);

}  // namespace neuroncheck
