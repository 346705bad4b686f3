#include "harness/random.h"

#include <xxhash.h>

namespace neuroncheck {

std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t counter_low, std::uint64_t counter_high) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(counter_low), static_cast<std::uint32_t>(counter_low >> 32),
                                    static_cast<std::uint32_t>(counter_high), static_cast<std::uint32_t>(counter_high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * c[0];
    const std::uint64_t product1 = kMultiplier1 * c[2];
    c = {static_cast<std::uint32_t>(product1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(product0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) { return XXH64(text.data(), text.size(), seed); }

std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + 0x9E3779B97F4A7C15ULL * (number + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace neuroncheck
