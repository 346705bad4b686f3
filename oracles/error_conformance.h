// Errors: classes compared as Python names them, refusals told from defects, texts reduced to causes. The session has taken wrappers off.
#pragma once

#include <string>
#include <string_view>

#include "harness/observation.h"
#include "harness/program.h"
#include "harness/target.h"
#include "harness/verdict.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

// IndexError, TypeError, ValueError, NotImplementedError; everything else is RuntimeError.
std::string_view conforming_class(std::string_view error_class);

// The vendor's code without its "NCC_" ("EVRF001"); empty: the text has none.
std::string vendor_code(std::string_view text);

// What groups findings: the vendor's code when there is one, else the first line with content, in which hex addresses, case ids and numbers are
// replaced by "#" and bracketed sizes by "[#]", without a list that ends it ("...: [a, b]"); at most 160 characters.
std::string normal_cause(std::string_view text);

// Kind, reason and cause of an error that the reference did not raise:
// oom               the text says that memory ran out (vendors raise a plain RuntimeError for it)
// refused           the vendor's code is in target.refused_codes, or the text holds one of target.refused_texts, or it names an op of the program
//                   and says that it is not implemented or not supported (for a dtype: names that too)
// compile_error     raised while compiling, or with any other vendor's code
// unexpected_error  anything else
Verdict classify_error(const Raised& raised, const Case& test_case, const Target& target);

// The profile's line that documents this error: class and text agree, and a node of the op takes a tensor without elements, or one made inside the
// program, whose size is not known here. Null: none.
const DocumentedError* find_documented_error(const Profile& profile, const Case& test_case, const Raised& raised);

}  // namespace neuroncheck::oracles
