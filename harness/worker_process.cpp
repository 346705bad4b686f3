#include "harness/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "harness/protocol.h"

extern char** environ;

namespace neuroncheck {
namespace {

std::vector<std::string> merged_environment(const std::map<std::string, std::optional<std::string>>& changed) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changed.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : changed) {
    if (value) entries.push_back(name + "=" + *value);
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Pipe {
  int read = -1;
  int write = -1;
};

// Ends above the two numbers the child gets, so that dup2 in the child never closes what it is about to use.
Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  Pipe result;
  result.read = ::fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
  result.write = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  ::close(ends[0]);
  ::close(ends[1]);
  return result;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = merged_environment(command.environment);
  const Pipe down = make_pipe();
  const Pipe up = make_pipe();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, command.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_adddup2(&actions, down.read, kWorkerReads);
  posix_spawn_file_actions_adddup2(&actions, up.write, kWorkerWrites);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);

  const int failed = ::posix_spawn(&pid_, arguments.front().c_str(), &actions, &attributes, pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(down.read);
  ::close(up.write);
  to_ = down.write;
  from_ = up.read;
  if (failed != 0) throw std::runtime_error(fmt::format("{}: cannot be started ({})", command.arguments.front(), std::strerror(failed)));
  ::fcntl(from_, F_SETFL, O_NONBLOCK);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(to_);
  ::close(from_);
}

bool WorkerProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(to_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return true;
}

std::vector<std::string> WorkerProcess::receive(bool& closed) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(from_, buffer.data(), buffer.size());
    if (count > 0) {
      partial_.append(buffer.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) closed = true;
    break;
  }
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n', start)) {
    lines.push_back(partial_.substr(start, end - start));
    start = end + 1;
  }
  partial_.erase(0, start);
  return lines;
}

Died WorkerProcess::kill_for_deadline() {
  ::kill(-pid_, SIGKILL);
  Died died = reap();
  died.deadline = true;
  died.signal = 0;
  return died;
}

Died WorkerProcess::reap() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  ::kill(-pid_, SIGKILL);  // its compilers
  pid_ = -1;
  Died died;
  if (WIFSIGNALED(status)) died.signal = WTERMSIG(status);
  return died;
}

}  // namespace neuroncheck
