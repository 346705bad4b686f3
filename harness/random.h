// Counter-based random numbers (Philox4x32-10) and the mixing of names and numbers into seeds.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace neuroncheck {

// Four 32-bit words for a key and a counter.
inline std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t counter_low, std::uint64_t counter_high) {
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

// XXH64 of the text, seeded: how names become seeds. Stable across machines and versions.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0);
// SplitMix64 finaliser over both: derives one seed from another and a number.
std::uint64_t mix(std::uint64_t seed, std::uint64_t number);

}  // namespace neuroncheck
