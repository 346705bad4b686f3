// All the sources of placement evidence of one target around one window: open, let the subject work, close.
#pragma once

#include <c10/core/Device.h>

#include "harness/placement.h"
#include "harness/python_host.h"
#include "harness/target.h"

namespace neuroncheck {

// Null members are sources that this worker does not have.
struct Observer {
  at::Device device;
  std::string tracker_module;
  Interposer* interposer = nullptr;
  PythonHost* python = nullptr;

  void start() const;
  // Waits for the device first: deferred errors surface here as exceptions.
  void finish() const;
  // Closes the window; never throws for what the subject did.
  Findings stop() const;
};

// Adds what a later window of the same case saw.
void merge(Findings& findings, const Findings& more);

}  // namespace neuroncheck
