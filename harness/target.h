// A target: what is tested, described by a JSON file (suites/targets/*.json, or any path). No C++ is written to test another backend.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observation.h"

namespace neuroncheck {

struct Target {
  std::string name;
  std::string device = "cpu";        // torch device type
  bool simulated = false;            // reports begin with SIMULATED
  std::vector<std::string> imports;  // Python modules to import before use
  std::string package;               // folder put on the worker's PYTHONPATH; relative to the build folder; only this target's workers see it
  std::string library;               // shared library that brings the device without Python, for paths that need no compiler; same base
  std::string compile_backend;       // torch.compile(backend=...); empty: no compiled paths
  std::string evidence = "host";     // host | privateuse1
  std::string tracker_module;        // module with get_executed_ops, get_fallback_ops, clear_op_tracking
  std::string profile = "cpu";
  std::string permissive_profile = "permissive";
  std::map<std::string, std::string> environment;  // set before the worker starts; {core} and {cache} are filled in for each
  std::string dynamic = "refused";                 // refused | supported
  std::vector<std::string> refused_codes;          // vendor codes that mean "unsupported", not "broken": EVRF001, ...
  std::vector<std::string> refused_texts;          // texts of clean refusals
  std::string distribution;                        // its Python distribution, for versions and for "what to install"
  std::vector<std::string> companions;             // further distributions whose versions are part of the build: compiler, runtime
  std::string install;                             // the line to type when it is missing
  std::vector<Path> paths = {Path::eager};
  std::vector<std::string> faults;  // names of the faults a simulated target can be given

  bool operator==(const Target&) const = default;
};

// What stands in values of Target::environment for the worker's device core and for a folder of compiled code that belongs to the database.
constexpr std::string_view kCorePlaceholder = "{core}";
constexpr std::string_view kCachePlaceholder = "{cache}";
bool is_each_workers_own(std::string_view value);

// NAME: a file of that name in `folder`; a path with a slash or ending in .json: that file. Throws UserError naming file, key and remedy.
Target load_target(const std::string& name_or_path, const std::filesystem::path& folder);
std::vector<std::string> target_names(const std::filesystem::path& folder);

}  // namespace neuroncheck
