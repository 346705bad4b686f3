#include "harness/random.h"

#include <xxhash.h>

namespace neuroncheck {

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) { return XXH64(text.data(), text.size(), seed); }

std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + 0x9E3779B97F4A7C15ULL * (number + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace neuroncheck
