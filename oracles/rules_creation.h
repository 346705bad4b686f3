// Rules of ops that make or lay out tensors from numbers, shared with factories that no argument carries to the reference's backend. Needs torch.
#pragma once

#include "oracles/pair.h"
#include "oracles/rules.h"

namespace neuroncheck::oracles {

// start + i * advance, as many as `sizes` holds.
struct Progression {
  double start = 0.0, advance = 1.0;
};
PairTensor arange_values(const Progression& progression, at::IntArrayRef sizes, at::ScalarType shown, Context& context);
// `steps` values from start to end, both included.
struct Span {
  Pair start, end;
  std::int64_t steps = 0;
};
PairTensor linspace_values(const Span& span, at::ScalarType shown, Context& context);
// Powers of the base.
PairTensor logspace_values(const PairTensor& exponents, double base, Context& context);

// A scalar, or a 0-dim tensor, as the end of a span.
Pair end_of_span(const c10::IValue& argument, at::ScalarType shown, Context& context);

// out= forms of factories: what they write does not depend on what was there.
Rule made_into();
Rule arange_into();
Rule linspace();
Rule logspace();
// Elements keep their places in memory; those beyond are unknown.
Rule resize();
Rule set();

}  // namespace neuroncheck::oracles
