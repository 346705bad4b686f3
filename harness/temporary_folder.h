// A fresh folder that goes with its owner.
#pragma once

#include <filesystem>
#include <string>

namespace neuroncheck {

class TemporaryFolder {
 public:
  TemporaryFolder();  // throws UserError when none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace neuroncheck
