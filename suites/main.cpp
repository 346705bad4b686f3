// neuroncheck: the driver. Holds no tensors, loads no libtorch, knows no Python.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "harness/user_error.h"
#include "suites/command_run.h"
#include "suites/commands.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

constexpr const char* kExamples = R"(Decides whether a PyTorch backend can be trusted.

Examples:
  neuroncheck run                                    the conformance suite on the embedded SIMULATED device
  neuroncheck run --target inductor --op 'softmax*'  one family on a real compiler
  neuroncheck run --op mm --dtype bf16 --fault bf16_accumulator
  neuroncheck replay 3f2a                            a stored case again, by the beginning of its id
  neuroncheck replay 3f2a --emit python              the same as a script that needs torch alone
  neuroncheck query matrix --op softmax              what is native, falls back, is refused, is wrong

Exit codes: 0 nothing unexpected, 1 unexpected results, 2 bad usage, 3 incomplete, 4 not testable here, 5 harness error.)";

// A subcommand's options live as long as the App that fills them.
struct Commands {
  RunOptions run;
  OpsOptions ops;
  TargetsOptions targets;
  ReplayOptions replay;
  QueryOptions query;
  GateCommandOptions gate;
  MergeOptions merge;
  DatabaseCheckOptions check;
  PlanOptions plan;
  ShardOptions shard;
};

void add_run(CLI::App& app, RunOptions& options, int& code) {
  CLI::App* run = app.add_subcommand("run",
                                     "Draw cases, run them on every path of a target, judge, shrink and store them.\n\n"
                                     "Examples:\n  neuroncheck run --op 'softmax*' --dtype bf16,f32 --path eager\n"
                                     "  neuroncheck run --target inductor --budget 5m --seed random\n"
                                     "  neuroncheck run --fault reduction_drops_last --op 'sum*'   (simulated targets only)\n"
                                     "  neuroncheck run --custom my_kernels.json --op 'my::*'\n"
                                     "  neuroncheck run --suite opinfo --op 'opinfo::nn.functional.*'\n");
  run->add_option("--target", options.target, "name (see `neuroncheck targets`) or a JSON file")->capture_default_str();
  run->add_option("--suite", options.suite, "name or a JSON file")->capture_default_str();
  run->add_option("--op", options.ops, "rows or ops by name or glob; may be given several times");
  run->add_option("--dtype", options.dtypes, "comma-separated: bf16,f32,...");
  run->add_option("--path", options.paths, "comma-separated: eager, eager_backward, compiled, compiled_backward");
  run->add_option("--cases", options.cases, "per row, over all its dtypes")->check(CLI::Range(1, 1'000'000));
  run->add_option("--budget", options.budget, "stop handing out work after 90s, 5m, 2h; what is left makes the run partial");
  run->add_option("--seed", options.seed, "a number, or random; default: the suite's, which makes runs comparable");
  run->add_option("--jobs", options.jobs, "workers; default: one per core")->check(CLI::Range(1, 1'000'000));
  run->add_option("--batch", options.batch, "programs per compiled graph at most; 1: one compile per case")->check(CLI::Range(1, 1'000'000));
  run->add_option("--db", options.database, "database file")->capture_default_str();
  run->add_option("--custom", options.custom, "JSON file of operators of your own: suites/README.md");
  run->add_option("--fault", options.fault, "NAME[:SEVERITY], seeded into a simulated target");
  run->add_flag("--dry-run", options.dry_run, "say what would be run");
  run->add_flag("--json", options.json, "for machines");
  run->add_flag("--quiet", options.quiet, "neither progress nor first screen (but --json)");
  run->callback([&] { code = command_run(options); });
}

void add_reading(CLI::App& app, Commands& commands, int& code) {
  CLI::App* ops =
      app.add_subcommand("ops",
                         "The catalogue: rows, families, dtypes, strength of their oracle.\n\nExample:\n  neuroncheck ops 'conv*' --json\n  "
                         "neuroncheck ops --missing\n");
  ops->add_option("glob,--op", commands.ops.glob, "rows or ops by name or glob");
  ops->add_option("--suite", commands.ops.suite)->capture_default_str();
  ops->add_option("--target", commands.ops.target, "whose device type OpInfo samples are captured for")->capture_default_str();
  ops->add_option("--custom", commands.ops.custom, "JSON file of operators of your own");
  ops->add_flag("--missing", commands.ops.missing, "operators of Core ATen, the vendor and the OpInfos that have no row, and why");
  ops->add_flag("--json", commands.ops.json, "for machines");
  ops->callback([&] { code = command_ops(commands.ops); });

  CLI::App* targets = app.add_subcommand("targets", "Each target: testable here? If not, what to install.\n\nExample:\n  neuroncheck targets\n");
  targets->add_flag("--json", commands.targets.json, "for machines");
  targets->callback([&] { code = command_targets(commands.targets); });

  CLI::App* query = app.add_subcommand("query",
                                       "Ask the database by name; without a name: the list.\n\nExamples:\n  neuroncheck query matrix --op softmax\n  "
                                       "neuroncheck query fallbacks --format csv\n");
  QueryOptions& options = commands.query;
  query->add_option("name", options.name);
  query->add_option("--db", options.database)->capture_default_str();
  query->add_option("--format", options.format, "table, csv, json or markdown")->capture_default_str();
  query->add_flag_callback(
      "--json", [&] { options.format = "json"; }, "the same as --format json");
  query->add_option("--target", options.target);
  query->add_option("--op", options.op, "a part of the name, or a glob");
  query->add_option("--from", options.from, "a run");
  query->add_option("--to", options.to, "a run");
  query->add_option("--run", options.run, "number, beginning of its date, or latest");
  query->callback([&] { code = command_query(options); });
}

