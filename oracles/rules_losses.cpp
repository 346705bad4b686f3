// Losses: elements first, then the sum or mean of them; and losses by class, where a row's target picks its terms.
#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <algorithm>
#include <cmath>

#include "oracles/loss_rows.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

enum Reduction : std::int64_t { none = 0, mean = 1, sum_up = 2 };

Reduction reduction_of(const Call& call) { return static_cast<Reduction>(call.named("reduction")->toInt()); }

PairTensor reduced(const PairTensor& each, Reduction reduction, Context& context) {
  if (reduction == none) return each;
  const Step& step = context.precision(each.shown).step;
  const std::vector<Pair> terms = flat_pairs(consumed(each, each.shown, context));
  return from_pairs({reduction == mean ? mean_of(terms, step) : sum(terms, step)}, {}, each.shown);
}

// Classes by the last dimension: (C), (N, C), or (N, C, H, W) with the classes moved.
struct Classes {
  std::vector<std::vector<Pair>> rows;
  std::vector<std::vector<std::int64_t>> targets;  // of each row
  std::vector<Pair> weights;                       // of the classes; empty: ones
  std::vector<std::int64_t> row_sizes;             // as the unreduced loss has them
  at::ScalarType shown = at::kFloat;

  Pair weight(std::int64_t target) const { return weights.empty() ? Pair{1.0, 0.0} : weights[static_cast<std::size_t>(target)]; }
};

std::int64_t class_dim(const at::Tensor& input) { return input.dim() == 4 ? 1 : -1; }

Classes classes_of(const Call& call, std::size_t input_position) {
  Classes result;
  const PairTensor shown = call.pair(input_position);
  result.shown = shown.shown;
  const PairTensor input = consumed(shown, shown.shown, call.context());
  const std::int64_t dim = at::maybe_wrap_dim(class_dim(input.value), input.value.dim());
  const Rows rows(input, dim);
  for (std::int64_t r = 0; r < rows.count(); ++r) result.rows.push_back(rows.row(r));
  for (std::int64_t i = 0; i < input.value.dim(); ++i) {
    if (i != dim) result.row_sizes.push_back(input.value.size(i));
  }
  const at::Tensor target = call.pair(input_position + 1).value.to(at::kLong).contiguous();
  const std::int64_t each = rows.count() == 0 ? 0 : target.numel() / rows.count();
  const std::int64_t* next = target.const_data_ptr<std::int64_t>();
  for (std::int64_t r = 0; r < rows.count(); ++r, next += each) result.targets.emplace_back(next, next + each);
  const int weight = call.index_of("weight");
  if (weight >= 0 && call.tensor(static_cast<std::size_t>(weight)).defined()) {
    result.weights = flat_pairs(consumed(call.pair(static_cast<std::size_t>(weight)), result.shown, call.context()));
  }
  return result;
}

// One number for each row, reduced as the call wants it.
PairTensor reduced_rows(const Call& call, const Classes& classes, const std::vector<Pair>& each) {
  return reduced(from_pairs(each, classes.row_sizes, classes.shown), reduction_of(call), call.context());
}

// A gradient of one number for each row.
std::vector<Pair> row_gradients(const Call& call, const Classes& classes) {
  std::vector<Pair> gradient = flat_pairs(consumed(call.pair(0), classes.shown, call.context()));
  if (gradient.size() == 1) gradient.resize(classes.rows.size(), gradient[0]);
  return gradient;
}

PairTensor input_gradient(const Classes& classes, const std::vector<std::vector<Pair>>& rows, const at::Tensor& input) {
  const PairTensor like{input.to(at::kDouble), {}, classes.shown, false, true, nullptr};
  Rows result(Rows(like, at::maybe_wrap_dim(class_dim(input), input.dim())), classes.shown);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) result.set(static_cast<std::int64_t>(r), static_cast<std::int64_t>(i), rows[r][i]);
  }
  return result.tensor();
}

std::vector<PairTensor> run_nll(const Call& call) {
  const Classes classes = classes_of(call, 0);
  const Step& step = call.context().precision(classes.shown).step;
  const std::int64_t ignored = call.named("ignore_index")->toInt();
  std::vector<Pair> each, weights;
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    const std::int64_t target = classes.targets[r][0];
    const bool counts = target != ignored;
    const Pair weight = counts ? classes.weight(target) : Pair{0.0, 0.0};
    const Pair loss =
        counts ? multiply({-1.0, 0.0}, multiply(classes.rows[r][static_cast<std::size_t>(target)], weight, step), step) : Pair{0.0, 0.0};
    each.push_back(loss);
    if (counts) weights.push_back(weight);
  }
  const Reduction reduction = reduction_of(call);
  const Pair total = sum(weights, step), no_total{0.0, 0.0};
  const PairTensor total_weight = from_pairs({reduction == none ? no_total : total}, {}, classes.shown);
  if (reduction != mean) return {reduced_rows(call, classes, each), total_weight};
  return {from_pairs({divide(sum(each, step), total, step)}, {}, classes.shown), total_weight};
}

