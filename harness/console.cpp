#include "harness/console.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/expectation.h"

namespace neuroncheck {
namespace {

constexpr double kTerminalEveryS = 0.2;
constexpr double kPlainEveryS = 30.0;

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  return whole >= 60 ? fmt::format("{}m{:02}s", whole / 60, whole % 60) : fmt::format("{}s", whole);
}

}  // namespace

Console::Console(std::FILE* stream, Style style, std::function<double()> now_s) : stream_(stream), style_(style), now_s_(std::move(now_s)) {}

void Console::on_plan(const Plan& plan) {
  started_s_ = now_s_();
  planned_ = planned_count(plan);
  shown_s_ = style_.terminal ? -1e9 : started_s_;
}

void Console::on_record(const Record& record, Triage triage) {
  ++done_;
  if (is_unexpected(triage)) ++unexpected_;
  if (is_compiled(record.path)) compiled_keys_.insert(record.compile_key);
  current_ = record.position.row;
}

void Console::on_finding(const Finding& finding) { current_ = "shrinking " + finding.record.position.row; }

std::string Console::line() const {
  const double elapsed_s = std::max(now_s_() - started_s_, 1e-3);
  const double rate = static_cast<double>(done_) / elapsed_s;
  const std::string left = done_ > 0 && done_ < planned_ ? duration(static_cast<double>(planned_ - done_) / rate) + " left" : duration(elapsed_s);
  const std::string text = fmt::format("{}/{} {:.0f}/s  {} compile keys  {} unexpected  {}  {}", done_, planned_, rate, compiled_keys_.size(),
                                       unexpected_, left, current_);
  return text.substr(0, static_cast<std::size_t>(style_.width - 1));
}

void Console::show() {
  shown_s_ = now_s_();
  if (style_.terminal) {
    fmt::print(stream_, "\r\033[K{}", line());
  } else {
    fmt::print(stream_, "{}\n", line());
  }
  std::fflush(stream_);
}

void Console::on_idle() {
  if (now_s_() - shown_s_ >= (style_.terminal ? kTerminalEveryS : kPlainEveryS)) show();
}

void Console::on_end(const RunEnd&) {
  if (style_.terminal) fmt::print(stream_, "\r\033[K");
  std::fflush(stream_);
}

}  // namespace neuroncheck
