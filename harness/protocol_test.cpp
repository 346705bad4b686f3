#include "harness/protocol.h"

#include <gtest/gtest.h>

namespace neuroncheck {
namespace {

TEST(Protocol, ChunksKeepWhatIsDone) {
  ChunkRequest chunk;
  chunk.item.row = "softmax";
  chunk.item.dtypes = {Dtype::bfloat16};
  chunk.item.paths = {Path::eager, Path::compiled_backward};
  chunk.item.count = 7;
  chunk.done = {{3, Path::compiled_backward}};
  chunk.batch = 9;
  const auto decoded = std::get<ChunkRequest>(decode_request(encode(Request{chunk})));
  EXPECT_EQ(decoded.item.row, "softmax");
  EXPECT_EQ(decoded.item.paths, chunk.item.paths);
  EXPECT_EQ(decoded.done, chunk.done);
  EXPECT_EQ(decoded.batch, 9);
}

TEST(Protocol, ProbesKeepTheirWayDownTheTree) {
  ProbeRequest probe;
  probe.position = {"add", 12, {0, 3, 1}};
  probe.paths = {Path::compiled};
  probe.repeat = 20;
  probe.wanted = "mismatch";
  const auto decoded = std::get<ProbeRequest>(decode_request(encode(Request{probe})));
  EXPECT_EQ(decoded.position, probe.position);
  EXPECT_EQ(decoded.repeat, 20);
  EXPECT_EQ(decoded.wanted, "mismatch");
}

TEST(Protocol, AnswersKeepTextThatIsNotUtf8) {
  Record record;
  record.verdict.detail = "bad \xff byte";
  const Reply decoded = decode_reply(encode(Reply{ProbeAnswer{false, "{}", "00", {record}}}));
  EXPECT_EQ(std::get<ProbeAnswer>(decoded).records.size(), 1u);
}

TEST(Protocol, RefusesWhatWeNeverSend) { EXPECT_THROW(decode_request(R"({"do":"dance"})"), std::logic_error); }

}  // namespace
}  // namespace neuroncheck
