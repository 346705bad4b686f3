#include "oracles/combine.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "oracles/element_functions.h"
#include "oracles/row_formulas.h"

namespace neuroncheck::oracles {
namespace {

Pair select(ElementFunction function, std::span<const Pair> terms, const Step& step) {
  const Element element{step, 0.0, {}};
  Pair result = terms.front();
  for (const Pair& term : terms.subspan(1)) {
    const Pair both[2] = {result, term};
    result = function(both, element);
  }
  return result;
}

}  // namespace

Combine parse_combine(std::string_view reduce) {
  if (reduce == "sum" || reduce == "add") return Combine::sum;
  if (reduce == "prod" || reduce == "multiply") return Combine::product;
  if (reduce == "mean") return Combine::mean;
  if (reduce == "amax" || reduce == "max") return Combine::largest;
  if (reduce == "amin" || reduce == "min") return Combine::smallest;
  throw std::logic_error("no reduction is called " + std::string(reduce));
}

Pair combine(Combine how, std::span<const Pair> terms, const Step& step) {
  switch (how) {
    case Combine::sum:
      return sum(terms, step);
    case Combine::product:
      return product_row(terms, step);
    case Combine::mean:
      return mean_over(terms, static_cast<double>(terms.size()), step);
    case Combine::largest:
      return select(functions::maximum, terms, step);
    case Combine::smallest:
      return select(functions::minimum, terms, step);
  }
  throw std::logic_error("combine: unknown reduction");
}

Pair mean_over(std::span<const Pair> terms, double count, const Step& step) {
  const Pair total = sum(terms, step);
  Pair mean = exact_quotient(total, {count, 0.0});
  const bool halves = is_power_of_two(count);
  if (!std::isfinite(mean.value) || (halves && total.bound == 0.0 && std::abs(mean.value) >= step.smallest) || total.value == 0.0) {
    if (total.bound == 0.0) return mean;
  }
  double magnitude = 0.0;
  for (const Pair& term : terms) magnitude += std::abs(term.value) + term.bound;
  const double own = (halves ? 0.0 : 2.0 * step.unit * magnitude / count) + static_cast<double>(terms.size() + 1) * step.tiny;
  return settle(mean.value, mean.bound + own, total.bound);
}

}  // namespace neuroncheck::oracles
