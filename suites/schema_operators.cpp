#include "suites/schema_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "generators/schema.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

std::string namespace_of(const std::string& op) { return op.substr(0, op.find("::")); }

bool has_kernel(const c10::OperatorHandle& op, c10::DispatchKey key) { return op.hasKernelForDispatchKey(key); }

bool decomposes(const c10::OperatorHandle& op) {
  return has_kernel(op, c10::DispatchKey::CompositeImplicitAutograd) || has_kernel(op, c10::DispatchKey::CompositeExplicitAutograd) ||
         has_kernel(op, c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
}

std::string reason_of(const c10::OperatorHandle& op, const std::string& schema) {
  if (op.schema().is_mutable()) return "writes to its arguments: only what reads them is drawn from schemas";
  const bool answers_nowhere = !has_kernel(op, c10::DispatchKey::CPU) && !decomposes(op);
  if (answers_nowhere && has_kernel(op, c10::DispatchKey::Meta)) return fmt::format("only a fake kernel, so nothing says what is right: {}", schema);
  if (answers_nowhere) return "no CPU kernel, so nothing says what is right";
  if (op.hasTag(at::Tag::nondeterministic_seeded)) return "random: its results have no reference";
  try {
    generators::from_schema(generators::parse_schema(schema), {});
  } catch (const UserError& error) {
    const std::string text = error.what();
    const std::string where = fmt::format("schema '{}': ", schema);
    return text.starts_with(where) ? text.substr(where.size()) : text;
  }
  return "";
}

}  // namespace

std::set<std::string> operator_namespaces() {
  std::set<std::string> names;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) names.insert(namespace_of(name.name));
  return names;
}

std::vector<SchemaOperator> schema_operators(const std::set<std::string>& covered, const std::set<std::string>& namespaces) {
  std::vector<SchemaOperator> operators;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const std::string op = c10::toString(name);
    const std::string space = namespace_of(op);
    if ((space != "aten" && !namespaces.contains(space)) || covered.contains(op)) continue;
    const auto handle = c10::Dispatcher::singleton().findSchema(name);
    if (!handle) continue;  // a kernel of an operator that nobody has defined
    std::ostringstream schema;
    schema << handle->schema();
    operators.push_back({op, schema.str(), reason_of(*handle, schema.str()), has_kernel(*handle, c10::DispatchKey::Meta) || decomposes(*handle)});
  }
  std::ranges::sort(operators, {}, &SchemaOperator::op);
  return operators;
}

}  // namespace neuroncheck
