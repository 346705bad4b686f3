// The device from C++ alone: the library is opened as a worker opens it, and everything goes through the dispatcher.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<c10::IValue> call(const std::string& name, std::vector<c10::IValue> stack) {
  c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), "").callBoxed(&stack);
  return stack;
}

void set_fault(const std::string& name, const std::string& severity = "") { call("neuron_sim::set_fault", {name, severity}); }

std::vector<std::string> names_of(const std::string& which) {
  std::vector<std::string> names;
  const c10::IValue list = call("neuron_sim::" + which, {}).at(0);
  for (const c10::IValue& one : list.toListRef()) names.push_back(one.toStringRef());
  return names;
}

bool lists(const std::string& which, const std::string& name) {
  const auto names = names_of(which);
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Simulator : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static void* const library = dlopen(SIMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
  }
  void SetUp() override {
    set_fault("");
    call("neuron_sim::clear_op_tracking", {});
  }
  void TearDown() override { set_fault(""); }

  static at::Tensor to_device(const at::Tensor& tensor) { return tensor.to(at::Device("neuron")); }
};

at::Tensor floats(const std::vector<double>& values, at::ScalarType dtype = at::kFloat) { return at::tensor(values, at::kDouble).to(dtype); }

bool same_bits(const at::Tensor& left, const at::Tensor& right) {
  if (left.sizes() != right.sizes() || left.scalar_type() != right.scalar_type()) return false;
  return at::equal(left.flatten().view(at::kByte), right.flatten().view(at::kByte));
}

TEST_F(Simulator, BringsBitsThereAndBack) {
  const at::Tensor tensor = floats({1.5, kNan, -kInfinity, -0.0});
  EXPECT_TRUE(same_bits(tensor, to_device(tensor).cpu()));
  EXPECT_EQ(to_device(tensor).device().str(), "neuron:0");
}

TEST_F(Simulator, SharesStorageBetweenViews) {
  const at::Tensor device = to_device(at::arange(6, at::kFloat).view({2, 3}));
  device.t().select(0, 1).fill_(9);
  EXPECT_TRUE(at::equal(device.cpu(), at::tensor({0.0F, 9.0F, 2.0F, 3.0F, 9.0F, 5.0F}).view({2, 3})));
}

TEST_F(Simulator, ResizesOutputs) {
  const at::Tensor left = to_device(floats({1, 2, 3}));
  at::Tensor out = at::empty({0}, left.options());
  at::add_out(out, left, left);
  EXPECT_TRUE(at::equal(out.cpu(), floats({2, 4, 6})));
}

// libtorch's own gelu.out leaves such an `out` untouched.
TEST_F(Simulator, WritesStridedOutputs) {
  const at::Tensor input = to_device(floats({1, 2, 3}));
  const at::Tensor storage = to_device(floats({7, 7, 7, 7, 7, 7}));
  at::Tensor out = storage.as_strided({3}, {2});
  at::gelu_out(out, input);
  EXPECT_TRUE(at::equal(out.cpu(), at::gelu(floats({1, 2, 3}))));
  EXPECT_TRUE(at::equal(storage.as_strided({3}, {2}, 1).cpu(), floats({7, 7, 7})));
}

