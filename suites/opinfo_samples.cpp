#include "suites/opinfo_samples.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "harness/json_fields.h"
#include "harness/random.h"
#include "harness/user_error.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

std::filesystem::path source(const std::string& name) { return installation().suites.parent_path() / "generators" / name; }
std::filesystem::path script() { return source("opinfo.py"); }

// Samples of another torch, or captured by another script, are others.
std::filesystem::path folder_of(const std::string& device) {
  const std::string text = read_text(script()) + read_text(source("opinfo_capture.py")) + installation().torch;
  return installation().build / "opinfo" / fmt::format("{}-{}-{:.8}", device, installation().torch, hex_of(hash_of(text)));
}

// Its progress goes to our stderr. Ctrl-C reaches it as well.
int run_script(const std::string& device, const std::filesystem::path& folder) {
  std::array<std::string, 6> words = {installation().python, script().string(), "--device", device, "--out", folder.string()};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  if (::posix_spawn(&child, words[0].c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::filesystem::path samples_of(const Suite& suite, const Target& target) {
  if (std::find(suite.sources.begin(), suite.sources.end(), kOpInfo) == suite.sources.end()) return {};
  std::filesystem::path folder = folder_of(target.device);
  if (std::filesystem::exists(folder / "index.json")) return folder;
  const std::filesystem::path unfinished = folder.string() + fmt::format(".{}", ::getpid());
  std::filesystem::remove_all(unfinished);
  std::filesystem::create_directories(unfinished);
  const int code = run_script(target.device, unfinished);
  std::error_code failed;
  if (code == 0) std::filesystem::rename(unfinished, folder, failed);  // fails where another process was first
  std::filesystem::remove_all(unfinished);
  if (std::filesystem::exists(folder / "index.json")) return folder;
  throw UserError(
      fmt::format("the OpInfo samples were not captured: `{} {} --device {} --out FOLDER` ended with {}; it needs torch with its tests, and numpy",
                  installation().python, script().string(), target.device, code));
}

}  // namespace neuroncheck
