// Counts and weights by bins: histc, histogram, histogramdd.
#include <stdexcept>

#include "oracles/histogram.h"
#include "oracles/index_kinds.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

struct Range {
  double low = 0.0, high = 0.0, slack = 0.0;
};

// Of the samples themselves; of one value, a range around it.
Range range_of(const std::vector<Pair>& values, double around) {
  if (values.empty()) return {0.0, 1.0, 0.0};
  Range range{values.front().value, values.front().value, 0.0};
  for (const Pair& x : values) {
    range.low = std::min(range.low, x.value);
    range.high = std::max(range.high, x.value);
    range.slack = std::max(range.slack, x.bound);
  }
  if (range.low == range.high) range = {range.low - around, range.high + around, range.slack};
  return range;
}

Axis axis_of(const Range& range, std::int64_t bins, const Step& step) {
  Axis axis = uniform_axis(range.low, range.high, bins, step);
  axis.slack = range.slack;
  return axis;
}

std::vector<Pair> pairs_at(const Call& call, std::size_t i, at::ScalarType shown) {
  return flat_pairs(consumed(unwrap(call.tensor(i)), shown, call.context()));
}

// Rows of `dims` coordinates.
Samples rows_of(const std::vector<Pair>& values, std::size_t dims) {
  Samples samples;
  for (std::size_t i = 0; dims > 0 && i < values.size(); i += dims) {
    samples.coordinates.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(i), values.begin() + static_cast<std::ptrdiff_t>(i + dims));
  }
  return samples;
}

std::vector<Pair> column(const Samples& samples, std::size_t d) {
  std::vector<Pair> values;
  for (const std::vector<Pair>& row : samples.coordinates) values.push_back(row[d]);
  return values;
}

// histc(self, bins, min, max): equal limits stand for those of the samples.
std::vector<PairTensor> run_histc(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const Step& step = call.context().precision(shown).step;
  const std::vector<Pair> values = pairs_at(call, 0, shown);
  const std::int64_t bins = call.argument(1).toInt();
  Range range{number(call, "min"), number(call, "max"), 0.0};
  if (range.low == range.high) range = range_of(values, 1.0);
  return {from_pairs(histogram(rows_of(values, 1), {axis_of(range, bins, step)}, step), {bins}, shown)};
}

// Per dimension of (self, bins, ...): edges that are given, or as many as asked for in a range that is given or the samples' own.
std::vector<Axis> axes_of(const Call& call, const Samples& samples, std::size_t dims, at::ScalarType shown) {
  const Step& step = call.context().precision(shown).step;
  const c10::IValue& bins = call.argument(1);
  if (bins.isTensor()) return {axis_of_edges(pairs_at(call, 1, shown))};
  std::vector<Axis> axes;
  if (bins.isTensorList()) {
    for (const at::Tensor& edges : bins.toTensorVector()) axes.push_back(axis_of_edges(flat_pairs(consumed(unwrap(edges), shown, call.context()))));
    return axes;
  }
  const c10::IValue* range = call.named("range");
  for (std::size_t d = 0; d < dims; ++d) {
    const std::int64_t count = bins.isInt() ? bins.toInt() : bins.toIntVector()[d];
    const bool given = range != nullptr && !range->isNone();
    const std::vector<double> limits = given ? range->toDoubleVector() : std::vector<double>();
    axes.push_back(axis_of(given ? Range{limits[2 * d], limits[2 * d + 1], 0.0} : range_of(column(samples, d), 0.5), count, step));
  }
  return axes;
}

PairTensor edges_tensor(const Axis& axis, at::ScalarType shown) {
  std::vector<Pair> edges = axis.edges;
  for (Pair& edge : edges) edge.bound += axis.slack;
  return from_pairs(edges, {static_cast<std::int64_t>(edges.size())}, shown);
}

// (self, bins, range, weight, density), the samples flat or in rows.
std::vector<PairTensor> run_histogram(const Call& call, Histogram kind) {
  const at::ScalarType shown = call.pair(0).shown;
  const Step& step = call.context().precision(shown).step;
  const std::vector<Pair> values = pairs_at(call, 0, shown);
  const bool flat = kind == Histogram::flat;
  const auto dims = flat ? std::size_t{1} : static_cast<std::size_t>(call.tensor(0).size(-1));
  Samples samples = rows_of(values, dims);
  const std::vector<Axis> axes = axes_of(call, samples, dims, shown);
  std::vector<PairTensor> edges;
  for (const Axis& axis : axes) edges.push_back(edges_tensor(axis, shown));
  if (kind == Histogram::edges) return edges;
  const auto weight = static_cast<std::size_t>(call.index_of("weight"));
  if (call.tensor(weight).defined()) samples.weights = pairs_at(call, weight, shown);
  std::vector<Pair> cells = histogram(samples, axes, step);
  if (call.named("density")->toBool()) cells = density(cells, axes, step);
  std::vector<std::int64_t> sizes;
  for (const Axis& axis : axes) sizes.push_back(static_cast<std::int64_t>(axis.edges.size()) - 1);
  std::vector<PairTensor> results{from_pairs(cells, sizes, shown)};
  if (flat) results.push_back(edges.front());
  return results;
}

}  // namespace

Rule histc() { return run_histc; }
Rule histogram_of(Histogram kind) {
  return [=](const Call& call) { return run_histogram(call, kind); };
}

}  // namespace neuroncheck::oracles
