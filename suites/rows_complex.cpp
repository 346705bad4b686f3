#include "generators/complex.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::complex_of, generators::made_real, generators::markers, generators::moderate, generators::there_and_back,
    generators::through_complex, generators::transform_back, generators::transform_complex, generators::transform_real;

// Complex numbers between real inputs and outputs.
std::vector<Row> complex_rows() {
  const Dtypes singles = {Dtype::float32, Dtype::float64};
  return rows_of("complex", {
                                {"_fft_r2c", singles, transform_real()},
                                {"_fft_c2c", singles, transform_complex()},
                                {"_fft_c2r", singles, transform_back()},
                                {"complex", singles, complex_of(markers, markers)},
                                {"polar", singles, complex_of(moderate, moderate)},
                                {"view_as_complex", singles, there_and_back()},
                                {"view_as_real", singles, there_and_back()},
                                {"_conj", singles, through_complex("aten::resolve_conj")},
                                {"_conj_physical", singles, through_complex("aten::clone")},
                                {"angle", singles, made_real()},
                            });
}

}  // namespace neuroncheck
