#include "oracles/ordering.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace neuroncheck::oracles {
namespace {

bool same_value(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string text_of(long double value) {
  return value == std::trunc(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.17g}", static_cast<double>(value));
}

std::size_t product(const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t last) {
  std::size_t count = 1;
  for (std::size_t dim = first; dim < last; ++dim) count *= static_cast<std::size_t>(sizes[dim]);
  return count;
}

// Source and indices as (outer, along, inner): `along` is what an index counts. Flat positions in the last two dimensions (dim -1), or three (-3),
// are one dimension of their own, with `taken` indices each selecting independently.
struct Lines {
  std::size_t outer = 1, length = 1, inner = 1;
  std::size_t taken = 1;     // indices along a line
  bool independent = false;  // they may repeat (pooling windows overlap)
};

Lines lines_of(const Selection& selection, const std::vector<std::int64_t>& sizes) {
  const std::vector<std::int64_t>& source = selection.source_sizes;
  Lines lines;
  if (selection.dim < 0) {
    const std::size_t flat = selection.dim == -3 ? 3 : 2;
    if (source.size() < flat || sizes.size() < flat) throw std::logic_error("flat indices need as many dimensions");
    lines.outer = product(source, 0, source.size() - flat);
    lines.length = product(source, source.size() - flat, source.size());
    lines.taken = product(sizes, sizes.size() - flat, sizes.size());
    lines.independent = true;
    return lines;
  }
  const auto dim = static_cast<std::size_t>(selection.dim);
  if (source.empty()) return lines;  // one number: the only index is 0
  if (dim >= source.size()) throw std::logic_error("a selection's dimension lies outside its source");
  lines.outer = product(source, 0, dim);
  lines.length = static_cast<std::size_t>(source[dim]);
  lines.inner = product(source, dim + 1, source.size());
  lines.taken = sizes.size() == source.size() ? static_cast<std::size_t>(sizes[dim]) : 1;
  return lines;
}

class OrderWalk {
 public:
  OrderWalk(const Bounded& expected, const HostTensor& got)
      : expected_(expected), selection_(*expected.selection), got_(got), lines_(lines_of(selection_, expected.sizes)) {
    const std::size_t count = element_count(got_);
    if (lines_.outer * lines_.taken * lines_.inner != count || selection_.selected.size() != count ||
        selection_.source.size() != lines_.outer * lines_.length * lines_.inner) {
      throw std::logic_error("a selection's sizes do not match its indices");
    }
  }

  Acceptance run() {
    result_.elements = static_cast<std::int64_t>(element_count(got_));
    for (std::size_t outer = 0; outer < lines_.outer; ++outer) {
      for (std::size_t inner = 0; inner < lines_.inner; ++inner) line(outer, inner);
    }
    return std::move(result_);
  }

 private:
  void line(std::size_t outer, std::size_t inner) {
    std::set<std::int64_t> taken;
    for (std::size_t k = 0; k < lines_.taken; ++k) {
      const std::size_t position = (outer * lines_.taken + k) * lines_.inner + inner;
      const std::int64_t index = integer_at(got_, position);
      if (index < 0 || index >= static_cast<std::int64_t>(lines_.length)) {
        miss(position, "index", "out of range");
        continue;
      }
      if (selection_.running && index > static_cast<std::int64_t>(k)) {
        miss(position, "index", "lies ahead");
        continue;
      }
      if (!lines_.independent && !selection_.running && !taken.insert(index).second) {
        miss(position, "index", "taken twice");
        continue;
      }
      if (ambiguous(position)) continue;
      const auto at = static_cast<std::size_t>(index);
      if (!same_value(source(outer, at, inner), selection_.selected[position])) {
        miss(position, "index", "selects " + text_of(source(outer, at, inner)));
      } else if (breaks_tie_rule(outer, inner, k, at)) {
        miss(position, "order", "an equal value that comes first was passed over");
      }
    }
  }

  bool ambiguous(std::size_t position) {
    const bool ambiguous = !expected_.bounds.empty() && expected_.bounds[position] > 0;
    if (ambiguous) ++result_.unproven;
    result_.bounded = result_.bounded || ambiguous;
    return ambiguous;
  }

  bool breaks_tie_rule(std::size_t outer, std::size_t inner, std::size_t k, std::size_t at) const {
    const long double value = source(outer, at, inner);
    if (selection_.ties == TieRule::any) return false;
    if (selection_.ties == TieRule::ascending) {
      if (k == 0) return false;
      const std::size_t before = (outer * lines_.taken + k - 1) * lines_.inner + inner;
      return same_value(selection_.selected[before], value) && integer_at(got_, before) > static_cast<std::int64_t>(at);
    }
    for (std::size_t i = 0; i < at; ++i) {
      if (same_value(source(outer, i, inner), value)) return true;
    }
    return false;
  }

  long double source(std::size_t outer, std::size_t at, std::size_t inner) const {
    return selection_.source[(outer * lines_.length + at) * lines_.inner + inner];
  }

  void miss(std::size_t position, std::string reason, const std::string& why) {
    ++result_.outside;
    if (result_.worst) return;  // the first one: misses of an order have no size
    WorstElement worst;
    worst.index = coordinates(position, expected_.sizes);
    worst.got = fmt::format("{} ({})", integer_at(got_, position), why);
    worst.expected = "an index that selects " + text_of(selection_.selected[position]);
    worst.low = fmt::format("{}", 0);
    worst.high = fmt::format("{}", static_cast<std::int64_t>(lines_.length) - 1);
    result_.worst = std::move(worst);
    result_.reason = std::move(reason);
  }

  const Bounded& expected_;
  const Selection& selection_;
  const HostTensor& got_;
  Lines lines_;
  Acceptance result_;
};

}  // namespace

Acceptance accept_order(const Bounded& expected, const HostTensor& got) {
  if (!expected.selection) throw std::logic_error("accept_order: not an output of indices");
  return OrderWalk(expected, got).run();
}

}  // namespace neuroncheck::oracles
