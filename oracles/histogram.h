// Histograms over pairs: a sample near an edge may be counted on either side of it. No torch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// The bins of one dimension: [edge i, edge i + 1), the last one closed.
struct Axis {
  std::vector<Pair> edges;
  bool uniform = false;  // found by position in [first edge, last edge] rather than by comparison
  double slack = 0.0;    // how far the first and the last edge may be off, where they come from the samples
};

Axis axis_of_edges(std::vector<Pair> edges);
// Edges low + i (high - low) / bins, both ends exact.
Axis uniform_axis(double low, double high, std::int64_t bins, const Step& step);

struct Samples {
  std::vector<std::vector<Pair>> coordinates;  // per sample, as many as axes
  std::vector<Pair> weights;                   // empty: ones
};

// Sums of weights per cell, row-major.
std::vector<Pair> histogram(const Samples& samples, const std::vector<Axis>& axes, const Step& step);
// Each cell over the sum of all and over the widths of its bins.
std::vector<Pair> density(const std::vector<Pair>& cells, const std::vector<Axis>& axes, const Step& step);

}  // namespace neuroncheck::oracles
