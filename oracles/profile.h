// How a device is allowed to compute. JSON in suites/profiles/; every line is tagged documented or assumed, with its source.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dtype.h"
#include "harness/number_format.h"

namespace neuroncheck::oracles {

enum class OutputRounding : std::uint8_t { nearest_even, faithful, toward_zero, stochastic };
enum class SummationHeight : std::uint8_t { sequential, tiled, pairwise };  // unknown order: sequential (height n)
enum class FlushPolicy : std::uint8_t { keep, flush, either };              // either: all or none is not checked per element

// An exact value the device gives for an input class of an op, where it differs from the CPU's: relu(NaN) = 0.
struct Personality {
  std::string op;     // base name: "aten::relu" covers its in-place and out= forms
  int argument = 0;   // which tensor argument is classified
  std::string when;   // nan, infinity, zero, ... (personality.cpp); quotient_rounds_to_integer, index_out_of_range
  std::string gives;  // a number, "nan", "inf", "-inf", "argument0", "argument1"
  bool documented = false;
  std::string source;
};

// An error that the vendor documents for an op where the CPU raises another class, or none.
struct DocumentedError {
  std::string op;      // base name
  std::string when;    // empty_input: a tensor argument has no elements
  std::string raises;  // class as Python names it
  std::string text;    // part of the error's text
  std::string source;
};

struct Profile {
  std::string name;
  OutputRounding rounding = OutputRounding::nearest_even;
  std::map<Dtype, Dtype> accumulator;  // tested dtype -> accumulate dtype; missing: itself, float32 for 16-bit
  double accumulator_factor = 1.0;     // c_a: 1 for RNE, 2 for a truncating accumulator
  SummationHeight height = SummationHeight::sequential;
  int tile = 128;
  std::map<std::string, double> function_ulp;  // E_f by function name, in ulps of the accumulate dtype ("exp": 3)
  double default_function_ulp = 4.0;
  FlushPolicy flush_inputs = FlushPolicy::keep;
  FlushPolicy flush_outputs = FlushPolicy::keep;
  bool demotes_float64 = false;           // computes float64 as float32; dtype kept
  bool demotion_in_doubt = false;         // not in the file: some ops of the case ran on the host, which keeps float64
  bool demotes_int64 = false;             // computes int64 as int32 with wrap-around; dtype kept
  std::set<std::string> demotion_exempt;  // base op names that move 64-bit values unchanged
  bool copies_keep_zero_sign = true;      // false: a copy may turn -0.0 into +0.0, so the sign of a zero is never judged
  std::vector<Personality> personality;
  std::vector<DocumentedError> documented_errors;
  std::set<std::string> assumed;  // keys of this file whose source is an assumption, for findings that rest on them
};

// A profile file states every field of the struct but `name`, `assumed` and `demotion_in_doubt` (no hidden defaults), each as {"value", "tag",
// "source"}; the entries of `personality` and `documented_errors` carry tag and source themselves. Throws UserError naming file and key.
Profile load_profile(const std::string& name, const std::filesystem::path& folder);

// The dtype whose format a device under this profile accumulates in / rounds its outputs to.
Dtype accumulator_of(const Profile& profile, Dtype dtype);
Dtype computed_in(const Profile& profile, Dtype dtype);

// "aten::relu_" and "aten::relu.out" are forms of "aten::relu": the overload and the in-place underscore are taken off.
std::string base_op(std::string_view op);

// The entry for this input class of this op; null: none.
const Personality* find_personality(const Profile& profile, std::string_view op, std::string_view when);

}  // namespace neuroncheck::oracles
