#include "db/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/json_fields.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

std::string text_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.6g}", *real);
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return "";
}

// Columns of terminals are characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U; }));
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) < ' '; }, ' ');
  return text;
}

std::string print_table(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = table.columns[i].size();
    for (const auto& row : table.rows) width = std::max(width, width_of(text_of(row[i])));
    widths.push_back(width);
  }
  const auto line = [&](const auto& cell) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto [words, right] = cell(i);
      const std::string pad(widths[i] - width_of(words), ' ');
      text += (i == 0 ? "" : "  ") + (right ? pad + words : words + pad);
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  const auto is_number = [](const Value& value) { return value.index() == 1 || value.index() == 2; };
  const auto numeric = [&](std::size_t i) { return !table.rows.empty() && is_number(table.rows.front()[i]); };
  std::string text = table.about.empty() ? "" : table.about + "\n";
  text += line([&](std::size_t i) { return std::pair(table.columns[i], numeric(i)); });
  for (const auto& row : table.rows) text += line([&](std::size_t i) { return std::pair(one_line(text_of(row[i])), is_number(row[i])); });
  return text + fmt::format("{} row{}\n", table.rows.size(), table.rows.size() == 1 ? "" : "s");
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string markdown_field(const std::string& text) {
  std::string escaped;
  for (const char letter : one_line(text)) escaped += letter == '|' ? "\\|" : std::string(1, letter);
  return escaped;
}

template <class Field>
std::string join(const std::vector<Value>& row, std::string_view separator, Field field) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : std::string(separator)) + field(text_of(row[i]));
  return text;
}

std::vector<Value> header_of(const Table& table) { return {table.columns.begin(), table.columns.end()}; }

std::string print_csv(const Table& table) {
  std::string text = join(header_of(table), ",", csv_field) + "\r\n";
  for (const auto& row : table.rows) text += join(row, ",", csv_field) + "\r\n";
  return text;
}

std::string print_markdown(const Table& table) {
  std::string text = "| " + join(header_of(table), " | ", markdown_field) + " |\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) text += "| " + join(row, " | ", markdown_field) + " |\n";
  return text;
}

nlohmann::ordered_json json_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value))
    return std::isfinite(*real) ? nlohmann::ordered_json(*real) : nlohmann::ordered_json(text_of(value));
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return nullptr;
}

std::string print_json(const Table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = json_of(row[i]);
    rows.push_back(std::move(object));
  }
  return rows.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

TableFormat parse_table_format(std::string_view text) {
  if (text == "table") return TableFormat::table;
  if (text == "csv") return TableFormat::csv;
  if (text == "json") return TableFormat::json;
  if (text == "markdown") return TableFormat::markdown;
  throw UserError(fmt::format("--format {}: table, csv, json or markdown", text));
}

std::string print(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::table:
      return print_table(table);
    case TableFormat::csv:
      return print_csv(table);
    case TableFormat::json:
      return print_json(table);
    case TableFormat::markdown:
      return print_markdown(table);
  }
  throw std::logic_error("not a table format");
}

}  // namespace neuroncheck
