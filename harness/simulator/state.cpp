#include "harness/simulator/state.h"

#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace neuroncheck::simulator {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_on(const std::string& value) { return value == "1" || value == "true" || value == "True" || value == "TRUE"; }

Settings read_settings() {
  const std::string supported = variable("NEURON_SIM_SUPPORTED");
  TORCH_CHECK(supported.empty() || supported == "2026_04" || supported == "all", "NEURON_SIM_SUPPORTED=", supported, ": expected 2026_04 or all");
  const std::string recovery = variable("NEURON_FALLBACK_ENABLED");
  return {.all_native = supported == "all",
          .native_int64 = is_on(variable("NEURON_SIM_NATIVE_INT64")),
          .strict_fallback = is_on(variable("TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS")),
          .recovery = recovery.empty() || is_on(recovery)};
}

}  // namespace

const Settings& settings() {
  static const Settings read = read_settings();
  return read;
}

std::string library_folder() {
  Dl_info info{};
  TORCH_CHECK(dladdr(reinterpret_cast<void*>(&library_folder), &info) != 0, "neuron: where is this library?");
  return std::filesystem::canonical(info.dli_fname).parent_path().string();
}

std::set<std::string, std::less<>> read_names(const std::string& file) {
  const std::string path = library_folder() + "/data/" + file + ".txt";
  std::ifstream stream(path);
  TORCH_CHECK(stream.good(), "neuron: cannot read ", path);
  std::set<std::string, std::less<>> names;
  for (std::string line; std::getline(stream, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) names.insert(line);
  }
  return names;
}

void Tracker::executed(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (!executed_.contains(name)) executed_.emplace(name);
}

void Tracker::fell_back(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (!fallback_.contains(name)) fallback_.emplace(name);
}

void Tracker::clear() {
  const std::lock_guard lock(mutex_);
  executed_.clear();
  fallback_.clear();
}

std::vector<std::string> Tracker::executed_ops() const {
  const std::lock_guard lock(mutex_);
  return {executed_.begin(), executed_.end()};
}

std::vector<std::string> Tracker::fallback_ops() const {
  const std::lock_guard lock(mutex_);
  return {fallback_.begin(), fallback_.end()};
}

Tracker& tracker() {
  static Tracker instance;
  return instance;
}

}  // namespace neuroncheck::simulator
