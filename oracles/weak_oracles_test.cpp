#include "oracles/weak_oracles.h"

#include <gtest/gtest.h>

#include <limits>

#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::integer_tensor;
using testing_tensors::tensor;

WeakSight sight(const HostTensor& plain, const HostTensor& seen) { return weak_sight(Returned{{Step{{plain}, {}}}}, Returned{{Step{{seen}, {}}}}); }

TEST(WeakOracles, SeeWhatTheirTolerancesLetThem) {
  const HostTensor one = tensor(Dtype::float32, {1});
  EXPECT_FALSE(sight(one, tensor(Dtype::float32, {1.000001})).by_default);
  EXPECT_TRUE(sight(one, tensor(Dtype::float32, {1.001})).by_default);
  EXPECT_FALSE(sight(one, tensor(Dtype::float32, {1.001})).by_vendor);
  EXPECT_TRUE(sight(one, tensor(Dtype::float32, {1.02})).by_vendor);
  EXPECT_FALSE(sight(tensor(Dtype::bfloat16, {1}), tensor(Dtype::bfloat16, {1.0078125})).by_default);
}

TEST(WeakOracles, SeeClassesShapesAndIntegers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(sight(tensor(Dtype::float32, {nan}), tensor(Dtype::float32, {0})).by_vendor);
  EXPECT_FALSE(sight(tensor(Dtype::float32, {nan}), tensor(Dtype::float32, {nan})).by_default);
  EXPECT_TRUE(sight(tensor(Dtype::float32, {1}), tensor(Dtype::float32, {1}, {1, 1})).by_default);
  EXPECT_TRUE(sight(integer_tensor(Dtype::int32, {1}), integer_tensor(Dtype::int32, {2})).by_vendor);
}

}  // namespace
}  // namespace neuroncheck::oracles
