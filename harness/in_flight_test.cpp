#include "harness/in_flight.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/user_error.h"

namespace neuroncheck {
namespace {

TEST(InFlight, SurvivesItsWriter) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("in_flight_test." + std::to_string(::getpid()));
  {
    InFlightFile written(file, 4);
    InFlight what;
    what.stage = Stage::reference;
    what.n = 42;
    what.row = "softmax";
    written.announce(2, what);
  }
  const InFlightFile read(file, 4);
  EXPECT_EQ(read.read(2).row, "softmax");
  EXPECT_EQ(read.read(2).n, 42);
  EXPECT_EQ(read.read(2).stage, Stage::reference);
  EXPECT_EQ(read.read(1).beats, 0u);
  std::filesystem::remove(file);
}

TEST(InFlight, NamesTheFolderThatCannotBeWritten) { EXPECT_THROW(InFlightFile("/nonexistent/file", 1), UserError); }

}  // namespace
}  // namespace neuroncheck
