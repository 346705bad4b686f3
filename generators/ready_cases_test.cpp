#include "generators/ready_cases.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/temporary_folder.h"
#include "harness/user_error.h"

namespace neuroncheck::generators {
namespace {

constexpr const char* kIndex = R"({"source": "opinfo", "missing": [{"op": "opinfo::sparse", "reason": "no strides"}], "rows": [
  {"row": "opinfo/neg@neuron-2.13.0", "op": "opinfo::neg", "file": "neg.json", "digest": "1a", "dtypes": ["float32", "int64"], "cases": 3,
   "differentiable": true, "invalid": false, "compiles": true}]})";

// `count` cases of one input with as many elements as the case's number.
std::string cases(const std::string& dtype, int count, bool gradients) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string grad = gradients ? R"(, "requires_grad": true)" : "";
    text += (i == 0 ? "" : ", ") + (R"({"program": {"inputs": [{"dtype": ")" + dtype + R"(", "sizes": [)" + std::to_string(i) + "]" + grad) +
            R"(}], "nodes": [{"op": "aten::neg", "arguments": [{"input": 0}]}], "outputs": [{"node": 0, "output": 0}]})" +
            (gradients ? R"(, "backward": {}})" : "}");
  }
  return "[" + text + "]";
}

class ReadyCases : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_.file(name)) << text; }
  std::string error_of_index() {
    try {
      load_ready_index(folder_.path());
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder_;
};

TEST_F(ReadyCases, AreDrawnByDtypeAndNumber) {
  write("index.json", kIndex);
  write("neg.json", R"({"float32": )" + cases("float32", 3, true) + R"(, "int64": )" + cases("int64", 2, false) + "}");
  const ReadyIndex index = load_ready_index(folder_.path());
  ASSERT_EQ(index.rows.size(), 1U);
  EXPECT_EQ(index.rows[0].dtypes, (std::vector<Dtype>{Dtype::float32, Dtype::int64}));
  EXPECT_EQ(index.missing.at(0).reason, "no strides");
  const ReadyDraw draw = ready_draw(folder_.path(), index.rows[0]);
  for (int slot = 0; slot < 3; ++slot) {
    const Draft draft = draw({.dtype = Dtype::float32, .slot = slot});
    EXPECT_EQ(draft.test_case.program.inputs.at(0).sizes.at(0).size, slot);
    EXPECT_EQ(draft.test_case.backward.empty(), slot == 1);  // gradients are taken on every other slot
    EXPECT_EQ(draft.test_case.program.inputs.at(0).requires_grad, slot != 1);
  }
  EXPECT_EQ(draw({.dtype = Dtype::int64, .slot = 2}).test_case.program.inputs.at(0).sizes.at(0).size, 0);  // from the beginning again
  EXPECT_THROW(draw({.dtype = Dtype::bool_, .slot = 0}), UserError);
}

TEST_F(ReadyCases, RefuseWhatIsNoIndex) {
  EXPECT_NE(error_of_index().find("index.json"), std::string::npos);
  write("index.json", R"({"rows": [{"row": "a"}], "missing": []})");
  EXPECT_NE(error_of_index().find("key 'op' is missing"), std::string::npos) << error_of_index();
  write("index.json", R"({"rows": []})");
  EXPECT_NE(error_of_index().find("missing"), std::string::npos) << error_of_index();
}

}  // namespace
}  // namespace neuroncheck::generators
