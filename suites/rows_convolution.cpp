#include "generators/convolution.h"
#include "generators/pooling.h"
#include "suites/rows.h"

namespace neuroncheck {

using enum Trait;

std::vector<Row> convolution_rows() {
  return rows_of("convolution", {
                                    {"convolution", floats(), generators::convolution(), {differentiable}},
                                    {"convolution/volumes", floats(), generators::convolution_of_volumes(), {differentiable}},
                                    {"convolution_backward", floats(), generators::convolution_gradient()},
                                    {"convolution/transposed", floats(), generators::transposed_convolution(), {differentiable}},
                                    {"avg_pool2d", floats(), generators::average_pool(2), {differentiable}},
                                    {"max_pool2d_with_indices", floats(), generators::max_pool(2), {differentiable}},
                                });
}

}  // namespace neuroncheck