void add_replay(CLI::App& app, ReplayOptions& options, int& code) {
  CLI::App* replay = app.add_subcommand("replay",
                                        "One case again in a fresh worker.\n\nExamples:\n  neuroncheck replay 3f2a --path compiled\n  neuroncheck "
                                        "replay case.json --emit python > repro.py\n");
  replay->add_option("what", options.what, "beginning of a case id, or a file")->required();
  replay->add_option("--target", options.target, "default: the one it was found on, else neuron-sim");
  replay->add_option("--path", options.path, "default: the one it was found on, else all of the target");
  replay->add_option("--fault", options.fault, "NAME[:SEVERITY], simulated targets only, or none; default: the one it was found with");
  replay->add_option("--custom", options.custom, "JSON file of operators of your own, where the case has one");
  replay->add_option("--repeat", options.repeat, "until it fails, at most so many times; with --emit the script does")
      ->check(CLI::Range(1, 1'000'000));
  replay->add_option("--emit", options.emit, "python: print a stand-alone script")->check(CLI::IsMember({"python"}));
  replay->add_option("--db", options.database)->capture_default_str();
  replay->add_flag("--json", options.json, "for machines");
  replay->callback([&] { code = command_replay(options); });
}

void add_judging(CLI::App& app, Commands& commands, int& code) {
  CLI::App* gate = app.add_subcommand("gate", "Is a run to be accepted?\n\nExample:\n  neuroncheck gate --db neuroncheck.db --against 2026-11-28\n");
  gate->add_option("--db", commands.gate.database)->capture_default_str();
  gate->add_option("--folder", commands.gate.folder, "of a plan: merge its shards first, and print the first screen");
  gate->add_option("--run", commands.gate.run)->capture_default_str();
  gate->add_option("--against", commands.gate.against, "a run; default: the complete run before");
  gate->add_flag("--json", commands.gate.json, "for machines");
  gate->callback([&] { code = command_gate(commands.gate); });

  CLI::App* merge =
      app.add_subcommand("merge", "Shard files into one, in any order, any number of times.\n\nExample:\n  neuroncheck merge all.db shard-*.db\n");
  merge->add_option("into", commands.merge.into)->required();
  merge->add_option("sources", commands.merge.sources)->required();
  merge->add_flag("--json", commands.merge.json, "for machines");
  merge->callback([&] { code = command_merge(commands.merge); });

  CLI::App* db = app.add_subcommand("db", "The file itself.\n\nExample:\n  neuroncheck db check neuroncheck.db\n");
  db->require_subcommand(1);
  CLI::App* check = db->add_subcommand("check", "Integrity and foreign keys.");
  check->add_option("file", commands.check.database)->capture_default_str();
  check->add_flag("--json", commands.check.json, "for machines");
  check->callback([&] { code = command_database_check(commands.check); });
  CLI::App* upgrade = db->add_subcommand("upgrade", "Brings a file of an older version to this one's schema; nothing stored is lost.");
  upgrade->add_option("file", commands.check.database)->capture_default_str();
  upgrade->add_flag("--json", commands.check.json, "for machines");
  upgrade->callback([&] { code = command_database_upgrade(commands.check); });
}

void add_sharding(CLI::App& app, Commands& commands, int& code) {
  CLI::App* plan = app.add_subcommand("plan", "What the shards of one run share (ctest's fixture).");
  plan->add_option("--folder", commands.plan.folder)->required();
  plan->add_option("--target", commands.plan.target)->capture_default_str();
  plan->add_option("--suite", commands.plan.suite)->capture_default_str();
  plan->add_option("--shards", commands.plan.shards)->check(CLI::Range(1, 1'000'000));
  plan->add_flag("--json", commands.plan.json, "for machines");
  plan->callback([&] { code = command_plan(commands.plan); });
  CLI::App* shard = app.add_subcommand("shard", "One shard of a plan; exit 0 when complete, whatever it found.");
  shard->add_option("--folder", commands.shard.folder)->required();
  shard->add_option("--shard", commands.shard.shard)->required();
  shard->add_flag("--json", commands.shard.json, "for machines");
  shard->callback([&] { code = command_shard(commands.shard); });
}

int run_command_line(int argc, char** argv) {
  Commands commands;
  int code = 0;
  CLI::App app(kExamples, "neuroncheck");
  app.require_subcommand(1);
  app.set_version_flag("--version", "neuroncheck " + installation().commit);
  app.get_formatter()->column_width(28);
  add_run(app, commands.run, code);
  add_reading(app, commands, code);
  add_replay(app, commands.replay, code);
  add_judging(app, commands, code);
  add_sharding(app, commands, code);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (std::fflush(stdout) != 0 && errno != EPIPE) throw UserError(fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
  return code;
}

int report(const char* text, int code) {
  fmt::print(stderr, "neuroncheck: {}\n", text);
  return code;
}

}  // namespace
}  // namespace neuroncheck

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a worker that died, or a reader that has seen enough, shows itself when it is written to
  try {
    return neuroncheck::run_command_line(argc, argv);
  } catch (const neuroncheck::UserError& error) {
    return neuroncheck::report(error.what(), 2);
  } catch (const neuroncheck::NotTestable& error) {
    return neuroncheck::report(error.what(), 4);
  } catch (const std::system_error& error) {  // a full disk, a folder without rights
    return error.code() == std::errc::broken_pipe ? 0 : neuroncheck::report(error.what(), 2);
  } catch (const std::exception& error) {
    return neuroncheck::report(error.what(), 5);
  }
}
