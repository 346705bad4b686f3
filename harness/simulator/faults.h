// Seeded faults: wrong arithmetic that a run can switch on to see whether it would be found. data/faults.json says name, ops (base names), severities
// and paths of each; what it does to a computation is a routine here (or, for faults of compiled graphs, in graph.cpp). One is on at a time.
#pragma once

#include <string>
#include <vector>

#include "harness/simulator/host_call.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {

// Which elements of a faulty result are wrong.
enum class Severity { everywhere, one_tile, one_element, one_in_n };

// An empty name switches faults off, an empty severity means everywhere. Throws RuntimeError for what faults.json does not know.
void set_fault(const std::string& name, const std::string& severity);
std::vector<std::string> fault_names();

// For graph.cpp: is the fault on?
bool fault_is_on(std::string_view name);

Values compute_with_faults(const c10::OperatorHandle& op, Values arguments, Path path);

}  // namespace neuroncheck::simulator
