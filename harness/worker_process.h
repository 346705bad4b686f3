// One worker as the driver sees it: a child process in its own process group (so that its compilers die with it), with a pipe each way.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/observation.h"

namespace neuroncheck {

struct WorkerCommand {
  std::vector<std::string> arguments;                             // [0] is the executable
  std::map<std::string, std::optional<std::string>> environment;  // over ours; none: taken away
  std::string log_file;                                           // its stdout and stderr, appended
};

class WorkerProcess {
 public:
  explicit WorkerProcess(const WorkerCommand& command);  // throws std::runtime_error when it cannot be started
  ~WorkerProcess();                                      // kills the group
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int read_descriptor() const { return from_; }

  // False when the worker is gone: read the rest, then reap().
  bool send(const std::string& line);
  // Complete lines that have arrived. `closed` is set when the worker has closed its end.
  std::vector<std::string> receive(bool& closed);
  // Kills the group and waits; how it ended. `deadline`: the driver killed it for being late.
  Died kill_for_deadline();
  Died reap();

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string partial_;
};

}  // namespace neuroncheck
