#include "oracles/profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/user_error.h"

namespace neuroncheck::oracles {
namespace {

const std::filesystem::path kShipped = NEURONCHECK_PROFILES;

// A copy of the shipped cpu profile with one text replaced, in a folder of its own.
class Edited {
 public:
  Edited(const std::string& from, const std::string& to) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("profile_test_") + test->name());
    std::filesystem::create_directories(folder_);
    std::ifstream shipped(kShipped / "cpu.json");
    std::string text{std::istreambuf_iterator<char>(shipped), {}};
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(folder_ / "cpu.json") << text;
  }
  ~Edited() { std::filesystem::remove_all(folder_); }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;

  std::string complaint() const {
    try {
      load_profile("cpu", folder_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_;
};

bool names(const std::string& message, const std::string& word) { return message.find(word) != std::string::npos; }

TEST(Profile, LoadsEveryShippedProfile) {
  for (const char* name : {"cpu", "trainium2", "trainium2_native_int64", "permissive"}) {
    EXPECT_EQ(load_profile(name, kShipped).name, name);
  }
}

TEST(Profile, KnowsTheDemotionsOfTrainium2) {
  const Profile profile = load_profile("trainium2", kShipped);
  EXPECT_TRUE(profile.demotes_int64);
  EXPECT_EQ(computed_in(profile, Dtype::float64), Dtype::float32);
  EXPECT_EQ(accumulator_of(profile, Dtype::float64), Dtype::float32);
  EXPECT_EQ(accumulator_of(profile, Dtype::bfloat16), Dtype::float32);
  EXPECT_TRUE(profile.demotion_exempt.contains(base_op("aten::copy_")));
  EXPECT_FALSE(load_profile("trainium2_native_int64", kShipped).demotes_int64);
  EXPECT_TRUE(profile.assumed.contains("flush_outputs"));
  EXPECT_FALSE(profile.assumed.contains("rounding"));
}

TEST(Profile, FindsThePersonalityOfInPlaceForms) {
  const Profile profile = load_profile("trainium2", kShipped);
  const Personality* relu = find_personality(profile, "aten::relu_", "nan");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->gives, "0");
  EXPECT_EQ(find_personality(profile, "aten::relu", "zero"), nullptr);
  EXPECT_EQ(find_personality(load_profile("cpu", kShipped), "aten::relu", "nan"), nullptr);
}

TEST(Profile, TakesOverloadAndInPlaceMarkOff) {
  EXPECT_EQ(base_op("aten::relu_"), "aten::relu");
  EXPECT_EQ(base_op("aten::add.Tensor"), "aten::add");
  EXPECT_EQ(base_op("aten::add_.Tensor"), "aten::add");
  EXPECT_EQ(base_op("aten::__and__.Tensor"), "aten::__and__");
  EXPECT_EQ(base_op("aten::_to_copy"), "aten::_to_copy");
}

TEST(Profile, RefusesUnknownKey) {
  const std::string message = Edited("\"tile\"", "\"tyle\"").complaint();
  EXPECT_TRUE(names(message, "cpu.json") && names(message, "'tile'")) << message;
  EXPECT_TRUE(names(Edited("\"about\"", "\"extra\": 1, \"about\"").complaint(), "unknown key 'extra'"));
}

TEST(Profile, RefusesLineWithoutSource) {
  EXPECT_TRUE(names(Edited("\"source\": \"a copy moves bits\"", "\"source\": \"\"").complaint(), "source"));
  EXPECT_TRUE(names(Edited(", \"source\": \"a copy moves bits\"", "").complaint(), "source"));
}

TEST(Profile, KnowsTheDocumentedErrorsOfTrainium2) {
  for (const char* name : {"trainium2", "trainium2_native_int64"}) EXPECT_EQ(load_profile(name, kShipped).documented_errors.size(), 6U);
  EXPECT_TRUE(load_profile("cpu", kShipped).documented_errors.empty());
}

std::string complaint_about_error(const std::string& when, const std::string& raises, const std::string& tag) {
  const std::string line = R"({"op": "aten::amax", "when": ")" + when + R"(", "raises": ")" + raises + R"(", "text": "Cannot perform", "tag": ")" +
                           tag + R"(", "source": "a test"})";
  return Edited(R"("documented_errors": [])", R"("documented_errors": [)" + line + "]").complaint();
}

TEST(Profile, RefusesErrorsThatExcuseTooMuch) {
  EXPECT_EQ(complaint_about_error("empty_input", "RuntimeError", "documented"), "");
  EXPECT_TRUE(names(complaint_about_error("always", "RuntimeError", "documented"), "unknown when 'always'"));
  EXPECT_TRUE(names(complaint_about_error("empty_input", "Error", "documented"), "unknown class 'Error'"));
  EXPECT_TRUE(names(complaint_about_error("empty_input", "RuntimeError", "assumed"), "only assumed"));
  EXPECT_TRUE(names(Edited("\"documented_errors\": []", "\"documented_errors\": 1").complaint(), "a list is wanted"));
}

TEST(Profile, RefusesUnknownWord) {
  EXPECT_TRUE(names(Edited("\"nearest_even\"", "\"nearest\"").complaint(), "unknown rounding 'nearest'"));
  EXPECT_TRUE(names(Edited("\"documented\"", "\"guessed\"").complaint(), "unknown tag 'guessed'"));
}

TEST(Profile, RefusesMissingFile) { EXPECT_THROW(load_profile("nosuch", kShipped), UserError); }

}  // namespace
}  // namespace neuroncheck::oracles
