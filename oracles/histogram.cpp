#include "oracles/histogram.h"

#include <algorithm>
#include <cmath>

namespace neuroncheck::oracles {
namespace {

// Bins that a coordinate may be counted in.
struct Candidates {
  std::int64_t nominal = -1;  // -1: outside
  std::int64_t first = 0, last = -1;
  bool maybe_outside = false;

  bool sure() const { return first == last && !maybe_outside; }
};

std::int64_t bins_of(const Axis& axis) { return static_cast<std::int64_t>(axis.edges.size()) - 1; }

// Without regard to the ends: below the first edge is bin 0.
std::int64_t bin_by_edges(double x, const Axis& axis) {
  const auto above = std::upper_bound(axis.edges.begin(), axis.edges.end(), x, [](double value, const Pair& edge) { return value < edge.value; });
  return std::clamp<std::int64_t>(above - axis.edges.begin() - 1, 0, bins_of(axis) - 1);
}

bool outside(double x, const Axis& axis) { return !(x >= axis.edges.front().value && x <= axis.edges.back().value); }

// How far a coordinate may appear off: its own bound, that of the edges, and for uniform bins the roundings of
// (x - low) / (high - low) * bins, four of the position, and none at all for a sample on an exact edge of 2^k bins that are
// 2^m wide.
double reach(Pair x, const Axis& axis, double edge_bound, const Step& step) {
  double own = x.bound + edge_bound + axis.slack;
  const auto bins = static_cast<double>(bins_of(axis));
  const bool on_edge = own == 0.0 && axis.edges[static_cast<std::size_t>(bin_by_edges(x.value, axis))].value == x.value;
  const double width = axis.edges[1].value - axis.edges[0].value;
  const bool exact = on_edge && is_power_of_two(bins) && is_power_of_two(width);
  if (axis.uniform && !exact)
    own += 4.0 * step.unit * std::max(std::abs(x.value), std::max(std::abs(axis.edges.front().value), std::abs(axis.edges.back().value)));
  return own;
}

double largest_bound(const Axis& axis) {
  double largest = 0.0;
  for (const Pair& edge : axis.edges) largest = std::max(largest, edge.bound);
  return largest;
}

Candidates candidates(Pair x, const Axis& axis, double edge_bound, const Step& step) {
  Candidates result;
  const double off = reach(x, axis, edge_bound, step), moves = x.bound + axis.slack;
  result.nominal = outside(x.value, axis) ? -1 : bin_by_edges(x.value, axis);
  result.maybe_outside = outside(x.value - moves, axis) || outside(x.value + moves, axis);
  if (result.nominal < 0 && outside(x.value - moves, axis) && outside(x.value + moves, axis)) return result;
  result.first = bin_by_edges(x.value - off, axis);
  result.last = bin_by_edges(x.value + off, axis);
  return result;
}

// Calls visit(cell, is_nominal) for every cell that a sample may be counted in.
template <typename Visit>
void visit_cells(const std::vector<Candidates>& places, const std::vector<Axis>& axes, Visit visit) {
  std::vector<std::int64_t> at;
  for (const Candidates& place : places) {
    if (place.last < place.first) return;
    at.push_back(place.first);
  }
  while (true) {
    std::int64_t cell = 0;
    bool nominal = true;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      cell = cell * bins_of(axes[d]) + at[d];
      nominal = nominal && at[d] == places[d].nominal;
    }
    visit(static_cast<std::size_t>(cell), nominal);
    std::size_t d = axes.size();
    while (d > 0 && ++at[d - 1] > places[d - 1].last) {
      at[d - 1] = places[d - 1].first;
      --d;
    }
    if (d == 0) return;
  }
}

}  // namespace

Axis axis_of_edges(std::vector<Pair> edges) { return {std::move(edges), false, 0.0}; }

Axis uniform_axis(double low, double high, std::int64_t bins, const Step& step) {
  Axis axis{{}, true, 0.0};
  const double span = high - low, width = span / static_cast<double>(bins), farthest = std::max(std::abs(low), std::abs(high));
  // Rounded differences and products would hide a rounded width.
  const bool even = high - span == low && low + span == high && std::fma(width, static_cast<double>(bins), -span) == 0.0;
  const bool exact = even && std::max(farthest, span) <= exact_limit(step, std::min(lowest_bit(low), lowest_bit(width)));
  for (std::int64_t i = 0; i <= bins; ++i) {
    const bool end = i == 0 || i == bins;
    const double edge = i == bins ? high : low + static_cast<double>(i) * width;
    axis.edges.push_back({edge, exact || end ? 0.0 : 3.0 * step.unit * farthest});
  }
  return axis;
}

std::vector<Pair> histogram(const Samples& samples, const std::vector<Axis>& axes, const Step& step) {
  std::size_t count = 1;
  std::vector<double> edge_bounds;
  for (const Axis& axis : axes) {
    count *= static_cast<std::size_t>(bins_of(axis));
    edge_bounds.push_back(largest_bound(axis));
  }
  std::vector<std::vector<Pair>> terms(count);
  for (std::size_t i = 0; i < samples.coordinates.size(); ++i) {
    const Pair weight = samples.weights.empty() ? Pair{1.0, 0.0} : samples.weights[i];
    std::vector<Candidates> places;
    for (std::size_t d = 0; d < axes.size(); ++d) places.push_back(candidates(samples.coordinates[i][d], axes[d], edge_bounds[d], step));
    const bool sure = std::all_of(places.begin(), places.end(), [](const Candidates& place) { return place.sure(); });
    visit_cells(places, axes, [&](std::size_t cell, bool nominal) {
      terms[cell].push_back({nominal ? weight.value : 0.0, sure ? weight.bound : std::abs(weight.value) + weight.bound});
    });
  }
  std::vector<Pair> cells;
  for (const std::vector<Pair>& cell : terms) cells.push_back(sum(cell, step));
  return cells;
}

std::vector<Pair> density(const std::vector<Pair>& cells, const std::vector<Axis>& axes, const Step& step) {
  const Pair total = sum(cells, step);
  std::vector<Pair> result;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    Pair share = divide(cells[cell], total, step);
    std::size_t rest = cell;
    for (std::size_t d = axes.size(); d-- > 0;) {
      const auto bin = rest % static_cast<std::size_t>(bins_of(axes[d]));
      rest /= static_cast<std::size_t>(bins_of(axes[d]));
      share = divide(share, subtract(axes[d].edges[bin + 1], axes[d].edges[bin], step), step);
    }
    // Each division may be a multiplication with a rounded reciprocal.
    if (share.bound > 0.0 && std::isfinite(share.value)) share.bound += static_cast<double>(axes.size() + 1) * step.unit * std::abs(share.value);
    result.push_back(share);
  }
  return result;
}

}  // namespace neuroncheck::oracles
