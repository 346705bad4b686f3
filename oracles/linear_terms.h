// How many terms one result of a linear op sums: the n of its bound. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

std::vector<double> terms_of_reduction(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_cumulation(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_product(const Call& call, const std::vector<at::Tensor>& results);        // mm, bmm
std::vector<double> terms_of_added_product(const Call& call, const std::vector<at::Tensor>& results);  // addmm, baddbmm
std::vector<double> terms_of_added_batches(const Call& call, const std::vector<at::Tensor>& results);  // addbmm
std::vector<double> terms_of_diagonal(const Call& call, const std::vector<at::Tensor>& results);       // trace
std::vector<double> terms_of_convolution(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_convolution_backward(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_scatter(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_indices(const Call& call, const std::vector<at::Tensor>& results);  // one term per index at most
std::vector<double> terms_of_window(const Call& call, const std::vector<at::Tensor>& results);   // kernel_size

// Adaptive poolings: the largest of the windows; of the derivatives, how many windows may hold an element.
std::vector<double> terms_of_adaptive(const Call& call, const std::vector<at::Tensor>& results);
std::vector<double> terms_of_adaptive_backward(const Call& call, const std::vector<at::Tensor>& results);

// Resizing by ratios whose weights no format rounds: products of weights, and the sum.
std::vector<double> terms_of_resizing(const Call& call, const std::vector<at::Tensor>& results);

double mean_divisor(const Call& call, double terms);
double pooling_divisor(const Call& call, double terms);
double resizing_divisor(const Call& call, double terms);  // what the weights are multiples of 1 by; 0: no power of two
double adaptive_divisor(const Call& call, double terms);  // 0 where windows differ in size

}  // namespace neuroncheck::oracles
