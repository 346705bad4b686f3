#include "suites/installation.h"

#include "suites/commit.h"

namespace neuroncheck {

// The macros are this build's own folders, set by CMake.
const Installation& installation() {
  static const Installation here{NEURONCHECK_SUITES_DIR, NEURONCHECK_BUILD_DIR, NEURONCHECK_BUILD_DIR "/bin/neuroncheck_worker",
                                 NEURONCHECK_PYTHON,     NEURONCHECK_TORCH,     NEURONCHECK_COMMIT};
  return here;
}

}  // namespace neuroncheck
