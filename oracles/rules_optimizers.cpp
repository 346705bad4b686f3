// Fused steps of optimizers: composites of the rules of their parts, which may be rounded in between or not. Formulas: Kingma and Ba 2015 (Adam),
// Reddi, Kale and Kumar 2018 (AMSGrad), Loshchilov and Hutter 2019 (AdamW).
#include <ATen/ATen.h>

#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

struct Adam {
  at::Tensor step, lr, grad_scale;  // the latter undefined: none
  double beta1, beta2, weight_decay, eps;
  bool amsgrad, maximize;
  WeightDecay decay;
};

struct State {
  at::Tensor parameter, gradient, average, square, largest;  // the last undefined: without AMSGrad
};

void update(const State& state, const Adam& adam) {
  at::Tensor parameter = state.parameter, gradient = state.gradient;
  if (adam.grad_scale.defined()) {
    gradient = gradient / adam.grad_scale;
    state.gradient.copy_(gradient);
  }
  if (adam.maximize) gradient = -gradient;
  if (adam.weight_decay != 0.0 && adam.decay == WeightDecay::of_gradients) gradient = gradient + parameter * adam.weight_decay;
  if (adam.weight_decay != 0.0 && adam.decay == WeightDecay::of_parameters) parameter = parameter - parameter * (adam.lr * adam.weight_decay);
  const at::Tensor average = at::lerp(state.average, gradient, 1.0 - adam.beta1);
  const at::Tensor square = state.square * adam.beta2 + gradient * gradient * (1.0 - adam.beta2);
  const at::Tensor largest = adam.amsgrad ? at::maximum(state.largest, square) : square;
  const at::Tensor correction1 = at::rsub(at::pow(adam.beta1, adam.step), 1.0), correction2 = at::rsub(at::pow(adam.beta2, adam.step), 1.0);
  const at::Tensor denominator = at::sqrt(largest) / at::sqrt(correction2) + adam.eps;
  parameter = parameter - adam.lr / correction1 * (average / denominator);
  state.average.copy_(average);
  state.square.copy_(square);
  if (adam.amsgrad) state.largest.copy_(largest);
  state.parameter.copy_(parameter);
}

at::Tensor lr_of(const Call& call) {
  const c10::IValue& lr = *call.named("lr");
  return lr.isTensor() ? lr.toTensor() : wrap({at::scalar_tensor(lr.toDouble(), at::kDouble), {}, at::kDouble, true, true, nullptr});
}

at::Tensor optional(const Call& call, const char* name) {
  const c10::IValue& argument = *call.named(name);
  return argument.isNone() ? at::Tensor() : argument.toTensor();
}

}  // namespace

// (self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, *, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale,
// found_inf)
Rule adam_step(WeightDecay decay) {
  return [=](const Call& call) -> std::vector<PairTensor> {
    const at::Tensor found_inf = optional(call, "found_inf");
    if (found_inf.defined() && unwrap(found_inf).value.item<double>() != 0.0) return {};
    const auto of = [&](std::size_t i) { return call.argument(i).toTensorVector(); };
    const auto number = [&](const char* name) { return call.named(name)->toDouble(); };
    const bool amsgrad = call.named("amsgrad")->toBool();
    const auto parameters = of(0), gradients = of(1), averages = of(2), squares = of(3), largest = of(4), steps = of(5);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      update({parameters[i], gradients[i], averages[i], squares[i], amsgrad ? largest.at(i) : at::Tensor()},
             {steps.at(i), lr_of(call), optional(call, "grad_scale"), number("beta1"), number("beta2"), number("weight_decay"), number("eps"),
              amsgrad, call.named("maximize")->toBool(), decay});
    }
    return {};
  };
}

}  // namespace neuroncheck::oracles
