// neuroncheck_schemas: draws cases of the operators that no row is for, from their schemas alone, into a folder of ready cases
// (generators/ready_cases.h). Started by the driver. What ends plain CPU's process ends a child only, which another one follows.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "harness/json_fields.h"
#include "harness/python_host.h"
#include "harness/random.h"
#include "suites/custom_ops.h"
#include "suites/op_lists.h"
#include "suites/row.h"
#include "suites/schema_cases.h"
#include "suites/schema_operators.h"

namespace neuroncheck {
namespace {

struct Options {
  std::string out;
  std::string suites;  // folder with the lists of operators
  std::string custom;  // file of custom operators: those that its modules register besides are drawn, too
  std::string python;
  std::string torch;
};

constexpr unsigned kLongestS = 30;  // for one operator

// Where a child is, in memory that outlives it.
struct Progress {
  std::atomic<std::size_t> at;  // operators that are done, or were given up
  std::atomic<std::size_t> operators;
  char op[256];
};

struct Lane {
  Progress* progress = nullptr;
  std::filesystem::path lines;  // JSON, one a line: {"row": ...} or {"missing": ...}
  std::size_t number = 0, lanes = 1;
  pid_t child = 0;
};

void write(const std::filesystem::path& file, const std::string& text, std::ios::openmode mode = std::ios::trunc) {
  std::ofstream out(file, std::ios::out | mode);
  out << text;
  if (!out.flush()) throw UserError(fmt::format("{}: cannot be written", file.string()));
}

void append(const std::filesystem::path& file, const nlohmann::json& line) { write(file, dump(line) + '\n', std::ios::app); }

nlohmann::json missing(const std::string& op, const std::string& reason) {
  std::string text = reason.substr(0, 200);
  for (char& letter : text) letter = letter == '\n' ? ' ' : letter;
  return {{"missing", {{"op", op}, {"reason", text}}}};
}

// The cases of one operator, in a file of their own; its line of the index.
nlohmann::json drawn(const SchemaOperator& op, Session& plain, const Options& options) {
  if (!op.reason.empty()) return missing(op.op, op.reason);
  const SchemaCases found = cases_from_schema(op, plain);
  if (found.cases.empty()) return missing(op.op, "plain CPU takes nothing of what is drawn: " + found.refused);
  nlohmann::json cases, dtypes = nlohmann::json::array();
  std::size_t most = 0;
  for (const auto& [dtype, some] : found.cases) {
    cases[std::string(name_of(dtype))] = some;
    dtypes.push_back(name_of(dtype));
    most = std::max(most, some.size());
  }
  const std::string text = dump(cases), file = op.op.substr(op.op.find("::") + 2) + "-" + hex_of(hash_of(op.op)) + ".json";
  write(std::filesystem::path(options.out) / file, text);
  const std::string name = op.op.starts_with("aten::") ? op.op.substr(6) : op.op;
  return {{"row",
           {{"row", fmt::format("schema/{}@{}", name, options.torch)},
            {"op", op.op},
            {"file", file},
            {"dtypes", dtypes},
            {"cases", most},
            {"differentiable", false},
            {"invalid", false},
            {"compiles", op.has_fake},
            {"digest", hex_of(hash_of(text))}}}};
}

// What has a row, or a reason why it has none.
std::set<std::string> covered_ops(const Options& options) {
  std::set<std::string> ops;
  for (const CatalogueEntry& entry : catalogue_entries(catalogue(), std::filesystem::path(options.suites) / "data")) {
    if (entry.rows > 0 || !entry.untestable.empty()) ops.insert(entry.op);
  }
  return ops;
}

std::vector<SchemaOperator> operators_of(const Options& options) {
  std::set<std::string> namespaces;
  if (!options.custom.empty()) {
    const std::set<std::string> before = operator_namespaces();
    PythonHost python(options.python);
    python.import_target(std::filesystem::absolute(options.custom).parent_path().string(), load_custom_ops(options.custom).imports);
    for (const std::string& name : operator_namespaces()) {
      if (!before.contains(name)) namespaces.insert(name);
    }
    add_custom_rows(options.custom);
  }
  return schema_operators(covered_ops(options), namespaces);
}

// Every lanes-th operator from the lane's own on, and after those that are done.
int draw_lane(const Lane& lane, const Options& options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);  // kernels warn
  ::dup2(nowhere, STDERR_FILENO);
  const std::vector<SchemaOperator> operators = operators_of(options);
  lane.progress->operators = (operators.size() + lane.lanes - 1 - lane.number) / lane.lanes;
  const std::unique_ptr<Session> plain = open_plain_session();
  for (std::size_t i = lane.number + lane.progress->at * lane.lanes; i < operators.size(); i += lane.lanes) {
    std::strncpy(lane.progress->op, operators[i].op.c_str(), sizeof(lane.progress->op) - 1);
    ::alarm(kLongestS);
    append(lane.lines, drawn(operators[i], *plain, options));
    ++lane.progress->at;
  }
  return 0;
}

void start(Lane& lane, const Options& options) {
  lane.child = ::fork();
  if (lane.child != 0) return;
  int code = 2;
  try {
    code = draw_lane(lane, options);
  } catch (const std::exception& error) {
    append(lane.lines, {{"error", error.what()}});
  }
  ::_exit(code);
}

// Whether the lane goes on; a child that died leaves the reason behind and is followed by another.
bool looked_after(Lane& lane, const Options& options) {
  if (lane.child == 0) return false;
  int status = 0;
  if (::waitpid(lane.child, &status, WNOHANG) == 0) return true;
  lane.child = 0;
  if (!WIFSIGNALED(status)) return false;
  const int signal = WTERMSIG(status);
  append(lane.lines, missing(lane.progress->op, signal == SIGALRM ? fmt::format("plain CPU took longer than {} s", kLongestS)
                                                                  : fmt::format("plain CPU's process died of signal {} on what was drawn", signal)));
  ++lane.progress->at;
  start(lane, options);
  return true;
}

void show(const std::vector<Lane>& lanes) {
  std::size_t done = 0, operators = 0;
  for (const Lane& lane : lanes) done += lane.progress->at, operators += lane.progress->operators;
  fmt::print(stderr, "\rdrawing cases from schemas: {} of {} operators", done, operators);
}

// From the lines of all lanes, in the order of the operators' names, so that one folder is like another.
void write_index(const std::vector<Lane>& lanes, const Options& options) {
  std::map<std::string, nlohmann::json> rows, without;
  for (const Lane& lane : lanes) {
    std::ifstream in(lane.lines);
    for (std::string text; std::getline(in, text);) {
      const nlohmann::json line = parse_json(text, lane.lines.string());
      if (line.contains("error")) throw UserError(line.at("error").get<std::string>());
      if (line.contains("row")) rows[line.at("row").at("op")] = line.at("row");
      if (line.contains("missing")) without[line.at("missing").at("op")] = line.at("missing");
    }
    in.close();
    std::filesystem::remove(lane.lines);
  }
  nlohmann::json index = {{"source", "schema"}, {"torch", options.torch}, {"rows", nlohmann::json::array()}, {"missing", nlohmann::json::array()}};
  for (const auto& [op, row] : rows) index["rows"].push_back(row);
  for (const auto& [op, reason] : without) index["missing"].push_back(reason);
  write(std::filesystem::path(options.out) / "index.json", index.dump(1));
}

void draw_all(const Options& options) {
  std::filesystem::create_directories(options.out);
  const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  void* memory = ::mmap(nullptr, count * sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw UserError("no memory to share");
  std::vector<Lane> lanes(count);
  for (std::size_t i = 0; i < count; ++i) {
    lanes[i] = {static_cast<Progress*>(memory) + i, std::filesystem::path(options.out) / fmt::format("lane-{}", i), i, count};
    start(lanes[i], options);
  }
  for (bool working = true; working;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    working = false;
    for (Lane& lane : lanes) working = looked_after(lane, options) || working;
    show(lanes);
  }
  fmt::print(stderr, "\n");
  write_index(lanes, options);
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Draws cases from the schemas of operators that no row is for: started by neuroncheck for suites with the source `schema`.");
  app.add_option("--out", options.out, "folder")->required();
  app.add_option("--suites", options.suites, "folder with the lists of operators")->required();
  app.add_option("--torch", options.torch, "its version")->required();
  app.add_option("--python", options.python, "the interpreter whose torch this is")->required();
  app.add_option("--custom", options.custom, "file of custom operators");
  CLI11_PARSE(app, argc, argv);
  try {
    draw_all(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace neuroncheck

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int code = neuroncheck::run(argc, argv);
  std::fflush(nullptr);
  ::_exit(code);  // libtorch's static destructors cost 0.2 s and can crash
}
