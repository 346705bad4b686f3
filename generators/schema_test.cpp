#include "generators/schema.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <set>

#include "harness/user_error.h"

namespace neuroncheck::generators {
namespace {

const char* const kEverything =
    "my::op.some(Tensor x, Tensor? bias, Tensor[] more, int[2] stride=1, float eps=1e-05, *, bool flag=False, ScalarType? dtype=None, Generator? "
    "generator=None) -> (Tensor, Tensor)";

Draft drafted(const std::string& schema, const SchemaHints& hints, const DrawRequest& request, std::uint64_t seed) {
  DraftBuilder build("my::op", request, Gradients::none, rc::Random(seed));
  from_schema(parse_schema(schema), hints)(build);
  return build.take();
}

TEST(Schema, IsTakenApart) {
  const OpSchema schema = parse_schema(kEverything);
  EXPECT_EQ(schema.op, "my::op.some");
  EXPECT_EQ(schema.returns, 2);
  ASSERT_EQ(schema.parameters.size(), 8U);
  EXPECT_TRUE(schema.parameters[1].optional);
  EXPECT_TRUE(schema.parameters[2].is_list);
  EXPECT_EQ(schema.parameters[3].length, 2);
  EXPECT_EQ(schema.parameters[4].value, "1e-05");
  EXPECT_TRUE(parse_schema("my::nullary() -> Tensor").parameters.empty());
}

TEST(Schema, OfViewsAndWithDefaultsOfAllKinds) {
  EXPECT_EQ(parse_schema("aten::split(Tensor(a -> *) self, int[] sizes) -> (Tensor(a), Tensor(b) second)").returns, 2);
  const std::string schema = "my::op(Tensor(a) x, Generator? generator, str mode=\"same\", SymInt[2] stride=[1, 3], Layout layout=0) -> Tensor(a)";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Draft draft = drafted(schema, {}, {.slot = 5}, seed);
    const ArgumentList& arguments = draft.test_case.program.nodes.at(0).arguments;
    EXPECT_EQ(arguments.at(1), none());
    EXPECT_EQ(arguments.at(2), argument("same"));
    EXPECT_EQ(std::get<ArgumentList>(arguments.at(3).value).size(), 2U);
    EXPECT_EQ(arguments.at(4), argument(0));
  }
}

TEST(Schema, GuessesIndicesAndTruthValuesWhereAsked) {
  SchemaHints hints;
  hints.guess_dtypes = true;
  std::set<Dtype> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    seen.insert(drafted("my::op(Tensor x) -> Tensor", hints, {.dtype = Dtype::bfloat16, .slot = 5}, seed).test_case.program.inputs.at(0).dtype);
  }
  EXPECT_EQ(seen, (std::set<Dtype>{Dtype::bfloat16, Dtype::int64, Dtype::bool_}));
}

TEST(Schema, ThatIsNotUnderstoodIsRefused) {
  for (const char* const wrong : {"op(Tensor x) -> Tensor", "my::op(Tensor x)", "my::op(Tensor(a!) x) -> Tensor", "my::op(Tensor x) -> int",
                                  "my::op(Tensor x) -> ()", "my::op(Tensor x) -> Tensor[]"}) {
    EXPECT_THROW(parse_schema(wrong), UserError) << wrong;
  }
}

RC_GTEST_PROP(Schema, GivesEveryParameterAnArgumentOfItsKind, (std::uint64_t seed, bool edge)) {
  const Draft draft = drafted(kEverything, {}, {.slot = edge ? 0 : 3}, seed);
  const Program& program = draft.test_case.program;
  RC_ASSERT(program.outputs.size() == 2U);
  RC_ASSERT(draft.fills.size() == program.inputs.size());
  const ArgumentList& arguments = program.nodes.at(0).arguments;
  RC_ASSERT(arguments.size() == 8U);
  RC_ASSERT(std::holds_alternative<ValueRef>(arguments[0].value));
  RC_ASSERT(!std::get<ArgumentList>(arguments[2].value).empty());
  const auto* stride = std::get_if<ArgumentList>(&arguments[3].value);
  RC_ASSERT((stride == nullptr ? arguments[3] == argument(1) : stride->size() == 2U));
  RC_ASSERT(std::holds_alternative<double>(arguments[4].value));
  RC_ASSERT(std::holds_alternative<bool>(arguments[5].value));
  RC_ASSERT(arguments[7] == none());
}

