// Text for terminals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace neuroncheck {

std::string with_commas(std::int64_t count);                     // 12,345
std::string counted(std::int64_t count, std::string_view noun);  // "1 case", "12,345 cases"
std::string fit(std::string_view text, std::size_t columns);     // one line, cut with "..." when too long

// A repro line as it can be typed in this folder: it names the database unless that is the one that commands read by themselves.
std::string repro_in(const std::filesystem::path& database, const std::string& repro_line);

}  // namespace neuroncheck
