// Wall time inside a subject's calls: measured, never decided upon.
#pragma once

#include <chrono>

namespace neuroncheck {

class Stopwatch {
 public:
  double microseconds() const { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace neuroncheck
