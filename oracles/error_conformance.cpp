#include "oracles/error_conformance.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

namespace neuroncheck::oracles {
namespace {

constexpr std::size_t kCauseLength = 160;
constexpr std::size_t kDetailLength = 4096;
constexpr std::array<std::string_view, 4> kClasses = {"IndexError", "TypeError", "ValueError", "NotImplementedError"};
// Vendor (facts: "NRT allocation failed for size N (OOM)", NCC_EOOM001/002), torch's device allocators, and libtorch's CPU allocator.
constexpr std::array<std::string_view, 6> kMemoryTexts = {
    "(OOM)", "out of memory", "OutOfMemoryError", "not enough memory", "NRT allocation failed", "can't allocate memory"};
constexpr std::array<std::string_view, 8> kRefusals = {"not implemented", "not supported",   "unsupported",   "does not support",
                                                       "doesn't support", "isn't supported", "Could not run", "no kernel"};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <class Parts>
bool contains_any(std::string_view text, const Parts& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}

// "relu" of "aten::relu_.out".
std::string bare_name(const std::string& op) {
  const std::string base = base_op(op);
  const std::size_t colons = base.find("::");
  return colons == std::string::npos ? base : base.substr(colons + 2);
}

// The name as a word of its own; "_" ends a word: torch says "add_cpu".
bool names_op(std::string_view text, const std::string& name) {
  const auto is_letter = [&](std::size_t at) { return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0; };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_letter(at - 1);
    if (starts && !is_letter(at + name.size())) return true;
  }
  return false;
}

// A clean refusal names what it refuses; a text that says "not supported" about something else is a defect.
bool refuses_by_name(std::string_view text, const Case& test_case) {
  if (!contains_any(text, kRefusals)) return false;
  const auto& nodes = test_case.program.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return names_op(text, bare_name(node.op)); });
}

bool is_refused(std::string_view text, const std::string& code, const Case& test_case, const Target& target) {
  const auto& codes = target.refused_codes;
  if (!code.empty()) return std::find(codes.begin(), codes.end(), code) != codes.end();
  return contains_any(text, target.refused_texts) || refuses_by_name(text, test_case);
}

VerdictKind kind_of_error(const Raised& raised, const std::string& code, const Case& test_case, const Target& target) {
  if (contains_any(raised.text, kMemoryTexts) || code.rfind("EOOM", 0) == 0) return VerdictKind::oom;
  if (is_refused(raised.text, code, test_case, target)) return VerdictKind::refused;
  if (raised.while_compiling || !code.empty()) return VerdictKind::compile_error;
  return VerdictKind::unexpected_error;
}

// One pass over the text; std::regex recurses per character and is slow on long texts.
std::string without_numbers(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const auto is_word = [&](std::size_t at) { return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0; };
    std::size_t end = i;
    bool hex = true, digits = false;
    for (; is_word(end); ++end) {
      hex = hex && std::isxdigit(static_cast<unsigned char>(line[end])) != 0;
      digits = digits || std::isdigit(static_cast<unsigned char>(line[end])) != 0;
    }
    const std::string_view word = line.substr(i, end - i);
    if (end == i) {
      out += line[i++];
      continue;
    }
    const bool number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;  // also 0x7f.., 1e5, 3rd
    const bool address = hex && digits && word.size() >= 8;
    out += number || address ? std::string("#") : std::string(word);
    i = end;
  }
  return out;
}

std::string without_sizes(const std::string& line) {
  static const std::regex kSizes(R"([\[\(]\s*-?#(\s*[,x.]\s*-?#)*\s*,?\s*[\]\)])");
  return std::regex_replace(line, kSizes, "[#]");
}

bool may_take_empty(const Node& node, const Case& test_case, std::size_t step) {
  return std::any_of(node.arguments.begin(), node.arguments.end(), [&](const Argument& argument) {
    const ValueRef* value = std::get_if<ValueRef>(&argument.value);
    if (value == nullptr || value->node >= 0) return value != nullptr;
    const TensorSpec& spec = test_case.program.inputs.at(static_cast<std::size_t>(value->index));
    return element_count(sizes_of(spec, test_case.bindings.at(step).symbols)) == 0;
  });
}

}  // namespace

std::string_view conforming_class(std::string_view error_class) {
  const auto found = std::find(kClasses.begin(), kClasses.end(), error_class);
  return found == kClasses.end() ? std::string_view("RuntimeError") : *found;
}

std::string vendor_code(std::string_view text) {
  std::size_t start = text.find("NCC_");
  for (; start != std::string_view::npos; start = text.find("NCC_", start + 1)) {
    const std::size_t first = start + 4;
    std::size_t digits = first;
    while (digits < text.size() && std::isupper(static_cast<unsigned char>(text[digits])) != 0) ++digits;
    std::size_t end = digits;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (digits > first && end > digits) return std::string(text.substr(first, end - first));
  }
  return "";
}

std::string normal_cause(std::string_view text) {
  const std::string code = vendor_code(text);
  if (!code.empty()) return "NCC_" + code;
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  std::string_view line = text.substr(start, std::min(text.find('\n', start), text.size()) - start);
  const std::size_t list = line.find(": [");
  if (list != std::string_view::npos && line.back() == ']') line = line.substr(0, list);
  return without_sizes(without_numbers(line.substr(0, 4 * kCauseLength))).substr(0, kCauseLength);
}

Verdict classify_error(const Raised& raised, const Case& test_case, const Target& target) {
  const std::string code = vendor_code(raised.text);
  Verdict verdict;
  verdict.kind = kind_of_error(raised, code, test_case, target);
  verdict.reason = code.empty() ? raised.error_class : "NCC_" + code;
  verdict.cause = normal_cause(raised.text);
  verdict.detail = raised.text.substr(0, kDetailLength);
  verdict.oracle = "error";
  return verdict;
}

const DocumentedError* find_documented_error(const Profile& profile, const Case& test_case, const Raised& raised) {
  for (const DocumentedError& line : profile.documented_errors) {
    if (line.raises != conforming_class(raised.error_class) || !contains(raised.text, line.text)) continue;
    const auto& nodes = test_case.program.nodes;
    const bool applies = std::any_of(nodes.begin(), nodes.end(),
                                     [&](const Node& node) { return base_op(node.op) == line.op && may_take_empty(node, test_case, raised.step); });
    if (applies) return &line;
  }
  return nullptr;
}

}  // namespace neuroncheck::oracles
