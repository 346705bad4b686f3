// A worker without torch, for the tests of campaigns. Its subject adds one to int64 inputs and misbehaves as the row's name says:
//   right              never wrong
//   wrong_above_N      wrong as soon as the input has more than N elements
//   crash_at_N         dies on case N; hang_at_N stops answering; reference_crash_at_N dies in the reference
//   draw_throws_at_N   cannot be drawn; run_throws_at_N breaks a promise of the session's on case N
//   batch_crash_at_N   dies on case N of a compiled batch and alone
//   one_in_ten         wrong on every tenth call of this process
// With a third argument its judge is blind: it passes whatever returned.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "harness/in_flight.h"
#include "harness/worker.h"

namespace neuroncheck {
namespace {

struct Misbehaviour {
  std::string kind;
  std::int64_t number = -1;
};

Misbehaviour parse_misbehaviour(const std::string& row) {
  for (const char* kind : {"wrong_above_", "crash_at_", "hang_at_", "reference_crash_at_", "batch_crash_at_", "draw_throws_at_", "run_throws_at_"}) {
    if (row.starts_with(kind)) return {kind, std::stoll(row.substr(std::strlen(kind)))};
  }
  return {row, -1};
}

// The case's number hides in the fill's parameter, the row's misbehaviour in the op's name: the session sees nothing else.
DrawnCase draw_case(const Position& position) {
  const Misbehaviour what = parse_misbehaviour(position.row);
  if (what.kind == "draw_throws_at_" && position.n == what.number) throw std::logic_error("cannot draw it");
  DrawnCase drawn;
  drawn.op = "fake::" + position.row;
  drawn.dtype = Dtype::int64;
  TensorSpec input;
  input.dtype = Dtype::int64;
  input.sizes = {Dim{8 + position.n}, Dim{4}};
  input.fill.kind = FillKind::index;
  input.fill.parameter = 1000 + position.n;
  drawn.test_case.program.inputs = {input};
  drawn.test_case.program.nodes = {Node{drawn.op, {Argument{ValueRef{-1, 0}}}}};
  drawn.test_case.program.outputs = {ValueRef{0, 0}};
  return drawn;
}

class FakeSession : public Session {
 public:
  explicit FakeSession(bool misbehaves) : misbehaves_(misbehaves) {}

  Observation run(const Case& test_case, Path) override {
    const TensorSpec& input = test_case.program.inputs.at(0);
    const Misbehaviour what = parse_misbehaviour(test_case.program.nodes.at(0).op.substr(6));
    const std::int64_t n = input.fill.parameter - 1000;
    const std::vector<std::int64_t> sizes = sizes_of(input, {});
    HostTensor output;
    output.dtype = Dtype::int64;
    output.sizes = sizes;
    output.bytes.resize(static_cast<std::size_t>(element_count(std::span<const std::int64_t>(sizes))) * 8);
    if (misbehaves_ && ++calls_ != 0 && wrong(what, n, output.bytes.size() / 8)) output.bytes.at(0) = std::byte{1};
    Observation seen;
    seen.outcome = Returned{{Step{{output}, {}}}};
    return seen;
  }

  std::vector<Observation> run_all(std::span<const Case> cases, Path path, int) override {
    std::vector<Observation> seen;
    for (const Case& test_case : cases) seen.push_back(run(test_case, path));
    return seen;
  }

  std::map<std::string, std::string> versions() const override { return {{"fake", "1"}}; }

 private:
  bool wrong(const Misbehaviour& what, std::int64_t n, std::size_t elements) const {
    if (what.kind == "crash_at_" && n == what.number) std::raise(SIGSEGV);
    if (what.kind == "batch_crash_at_" && n == what.number) std::raise(SIGABRT);
    if (what.kind == "run_throws_at_" && n == what.number) throw std::logic_error("cannot run it");
    if (what.kind == "hang_at_" && n == what.number) ::pause();
    if (what.kind == "wrong_above_") return elements > static_cast<std::size_t>(what.number);
    if (what.kind == "one_in_ten") return calls_ % 10 == 0 && elements > 0;
    return false;
  }

  bool misbehaves_;
  int calls_ = 0;
};

Reference refer(const Case& test_case, const Returned&) {
  const Misbehaviour what = parse_misbehaviour(test_case.program.nodes.at(0).op.substr(6));
  if (what.kind == "reference_crash_at_" && test_case.program.inputs.at(0).fill.parameter - 1000 == what.number) std::raise(SIGKILL);
  return {};
}

Verdict judge(const Examined& examined) {
  Verdict verdict;
  verdict.kind = VerdictKind::pass;
  if (examined.seen.evidence.placement == Placement::fallback) verdict.kind = VerdictKind::fallback;
  if (std::holds_alternative<Raised>(examined.seen.outcome)) verdict.kind = VerdictKind::refused;
  const auto* returned = std::get_if<Returned>(&examined.seen.outcome);
  if (returned == nullptr) return verdict;
  const std::vector<std::byte>& bytes = returned->steps.at(0).outputs.at(0).bytes;
  if (!bytes.empty() && bytes.at(0) != std::byte{0}) {
    verdict.kind = VerdictKind::mismatch;
    verdict.reason = "value";
  }
  return verdict;
}

Verdict judge_blindly(const Examined&) {
  Verdict verdict;
  verdict.kind = VerdictKind::pass;
  return verdict;
}

int serve_requests(const char* in_flight_file, int slot, bool blind) {
  InFlightFile in_flight(in_flight_file, 8);
  FakeSession plain(false);
  FakeSession subject(true);
  const auto reply = [](const Reply& what) {
    const std::string line = encode(what) + "\n";
    if (::write(kWorkerWrites, line.data(), line.size()) < 0) ::_exit(1);
  };
  const WorkerParts parts{
      .plain = plain,
      .subject = subject,
      .draw = draw_case,
      .admits = [](const Position&, const Case&) { return true; },
      .refer = refer,
      .judge = blind ? judge_blindly : judge,
      .emit_python = [](const Case&, Path, int) { return std::string("print()"); },
      .announce = [&](const InFlight& what) { in_flight.announce(slot, what); },
      .reply = reply,
      .cpu_us = [] { return 0.0; },
  };
  reply(Ready{subject.versions()});
  std::string text;
  char letter = 0;
  while (::read(kWorkerReads, &letter, 1) == 1) {
    if (letter != '\n') {
      text += letter;
      continue;
    }
    serve(decode_request(text), parts);
    text.clear();
  }
  return 0;
}

}  // namespace
}  // namespace neuroncheck

int main(int count, char** argv) { return neuroncheck::serve_requests(argv[1], std::atoi(argv[2]), count > 3); }
