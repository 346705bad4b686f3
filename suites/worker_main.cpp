// neuroncheck_worker: one process per device core, started by the driver. Opens the target, then serves requests until its pipe closes.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "harness/python_function.h"
#include "harness/random.h"
#include "harness/repro.h"
#include "harness/stopwatch.h"
#include "harness/user_error.h"
#include "harness/witness.h"
#include "harness/worker.h"
#include "oracles/custom_op.h"
#include "oracles/judge.h"
#include "oracles/reference.h"
#include "suites/custom_ops.h"
#include "suites/ready_rows.h"
#include "suites/row.h"

namespace neuroncheck {
namespace {

struct Options {
  std::string target;  // file
  std::string suites;  // folder with targets/ and profiles/
  std::string build;   // folder that relative paths of the target stand for
  std::string fault;
  std::string custom;                // file of custom operators
  std::vector<std::string> sources;  // folders of ready cases
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

// What is drawn from a schema alone may make no sense: the first draw that plain CPU takes. The same for all value sets of a slot, unless values
// decide.
Drawn draw_accepted(const Row& row, const Position& position, const Options& options, Session& plain, InFlightFile& in_flight) {
  constexpr std::uint64_t kDraws = 40;
  Raised last;
  for (std::uint64_t number = 0; number < kDraws; ++number) {
    Drawn drawn = draw(row, number == 0 ? options.seed : mix(options.seed, number), position.n, options.keys);
    in_flight.announce(options.slot, {.beats = 0, .stage = Stage::structure, .path = 0, .n = position.n, .row = position.row});  // it may die
    const Observation seen = plain.run(drawn.test_case, Path::eager);
    const auto* raised = std::get_if<Raised>(&seen.outcome);
    if (raised == nullptr) return drawn;
    last = *raised;
  }
  throw UserError(fmt::format("{}: plain CPU refuses what is drawn from the schema: say more under 'tensors', 'choices' or 'dimensions' ({}: {})",
                              row.op, last.error_class, last.text));
}

DrawnCase draw_case(const Position& position, const Options& options, Session& plain, InFlightFile& in_flight) {
  const Row* row = find_row(position.row);
  if (row == nullptr) throw UserError(fmt::format("unknown row '{}': `neuroncheck ops` lists them", position.row));
  const bool custom = has_tag(*row, "custom");
  Drawn drawn = custom ? draw_accepted(*row, position, options, plain, in_flight) : draw(*row, options.seed, position.n, options.keys);
  return {std::move(drawn.test_case), row->op, drawn.dtype};
}

// Python brings the modules that register the operators; the device's library alone would not do.
void import_custom(const CustomOps& custom, Target& target) {
  if (custom.ops.empty()) return;
  target.imports.insert(target.imports.end(), custom.imports.begin(), custom.imports.end());
  if (target.imports.empty()) target.imports.emplace_back("torch");  // references need Python, even where nothing registers operators
  target.library.clear();
}

// A module that is not found is the file's fault, not the target's.
std::unique_ptr<Session> open_with(const CustomOps& custom, const Target& target, const Options& options) {
  try {
    return open_session(target, options.build, options.fault);
  } catch (const NotTestable& error) {
    for (const std::string& module : custom.imports) {
      if (std::string_view(error.what()).find(fmt::format("No module named '{}'", module)) == std::string_view::npos) continue;
      throw UserError(
          fmt::format("{}: key 'imports': there is no Python module '{}', neither beside the file nor installed", options.custom, module));
    }
    throw;
  }
}

// What the worker knows of custom operators once they are registered.
struct CustomOracles {
  std::map<std::string, oracles::Profile> profiles;  // of those that name one
  std::set<std::string> referenced;                  // those whose CPU kernel is not what says what is right
};

// Registers rows and references.
CustomOracles register_custom(CustomOps custom, const std::string& profiles) {
  CustomOracles known;
  for (CustomOpLine& line : custom.ops) {
    const auto function = [](const std::string& name) { return name.empty() ? TensorFunction{} : python_function(name); };
    try {
      oracles::register_custom_op({line.row.op, function(line.reference), function(line.bound)});
      if (!line.profile.empty()) known.profiles.emplace(line.row.op, oracles::load_profile(line.profile, profiles));
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", line.row.op, error.what()));
    }
    if (!line.reference.empty()) known.referenced.insert(line.row.op);
    add_row(std::move(line.row));
  }
  return known;
}

// Reference and judge, under the profile that the target or a custom operator is given.
class Oracle {
 public:
  Oracle(const Target& target, const std::string& profiles, CustomOracles custom, Session& plain)
      : target_(target),
        profile_(oracles::load_profile(target.profile, profiles)),
        permissive_(oracles::load_profile(target.permissive_profile, profiles)),
        custom_(std::move(custom)),
        plain_(plain),
        witness_(plain) {}

