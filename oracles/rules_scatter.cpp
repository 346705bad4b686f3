// Elements that meet at one place: grouped by where they go, then combined (oracles.md 3.6).
#include <ATen/WrapDimUtils.h>

#include "oracles/combine.h"
#include "oracles/index_kinds.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

using Groups = std::vector<std::vector<Pair>>;

// For each element of the index, the flat position in self that it goes to.
at::Tensor destinations(const at::Tensor& self, std::int64_t dim, const at::Tensor& index) {
  at::Tensor places = at::arange(self.numel()).reshape(self.sizes());
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) places = places.narrow(d, 0, index.size(d));
  }
  return places.gather(dim, index).contiguous();
}

PairTensor narrowed_to(PairTensor source, at::IntArrayRef sizes) {
  for (std::size_t d = 0; d < sizes.size() && source.value.dim() > 0; ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    source.value = source.value.narrow(dim, 0, sizes[d]);
    if (source.bound.defined()) source.bound = source.bound.narrow(dim, 0, sizes[d]);
  }
  return source;
}

// index_reduce's index is one for all lines.
at::Tensor index_of(const Call& call, const at::Tensor& source, std::int64_t dim) {
  const at::Tensor index = unwrap(call.tensor(2)).value;
  if (call.name() != "aten::index_reduce") return index;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(source.dim()), 1);
  if (source.dim() > 0) sizes[static_cast<std::size_t>(dim)] = index.numel();
  return index.reshape(sizes).expand(source.sizes());
}

std::vector<PairTensor> run_scattered(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  if (!at::isFloatingType(shown)) return plain()(call);
  const PairTensor self = consumed(call.argument(0), shown, call.context());
  PairTensor source = consumed(call.argument(3), shown, call.context());
  const std::int64_t dim = at::maybe_wrap_dim(call.argument(1).toInt(), self.value.dim());
  const at::Tensor index = index_of(call, source.value, dim);
  const bool is_number = !call.argument(3).isTensor();
  if (is_number) source.value = source.value.expand(index.sizes());
  if (is_number && source.bound.defined()) source.bound = source.bound.expand(index.sizes());
  const std::vector<Pair> kept = flat_pairs(self), moved = flat_pairs(narrowed_to(source, index.sizes()));
  const c10::IValue* included = call.named("include_self");
  Groups groups(kept.size());
  for (std::size_t i = 0; i < kept.size() && (included == nullptr || included->toBool()); ++i) groups[i].push_back(kept[i]);
  if (index.numel() > 0) {
    const at::Tensor places = destinations(self.value, dim, index);
    for (std::size_t i = 0; i < moved.size(); ++i) {
      groups[static_cast<std::size_t>(places.const_data_ptr<std::int64_t>()[i])].push_back(moved[i]);
    }
  }
  const Combine how = parse_combine(call.named("reduce")->toStringRef());
  const Step& step = call.context().precision(shown).step;
  std::vector<Pair> results;
  for (std::size_t i = 0; i < kept.size(); ++i) results.push_back(groups[i].empty() ? kept[i] : combine(how, groups[i], step));
  return {from_pairs(results, self.value.sizes(), shown)};
}

// --- segments ---

// Ends of the segments of each line, from lengths or offsets.
at::Tensor segment_offsets(const Call& call) {
  const at::Tensor lengths = unwrap(call.tensor(static_cast<std::size_t>(call.index_of("lengths")))).value;
  if (!lengths.defined()) return unwrap(call.tensor(static_cast<std::size_t>(call.index_of("offsets")))).value.to(at::kLong).contiguous();
  return at::constant_pad_nd(lengths.to(at::kLong).cumsum(-1), {1, 0}).contiguous();
}

double start_of(Combine how) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (how) {
    case Combine::largest:
      return -infinity;
    case Combine::smallest:
      return infinity;
    case Combine::product:
      return 1.0;
    case Combine::sum:
    case Combine::mean:
      return 0.0;
  }
  throw std::logic_error("start_of: unknown reduction");
}

// The initial value is one of the terms, but is not counted by a mean; the mean of nothing is the initial value, or NaN without one.
Pair reduce_segment(Combine how, std::vector<Pair> terms, const c10::IValue& initial, const Step& step) {
  const double count = static_cast<double>(terms.size());
  if (terms.empty() && initial.isNone()) return {how == Combine::mean ? std::numeric_limits<double>::quiet_NaN() : start_of(how), 0.0};
  if (!initial.isNone()) terms.push_back({initial.toScalar().toDouble(), 0.0});
  if (how != Combine::mean) return combine(how, terms, step);
  return count == 0.0 ? terms.front() : mean_over(terms, count, step);
}

// segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial)
std::vector<PairTensor> run_segments(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const PairTensor data = consumed(call.argument(0), shown, call.context());
  const Step& step = call.context().precision(shown).step;
  const Combine how = parse_combine(call.named("reduce")->toStringRef());
  const at::Tensor offsets = segment_offsets(call);
  const std::int64_t axis = offsets.dim() - 1, segments = offsets.size(-1) - 1, length = data.value.size(axis);
  const std::int64_t inner = c10::multiply_integers(data.value.sizes().slice(static_cast<std::size_t>(axis) + 1));
  const std::vector<Pair> all = flat_pairs(data);
  std::vector<Pair> results;
  const std::int64_t lines = offsets.numel() / (segments + 1);
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      const std::int64_t* ends = offsets.const_data_ptr<std::int64_t>() + line * (segments + 1) + segment;
      for (std::int64_t j = 0; j < inner; ++j) {
        std::vector<Pair> terms;
        for (std::int64_t i = ends[0]; i < ends[1]; ++i) terms.push_back(all[static_cast<std::size_t>((line * length + i) * inner + j)]);
        results.push_back(reduce_segment(how, std::move(terms), *call.named("initial"), step));
      }
    }
  }
  std::vector<std::int64_t> sizes = data.value.sizes().vec();
  sizes[static_cast<std::size_t>(axis)] = segments;
  return {from_pairs(results, sizes, shown)};
}

}  // namespace

Rule reduce_scattered() { return run_scattered; }
Rule reduce_segments() { return run_segments; }

}  // namespace neuroncheck::oracles