std::vector<PairTensor> run_nll_backward(const Call& call) {
  const Classes classes = classes_of(call, 1);
  const Step& step = call.context().precision(classes.shown).step;
  const std::int64_t ignored = call.named("ignore_index")->toInt();
  const std::vector<Pair> gradient = row_gradients(call, classes);
  const int position = call.index_of("total_weight");
  const std::vector<Pair> total = flat_pairs(consumed(call.pair(static_cast<std::size_t>(position)), classes.shown, call.context()));
  const bool averages = reduction_of(call) == mean;
  std::vector<std::vector<Pair>> rows;
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    std::vector<Pair>& row = rows.emplace_back(classes.rows[r].size());
    const std::int64_t target = classes.targets[r][0];
    if (target == ignored) continue;
    Pair product = multiply({-1.0, 0.0}, multiply(gradient[r], classes.weight(target), step), step);
    if (averages) product = divide(product, total[0], step);
    row[static_cast<std::size_t>(target)] = product;
  }
  return {input_gradient(classes, rows, call.pair(1).value)};
}

Margin margin_of(const Call& call) {
  if (call.index_of("margin") < 0) return {};
  return {number(call, "margin"), number(call, "p") == 2.0};
}

std::vector<PairTensor> run_multi_margin(const Call& call) {
  const Classes classes = classes_of(call, 0);
  const Step& step = call.context().precision(classes.shown).step;
  const Margin margin = margin_of(call);
  std::vector<Pair> each;
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    const std::int64_t target = classes.targets[r][0];
    each.push_back(margin_row({classes.rows[r], {target}}, classes.weight(target), margin, step));
  }
  return {reduced_rows(call, classes, each)};
}

std::vector<PairTensor> run_multi_margin_backward(const Call& call) {
  const Classes classes = classes_of(call, 1);
  const Step& step = call.context().precision(classes.shown).step;
  const Margin margin = margin_of(call);
  const std::vector<Pair> gradient = row_gradients(call, classes);
  const double divisor = reduction_of(call) == mean ? static_cast<double>(classes.rows.size()) : 1.0;
  std::vector<std::vector<Pair>> rows;
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    const std::int64_t target = classes.targets[r][0];
    const Pair factor = divide(multiply(gradient[r], classes.weight(target), step), {divisor, 0.0}, step);
    rows.push_back(margin_backward_row({classes.rows[r], {target}}, factor, margin, step));
  }
  return {input_gradient(classes, rows, call.pair(1).value)};
}

// The targets of a row end at the first -1.
std::vector<std::int64_t> named_targets(const std::vector<std::int64_t>& targets) {
  return {targets.begin(), std::find_if(targets.begin(), targets.end(), [](std::int64_t target) { return target < 0; })};
}

std::vector<PairTensor> run_multilabel_margin(const Call& call) {
  const Classes classes = classes_of(call, 0);
  const Step& step = call.context().precision(classes.shown).step;
  const Margin margin = margin_of(call);
  std::vector<Pair> each;
  at::Tensor is_target = at::zeros(call.pair(1).value.sizes(), at::kDouble);
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    const std::vector<std::int64_t> targets = named_targets(classes.targets[r]);
    each.push_back(margin_row({classes.rows[r], targets}, {1.0, 0.0}, margin, step));
    double* flags = is_target.mutable_data_ptr<double>() + r * classes.rows[r].size();
    for (const std::int64_t target : targets) flags[target] = 1.0;
  }
  return {reduced_rows(call, classes, each), {is_target, {}, classes.shown, true, true, nullptr}};
}

std::vector<PairTensor> run_multilabel_margin_backward(const Call& call) {
  const Classes classes = classes_of(call, 1);
  const Step& step = call.context().precision(classes.shown).step;
  const Margin margin = margin_of(call);
  const std::vector<Pair> gradient = row_gradients(call, classes);
  const double divisor = reduction_of(call) == mean ? static_cast<double>(classes.rows.size()) : 1.0;
  std::vector<std::vector<Pair>> rows;
  for (std::size_t r = 0; r < classes.rows.size(); ++r) {
    const Pair factor = divide(gradient[r], {divisor, 0.0}, step);
    rows.push_back(margin_backward_row({classes.rows[r], named_targets(classes.targets[r])}, factor, margin, step));
  }
  return {input_gradient(classes, rows, call.pair(1).value)};
}

// libtorch's own formula, op by op: its composite begins with a plain tensor of its own making, in which the bound would be lost.
std::vector<PairTensor> run_soft_margin(const Call& call) {
  const at::Tensor each = call.tensor(0).neg().mul(call.tensor(1)).exp().log1p();
  const Reduction reduction = reduction_of(call);
  return {unwrap(reduction == none ? each : reduction == mean ? each.mean() : each.sum())};
}

std::vector<PairTensor> run_soft_margin_backward(const Call& call) {
  const at::Tensor gradient = call.tensor(0), input = call.tensor(1), target = call.tensor(2);
  const double norm = reduction_of(call) == mean ? 1.0 / static_cast<double>(input.numel()) : 1.0;
  const at::Tensor z = target.neg().mul(input).exp();
  return {unwrap(target.mul(z).mul(-norm).div(z.add(1.0)).mul(gradient))};
}

}  // namespace

Rule soft_margin_loss() { return run_soft_margin; }
Rule soft_margin_loss_backward() { return run_soft_margin_backward; }

Rule loss(Elementwise row) {
  return [each = elementwise(std::move(row))](const Call& call) -> std::vector<PairTensor> {
    return {reduced(each(call)[0], reduction_of(call), call.context())};
  };
}

Rule nll_loss() { return run_nll; }
Rule nll_loss_backward() { return run_nll_backward; }
Rule multi_margin_loss() { return run_multi_margin; }
Rule multi_margin_loss_backward() { return run_multi_margin_backward; }
Rule multilabel_margin_loss() { return run_multilabel_margin; }
Rule multilabel_margin_loss_backward() { return run_multilabel_margin_backward; }

}  // namespace neuroncheck::oracles
