#include "harness/temporary_folder.h"

#include <cstdlib>
#include <system_error>

#include "harness/user_error.h"

namespace neuroncheck {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "neuroncheck-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw UserError("no temporary folder can be made: set TMPDIR to one that can be written");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace neuroncheck
