// Rows of a query's answer and the forms they are printed in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace neuroncheck {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
  std::string about;  // which run it is of, for people; no part of any form but `table`

  bool operator==(const Table&) const = default;
};

enum class TableFormat : std::uint8_t { table, csv, json, markdown };
TableFormat parse_table_format(std::string_view text);  // throws UserError

// CSV as in RFC 4180; JSON: an array of objects, infinities as text.
std::string print(const Table& table, TableFormat format);

}  // namespace neuroncheck
