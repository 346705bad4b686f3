// Plain CPU, op by op.
#include <ATen/Parallel.h>

#include <stdexcept>

#include "harness/eager_run.h"
#include "harness/session.h"
#include "harness/stopwatch.h"
#include "harness/subject_error.h"

namespace neuroncheck {
namespace {

class PlainSession final : public Session {
 public:
  Observation run(const Case& test_case, Path path) override {
    if (is_compiled(path)) throw std::logic_error("the plain session compiles nothing");
    Observation seen;
    seen.evidence = {Placement::native, {}, kHostDevice, {}};
    Returned returned;
    try {
      for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
        const StepOf of{test_case, path, step, at::Device(at::kCPU)};
        const std::vector<at::Tensor> inputs = make_inputs(of);
        const Stopwatch watch;
        const std::vector<at::Tensor> outputs = run_step(of, inputs);
        seen.run_us += watch.microseconds();
        returned.steps.push_back(read_step(of, outputs, inputs));
      }
      seen.outcome = std::move(returned);
    } catch (const std::exception&) {
      Raised raised = raised_from(std::current_exception());
      raised.step = returned.steps.size();
      seen.outcome = std::move(raised);
    }
    return seen;
  }

  std::vector<Observation> run_all(std::span<const Case> cases, Path path, int) override {
    std::vector<Observation> seen;
    seen.reserve(cases.size());
    for (const Case& test_case : cases) seen.push_back(run(test_case, path));
    return seen;
  }

  std::map<std::string, std::string> versions() const override { return {{"torch", NEURONCHECK_TORCH_VERSION}}; }
};

}  // namespace

std::unique_ptr<Session> open_plain_session() {
  at::set_num_threads(1);
  return std::make_unique<PlainSession>();
}

}  // namespace neuroncheck
