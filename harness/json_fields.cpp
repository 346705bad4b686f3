#include "harness/json_fields.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace neuroncheck {

std::string hex_of(std::uint64_t bits) { return fmt::format("{:016x}", bits); }

std::uint64_t parse_hex(std::string_view text) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw UserError(fmt::format("'{}' is not a number of up to 16 hex digits", text));
  }
  return bits;
}

nlohmann::json exact_number(double value) { return {{"f64", hex_of(std::bit_cast<std::uint64_t>(value))}}; }

nlohmann::json plain_number(double value) { return std::isfinite(value) ? nlohmann::json(value) : exact_number(value); }

double read_number(const nlohmann::json& json) {
  if (json.is_number()) return json.get<double>();
  JsonFields fields(json, "number");
  std::string hex;
  fields.required("f64", hex);
  fields.done();
  return std::bit_cast<double>(parse_hex(hex));
}

std::string dump(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: not JSON: {}", where, error.what()));
  }
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) throw UserError(fmt::format("{}: cannot be read: is the path right?", file.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace neuroncheck
