// Where this build of neuroncheck keeps its parts.
#pragma once

#include <filesystem>
#include <string>

namespace neuroncheck {

struct Installation {
  std::filesystem::path suites;  // targets/, profiles/, baselines/ and the suites
  std::filesystem::path build;   // what relative paths in a target stand for
  std::filesystem::path worker;  // executable
  std::string python;            // the interpreter whose torch this build uses
  std::string torch;             // its version
  std::string commit;            // of neuroncheck; "+" and a hash of the changes when the tree was changed
};

const Installation& installation();

}  // namespace neuroncheck
