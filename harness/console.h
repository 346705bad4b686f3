// The progress line of a campaign: done/planned, rate, compile keys, unexpected, time left, row. Rewritten in place on a terminal; elsewhere a
// plain line every 30 seconds. Silent on what is expected.
#pragma once

#include <cstdio>
#include <functional>
#include <set>
#include <string>

#include "harness/listener.h"

namespace neuroncheck {

class Console : public Listener {
 public:
  // `terminal`: the stream is one; `width`: its columns.
  struct Style {
    bool terminal = false;
    int width = 80;
  };
  Console(std::FILE* stream, Style style, std::function<double()> now_s);

  void on_plan(const Plan& plan) override;
  void on_record(const Record& record, Triage triage) override;
  void on_finding(const Finding& finding) override;
  void on_idle() override;
  void on_end(const RunEnd& end) override;

  // The line as it stands: what tests look at.
  std::string line() const;

 private:
  void show();

  std::FILE* stream_;
  Style style_;
  std::function<double()> now_s_;
  double started_s_ = 0.0;
  double shown_s_ = -1e9;
  std::int64_t planned_ = 0;
  std::int64_t done_ = 0;
  std::int64_t unexpected_ = 0;
  std::set<std::uint64_t> compiled_keys_;
  std::string current_;
};

}  // namespace neuroncheck
