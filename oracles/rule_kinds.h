// The kinds of rules (reference.md section 2), each written once for all its ops. Needs torch.
#pragma once

#include <string>
#include <vector>

#include "oracles/element_functions.h"
#include "oracles/rules.h"

namespace neuroncheck::oracles {

// The op applied to values and bounds alike; views stay views.
Rule move();
// Makes a tensor that does not depend on values: zeros_like, new_full, ...
Rule creation();
// A cast that the program asks for: it is semantic, values are rounded.
Rule cast();
Rule copy();
// Integers that depend on pairs through nothing but their sizes, or are exact by their own right: the op run on the values.
Rule plain();

enum class Makes : std::uint8_t {
  promoted,  // the dtype its operands promote to; integers stay integers
  floating,  // the same, default dtype for integers
  boolean,
  selected,  // promoted, and every result is an operand or a number of the dtype: no rounding is due
};

struct Elementwise {
  ElementFunction function;
  std::vector<int> operands;  // positions of tensors or scalars
  Makes makes = Makes::floating;
  std::string error = {};                            // the profile's name of the function; empty: none
  std::vector<std::string> parameters = {};          // names of the call's numbers that the function takes, in its order
  void (*prepare)(const Call&, Element&) = nullptr;  // what else is to be made of the call
};
// A number among the call's arguments; 0 where it is missing.
double number(const Call& call, std::string_view name);
Rule elementwise(Elementwise row);
Rule clamp();
Rule together(std::vector<Rule> rules);  // a result of each
// Whichever of two rules an argument that is a truth value asks for.
Rule by_flag(std::size_t argument, const Rule& when_true, const Rule& when_false);
Rule glu();
Rule glu_backward();
Rule next_after();
Rule fraction_and_exponent();  // frexp

// Reduced as the call's argument says.
Rule loss(Elementwise row);
Rule soft_margin_loss();
Rule soft_margin_loss_backward();
Rule nll_loss();
Rule nll_loss_backward();
Rule multi_margin_loss();
Rule multi_margin_loss_backward();
Rule multilabel_margin_loss();
Rule multilabel_margin_loss_backward();

// Sums of products of its arguments: bounds from the same op on magnitudes.
struct Linear {
  // How many terms one element of each result has; one number serves all results.
  std::vector<double> (*terms)(const Call& call, const std::vector<at::Tensor>& results);
  // Which arguments (tensors and scalars) are multiplied in each kind of term, per result; one entry serves all results.
  using Monomials = std::vector<std::vector<int>>;
  std::vector<Monomials> monomials;
  double (*divisor)(const Call& call, double terms) = nullptr;  // what the sum is divided by (0: differs between elements)
  std::vector<int> fixed = {};                                  // tensors that only lend their sizes
};
Rule linear(Linear row);

// Along rows: one formula over pairs.
Rule softmax();
Rule log_softmax();
Rule softmax_backward();
Rule log_softmax_backward();
Rule logsumexp();
Rule layer_norm();
Rule layer_norm_backward();
Rule product();

// _fused_adam_ and _fused_adamw_, whose decay is of the parameters themselves.
enum class WeightDecay : std::uint8_t { of_gradients, of_parameters };
Rule adam_step(WeightDecay decay);

// Orders and picks: values and indices of max.dim, sort, topk, max_pool2d_with_indices; indices alone; values alone.
Rule selection();
Rule any_true();  // also `all`

// Complex numbers inside programs whose inputs and outputs are real.
Rule view_as_real();
Rule view_as_complex();
Rule complex_of_parts();
Rule polar();
Rule conjugate();
Rule angle();
Rule fourier_transform();

// What has no derived bound: the op in float64, and how far its results move when its inputs do by a rounding. Makes the case `estimated`.
// `coordinates`: which of its tensors are places in [-1, 1] of an image. `also`: a further evaluation that a right device may agree with (its
// floating results move, too); it may return nothing.
using Evaluation = std::function<std::vector<at::Tensor>(const Call&)>;
Rule estimated(std::vector<std::size_t> coordinates = {}, Evaluation also = {});
// A rule of real numbers, which complex ones are estimated in place of.
Rule estimated_where_complex(Rule rule);

// Dtypes of the results, from the op on the dtypes that are shown.
std::vector<at::ScalarType> shown_types(const Call& call);

}  // namespace neuroncheck::oracles
