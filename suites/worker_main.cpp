// neuroncheck_worker: one process per device core, started by the driver. Opens the target, then serves requests until its pipe closes.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>

#include "harness/repro.h"
#include "harness/stopwatch.h"
#include "harness/user_error.h"
#include "harness/witness.h"
#include "harness/worker.h"
#include "oracles/judge.h"
#include "oracles/reference.h"
#include "suites/row.h"

namespace neuroncheck {
namespace {

struct Options {
  std::string target;  // file
  std::string suites;  // folder with targets/ and profiles/
  std::string build;   // folder that relative paths of the target stand for
  std::string fault;
  std::string in_flight;
  std::uint64_t seed = 0;
  int keys = 8;
  int slot = 0;
  int slots = 1;
};

// Lines from and to the driver, on the two descriptors it gave us: stdout and stderr belong to whatever the subject prints.
class Line {
 public:
  bool read(std::string& line) {
    for (;;) {
      const std::size_t end = buffer_.find('\n');
      if (end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      char chunk[65536];
      const ssize_t count = ::read(kWorkerReads, chunk, sizeof(chunk));
      if (count <= 0) return false;
      buffer_.append(chunk, static_cast<std::size_t>(count));
    }
  }

  // Records of eager cases come by the thousand: they go out together. What is not out when the worker dies is judged again.
  void write(const Reply& reply) {
    unsent_ += encode(reply) + "\n";
    const auto* record = std::get_if<Record>(&reply);
    const bool may_wait = record != nullptr && !is_compiled(record->path) && unsent_.size() < kMostUnsent && since_.microseconds() < kLongestUnsentUs;
    if (!may_wait) send();
  }

 private:
  static constexpr std::size_t kMostUnsent = 32768;
  static constexpr double kLongestUnsentUs = 50'000;

  void send() {
    for (std::size_t written = 0; written < unsent_.size();) {
      const ssize_t count = ::write(kWorkerWrites, unsent_.data() + written, unsent_.size() - written);
      if (count <= 0) ::_exit(0);  // the driver is gone
      written += static_cast<std::size_t>(count);
    }
    unsent_.clear();
    since_ = Stopwatch();
  }

  std::string buffer_;
  std::string unsent_;
  Stopwatch since_;  // the last sending
};

DrawnCase draw_case(const Position& position, const Options& options) {
  const Row* row = find_row(position.row);
  if (row == nullptr) throw UserError(fmt::format("unknown row '{}': `neuroncheck ops` lists them", position.row));
  Drawn drawn = draw(*row, options.seed, position.n, options.keys);
  return {std::move(drawn.test_case), row->op, drawn.dtype};
}

void serve_until_closed(const Options& options, Line& line) {
  const Target target = load_target(options.target, options.suites + "/targets");
  const oracles::Profile profile = oracles::load_profile(target.profile, options.suites + "/profiles");
  const oracles::Profile permissive = oracles::load_profile(target.permissive_profile, options.suites + "/profiles");
  InFlightFile in_flight(options.in_flight, options.slots);
  const std::unique_ptr<Session> subject = open_session(target, options.build, options.fault);
  const std::unique_ptr<Session> plain = open_plain_session();
  Witness witness(*plain);
  oracles::register_reference_backend();

  const WorkerParts parts{
      .plain = *plain,
      .subject = *subject,
      .draw = [&](const Position& position) { return draw_case(position, options); },
      .refer = [&](const Case& test_case, const Returned& structure) { return oracles::evaluate(test_case, structure, profile); },
      .judge =
          [&](const Examined& examined) {
            return oracles::judge({
                .test_case = examined.test_case,
                .path = examined.path,
                .structure = examined.structure,
                .structure_backward = examined.structure_backward,
                .reference = examined.reference,
                .seen = examined.seen,
                .target = target,
                .profile = profile,
                .permissive = [&] { return oracles::evaluate(examined.test_case, std::get<Returned>(examined.structure.outcome), permissive); },
                .plain_contiguous =
                    [&] {
                      const Path path = is_backward(examined.path) ? Path::eager_backward : Path::eager;
                      return plain->run(made_contiguous(examined.test_case), path);
                    },
                .torchs_own = [&] { return witness.of(examined.test_case, examined.path); },
                .torchs_own_layout = [&] { return witness.layout_of(examined.test_case, examined.path); },
                .permissive_profile = &permissive,
            });
          },
      .emit_python =
          [&](const Case& test_case, Path path, int runs) {
            return repro_script(test_case, target, {path, options.fault, runs});
          },
      .announce = [&](const InFlight& what) { in_flight.announce(options.slot, what); },
      .reply = [&](const Reply& reply) { line.write(reply); },
      .cpu_us = cpu_microseconds,
  };
  line.write(Ready{subject->versions()});
  for (std::string text; line.read(text);) {
    const Request request = decode_request(text);
    if (std::holds_alternative<QuitRequest>(request)) return;
    serve(request, parts);
  }
}

int run(const Options& options) {
  Line line;
  try {
    serve_until_closed(options, line);
  } catch (const NotTestable& error) {
    line.write(NotReady{error.what()});
    return 4;
  } catch (const UserError& error) {
    line.write(NotReady{error.what(), true});
    return 2;
  }
  return 0;
}

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("A worker of neuroncheck: started by the driver, never by hand.");
  app.add_option("--target", options.target)->required();
  app.add_option("--suites", options.suites)->required();
  app.add_option("--build", options.build)->required();
  app.add_option("--fault", options.fault);
  app.add_option("--in-flight", options.in_flight)->required();
  app.add_option("--seed", options.seed);
  app.add_option("--keys", options.keys);
  app.add_option("--slot", options.slot);
  app.add_option("--slots", options.slots);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return options;
}

}  // namespace
}  // namespace neuroncheck

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // no orphan outlives its driver
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the driver's business
  if (::fcntl(neuroncheck::kWorkerReads, F_GETFD) < 0) {
    std::fputs("neuroncheck_worker is started by neuroncheck, not by hand\n", stderr);
    return 2;
  }
  // A compiler it starts must not keep the pipes open: the driver would not see the worker's death.
  ::fcntl(neuroncheck::kWorkerReads, F_SETFD, FD_CLOEXEC);
  ::fcntl(neuroncheck::kWorkerWrites, F_SETFD, FD_CLOEXEC);
  const int code = neuroncheck::run(neuroncheck::parse(argc, argv));
  std::fflush(nullptr);
  ::_exit(code);  // libtorch's static destructors cost 0.2 s and can crash
}
