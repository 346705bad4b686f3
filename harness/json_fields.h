// Reading JSON strictly: an unknown key, a missing key and a value of the wrong kind are UserErrors that name the key. Writing numbers so that
// every double survives: JSON knows no NaN.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "harness/user_error.h"

namespace neuroncheck {

// 16 lower-case hex digits, and back; throws UserError.
std::string hex_of(std::uint64_t bits);
std::uint64_t parse_hex(std::string_view text);

// {"f64": hex bits}: exact, and the same text everywhere.
nlohmann::json exact_number(double value);
// A plain number where it is finite (JSON for people), else exact.
nlohmann::json plain_number(double value);
// Reads both.
double read_number(const nlohmann::json& json);

// One line, keys sorted; bytes that are not UTF-8 (error texts of subjects) become U+FFFD instead of an exception.
std::string dump(const nlohmann::json& json);
// Throws UserError that begins with `where` (a file or option).
nlohmann::json parse_json(std::string_view text, const std::string& where);

template <class T>
T read_value(const nlohmann::json& json, std::string_view key) {
  try {
    if constexpr (std::is_same_v<T, double>) {
      return read_number(json);
    } else if constexpr (std::is_same_v<T, bool>) {
      return json.get<bool>();
    } else if constexpr (std::integral<T>) {
      if (!json.is_number_integer()) throw UserError("an integer is wanted");
      if (json.is_number_unsigned() ? !std::in_range<T>(json.get<std::uint64_t>()) : !std::in_range<T>(json.get<std::int64_t>())) {
        throw UserError("the integer is out of range");
      }
      return json.get<T>();
    } else {
      return json.get<T>();
    }
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("key '{}': {}", key, error.what()));
  } catch (const UserError& error) {
    throw UserError(fmt::format("key '{}': {}", key, error.what()));
  }
}

// The text of a file; throws UserError naming it.
std::string read_text(const std::filesystem::path& file);

// A JSON file through a function from JSON to a value; every UserError begins with the file's name.
template <class Read>
auto read_file(const std::filesystem::path& file, Read read) {
  const nlohmann::json json = parse_json(read_text(file), file.string());
  try {
    return read(json);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

// The fields of one object. Every key that is read counts as known; done() refuses the others.
class JsonFields {
 public:
  // `what` names the object in messages: "fill", "tensor".
  JsonFields(const nlohmann::json& json, std::string_view what) : json_(json), what_(what) {
    if (!json.is_object()) throw UserError(fmt::format("{}: an object is wanted, not {}", what, json.type_name()));
  }

  // The value of the key, or null when it is absent.
  const nlohmann::json* find(const std::string& key) {
    known_.insert(key);
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  template <class T>
  void optional(const std::string& key, T& value) {
    if (const nlohmann::json* found = find(key)) value = read_value<T>(*found, key);
  }

  template <class T>
  void required(const std::string& key, T& value) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) throw UserError(fmt::format("{}: key '{}' is missing", what_, key));
    value = read_value<T>(*found, key);
  }

  // An enumerator by its word.
  template <class Parse, class T>
  void word(const std::string& key, Parse parse, T& value) {
    if (const nlohmann::json* found = find(key)) value = parse(read_value<std::string>(*found, key));
  }

  void done() const {
    for (const auto& [key, value] : json_.items()) {
      if (known_.contains(key)) continue;
      std::string names;
      for (const std::string& name : known_) names += (names.empty() ? "" : ", ") + name;
      throw UserError(fmt::format("{}: unknown key '{}': one of {}", what_, key, names));
    }
  }

 private:
  const nlohmann::json& json_;
  std::string what_;
  std::set<std::string> known_;
};

// Leaves out what has its default value, so that JSON stays small.
template <class T>
void put_unless(nlohmann::json& json, const char* key, const T& value, const T& usual) {
  if (!(value == usual)) json[key] = value;
}

}  // namespace neuroncheck