TEST_F(Simulator, DiesWhenTheHostReadsItsMemory) {
  const at::Tensor device = to_device(floats({1}));
  EXPECT_EXIT({ std::exit(static_cast<int>(*static_cast<const volatile float*>(device.const_data_ptr()))); }, testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(Simulator, LogsWhatRunsOnTheDevice) {
  at::add(to_device(floats({1})), to_device(floats({2})));
  EXPECT_TRUE(lists("get_executed_ops", "aten::add.Tensor"));
  EXPECT_TRUE(names_of("get_fallback_ops").empty());
}

TEST_F(Simulator, LogsAnOpWithoutKernelAsFallback) {
  const at::Tensor result = at::atan(to_device(floats({1})));
  EXPECT_TRUE(at::equal(result.cpu(), at::atan(floats({1}))));
  EXPECT_TRUE(lists("get_fallback_ops", "aten::atan.out"));
}

TEST_F(Simulator, FallsBackForAnInPlaceOpOnAStridedSlice) {
  const at::Tensor device = to_device(at::zeros({2, 3}));
  device.select(1, 1).add_(2);
  EXPECT_TRUE(lists("get_fallback_ops", "aten::add_.Tensor"));
  EXPECT_EQ(device.cpu().sum().item<float>(), 4.0F);
}

TEST_F(Simulator, RoundsSixteenBitsOnce) {
  const at::Tensor left = at::randn({64, 64}).to(at::kBFloat16), right = at::randn({64, 64}).to(at::kBFloat16);
  const at::Tensor expected = at::mm(left.to(at::kFloat), right.to(at::kFloat)).to(at::kBFloat16);
  EXPECT_TRUE(same_bits(at::mm(to_device(left), to_device(right)).cpu(), expected));
  EXPECT_TRUE(same_bits(at::exp(to_device(left)).cpu(), at::exp(left.to(at::kFloat)).to(at::kBFloat16)));
}

TEST_F(Simulator, NarrowsSixtyFourBitsInArithmeticOnly) {
  const at::Tensor wide = at::tensor(std::vector<std::int64_t>{2147483653}, at::kLong);
  EXPECT_EQ(to_device(wide).cpu().item<std::int64_t>(), 2147483653);
  EXPECT_EQ(at::add(to_device(wide), 1).cpu().item<std::int64_t>(), -2147483642);
  const at::Tensor tenth = at::tensor(std::vector<double>{0.1}, at::kDouble);
  EXPECT_EQ(at::add(to_device(tenth), to_device(at::zeros_like(tenth))).cpu().item<double>(), static_cast<double>(0.1F));
}

TEST_F(Simulator, NarrowsWhatItWrites) {
  const at::Tensor wide = at::tensor(std::vector<std::int64_t>{4294967301}, at::kLong);
  EXPECT_EQ(to_device(wide).relu_().cpu().item<std::int64_t>(), 5);
  at::Tensor out = to_device(wide);
  at::sub_out(out, to_device(wide), to_device(at::ones_like(wide)));
  EXPECT_EQ(out.cpu().item<std::int64_t>(), 4);
  const at::Tensor tenth = at::tensor(std::vector<double>{0.1}, at::kDouble);
  EXPECT_EQ(to_device(tenth).sqrt_().cpu().item<double>(), static_cast<double>(static_cast<float>(std::sqrt(static_cast<double>(0.1F)))));
  EXPECT_EQ(at::cumsum(to_device(at::full({2}, 2147483647, at::kInt)), 0).cpu()[1].item<std::int64_t>(), -2);
}

TEST_F(Simulator, LaysResultsOutAsTheCpuDoes) {
  for (const at::ScalarType dtype : {at::kLong, at::kBFloat16}) {
    const at::Tensor column = at::full({5, 1}, 4294967301.0, at::kDouble).to(dtype), rows = column.expand({5, 10}).clone().slice(0, 0, 3);
    const auto expanded = [](const at::Tensor& x) { return x.expand({5, 3}); };
    const auto sliced = [](const at::Tensor& x) { return x.slice(1, 0, 10, 2).t(); };
    const at::Tensor result = at::remainder(expanded(to_device(column)), sliced(to_device(rows)));
    EXPECT_EQ(result.strides(), at::remainder(expanded(column), sliced(rows)).strides());
    EXPECT_EQ(at::add(sliced(to_device(rows)), 1).strides(), at::add(sliced(rows), 1).strides());
  }
}

TEST_F(Simulator, ComputesSoftmaxGradientsOfHalf) {
  const at::Tensor output = at::softmax(at::randn({3, 4}), 1).to(at::kHalf), gradient = at::randn({3, 4}).to(at::kHalf);
  for (const auto& op : {&at::_softmax_backward_data, &at::_log_softmax_backward_data}) {
    const at::Tensor expected = op(gradient.to(at::kFloat), output.to(at::kFloat), 1, at::kFloat).to(at::kHalf);
    EXPECT_TRUE(same_bits(op(to_device(gradient), to_device(output), 1, at::kHalf).cpu(), expected));
  }
}

TEST_F(Simulator, HasTheVendorsPersonality) {
  const auto on_device = [](const at::Tensor& input, auto op) { return op(to_device(input)).cpu().template item<float>(); };
  EXPECT_EQ(on_device(floats({kNan}), [](const at::Tensor& x) { return at::relu(x); }), 0.0F);
  EXPECT_EQ(on_device(floats({kNan}), [](const at::Tensor& x) { return at::clamp(x, -1, 1); }), -1.0F);
  // Of the value alone: a limit that is NaN makes NaN.
  EXPECT_TRUE(std::isnan(on_device(floats({5}), [](const at::Tensor& x) { return at::clamp(x, at::ones_like(x), at::full_like(x, kNan)); })));
  EXPECT_TRUE(std::isnan(on_device(floats({kNan}), [](const at::Tensor& x) { return at::sign(x); })));
  EXPECT_EQ(on_device(floats({kInfinity}), [](const at::Tensor& x) { return at::ceil(x); }), -2147483648.0F);
  EXPECT_TRUE(std::isnan(on_device(floats({0}), [](const at::Tensor& x) { return at::rsqrt(x); })));
  EXPECT_EQ(on_device(floats({2}), [](const at::Tensor& x) { return at::remainder(x, 0.1); }), 0.0F);
  EXPECT_EQ(on_device(floats({2}), [](const at::Tensor& x) { return at::remainder(x, 0); }), 2.0F);
  const at::Tensor rows = at::index_select(to_device(at::ones({2, 2})), 0, to_device(at::tensor(std::vector<std::int64_t>{7})));
  EXPECT_TRUE(rows.cpu().isnan().all().item<bool>());
}

TEST_F(Simulator, RefusesAMaximumOfNothing) {
  try {
    at::amax(to_device(at::empty({0})), {0});
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("Cannot perform amax on empty tensor (no identity value)"), std::string::npos);
  }
}

TEST_F(Simulator, ClonesContiguously) { EXPECT_TRUE(to_device(at::ones({2, 3})).t().clone().is_contiguous()); }

// A program of one op on which a fault shows, and what makes it show.
struct Shown {
  std::string fault;
  at::Tensor (*compute)(const std::vector<at::Tensor>& inputs);
  std::vector<at::Tensor> inputs;
};

std::vector<Shown> shown_faults() {
  const at::Tensor bf16 = at::linspace(0.1, 3, 32).to(at::kBFloat16);
  const at::Tensor matrix = floats({1.001, 2.003, 3.007, 4.009}).view({2, 2});
  return {
      {"output_truncated", [](const auto& in) { return at::exp(in[0]); }, {bf16}},
      {"bf16_accumulator", [](const auto& in) { return at::mm(in[0], in[0]); }, {matrix}},
      {"bf16_accumulator", [](const auto& in) { return at::sum(in[0], {1}); }, {matrix}},
      {"reduction_drops_last", [](const auto& in) { return at::mean(in[0]); }, {matrix}},
      {"nan_swallowed", [](const auto& in) { return at::amax(in[0], {0}); }, {floats({1, kNan})}},
      {"nan_swallowed", [](const auto& in) { return std::get<0>(at::max(in[0], 0)); }, {floats({1, kNan})}},
      {"max_dim_last_tie", [](const auto& in) { return std::get<1>(at::max(in[0], 0)); }, {floats({3, 1, 3})}},
      {"index_select_off_by_one_last",
       [](const auto& in) { return at::index_select(in[0], 0, in[1]); },
       {matrix, at::tensor(std::vector<std::int64_t>{1})}},
      {"transposed_read_as_contiguous", [](const auto& in) { return at::exp(in[0].t()); }, {matrix}},
  };
}

TEST_F(Simulator, EveryFaultChangesTheResult) {
  for (const Shown& shown : shown_faults()) {
    std::vector<at::Tensor> inputs;
    for (const at::Tensor& input : shown.inputs) inputs.push_back(to_device(input));
    const at::Tensor right = shown.compute(inputs).cpu();
    set_fault(shown.fault);
    const at::Tensor wrong = shown.compute(inputs).cpu();
    set_fault("");
    EXPECT_FALSE(same_bits(right, wrong)) << shown.fault;
    EXPECT_TRUE(same_bits(right, shown.compute(inputs).cpu())) << shown.fault;
  }
}

TEST_F(Simulator, OneElementIsOne) {
  const at::Tensor input = to_device(at::linspace(0.1, 3, 200).to(at::kBFloat16));
  const at::Tensor right = at::exp(input).cpu();
  set_fault("output_truncated");
  const std::int64_t everywhere = at::exp(input).cpu().ne(right).sum().item<std::int64_t>();
  set_fault("output_truncated", "one_element");
  EXPECT_LE(at::exp(input).cpu().ne(right).sum().item<std::int64_t>(), 1);
  EXPECT_GT(everywhere, 50);
}

TEST_F(Simulator, OneCallInFiftyIsWrong) {
  set_fault("one_call_in_50");
  const at::Tensor input = to_device(floats({1}));
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong += at::mul(input, input).cpu().item<float>() != 1.0F;
  EXPECT_EQ(wrong, 2);
}

TEST_F(Simulator, CrashesOnEmptyWithThatFault) {
  const at::Tensor empty = to_device(at::empty({0}));
  set_fault("crash_on_empty");
  EXPECT_EXIT(at::exp(empty), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(Simulator, RefusesAnUnknownFault) { EXPECT_THROW(set_fault("no_such_fault"), c10::Error); }

}  // namespace
