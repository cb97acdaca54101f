// The ladder `pipeline` on simt, watched: what each rung teaches is what its timeline shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/timeline/recording.hpp"

namespace lanework {
namespace {

// Large enough that bytes and not starts make the time: 16 chunks of 16384 elements, of which the last comes in four
// parts, on a link of 1 GB/s.
constexpr std::int64_t kElements = 16 * 16384, kChunks = 16 + 3;

class PipelineTimeline : public ::testing::Test {
protected:
    void SetUp() override {
        if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << availability(DeviceKind::simt).reason;
        device_ = open_device("simt");
    }

    Timeline timeline(const char* rung, const char* memory = "pinned",
                      const char* speeds = "link=1,pageable=1,memory=100") const {
        const Operation& pipeline = find_operation("pipeline");
        const Problem problem{extents(kElements), DType::float32, parse_variant(pipeline, memory)};
        return timeline_of(*device_, {&pipeline, &find_rung(pipeline, rung, DeviceKind::simt), problem},
                           parse_speeds(speeds, published_speeds(parse_gpu("h200"))));
    }
    static std::int64_t count(const Timeline& timeline, Engine engine) {
        return std::ranges::count(timeline.spans, engine, &Span::engine);
    }

    std::unique_ptr<Device> device_;
};

TEST_F(PipelineTimeline, ShowsEveryCopyAndKernelWithItsBytes) {
    const Timeline one = timeline("one_stream");
    EXPECT_EQ(one.source, TimelineSource::modelled);
    EXPECT_EQ(count(one, Engine::upload), 2 * kChunks);
    EXPECT_EQ(count(one, Engine::kernel), kChunks);
    EXPECT_EQ(count(one, Engine::download), kChunks);
    EXPECT_EQ(one.spans.size(), 4U * kChunks);
    std::uint64_t down = 0, moved = 0;
    for (const Span& span : one.spans) {
        if (span.engine == Engine::download) down += span.bytes;
        if (span.engine == Engine::kernel) {
            moved += span.bytes;
            EXPECT_EQ(span.name, "mean_of_chunk");
        }
    }
    EXPECT_EQ(down, kElements * sizeof(float));
    // Each chunk reads a and b with a neighbour's sector on each side, except at both ends of all, and writes c.
    EXPECT_EQ(moved, 3 * kElements * sizeof(float) + (2 * kChunks - 2) * 2 * 32);
}

TEST_F(PipelineTimeline, OfOneStreamIsTheSumOfItsStages) {
    const Timeline one = timeline("one_stream");
    EXPECT_EQ(stream_count(one), 1);
    EXPECT_NEAR(length_s(one),
                busy_s(one, Engine::upload) + busy_s(one, Engine::kernel) + busy_s(one, Engine::download), 1e-12);
}

TEST_F(PipelineTimeline, OfTwoStreamsIsShorterInEitherOrder) {
    const double one = length_s(timeline("one_stream"));
    for (const char* rung : {"two_streams_depth_first", "two_streams_breadth_first"}) {
        const Timeline two = timeline(rung);
        EXPECT_EQ(stream_count(two), 2) << rung;
        EXPECT_LT(length_s(two), 0.75 * one) << rung;
        EXPECT_EQ(critical_engine(two), Engine::upload) << rung;
        EXPECT_GT(overlap_efficiency(two), 0.95) << rung;
    }
}

// What was uploaded with the default stream's copy before and after would not overlap either: the order of one queue.
TEST_F(PipelineTimeline, OfOneCopyEngineDependsOnTheOrder) {
    const char* const old = "link=1,memory=10,copy-engines=1";
    const double depth = length_s(timeline("two_streams_depth_first", "pinned", old));
    const double breadth = length_s(timeline("two_streams_breadth_first", "pinned", old));
    EXPECT_NEAR(depth, length_s(timeline("one_stream", "pinned", old)), 1e-12) << "nothing overlaps";
    EXPECT_LT(breadth, 0.95 * depth) << "kernels overlap with the pair's copies";
}

TEST_F(PipelineTimeline, OfFourStreamsDoesNotWaitToUploadBeforeTheEnd) {
    const Timeline four = timeline("four_streams");
    EXPECT_EQ(stream_count(four), 4);
    for (const Interval& gap : gaps(four, Engine::upload))
        EXPECT_GT(gap.begin_s, 0.8 * length_s(four)) << "only the small chunks at the end are faster than their slots";
    EXPECT_GT(overlap_efficiency(four), 0.95);
}

TEST_F(PipelineTimeline, OfAGraphShowsItsNodesAsTheStreamsItWasMadeOf) {
    const Timeline graph = timeline("graph"), four = timeline("four_streams");
    EXPECT_EQ(count(graph, Engine::kernel), kChunks);
    EXPECT_EQ(count(graph, Engine::upload), 2 * kChunks);
    EXPECT_EQ(stream_count(graph), 4);
    ASSERT_EQ(graph.spans.size(), four.spans.size());
    for (std::size_t i = 0; i < graph.spans.size(); ++i) {
        EXPECT_EQ(graph.spans[i].engine, four.spans[i].engine) << i;
        EXPECT_NEAR(graph.spans[i].begin_s, four.spans[i].begin_s, 1e-12) << i;
    }
}

TEST_F(PipelineTimeline, OfAGraphPaysForItsCallsOnce) {
    const char* const slow_host = "link=64,call=5";
    const double graph = length_s(timeline("graph", "pinned", slow_host));
    EXPECT_LT(graph, 0.5 * length_s(timeline("four_streams", "pinned", slow_host)));
}

TEST_F(PipelineTimeline, OfPageableMemoryHasNoOverlap) {
    for (const char* rung : {"one_stream", "two_streams_depth_first", "two_streams_breadth_first", "four_streams"}) {
        const Timeline pageable = timeline(rung, "pageable");
        const double copies = busy_s(pageable, Engine::upload) + busy_s(pageable, Engine::download);
        EXPECT_GE(length_s(pageable), copies - 1e-12) << rung;
        EXPECT_LT(overlap_efficiency(pageable), 0.7) << rung;
        EXPECT_EQ(pageable.spans.front().name, "pageable") << rung;
    }
    EXPECT_THROW(timeline("graph", "pageable"), UnavailableError);
}

}  // namespace
}  // namespace lanework
