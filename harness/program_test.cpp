#include "harness/program.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "harness/arbitrary.h"
#include "harness/input_class.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

Case addition() {
  TensorSpec spec;
  spec.sizes = {{.size = 8}, {.size = 16}};
  Case result;
  result.program.inputs = {spec, spec};
  result.program.nodes = {{"aten::add.Tensor", {{ValueRef{-1, 0}}, {ValueRef{-1, 1}}}}};
  result.program.outputs = {{0, 0}};
  return result;
}

TEST(Program, SurvivesItsJson) {
  EXPECT_TRUE(rc::check([] {
    const Case before = arbitrary::test_case();
    const std::string text = canonical_json(before);
    const Case after = parse_json(text, "test").get<Case>();
    RC_ASSERT(after == before);
    RC_ASSERT(canonical_json(after) == text);
    RC_ASSERT(id_of(after) == id_of(before));
    RC_ASSERT(compile_key(after) == compile_key(before));
  }));
}

TEST(Program, KeepsItsIdForEver) {
  EXPECT_EQ(canonical_json(addition()),
            R"({"program":{"inputs":[{"dtype":"float32","sizes":[8,16]},{"dtype":"float32","sizes":[8,16]}],)"
            R"("nodes":[{"arguments":[{"input":0},{"input":1}],"op":"aten::add.Tensor"}],"outputs":[{"node":0,"output":0}]}})");
  EXPECT_EQ(id_of(addition()), "261c46b40ac0d8c5");
}

TEST(Program, CompileKeyForgetsFillsAlone) {
  const std::uint64_t key = compile_key(addition());
  Case other = addition();
  other.program.inputs[0].fill = Fill{.kind = FillKind::index, .parameter = 7, .seed = 3, .bits = {}};
  EXPECT_EQ(compile_key(other), key);
  const auto changed = [&](auto change) {
    Case changed_case = addition();
    change(changed_case);
    return compile_key(changed_case) != key;
  };
  EXPECT_TRUE(changed([](Case& c) { c.program.inputs[0].dtype = Dtype::bfloat16; }));
  EXPECT_TRUE(changed([](Case& c) { c.program.inputs[0].sizes[0].size = 9; }));
  EXPECT_TRUE(changed([](Case& c) { c.program.inputs[1].layout = LayoutKind::transposed; }));
  EXPECT_TRUE(changed([](Case& c) { c.program.inputs[1].requires_grad = true; }));
  EXPECT_TRUE(changed([](Case& c) { c.program.nodes[0].op = "aten::sub.Tensor"; }));
  EXPECT_TRUE(changed([](Case& c) { c.program.nodes[0].arguments.push_back({2.0}); }));
  EXPECT_TRUE(changed([](Case& c) { c.bindings.push_back({}); }));
  EXPECT_TRUE(changed([](Case& c) { c.backward.push_back({}); }));
}

std::string refusal_of(const std::string& text) {
  try {
    parse_json(text, "test").get<Case>();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Program, RefusesWhatIsNotOne) {
  EXPECT_NE(refusal_of(R"({"program":{"inputs":[],"nodes":[],"outputs":[]},"colour":1})").find("unknown key 'colour'"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"program":{"inputs":[],"nodes":[{"op":"a","arguments":[{"node":0,"output":0}]}],"outputs":[]}})").find("node 0"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({"program":{"inputs":[{"dtype":"float32","sizes":["s0"]}],"nodes":[],"outputs":[]}})").find("s0"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"program":{"inputs":[],"nodes":[],"outputs":[],"symbols":1}})").find("1 symbols"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"program":{"inputs":[],"nodes":[{"op":"a","arguments":[0.5]}],"outputs":[]}})").find("f64"), std::string::npos);
}

TEST(Program, HasInputClasses) {
  EXPECT_TRUE(input_classes_of(addition()).empty());
  const auto classes = [](auto change) {
    Case changed = addition();
    change(changed.program.inputs[1], changed);
    return input_classes_of(changed);
  };
  using Classes = std::vector<InputClass>;
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) { spec.sizes.clear(); }), Classes{InputClass::zero_dim});
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) { spec.sizes[0].size = 0; }), Classes{InputClass::empty});
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) { spec.layout = LayoutKind::transposed; }), Classes{InputClass::non_contiguous});
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) { spec.layout = LayoutKind::offset; }), Classes{});
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) { spec.fill.kind = FillKind::special; }), Classes{InputClass::non_finite});
  EXPECT_EQ(classes([](TensorSpec& spec, Case&) {
              spec.sizes = {{.size = 2}};
              spec.fill = Fill{.kind = FillKind::literal, .bits = {0x3f800000, 0x7f800000}};
            }),
            Classes{InputClass::non_finite});
  EXPECT_EQ(classes([](TensorSpec& spec, Case& changed) {
              spec.sizes[0] = {.symbol = 0};
              changed.program.symbols = 1;
              changed.bindings = {{{0}}, {{3}}};
            }),
            (Classes{InputClass::empty, InputClass::several_shapes}));
}

TEST(Program, MixesTheStepIntoSeeds) {
  const Case test_case = addition();
  EXPECT_EQ(input_at_step(test_case, 0, 0), test_case.program.inputs[0]);
  EXPECT_NE(input_at_step(test_case, 0, 1).fill.seed, input_at_step(test_case, 0, 2).fill.seed);
}

TEST(TensorSpec, LaysItsElementsInsideItsStorage) {
  EXPECT_TRUE(rc::check([] {
    const TensorSpec spec = arbitrary::tensor(0);
    const Placed placed = place(spec, {});
    RC_ASSERT(placed.strides.size() == placed.sizes.size());
    std::int64_t last = placed.offset;
    for (std::size_t i = 0; i < placed.sizes.size(); ++i) last += (placed.sizes[i] - 1) * placed.strides[i];
    RC_ASSERT(element_count(placed.sizes) == 0 || last < placed.storage);
  }));
}

}  // namespace
}  // namespace neuroncheck
