// Choices for generators: a thin reading of rc::Random. Generators here are rc::Gen's own calling form (Random, size) -> Shrinkable without a
// shrink tree, because every case, drawn or read from a file, shrinks through harness/shrink.h; that keeps a draw at a few microseconds.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace neuroncheck::generators {

class Picker {
 public:
  explicit Picker(const rc::Random& random) : random_(random) {}

  // In [0, count); count >= 1.
  std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(count)); }
  // In [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <typename T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::int64_t>(choices.size()))];
  }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(choices.size())))];
  }
  // Index into `weights`, each as likely as its weight.
  std::size_t weighted(std::span<const int> weights);

 private:
  rc::Random random_;
};

}  // namespace neuroncheck::generators
