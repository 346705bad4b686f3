#include "harness/simulator/faults.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>

#include "harness/simulator/fault_routines.h"
#include "harness/simulator/numerics.h"

namespace neuroncheck::simulator {
namespace {

struct Fault {
  std::string name;
  std::set<std::string, std::less<>> ops;
  std::set<std::string, std::less<>> severities;
  std::set<std::string, std::less<>> paths;
};

struct Active {
  Fault fault;
  Severity severity = Severity::everywhere;
};

std::vector<Fault> read_faults() {
  const std::string path = library_folder() + "/data/faults.json";
  std::ifstream stream(path);
  TORCH_CHECK(stream.good(), "neuron: cannot read ", path);
  std::vector<Fault> faults;
  for (const auto& json : nlohmann::json::parse(stream)) {
    faults.push_back({json.at("name"), json.at("ops"), json.at("severities"), json.at("paths")});
  }
  return faults;
}

const std::vector<Fault>& all_faults() {
  static const std::vector<Fault> faults = read_faults();
  return faults;
}

Severity parse_severity(const std::string& text) {
  if (text == "everywhere") return Severity::everywhere;
  if (text == "one_tile") return Severity::one_tile;
  if (text == "one_element") return Severity::one_element;
  if (text == "one_in_n") return Severity::one_in_n;
  TORCH_CHECK(false, "unknown severity: ", text);
}

// Calls in flight keep the fault they began with.
struct Switch {
  std::mutex mutex;
  std::shared_ptr<const Active> active;
  std::atomic<bool> on = false;
};

Switch& fault_switch() {
  static Switch instance;
  return instance;
}

std::shared_ptr<const Active> active_fault() {
  Switch& current = fault_switch();
  if (!current.on) return nullptr;
  const std::lock_guard lock(current.mutex);
  return current.active;
}

at::Tensor wrong_elements(const at::Tensor& result, Severity severity) {
  constexpr std::int64_t kTile = 128;
  constexpr std::int64_t kEvery = 16;
  const std::int64_t count = result.numel();
  const at::Tensor index = at::arange(count, at::kLong).view(result.sizes());
  switch (severity) {
    case Severity::everywhere:
      return index.ge(0);
    case Severity::one_tile:
      return index.ge((count - 1) / kTile * kTile);
    case Severity::one_element:
      return index.eq(count / 2);
    case Severity::one_in_n:
      return index.remainder(kEvery).eq(kEvery - 1);
  }
  TORCH_CHECK(false, "unknown severity");
}

// Keeps the fault where its severity says, the right values elsewhere.
void blend(Values& faulty, const Values& right, Severity severity) {
  for (std::size_t i = 0; i < faulty.size(); ++i) {
    if (!faulty[i].isTensor() || !faulty[i].toTensor().defined() || faulty[i].toTensor().numel() == 0) continue;
    const at::Tensor result = faulty[i].toTensor();
    result.copy_(at::where(wrong_elements(result, severity), result, right[i].toTensor()));
  }
}

}  // namespace

void set_fault(const std::string& name, const std::string& severity) {
  Switch& current = fault_switch();
  const std::lock_guard lock(current.mutex);
  current.on = false;
  current.active = nullptr;
  if (name.empty()) return;
  const auto& faults = all_faults();
  const auto fault = std::find_if(faults.begin(), faults.end(), [&](const Fault& one) { return one.name == name; });
  TORCH_CHECK(fault != faults.end(), "unknown fault: ", name);
  const std::string chosen = severity.empty() ? "everywhere" : severity;
  TORCH_CHECK(fault->severities.contains(chosen), "fault ", name, " has no severity ", chosen);
  current.active = std::make_shared<const Active>(Active{*fault, parse_severity(chosen)});
  current.on = true;
}

std::vector<std::string> fault_names() {
  std::vector<std::string> names;
  for (const Fault& fault : all_faults()) names.push_back(fault.name);
  return names;
}

bool fault_is_on(std::string_view name) {
  const auto active = active_fault();
  return active != nullptr && active->fault.name == name;
}

Values compute_with_faults(const c10::OperatorHandle& op, Values arguments, Path path) {
  const auto active = active_fault();
  const bool applies =
      active != nullptr && active->fault.ops.contains(base_name(op)) && active->fault.paths.contains(path == Path::eager ? "eager" : "compiled");
  const FaultRoutine routine = applies ? fault_routine(active->fault.name) : nullptr;
  if (routine == nullptr) return compute_with_numerics(op, std::move(arguments), Rounding::nearest_even);
  if (active->severity == Severity::everywhere) return routine(op, std::move(arguments));
  const Values right = compute_with_numerics(op, copies_of_written(op, arguments), Rounding::nearest_even);
  Values faulty = routine(op, std::move(arguments));
  blend(faulty, right, active->severity);
  return faulty;
}

}  // namespace neuroncheck::simulator
