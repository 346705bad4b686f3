// What one path of a target did with one case. A fact, not a judgement.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/host_tensor.h"

namespace neuroncheck {

enum class Path : std::uint8_t { eager, eager_backward, compiled, compiled_backward, dynamic };
std::string_view name_of(Path path);
Path parse_path(std::string_view text);  // throws UserError
inline bool is_compiled(Path path) { return path == Path::compiled || path == Path::compiled_backward || path == Path::dynamic; }
inline bool is_backward(Path path) { return path == Path::eager_backward || path == Path::compiled_backward; }

// One step of a trajectory. On *_backward paths `outputs` holds the gradients of the inputs with requires_grad, in input order.
struct Step {
  std::vector<HostTensor> outputs;
  std::vector<HostTensor> inputs_after;  // every program input after the call: mutation and clobbering show here

  bool operator==(const Step&) const = default;
};

struct Returned {
  std::vector<Step> steps;
};

// Error class as Python names it (IndexError, TypeError, ValueError, NotImplementedError, RuntimeError, ...), wrappers already taken off.
struct Raised {
  std::string error_class;
  std::string text;  // first 4 KiB
  bool while_compiling = false;
  std::size_t step = 0;  // in which step of the trajectory
};

struct Died {
  int signal = 0;  // 0 when deadline
  bool deadline = false;
};

struct FallbackUse {
  std::string op;  // the op that ran on the host
  std::int64_t copies = 0;
  std::int64_t bytes = 0;

  bool operator==(const FallbackUse&) const = default;
};

enum class Placement : std::uint8_t { native, fallback, unproven };
std::string_view name_of(Placement placement);
Placement parse_placement(std::string_view text);  // throws UserError

// Which sources of evidence spoke, as bits of PlacementEvidence::sources.
// NOLINTNEXTLINE(readability-identifier-naming): bits to be combined, so named as constants are
enum EvidenceSource : std::uint32_t { kInterposer = 1, kRegistration = 2, kTracker = 4, kStrictMode = 8, kCompilerCounters = 16, kHostDevice = 32 };

struct PlacementEvidence {
  Placement placement = Placement::unproven;
  std::vector<FallbackUse> fallbacks;
  std::uint32_t sources = 0;
  std::vector<std::string> disagreements;  // one line each; a finding
};

// Zero everywhere on eager paths. `per_op_dispatches`: device or host kernels seen one by one inside a compiled call: a silent eager run.
struct CompileCounters {
  int compilations = 0;
  int graphs = 0;
  int graph_breaks = 0;
  int per_op_dispatches = 0;
  std::string break_reason;
};

struct Observation {
  std::variant<Returned, Raised, Died> outcome;
  PlacementEvidence evidence;
  CompileCounters counters;
  double run_us = 0.0;  // wall time inside the subject's calls
  double cpu_us = 0.0;  // CPU time inside them; eager paths alone
  double compile_us = 0.0;
  int batch = 1;  // how many programs shared the compiled graph
};

}  // namespace neuroncheck
