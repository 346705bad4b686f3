// Time inside a subject's calls: measured, never decided upon.
#pragma once

#include <chrono>
#include <ctime>

namespace neuroncheck {

// CPU time of this process, all its threads.
inline double cpu_microseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

class Stopwatch {
 public:
  double microseconds() const { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace neuroncheck
