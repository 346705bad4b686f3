// Gradients of the reference, by autograd over its rules: those of float64, with small bounds.
#include <torch/csrc/autograd/autograd.h>

#include <functional>

#include "oracles/reference_scene.h"

namespace neuroncheck::oracles {
namespace {

using Function = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

void expect_gradients_of_float64(const Function& function, const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> bounded, doubles;
  for (const at::Tensor& input : inputs) {
    bounded.push_back(leaf(input).requires_grad_(true));
    doubles.push_back(input.to(at::kDouble).requires_grad_(true));
  }
  const at::Tensor output = function(bounded), expected = function(doubles);
  const at::Tensor seed = at::randn(expected.sizes());
  const auto gradients = torch::autograd::grad({output}, bounded, {leaf(seed)});
  const auto references = torch::autograd::grad({expected}, doubles, {seed.to(at::kDouble)});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(at::allclose(unwrap(gradients[i]).value, references[i], 1e-9, 1e-12)) << "input " << i;
    EXPECT_LT(largest_bound(gradients[i]), 1e-2) << "input " << i;
  }
}

TEST_F(ReferenceTest, GradientsOfLinear) {
  expect_gradients_of_float64([](const auto& x) { return at::linear(x[0], x[1], x[2]).relu(); },
                              {at::randn({4, 8}), at::randn({3, 8}), at::randn({3})});
}

TEST_F(ReferenceTest, GradientsOfSoftmaxes) {
  expect_gradients_of_float64([](const auto& x) { return at::softmax(x[0], 1); }, {at::randn({4, 8})});
  expect_gradients_of_float64([](const auto& x) { return at::log_softmax(x[0], 0); }, {at::randn({4, 8})});
  expect_gradients_of_float64([](const auto& x) { return at::logsumexp(x[0], 1); }, {at::randn({4, 8})});
}

TEST_F(ReferenceTest, GradientsOfNormsAndMoments) {
  expect_gradients_of_float64([](const auto& x) { return at::layer_norm(x[0], {8}, x[1], x[2]); },
                              {at::randn({4, 8}), at::randn({8}), at::randn({8})});
  expect_gradients_of_float64([](const auto& x) { return at::var(x[0], 1); }, {at::randn({4, 8})});
  expect_gradients_of_float64([](const auto& x) { return at::mean(x[0], {1}); }, {at::randn({4, 8})});
  expect_gradients_of_float64([](const auto& x) { return at::prod(x[0], 1); }, {at::randn({4, 5})});
}

TEST_F(ReferenceTest, GradientsOfConvolutionAndPools) {
  expect_gradients_of_float64([](const auto& x) { return at::conv2d(x[0], x[1], x[2], 2, 1); },
                              {at::randn({2, 3, 7, 7}), at::randn({4, 3, 3, 3}), at::randn({4})});
  expect_gradients_of_float64([](const auto& x) { return at::avg_pool2d(x[0], {2, 2}); }, {at::randn({2, 3, 6, 6})});
  expect_gradients_of_float64([](const auto& x) { return std::get<0>(at::max_pool2d_with_indices(x[0], {2, 2})); }, {at::randn({2, 3, 6, 6})});
}

TEST_F(ReferenceTest, GradientsOfElementwiseOps) {
  const at::Tensor a = at::rand({5}) + 0.5, b = at::rand({3, 5}) + 0.5;
  const std::vector<Function> functions = {
      [](const auto& x) { return x[0] + 2 * x[1]; },
      [](const auto& x) { return x[0] * x[1] - x[0] / x[1]; },
      [](const auto& x) { return x[0].pow(x[1]); },
      [](const auto& x) { return at::maximum(x[0], x[1]) + at::minimum(x[0], x[1]).neg().abs(); },
      [](const auto& x) { return at::where(x[0] > x[1], x[0], x[1]); },
      [](const auto& x) { return x[0].exp().log() + x[1].sqrt() + x[1].rsqrt(); },
      [](const auto& x) { return x[0].tanh() + x[1].sigmoid() + x[1].erf(); },
      [](const auto& x) { return at::gelu(x[0]) + at::gelu(x[1], "tanh") + at::silu(x[1]); },
      [](const auto& x) { return x[0].clamp(0.6, 1.2) + x[1].remainder(0.4) + x[1].pow(3); },
      [](const auto& x) { return x[0].floor() * x[1] + x[1].round(); },
  };
  for (std::size_t i = 0; i < functions.size(); ++i) {
    SCOPED_TRACE(i);
    expect_gradients_of_float64(functions[i], {a, b});
  }
}

TEST_F(ReferenceTest, GradientsOfMovementsAndSelections) {
  const at::Tensor index = at::tensor({2, 0, 2});
  const std::vector<Function> functions = {
      [&](const auto& x) { return x[0].index_select(0, index); },
      [&](const auto& x) { return x[0].index({index}); },
      [&](const auto& x) { return x[0].gather(0, index.unsqueeze(1)); },
      [&](const auto& x) { return at::embedding(x[0], index); },
      [&](const auto& x) {
        return at::cat({x[0], x[0].permute({1, 0}).contiguous().view({3, 4})}, 0);
      },
      [&](const auto& x) {
        return x[0].slice(1, 1, 3).expand({2, 3, 2});
      },
      [&](const auto& x) {
        return at::constant_pad_nd(x[0], {1, 2}, 0.5).cumsum(1);
      },
      [&](const auto& x) { return x[0].masked_fill(x[0] > 0, 1.5); },
      [&](const auto& x) { return std::get<0>(x[0].max(1)); },
      [&](const auto& x) { return std::get<0>(x[0].cummax(1)); },
      [&](const auto& x) { return x[0].trace() + x[0].sgn().sum(); },
      [&](const auto& x) { return x[0].sgn(); },
      [&](const auto& x) { return x[0].amax({1}); },
      [&](const auto& x) { return at::binary_cross_entropy(x[0].sigmoid(), x[0].neg().sigmoid()); },
      [&](const auto& x) { return std::get<0>(x[0].sort(1)); },
      [&](const auto& x) { return std::get<0>(x[0].topk(2, 1)); },
      [&](const auto& x) { return std::get<0>(x[0].topk(4, 1)); },
      [&](const auto& x) { return std::get<0>(x[0].sort(1)) + std::get<0>(x[0].topk(4, 1)); },
      [&](const auto& x) { return std::get<0>(x[0].sort(1)) * std::get<0>(x[0].topk(4, 1)); },
      [&](const auto& x) { return x[0].exp() * std::get<0>(x[0].sort(1)); },
      [&](const auto& x) {
        return at::scatter_add(x[0], 0, index.unsqueeze(1).expand({3, 4}), x[0]);
      },
      [&](const auto& x) { return at::mm(x[0], x[0].t()) + at::bmm(x[0].unsqueeze(0), x[0].t().unsqueeze(0)); },
  };
  for (std::size_t i = 0; i < functions.size(); ++i) {
    SCOPED_TRACE(i);
    expect_gradients_of_float64(functions[i], {at::randn({3, 4})});
  }
}

}  // namespace
}  // namespace neuroncheck::oracles
