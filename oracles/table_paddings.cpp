#include <ATen/ATen.h>

#include <algorithm>

#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

using Terms = std::vector<double>;
using Results = std::vector<at::Tensor>;

double at_least_one(std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(count, 1)); }

// An element and its reflections at either end of each dimension.
Terms terms_of_reflection(const Call& call, const Results&) {
  const auto padding = call.named("padding")->toIntVector();
  double terms = 1.0;
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) terms *= 1.0 + (padding[i] > 0 ? 1.0 : 0.0) + (padding[i + 1] > 0 ? 1.0 : 0.0);
  return {terms};
}

// An element at an end and its copies beyond that end; a dimension of one element has both ends in one.
Terms terms_of_replication(const Call& call, const Results& results) {
  const auto padding = call.named("padding")->toIntVector();
  double terms = 1.0;
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
    const std::int64_t before = std::max<std::int64_t>(padding[i], 0), behind = std::max<std::int64_t>(padding[i + 1], 0);
    const bool single = results[0].size(-1 - static_cast<std::int64_t>(i / 2)) == 1;
    terms *= static_cast<double>(1 + (single ? before + behind : std::max(before, behind)));
  }
  return {terms};
}

// The windows that hold an element: per dimension at most as many as a kernel has elements, and as there are.
Terms terms_of_columns(const Call& call, const Results&) {
  const auto of = [&](const char* name) { return call.named(name)->toIntVector(); };
  const auto size = of("output_size"), kernel = of("kernel_size"), dilation = of("dilation"), padding = of("padding"), stride = of("stride");
  double terms = 1.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t windows = (size[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
    terms *= at_least_one(std::min(kernel[i], windows));
  }
  return {terms};
}

Terms terms_of_unfolding(const Call& call, const Results&) {
  const std::int64_t size = call.named("size")->toInt(), step = call.named("step")->toInt();
  return {at_least_one((size + step - 1) / step)};
}

}  // namespace

// Backward ops that add what a forward op copied to several places.
void add_paddings(RuleTable& table) {
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    const std::string end = std::string(dimensions) + "_backward";
    table["aten::reflection_pad" + end] = linear({terms_of_reflection, {{{0}}}, nullptr, {1}});
    table["aten::replication_pad" + end] = linear({terms_of_replication, {{{0}}}, nullptr, {1}});
  }
  table["aten::col2im"] = linear({terms_of_columns, {{{0}}}});
  table["aten::unfold_backward"] = linear({terms_of_unfolding, {{{0}}}});
}

}  // namespace neuroncheck::oracles
