// What follows from a timeline, on timelines made by hand.
#include "src/timeline/timeline.hpp"

#include <gtest/gtest.h>

#include "src/timeline/activity.hpp"

namespace lanework {
namespace {

Timeline by_hand(std::vector<Span> spans) { return {TimelineSource::modelled, "hand", std::move(spans), {}}; }

Span span(Engine engine, double begin_s, double end_s, int stream = 1) {
    return {engine, "", stream, begin_s, end_s, 0};
}

TEST(Timeline, CountsTheUnionOfWhatAnEngineDoes) {
    const Timeline timeline =
        by_hand({span(Engine::kernel, 0, 4), span(Engine::kernel, 1, 2), span(Engine::kernel, 3, 6),
                 span(Engine::kernel, 6, 7), span(Engine::kernel, 9, 10), span(Engine::upload, 0, 1)});
    EXPECT_EQ(busy_s(timeline, Engine::kernel), 8);
    const std::vector<Interval> merged{{0, 7}, {9, 10}}, waits{{7, 9}};
    EXPECT_EQ(busy_intervals(timeline, Engine::kernel), merged);
    EXPECT_EQ(gaps(timeline, Engine::kernel), waits);
    EXPECT_EQ(busy_s(timeline, Engine::upload), 1);
    EXPECT_EQ(busy_s(timeline, Engine::memset), 0);
    EXPECT_TRUE(gaps(timeline, Engine::memset).empty());
}

TEST(Timeline, IsAsEfficientAsItsBusiestEngineIsBusy) {
    const Timeline timeline =
        by_hand({span(Engine::upload, 0, 6), span(Engine::kernel, 2, 5), span(Engine::download, 4, 8)});
    EXPECT_EQ(length_s(timeline), 8);
    EXPECT_EQ(critical_engine(timeline), Engine::upload);
    EXPECT_EQ(overlap_efficiency(timeline), 0.75);
}

TEST(Timeline, OfNothingIsEmpty) {
    const Timeline timeline = by_hand({});
    EXPECT_EQ(length_s(timeline), 0);
    EXPECT_EQ(critical_engine(timeline), std::nullopt);
    EXPECT_EQ(overlap_efficiency(timeline), 0);
    EXPECT_EQ(stream_count(timeline), 0);
}

TEST(Timeline, BeginsAtZeroWithItsFirstStream) {
    Timeline timeline = by_hand({span(Engine::download, 12, 13, 7), span(Engine::upload, 10, 11, 41),
                                 span(Engine::kernel, 11, 12, 41), span(Engine::upload, 10, 12, 7)});
    normalise(timeline);
    ASSERT_EQ(timeline.spans.size(), 4U);
    EXPECT_EQ(timeline.spans[0].begin_s, 0);
    EXPECT_EQ(timeline.spans[0].end_s, 1) << "the shorter of two that begin together is stream 1";
    EXPECT_EQ(timeline.spans[0].stream, 1);
    EXPECT_EQ(timeline.spans[1].stream, 2);
    EXPECT_EQ(timeline.spans[2].engine, Engine::kernel);
    EXPECT_EQ(timeline.spans[2].stream, 1);
    EXPECT_EQ(timeline.spans[3].stream, 2);
    EXPECT_EQ(stream_count(timeline), 2);
}

// A GPU's clock counts nanoseconds from 1970: doubles of it would be off by hundreds.
TEST(Activity, KeepsNanosecondsOfALateClock) {
    constexpr std::uint64_t kLate = 1'790'000'000'000'000'000;
    const Activity activities[] = {
        {Engine::upload, "pinned", 13, kLate + 1000, kLate + 1007, 64},
        {Engine::kernel, "_ZN12_GLOBAL__N_13sumIiEEvPKii", 14, kLate + 1003, kLate + 1010, 0},
        {Engine::memset, "", 13, 0, 0, 16},
    };
    const Timeline timeline = timeline_of(activities, "CUPTI 13.0.1");
    EXPECT_EQ(timeline.source, TimelineSource::recorded);
    ASSERT_EQ(timeline.spans.size(), 2U);
    EXPECT_DOUBLE_EQ(timeline.spans[0].seconds(), 7e-9);
    EXPECT_DOUBLE_EQ(timeline.spans[1].begin_s, 3e-9);
    EXPECT_EQ(timeline.spans[1].name, "sum<int>");
    EXPECT_EQ(timeline.spans[1].stream, 2);
    ASSERT_EQ(timeline.notes.size(), 1U);
    EXPECT_EQ(timeline.notes[0], "1 piece of work came without times and is left out.");
}

TEST(Activity, ShowsWhenTheHostCallsAndWaitsButNotTheWaitForTheEnd) {
    constexpr std::uint64_t kLate = 1'790'000'000'000'000'000;
    const Activity work[] = {{Engine::kernel, "a", 1, kLate + 100, kLate + 200, 0},
                             {Engine::kernel, "b", 1, kLate + 300, kLate + 400, 0}};
    const HostActivity calls[] = {{"cudaDeviceSynchronize_v3020", kLate + 290, kLate + 410},
                                  {"cudaLaunchKernel_v7000", kLate + 50, kLate + 110},
                                  {"cudaStreamSynchronize_v3020", kLate + 150, kLate + 205},
                                  {"cudaLaunchKernel_v7000", kLate + 205, kLate + 250}};
    const Timeline timeline = timeline_of(work, calls, "CUPTI 13.0.1");
    ASSERT_TRUE(timeline.host_is_known);
    ASSERT_EQ(timeline.host.size(), 3U) << "the last wait is that of whoever waits for the end";
    EXPECT_EQ(timeline.host[0].begin_s, 0) << "what was called before the first kernel began is cut off";
    EXPECT_DOUBLE_EQ(timeline.host[0].end_s, 10e-9);
    EXPECT_TRUE(timeline.host[1].waits);
    EXPECT_FALSE(timeline.host[2].waits);
    EXPECT_EQ(host_busy(timeline).size(), 2U) << "a call follows the wait without a pause";
    EXPECT_DOUBLE_EQ(host_free_s(timeline), (300 - 10 - 100) * 1e-9);
    EXPECT_FALSE(timeline_of(work, "CUPTI 13.0.1").host_is_known);
}

}  // namespace
}  // namespace lanework
