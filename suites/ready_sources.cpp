#include "suites/ready_sources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "harness/json_fields.h"
#include "harness/random.h"
#include "harness/user_error.h"
#include "suites/custom_ops.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

using Words = std::vector<std::string>;

// How one source is made: a command that takes the folder as its last word.
struct Maker {
  std::filesystem::path folder;
  Words command;
  std::string what, needs;  // for people
};

// Their progress goes to our stderr. Ctrl-C reaches them as well.
int run_command(Words words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::filesystem::path made(const Maker& maker) {
  if (std::filesystem::exists(maker.folder / "index.json")) return maker.folder;
  const std::filesystem::path unfinished = maker.folder.string() + fmt::format(".{}", ::getpid());
  std::filesystem::remove_all(unfinished);
  std::filesystem::create_directories(unfinished);
  Words command = maker.command;
  command.push_back(unfinished.string());
  const int code = run_command(command);
  std::error_code failed;
  if (code == 0) std::filesystem::rename(unfinished, maker.folder, failed);  // fails where another process was first
  std::filesystem::remove_all(unfinished);
  if (std::filesystem::exists(maker.folder / "index.json")) return maker.folder;
  throw UserError(fmt::format("{} were not made: `{}` ended with {}; it needs {}", maker.what, fmt::join(command, " "), code, maker.needs));
}

// What was made by another torch, or by another program, is another folder.
std::filesystem::path folder_of(std::string_view source, const std::string& name, const std::string& made_by) {
  return installation().build / source / fmt::format("{}-{}-{:.8}", name, installation().torch, hex_of(hash_of(made_by + installation().torch)));
}

Maker opinfo_maker(const Target& target) {
  const auto file = [](const std::string& name) { return installation().suites.parent_path() / "generators" / name; };
  return {folder_of(kOpInfo, target.device, read_text(file("opinfo.py")) + read_text(file("opinfo_capture.py"))),
          {installation().python, file("opinfo.py").string(), "--device", target.device, "--out"},
          "the OpInfo samples",
          "torch with its tests, and numpy"};
}

Maker schema_maker(const std::string& custom) {
  const std::filesystem::path program = installation().worker.parent_path() / "neuroncheck_schemas";
  Words command = {program.string(), "--suites", installation().suites.string(), "--python", installation().python, "--torch", installation().torch};
  if (!custom.empty()) command.insert(command.end(), {"--custom", custom});
  command.emplace_back("--out");
  return {folder_of(kSchema, custom.empty() ? "torch" : "custom",
                    read_text(program) + (custom.empty() ? "" : custom_sources(custom, load_custom_ops(custom)))),
          std::move(command), "the cases of the source schema", "the whole build, and the modules of the custom operators"};
}

}  // namespace

std::vector<std::filesystem::path> sources_of(const Suite& suite, const Target& target, const std::string& custom) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& source : suite.sources) folders.push_back(made(source == kOpInfo ? opinfo_maker(target) : schema_maker(custom)));
  return folders;
}

}  // namespace neuroncheck