// A product of matrices: the inner size is one number, others are free, and what is said of values holds.
RC_GTEST_PROP(Schema, KeepsToWhatItsAuthorSays, (std::uint64_t seed)) {
  SchemaHints hints;
  hints.tensors["x"].sizes = {{"m", "k"}};
  hints.tensors["w"].sizes = {{"k", std::int64_t{128}}};
  hints.tensors["w"].dtype = Dtype::int8;
  hints.dimensions["k"] = {32, 64};
  hints.choices["mode"] = {argument("up"), argument("down")};
  const Draft draft = drafted("my::op(Tensor x, Tensor w, str mode) -> Tensor", hints, {.slot = 5}, seed);
  const TensorSpec &x = draft.test_case.program.inputs.at(0), &w = draft.test_case.program.inputs.at(1);
  RC_ASSERT(x.sizes.at(1) == w.sizes.at(0));
  RC_ASSERT(x.sizes[1].size == 32 || x.sizes[1].size == 64);
  RC_ASSERT(w.sizes.at(1).size == 128);
  RC_ASSERT(w.dtype == Dtype::int8);
  const Argument& mode = draft.test_case.program.nodes.at(0).arguments.at(2);
  RC_ASSERT(mode == argument("up") || mode == argument("down"));
}

TEST(Schema, AdmitsWhatItsAuthorSaysAlone) {
  SchemaHints hints;
  hints.tensors["x"].sizes = {{"m", "k"}};
  hints.tensors["w"].sizes = {{"k", std::int64_t{128}}};
  hints.dimensions["k"] = {32, 64};
  hints.choices["scale"] = {argument(0.5), argument(2.0)};
  const OpSchema schema = parse_schema("my::op(Tensor x, Tensor w, float scale) -> Tensor");
  DraftBuilder build("my::op", {.slot = 5}, Gradients::none, rc::Random(3));
  from_schema(schema, hints)(build);
  const Case drawn = build.take().test_case;
  EXPECT_TRUE(fits(schema, hints, drawn));
  const auto changed = [&](const std::function<void(Program&)>& change) {
    Case other = drawn;
    change(other.program);
    return fits(schema, hints, other);
  };
  EXPECT_TRUE(changed([](Program& program) { program.inputs[0].sizes[0].size = 1; }));
  EXPECT_FALSE(changed([](Program& program) { program.inputs[0].sizes[1].size = program.inputs[1].sizes[0].size = 16; }));
  EXPECT_FALSE(changed([](Program& program) { program.inputs[0].sizes[1].size = 96 - program.inputs[0].sizes[1].size; }));
  EXPECT_FALSE(changed([](Program& program) { program.inputs[1].sizes[1].size = 64; }));
  EXPECT_FALSE(changed([](Program& program) { program.inputs[0].sizes.pop_back(); }));
  EXPECT_FALSE(changed([](Program& program) { program.nodes[0].arguments[2] = argument(0.0); }));
}

TEST(Schema, HasTheEdgesInItsFreeSizes) {
  SchemaHints hints;
  hints.tensors["x"].sizes = {{"m", "n"}};
  const auto sizes_at = [&](int slot) {
    return drafted("my::op(Tensor x) -> Tensor", hints, {.slot = slot}, 7).test_case.program.inputs.at(0).sizes;
  };
  EXPECT_EQ(sizes_at(0), dims_of({1, 1}));
  EXPECT_EQ(sizes_at(1).at(0).size, 0);
}

TEST(Schema, RefusesHintsThatFitNoParameter) {
  const OpSchema schema = parse_schema("my::op(Tensor x, str mode) -> Tensor");
  SchemaHints unknown, swapped;
  unknown.choices = {{"mode", {argument("a")}}, {"y", {argument(1)}}};
  swapped.choices = {{"mode", {argument("a")}}, {"x", {argument(1)}}};
  EXPECT_THROW(from_schema(schema, unknown), UserError);
  EXPECT_THROW(from_schema(schema, swapped), UserError);
  EXPECT_THROW(from_schema(schema, {}), UserError);  // which texts?
  SchemaHints unused;
  unused.choices = {{"mode", {argument("a")}}};
  unused.dimensions["q"] = {1};
  EXPECT_THROW(from_schema(schema, unused), UserError);
}

}  // namespace
}  // namespace neuroncheck::generators
