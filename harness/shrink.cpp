#include "harness/shrink.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/shrink_measure.h"
#include "harness/shrink_program.h"
#include "harness/shrink_tensor.h"

namespace neuroncheck {
namespace {

constexpr std::size_t kMostCandidates = 200;
constexpr std::int64_t kMostLiteralElements = 512;  // enough to cut the one element that matters out of its tensor
constexpr std::int64_t kFewElements = 64;           // from here on elements are simplified one by one

std::int64_t elements_of(const Case& test_case) {
  std::int64_t count = 0;
  for (const TensorSpec& spec : test_case.program.inputs) count += element_count(sizes_of(spec, test_case.bindings.front().symbols));
  return count;
}

// Applies one change to one input.
template <class Change>
Case with_input(Case test_case, std::size_t input, Change change) {
  change(test_case.program.inputs[input]);
  return test_case;
}

void bind_symbols(const Case& test_case, Candidates& candidates) {
  if (test_case.program.symbols == 0 || test_case.bindings.size() > 1) return;
  candidates.add(bound(test_case));
}

std::vector<std::int64_t> smaller_sizes(std::int64_t size) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t smaller : {std::int64_t{1}, std::int64_t{0}, std::int64_t{2}, size / 2}) {
    if (smaller < size && std::find(sizes.begin(), sizes.end(), smaller) == sizes.end()) sizes.push_back(smaller);
  }
  return sizes;
}

// What is left when neither half will do: a quarter less, an eighth, ... one less.
std::vector<std::int64_t> slightly_smaller_sizes(std::int64_t size) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t less = std::max<std::int64_t>(size / 4, 1); less >= 1 && size > 1; less /= 2) sizes.push_back(size - less);
  return sizes;
}
using SmallerSizes = std::vector<std::int64_t> (*)(std::int64_t);

std::set<std::int64_t, std::greater<>> distinct_sizes(const Case& test_case) {
  std::set<std::int64_t, std::greater<>> sizes;
  for (const TensorSpec& spec : test_case.program.inputs) {
    for (const Dim& dim : spec.sizes) {
      if (dim.symbol < 0) sizes.insert(dim.size);
    }
  }
  for (const Binding& binding : test_case.bindings) sizes.insert(binding.symbols.begin(), binding.symbols.end());
  sizes.erase(0);
  return sizes;
}

void shrink_sizes_together(const Case& test_case, SmallerSizes smaller_sizes_of, Candidates& candidates) {
  for (const std::int64_t size : distinct_sizes(test_case)) {
    for (const std::int64_t smaller : smaller_sizes_of(size)) candidates.add(cut_everywhere(test_case, size, Cut{.first = 0, .count = smaller}));
  }
}

void shrink_sizes_alone(const Case& test_case, SmallerSizes smaller_sizes_of, Candidates& candidates) {
  for (std::size_t input = 0; input < test_case.program.inputs.size(); ++input) {
    const TensorSpec& spec = test_case.program.inputs[input];
    for (std::size_t dim = 0; dim < spec.sizes.size(); ++dim) {
      if (spec.sizes[dim].symbol >= 0) continue;
      for (const std::int64_t smaller : smaller_sizes_of(spec.sizes[dim].size)) {
        candidates.add(with_input(test_case, input, [&](TensorSpec& of) { of = cut(std::move(of), dim, Cut{.first = 0, .count = smaller}); }));
      }
    }
  }
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    for (std::size_t symbol = 0; symbol < test_case.bindings[step].symbols.size(); ++symbol) {
      for (const std::int64_t smaller : smaller_sizes_of(test_case.bindings[step].symbols[symbol])) {
        Case candidate = test_case;
        candidate.bindings[step].symbols[symbol] = smaller;
        candidates.add(std::move(candidate));
      }
    }
  }
}

void drop_dims(const Case& test_case, Candidates& candidates) {
  std::size_t rank = 0;
  for (const TensorSpec& spec : test_case.program.inputs) rank = std::max(rank, spec.sizes.size());
  for (std::size_t dim = 0; dim < rank; ++dim) {
    Case candidate = test_case;
    for (TensorSpec& spec : candidate.program.inputs) {
      if (spec.sizes.size() == rank) spec = without_dim(std::move(spec), dim);
    }
    candidates.add(std::move(candidate));
  }
  for (std::size_t input = 0; input < test_case.program.inputs.size(); ++input) {
    const auto& sizes = test_case.program.inputs[input].sizes;
    if (sizes.empty() || sizes.front() != Dim{.size = 1}) continue;
    candidates.add(with_input(test_case, input, [](TensorSpec& spec) { spec = without_dim(std::move(spec), 0); }));
  }
}

void simplify_layouts(const Case& test_case, Candidates& candidates) {
  const auto plain = [](TensorSpec& spec) {
    spec.layout = LayoutKind::contiguous;
    spec.strides.clear();
    spec.offset = 0;
  };
  Case all = test_case;
  for (TensorSpec& spec : all.program.inputs) plain(spec);
  candidates.add(std::move(all));
  std::size_t gradients = 0;
  for (const TensorSpec& spec : test_case.program.inputs) gradients += spec.requires_grad ? 1 : 0;
  for (std::size_t input = 0; input < test_case.program.inputs.size(); ++input) {
    candidates.add(with_input(test_case, input, plain));
    if (gradients > 1) candidates.add(with_input(test_case, input, [](TensorSpec& spec) { spec.requires_grad = false; }));
  }
}

