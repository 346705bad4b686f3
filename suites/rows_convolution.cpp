#include "generators/convolution.h"
#include "suites/rows.h"

namespace neuroncheck {

using enum Trait;

std::vector<Row> convolution_rows() {
  return rows_of("convolution", {
                                    {"convolution", floats(), generators::convolution(), {differentiable}},
                                    {"avg_pool2d", floats(), generators::average_pool(), {differentiable}},
                                    {"max_pool2d_with_indices", floats(), generators::max_pool(), {differentiable}},
                                });
}

}  // namespace neuroncheck
