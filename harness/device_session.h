// A target's session: op by op on its device from C++, compiled through the embedded Python, each with placement evidence.
#pragma once

#include <c10/core/Device.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/compile_session.h"
#include "harness/observer.h"
#include "harness/session.h"

namespace neuroncheck {

// Where Python and the target's package are.
struct PythonPlace {
  std::string executable;
  std::string package_folder;  // absolute; empty: the target brings none
};

class DeviceSession final : public Session {
 public:
  // The device must be loaded, or `start_python` be called before the first run.
  DeviceSession(Target target, PythonPlace place);

  // Imports the target; throws PythonRaised when that fails.
  void start_python();

  void prepare(std::span<const Path> paths) override;
  Observation run(const Case& test_case, Path path) override;
  std::vector<Observation> run_all(std::span<const Case> cases, Path path, int batch) override;
  std::map<std::string, std::string> versions() const override;

 private:
  const Observer& observer();
  std::vector<Observation> run_compiled(std::span<const Case> cases, Path path, int batch);
  Observation run_eager(const Case& test_case, Path path);
  PlacementEvidence evidence_for(const Case& test_case, const Observation& seen, Findings findings) const;
  Raised raised_from(const std::exception_ptr& exception);

  Target target_;
  PythonPlace place_;
  std::unique_ptr<PythonHost> python_;
  std::unique_ptr<Interposer> interposer_;
  std::unique_ptr<Observer> observer_;
  std::unique_ptr<CompileSession> compile_;
};

}  // namespace neuroncheck
