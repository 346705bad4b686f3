// Counter-based random numbers (Philox4x32-10) and the mixing of names and numbers into seeds.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace neuroncheck {

// Four 32-bit words for a key and a counter.
std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t counter_low, std::uint64_t counter_high);

// XXH64 of the text, seeded: how names become seeds. Stable across machines and versions.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0);
// SplitMix64 finaliser over both: derives one seed from another and a number.
std::uint64_t mix(std::uint64_t seed, std::uint64_t number);

}  // namespace neuroncheck
