#include "generators/picker.h"

#include <numeric>

namespace neuroncheck::generators {

std::size_t Picker::weighted(std::span<const int> weights) {
  std::int64_t left = below(std::accumulate(weights.begin(), weights.end(), 0));
  std::size_t index = 0;
  while (left >= weights[index]) {
    left -= weights[index];
    ++index;
  }
  return index;
}

}  // namespace neuroncheck::generators
