// What a subject threw, in Python's words.
#pragma once

#include <exception>
#include <string>

#include "harness/observation.h"

namespace neuroncheck {

// The exception's class as Python would name it, and its text without the backtrace. Rethrows std::logic_error: a broken promise of ours.
Raised raised_from(const std::exception_ptr& exception);

// The text cut to the 4 KiB that Raised holds.
std::string shortened(std::string text);

}  // namespace neuroncheck
