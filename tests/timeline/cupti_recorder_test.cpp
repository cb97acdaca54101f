// What CUPTI records on a GPU; where there is none, or no CUPTI, that is said and nothing is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/timeline/recording.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kElements = 64 * 65'536;
constexpr std::int64_t kChunks = 15 + 4;  // of sixteen, the last is cut into a half, a quarter and two eighths

class RecordedPipeline : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (availability(DeviceKind::cuda).count == 0) GTEST_SKIP() << availability(DeviceKind::cuda).reason;
        device_ = open_device("cuda");
        const Operation& pipeline = find_operation("pipeline");
        const Problem problem{extents(kElements), DType::float32, parse_variant(pipeline, "pinned")};
        try {
            timeline_ = timeline_of(*device_, {&pipeline, &find_rung(pipeline, GetParam(), DeviceKind::cuda), problem},
                                    published_speeds(parse_gpu("h200")));
        } catch (const UnavailableError& error) {
            GTEST_SKIP() << error.what();
        }
    }
    std::int64_t count(Engine engine) const { return std::ranges::count(timeline_.spans, engine, &Span::engine); }

    std::unique_ptr<Device> device_;
    Timeline timeline_;
};

TEST_P(RecordedPipeline, ShowsEveryCopyAndKernelOfOneLaunch) {
    EXPECT_EQ(timeline_.source, TimelineSource::recorded);
    EXPECT_EQ(count(Engine::upload), 2 * kChunks);
    EXPECT_EQ(count(Engine::kernel), kChunks);
    EXPECT_EQ(count(Engine::download), kChunks);
    std::uint64_t down = 0;
    for (const Span& span : timeline_.spans) {
        EXPECT_GT(span.seconds(), 0) << name_of(span.engine);
        if (span.engine == Engine::kernel)
            EXPECT_EQ(span.name, "mean_of_chunk");
        else
            EXPECT_EQ(span.name, "pinned");
        if (span.engine == Engine::download) down += span.bytes;
    }
    EXPECT_EQ(down, kElements * sizeof(float));
    EXPECT_GT(overlap_efficiency(timeline_), 0);  // how much of it depends on what else the host does
    EXPECT_LE(overlap_efficiency(timeline_), 1);
    EXPECT_LT(length_s(timeline_), 1) << "seconds";
}

INSTANTIATE_TEST_SUITE_P(Rungs, RecordedPipeline,
                         ::testing::Values("one_stream", "two_streams_depth_first", "four_streams", "graph"),
                         [](const auto& rung) { return std::string(rung.param); });

}  // namespace
}  // namespace lanework
