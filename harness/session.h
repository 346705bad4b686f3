// An opened target inside a worker: runs cases on its paths and reports what happened. What a subject does wrong is data, caught only here.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/observation.h"
#include "harness/program.h"
#include "harness/target.h"

namespace neuroncheck {

class Session {
 public:
  virtual ~Session() = default;

  // Told before the first case of a request which paths it will take, so that what they share is started before anything else runs: an autograd
  // engine that has run before Python was imported does not know the device afterwards.
  virtual void prepare(std::span<const Path> paths) { static_cast<void>(paths); }

  // Runs the whole trajectory of one case. Never throws for what the subject does.
  virtual Observation run(const Case& test_case, Path path) = 0;

  // The same for many cases at once; compiled paths put up to `batch` programs of different compile keys into one graph and run every value set
  // through it. A batch that fails is bisected, so that one bad case never costs its neighbours their verdict. Same order as `cases`.
  virtual std::vector<Observation> run_all(std::span<const Case> cases, Path path, int batch) = 0;

  // Versions and settings that identify the build: torch, plug-in, Python, compiler, environment read back.
  virtual std::map<std::string, std::string> versions() const = 0;
};

// Plain CPU, eager: decides structure.
std::unique_ptr<Session> open_plain_session();

// `build` is the folder that relative paths of the target stand for; `fault` ("name" or "name:severity") only for simulated targets.
// Throws NotTestable with the install line when the target's packages or device are missing.
std::unique_ptr<Session> open_session(const Target& target, const std::string& build, const std::string& fault);

}  // namespace neuroncheck
