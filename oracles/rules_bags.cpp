// Bags of embeddings: sums of products by bag, and their derivatives.
#include "oracles/combine.h"
#include "oracles/index_kinds.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr std::int64_t kMean = 1, kLargest = 2;

std::vector<std::int64_t> numbers_at(const Call& call, std::string_view name) {
  const at::Tensor tensor = unwrap(call.named(name)->toTensor()).value.to(at::kLong).contiguous();
  return {tensor.const_data_ptr<std::int64_t>(), tensor.const_data_ptr<std::int64_t>() + tensor.numel()};
}

std::vector<Pair> pairs_named(const Call& call, std::string_view name) {
  const c10::IValue& argument = *call.named(name);
  if (!argument.isTensor() || !argument.toTensor().defined()) return {};
  return flat_pairs(consumed(argument, call.pair(0).shown, call.context()));
}

// A table of pairs.
struct Matrix {
  std::vector<Pair> pairs;
  std::int64_t columns = 0;

  Pair at(std::int64_t row, std::int64_t column) const { return pairs[static_cast<std::size_t>(row * columns + column)]; }
};

Matrix matrix_named(const Call& call, std::string_view name) { return {pairs_named(call, name), call.named(name)->toTensor().size(-1)}; }

Pair weighted(Pair x, const std::vector<Pair>& weights, std::size_t i) { return weights.empty() ? x : exact_product(x, weights[i]); }

// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx)
std::vector<PairTensor> run_bag(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const Step& step = call.context().precision(shown).step;
  const Matrix table = matrix_named(call, "weight");
  const std::vector<Pair> weights = pairs_named(call, "per_sample_weights");
  const std::vector<std::int64_t> indices = numbers_at(call, "indices");
  std::vector<std::int64_t> ends = numbers_at(call, "offsets");
  if (!call.named("include_last_offset")->toBool()) ends.push_back(static_cast<std::int64_t>(indices.size()));
  const std::int64_t mode = call.named("mode")->toInt(), padding = call.named("padding_idx")->toInt();
  const Combine how = mode == kMean ? Combine::mean : mode == kLargest ? Combine::largest : Combine::sum;
  std::vector<Pair> output;
  for (std::size_t bag = 0; bag + 1 < ends.size(); ++bag) {
    for (std::int64_t column = 0; column < table.columns; ++column) {
      std::vector<Pair> terms;
      for (auto i = static_cast<std::size_t>(ends[bag]); i < static_cast<std::size_t>(ends[bag + 1]); ++i) {
        if (indices[i] != padding) terms.push_back(weighted(table.at(indices[i], column), weights, i));
      }
      output.push_back(terms.empty() ? Pair{} : combine(how, terms, step));
    }
  }
  std::vector<PairTensor> results{from_pairs(output, {static_cast<std::int64_t>(ends.size()) - 1, table.columns}, shown)};
  const auto plain_results = call.run([](const PairTensor& pair) { return pair.value; });
  for (std::size_t i = 1; i < plain_results.size(); ++i)
    results.push_back({plain_results[i], {}, plain_results[i].scalar_type(), true, true, nullptr});
  return results;
}

std::vector<double> frequencies(const std::vector<std::int64_t>& indices, std::int64_t rows) {
  std::vector<double> counts(static_cast<std::size_t>(rows), 0.0);
  for (const std::int64_t index : indices) counts[static_cast<std::size_t>(index)] += 1.0;
  return counts;
}

// Each index adds its bag's gradient to its row: times its weight, over the size of the bag in means, over its frequency if asked for.
std::vector<PairTensor> run_bag_backward(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const Step& step = call.context().precision(shown).step;
  const Matrix grad = matrix_named(call, "grad");
  const std::vector<Pair> weights = pairs_named(call, "per_sample_weights");
  const std::vector<std::int64_t> indices = numbers_at(call, "indices"), bags = numbers_at(call, "offset2bag"), sizes = numbers_at(call, "bag_size");
  const std::int64_t rows = call.named("num_weights")->toInt(), padding = call.named("padding_idx")->toInt();
  const bool mean = call.named("mode")->toInt() == kMean, by_frequency = call.named("scale_grad_by_freq")->toBool();
  const std::vector<double> counts = frequencies(indices, rows);
  std::vector<std::vector<Pair>> terms(static_cast<std::size_t>(rows * grad.columns));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] == padding) continue;
    double divisor = mean ? static_cast<double>(sizes[static_cast<std::size_t>(bags[i])]) : 1.0;
    if (by_frequency) divisor *= counts[static_cast<std::size_t>(indices[i])];
    for (std::int64_t column = 0; column < grad.columns; ++column) {
      const Pair term = weighted(grad.at(bags[i], column), weights, i);
      // Two divisions, each perhaps by a rounded reciprocal.
      Pair scaled = exact_quotient(term, {divisor, 0.0});
      if (!is_power_of_two(divisor)) scaled.bound += 4.0 * step.unit * std::abs(scaled.value) + step.tiny;
      terms[static_cast<std::size_t>(indices[i] * grad.columns + column)].push_back(scaled);
    }
  }
  std::vector<Pair> result;
  for (const std::vector<Pair>& row : terms) result.push_back(sum(row, step));
  return {from_pairs(result, {rows, grad.columns}, shown)};
}

// The gradient of a sample's weight: the product of its bag's gradient with its row.
std::vector<PairTensor> run_weights_backward(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const Step& step = call.context().precision(shown).step;
  const Matrix grad = matrix_named(call, "grad"), table = matrix_named(call, "weight");
  const std::vector<std::int64_t> indices = numbers_at(call, "indices"), bags = numbers_at(call, "offset2bag");
  const std::int64_t padding = call.named("padding_idx")->toInt();
  std::vector<Pair> result;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::vector<Pair> terms;
    for (std::int64_t column = 0; column < grad.columns && indices[i] != padding; ++column) {
      terms.push_back(exact_product(grad.at(bags[i], column), table.at(indices[i], column)));
    }
    result.push_back(sum(terms, step));
  }
  return {from_pairs(result, {static_cast<std::int64_t>(indices.size())}, shown)};
}

}  // namespace

Rule embedding_bag() { return run_bag; }
Rule embedding_bag_backward() { return run_bag_backward; }
Rule embedding_bag_weights_backward() { return run_weights_backward; }

}  // namespace neuroncheck::oracles
