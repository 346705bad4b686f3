// What the simulated device knows process-wide: its settings (environment, read once at load), its op lists and what ran where.
// Process state is what a device driver is; everything else here is values and functions.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace neuroncheck::simulator {

enum class Path { eager, compiled };

// The vendor's switches and ours. Ours: NEURON_SIM_SUPPORTED=2026_04|all, NEURON_SIM_NATIVE_INT64=1.
struct Settings {
  bool all_native = false;       // every overload computed natively, no layer 2 fallback
  bool native_int64 = false;     // int64 keeps 64 bits; integer matmul, scatter-with-compute and pow are compile errors
  bool strict_fallback = false;  // TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS: layers 2 and 3 raise
  bool recovery = true;          // NEURON_FALLBACK_ENABLED: layer 3
};
const Settings& settings();

// Folder of the library, where its data files are.
std::string library_folder();

// Names of data/<file>.txt: one a line, `#` starts a comment.
std::set<std::string, std::less<>> read_names(const std::string& file);

// `name` has the namespace and, when not empty, the overload: aten::add.Tensor.
class Tracker {
 public:
  void executed(std::string_view name);
  void fell_back(std::string_view name);
  void clear();
  std::vector<std::string> executed_ops() const;
  std::vector<std::string> fallback_ops() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> executed_;
  std::set<std::string, std::less<>> fallback_;
};
Tracker& tracker();

}  // namespace neuroncheck::simulator
