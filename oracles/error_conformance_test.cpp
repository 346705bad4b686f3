#include "oracles/error_conformance.h"

#include <gtest/gtest.h>

namespace neuroncheck::oracles {
namespace {

TEST(ErrorConformance, ComparesTheClassesOfPython) {
  EXPECT_EQ(conforming_class("IndexError"), "IndexError");
  EXPECT_EQ(conforming_class("NotImplementedError"), "NotImplementedError");
  EXPECT_EQ(conforming_class("LinAlgError"), "RuntimeError");
  EXPECT_EQ(conforming_class("c10::Error"), "RuntimeError");
}

TEST(ErrorConformance, FindsVendorCodes) {
  EXPECT_EQ(vendor_code("exit code 70: [NCC_EVRF001] operator"), "EVRF001");
  EXPECT_EQ(vendor_code("NCC_ without a code, then NCC_EOOM002."), "EOOM002");
  EXPECT_EQ(vendor_code("nothing"), "");
}

TEST(ErrorConformance, GroupsTextsThatDifferInNumbersOnly) {
  EXPECT_EQ(normal_cause("\n index 7 is out of bounds for dimension 0 with size 5\nmore"),
            normal_cause("index 12 is out of bounds for dimension 1 with size 3"));
  EXPECT_EQ(normal_cause("shape '[2, 3]' is invalid for input at 0x7fffdeadbeef"), "shape '[#]' is invalid for input at #");
  EXPECT_EQ(normal_cause("shape '[2, 3, 4]' is invalid for input at 0x10"), "shape '[#]' is invalid for input at #");
  EXPECT_EQ(normal_cause("case 0123456789abcdef failed"), "case # failed");
  EXPECT_EQ(normal_cause("exit code 70: [NCC_EVRF035] x"), "NCC_EVRF035");
  EXPECT_EQ(normal_cause("   "), "");
  EXPECT_EQ(normal_cause("Found 2 dynamic dimension(s): [a[0], b[1]]"), "Found # dynamic dimension(s)");
  EXPECT_EQ(normal_cause("error: [Errno 2] No such file"), "error: [Errno #] No such file");
  EXPECT_NE(normal_cause("this failed"), normal_cause("that failed"));
  EXPECT_LE(normal_cause(std::string(5000, 'x')).size(), 160U);
}

TEST(ErrorConformance, WantsTheOpAsAWordOfARefusal) {
  Case test_case;
  test_case.program.nodes = {Node{"aten::t", {}}};
  EXPECT_EQ(classify_error({"RuntimeError", "that tensor is not supported", false, 0}, test_case, {}).kind, VerdictKind::unexpected_error);
  EXPECT_EQ(classify_error({"RuntimeError", "aten::t is not supported", false, 0}, test_case, {}).kind, VerdictKind::refused);
  EXPECT_EQ(classify_error({"RuntimeError", "bad", true, 0}, test_case, {}).kind, VerdictKind::compile_error);
}

TEST(ErrorConformance, AsksDocumentedErrorsForAnEmptyInputOfTheirOp) {
  Profile profile;
  profile.documented_errors = {{"aten::max", "empty_input", "RuntimeError", "Cannot perform", "a test"}};
  const Raised raised{"RuntimeError", "Cannot perform max on empty tensor (no identity value)", false, 1};
  Case test_case;
  test_case.program.symbols = 1;
  test_case.program.inputs.resize(2);
  test_case.program.inputs[0].sizes = {Dim{0, 0}};
  test_case.program.inputs[1].sizes = {Dim{0, -1}};
  test_case.program.nodes = {Node{"aten::max.dim", {Argument{ValueRef{-1, 0}}}}};
  test_case.bindings = {Binding{{3}}, Binding{{0}}};
  EXPECT_NE(find_documented_error(profile, test_case, raised), nullptr);
  EXPECT_EQ(find_documented_error(profile, test_case, Raised{raised.error_class, raised.text, false, 0}), nullptr) << "not empty in step 0";
  EXPECT_EQ(find_documented_error(profile, test_case, Raised{raised.error_class, "boom", false, 1}), nullptr);
  test_case.program.nodes = {Node{"aten::neg", {Argument{ValueRef{-1, 0}}}}, Node{"aten::max", {Argument{ValueRef{0, 0}}}}};
  EXPECT_NE(find_documented_error(profile, test_case, raised), nullptr) << "the size of what the program makes is not known";
  test_case.program.nodes.pop_back();
  EXPECT_EQ(find_documented_error(profile, test_case, raised), nullptr) << "another op";
}

}  // namespace
}  // namespace neuroncheck::oracles