  Reference refer(const Case& test_case, const Returned& structure) const { return oracles::evaluate(test_case, structure, profile_of(test_case)); }

  Verdict judge(const Examined& examined) {
    const Case& test_case = examined.test_case;
    return oracles::judge({
        .test_case = test_case,
        .path = examined.path,
        .structure = examined.structure,
        .structure_backward = examined.structure_backward,
        .reference = examined.reference,
        .seen = examined.seen,
        .target = target_,
        .profile = profile_of(test_case),
        .permissive = [&] { return oracles::evaluate(test_case, std::get<Returned>(examined.structure.outcome), permissive_); },
        .partly_on_host =
            [&] {
              oracles::Profile mixed = profile_of(test_case);
              mixed.demotion_in_doubt = true;
              return oracles::evaluate(test_case, std::get<Returned>(examined.structure.outcome), mixed);
            },
        .plain_contiguous =
            [&] {
              const Path path = is_backward(examined.path) ? Path::eager_backward : Path::eager;
              return plain_.run(made_contiguous(test_case), path);
            },
        .torchs_own = [&] { return witness_.of(test_case, examined.path); },
        .torchs_own_layout = [&] { return witness_.layout_of(test_case, examined.path); },
        .judges_the_cpu = custom_.referenced.contains(last_op(test_case)),
        .permissive_profile = &permissive_,
    });
  }

 private:
  static std::string last_op(const Case& test_case) { return test_case.program.nodes.empty() ? "" : test_case.program.nodes.back().op; }

  const oracles::Profile& profile_of(const Case& test_case) const {
    const auto own = custom_.profiles.find(last_op(test_case));
    return own == custom_.profiles.end() ? profile_ : own->second;
  }

  const Target& target_;
  oracles::Profile profile_, permissive_;
  CustomOracles custom_;
  Session& plain_;
  Witness witness_;
};

bool admits(const Position& position, const Case& test_case) {
  const Row* row = find_row(position.row);
  return row == nullptr || !row->admits || row->admits(test_case);
}

void serve_until_closed(const Options& options, Line& line) {
  Target target = load_target(options.target, options.suites + "/targets");
  CustomOps custom = options.custom.empty() ? CustomOps{} : load_custom_ops(options.custom);
  import_custom(custom, target);
  InFlightFile in_flight(options.in_flight, options.slots);
  const std::unique_ptr<Session> subject = open_with(custom, target, options);
  const std::unique_ptr<Session> plain = open_plain_session();
  oracles::register_reference_backend();
  add_ready_rows({options.sources.begin(), options.sources.end()});
  const std::string profiles = options.suites + "/profiles";
  Oracle oracle(target, profiles, register_custom(std::move(custom), profiles), *plain);

  const WorkerParts parts{
      .plain = *plain,
      .subject = *subject,
      .draw = [&](const Position& position) { return draw_case(position, options, *plain, in_flight); },
      .admits = admits,
      .refer = [&](const Case& test_case, const Returned& structure) { return oracle.refer(test_case, structure); },
      .judge = [&](const Examined& examined) { return oracle.judge(examined); },
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
  app.add_option("--custom", options.custom);
  app.add_option("--source", options.sources);
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
