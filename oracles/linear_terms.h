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

double mean_divisor(const Call& call, double terms);
double pooling_divisor(const Call& call, double terms);

}  // namespace neuroncheck::oracles
