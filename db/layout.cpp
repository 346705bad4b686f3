#include "db/layout.h"

namespace neuroncheck {

std::string with_commas(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t sign = count < 0 ? 1 : 0;
  for (std::size_t from_end = 3; from_end + sign < digits.size(); from_end += 4) digits.insert(digits.size() - from_end, ",");
  return digits;
}

std::string counted(std::int64_t count, std::string_view noun) { return with_commas(count) + " " + std::string(noun) + (count == 1 ? "" : "s"); }

std::string fit(std::string_view text, std::size_t columns) {
  std::string line(text);
  for (char& letter : line) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  if (line.size() <= columns) return line;
  std::size_t end = columns - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;  // not inside a UTF-8 character
  return line.substr(0, end) + "...";
}

std::string repro_in(const std::filesystem::path& database, const std::string& repro_line) {
  const std::filesystem::path file = std::filesystem::absolute(database).lexically_normal(), here = std::filesystem::current_path();
  if (file == here / "neuroncheck.db") return repro_line;
  const std::filesystem::path inside = file.lexically_relative(here);
  const bool below = !inside.empty() && *inside.begin() != "..";
  return repro_line + " --db " + (below ? inside : file).string();
}

}  // namespace neuroncheck