// Simpler fills of the same role: an index stays one.
std::vector<Fill> simpler_fills(const Fill& fill) {
  const auto constant = [](double value) { return Fill{.kind = FillKind::constant, .low = value, .bits = {}}; };
  if (fill.kind == FillKind::index) return {constant(0.0)};
  if (fill.kind == FillKind::permutation || fill.kind == FillKind::constant) return {};
  if (fill.kind == FillKind::literal) return {constant(1.0), constant(0.0)};
  return {constant(1.0), Fill{.kind = FillKind::exact_integer, .parameter = 1, .seed = fill.seed, .bits = {}}};
}

void simplify_fills(const Case& test_case, Candidates& candidates) {
  for (const std::size_t choice : {0U, 1U}) {
    Case all = test_case;
    for (TensorSpec& spec : all.program.inputs) {
      const std::vector<Fill> fills = simpler_fills(spec.fill);
      if (spec.fill.kind != FillKind::literal && choice < fills.size()) spec.fill = fills[choice];
    }
    candidates.add(std::move(all));
  }
  for (std::size_t input = 0; input < test_case.program.inputs.size(); ++input) {
    for (const Fill& fill : simpler_fills(test_case.program.inputs[input].fill)) {
      candidates.add(with_input(test_case, input, [&](TensorSpec& spec) { spec.fill = fill; }));
    }
  }
  for (const Backward& backward : test_case.backward) {
    for (const Fill& fill : simpler_fills(backward.fill)) {
      Case candidate = test_case;
      candidate.backward.front().fill = fill;
      candidates.add(std::move(candidate));
    }
  }
}

void make_literal(const Case& test_case, Candidates& candidates) {
  if (test_case.program.symbols > 0 || test_case.bindings.size() > 1 || elements_of(test_case) > kMostLiteralElements) return;
  Case candidate = test_case;
  for (TensorSpec& spec : candidate.program.inputs) {
    if (spec.fill.kind != FillKind::constant && spec.fill.kind != FillKind::literal) spec = as_literal(std::move(spec));
  }
  candidates.add(std::move(candidate));
}

// Parts that keep other rows than the first ones.
std::vector<Cut> parts_of(std::int64_t size) {
  std::vector<Cut> parts;
  if (size < 2) return parts;
  parts.push_back({.first = size - 1, .count = 1});
  parts.push_back({.first = size / 2, .count = size - size / 2});
  for (std::int64_t row = 0; row + 1 < size && size <= kFewElements; ++row) parts.push_back({.first = 0, .count = size - 1, .dropped = row});
  return parts;
}

void keep_other_parts(const Case& test_case, Candidates& candidates) {
  const auto& inputs = test_case.program.inputs;
  if (std::none_of(inputs.begin(), inputs.end(), keeps_values)) return;
  for (const std::int64_t size : distinct_sizes(test_case)) {
    for (const Cut& part : parts_of(size)) candidates.add(cut_everywhere(test_case, size, part));
  }
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    for (std::size_t dim = 0; keeps_values(inputs[input]) && dim < inputs[input].sizes.size(); ++dim) {
      for (const Cut& part : parts_of(inputs[input].sizes[dim].size)) {
        candidates.add(with_input(test_case, input, [&](TensorSpec& spec) { spec = cut(std::move(spec), dim, part); }));
      }
    }
  }
}

// The number with 8 significant bits.
double shortened(double number) {
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  return std::ldexp(std::trunc(fraction * 256.0), exponent - 8);
}

std::vector<double> simpler_numbers(double number) {
  if (!std::isfinite(number)) return {0.0, 1.0};
  return {0.0, 1.0, std::nearbyint(number), shortened(number)};
}

void simplify_elements(const Case& test_case, Candidates& candidates) {
  if (elements_of(test_case) > kFewElements) return;
  for (std::size_t input = 0; input < test_case.program.inputs.size(); ++input) {
    const TensorSpec& spec = test_case.program.inputs[input];
    for (std::size_t element = 0; element < spec.fill.bits.size(); ++element) {
      for (const double simpler : simpler_numbers(number_of(spec.dtype, spec.fill.bits[element]))) {
        candidates.add(with_input(test_case, input, [&](TensorSpec& of) { of.fill.bits[element] = bits_of(of.dtype, simpler); }));
      }
    }
  }
}

}  // namespace

std::vector<Case> shrinks(const Case& test_case) {
  Candidates candidates(test_case, kMostCandidates);
  drop_nodes(test_case, candidates);
  drop_steps(test_case, candidates);
  bind_symbols(test_case, candidates);
  shrink_sizes_together(test_case, smaller_sizes, candidates);
  drop_dims(test_case, candidates);
  simplify_layouts(test_case, candidates);
  simplify_fills(test_case, candidates);
  make_literal(test_case, candidates);
  shrink_sizes_alone(test_case, smaller_sizes, candidates);
  simplify_arguments(test_case, candidates);
  keep_other_parts(test_case, candidates);
  shrink_sizes_together(test_case, slightly_smaller_sizes, candidates);
  shrink_sizes_alone(test_case, slightly_smaller_sizes, candidates);
  simplify_elements(test_case, candidates);
  return candidates.take();
}

}  // namespace neuroncheck
