#include "harness/subject_error.h"

#include <c10/util/Exception.h>

#include <new>
#include <stdexcept>
#include <utility>

namespace neuroncheck {
namespace {

constexpr std::size_t kMostText = 4096;

Raised raised(std::string error_class, std::string text) { return {std::move(error_class), shortened(std::move(text)), false, 0}; }

std::string class_of(const c10::Error& error) {
  if (dynamic_cast<const c10::IndexError*>(&error)) return "IndexError";
  if (dynamic_cast<const c10::ValueError*>(&error)) return "ValueError";
  if (dynamic_cast<const c10::TypeError*>(&error)) return "TypeError";
  if (dynamic_cast<const c10::NotImplementedError*>(&error)) return "NotImplementedError";
  if (dynamic_cast<const c10::LinAlgError*>(&error)) return "LinAlgError";
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error)) return "OutOfMemoryError";
  return "RuntimeError";
}

}  // namespace

std::string shortened(std::string text) {
  if (text.size() > kMostText) text.resize(kMostText);
  return text;
}

Raised raised_from(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const c10::Error& error) {
    return raised(class_of(error), error.what_without_backtrace());
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception& error) {
    return raised("RuntimeError", error.what());
  }
}

}  // namespace neuroncheck
