// Recordings: how they are compared, and that what they hold is what the simt device counts.
#include "src/trace/analyse/golden.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <sstream>

#include "src/profile/accuracy_page.hpp"

namespace lanework {
namespace {

constexpr const char* kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

// One launch of 2 blocks of 64 threads: the hardware counted `recorded` load sectors and 32 registers, we `traced`.
Recording recording_of(std::optional<double> recorded) {
    RecordedLaunch launch{"kernel", {2, 1, 1}, {64, 1, 1}, {2, 64, recorded, 32, 100}};
    return {{{"gpu", "H200"}},
            "add",
            90,
            132,
            {"launch__grid_size", "launch__block_size", kSectors, "launch__registers_per_thread",
             "sm__maximum_warps_per_active_cycle_pct"},
            {{"coalesced", "128", "float32", "", 1, {launch}}}};
}

Explanation explanation_of(std::uint64_t traced) {
    Explanation explanation;
    explanation.operation = "add";
    explanation.rung = "coalesced";
    KernelTrace launch;
    launch.shape.grid = {2, 1, 1};
    launch.shape.block = {64, 1, 1};
    PlacedSite load;
    load.site.global.sectors = traced;
    launch.sites = {load};
    explanation.kernels = {launch};
    return explanation;
}

std::vector<CounterComparison> comparisons_of(std::optional<double> recorded, std::uint64_t traced) {
    const Recording recording = recording_of(recorded);
    return compare(recording, recording.runs.front(), explanation_of(traced), *find_capability(90));
}

TEST(Golden, ComparesExactCountersOnly) {
    const auto comparisons = comparisons_of(16, 16);
    const Accuracy accuracy = judge(comparisons, {});
    EXPECT_EQ(accuracy.compared(), 4u);  // blocks, threads, sectors, occupancy; not registers
    EXPECT_EQ(accuracy.equal.size(), 4u);
    EXPECT_EQ(accuracy.unknown(), 0u);
}

TEST(Golden, FindsACounterThatIsOffByOne) {
    const auto comparisons = comparisons_of(16, 17);
    const Accuracy accuracy = judge(comparisons, {});
    ASSERT_EQ(accuracy.different.size(), 1u);
    EXPECT_EQ(accuracy.unknown(), 1u);
    EXPECT_EQ(describe(*accuracy.different.front().first),
              "add/coalesced 128 float32, launch 0 (kernel): l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum is 16 and "
              "traced 17");
}

TEST(Golden, WhatTheProfilerDidNotSayIsNotCompared) {
    const auto comparisons = comparisons_of(std::nullopt, 17);
    EXPECT_EQ(judge(comparisons, {}).compared(), 3u);
}

TEST(Golden, ALaunchThatOneSideLacksIsADifference) {
    Recording recording = recording_of(16);
    const auto traced_only =
        compare(recording, {"coalesced", "128", "float32", "", 1, {}}, explanation_of(16), *find_capability(90));
    EXPECT_EQ(judge(traced_only, {}).unknown(), 1u);
    const auto recorded_only = compare(recording, recording.runs.front(), {}, *find_capability(90));
    EXPECT_EQ(judge(recorded_only, {}).unknown(), 1u);
}

TEST(Golden, KnownDifferencesHaveAReasonAndGoStale) {
    const std::vector<KnownDifference> known{{"add/coalesced", "l1tex__t_sectors*", "128 float32", "nvcc widens it"},
                                             {"add/coalesced", "launch__grid_size", "", "never differs"},
                                             {"add/strided", kSectors, "", "another rung"}};
    const auto comparisons = comparisons_of(16, 17);
    const Accuracy accuracy = judge(comparisons, known);
    ASSERT_EQ(accuracy.different.size(), 1u);
    EXPECT_EQ(accuracy.different.front().second->reason, "nvcc widens it");
    EXPECT_EQ(accuracy.unknown(), 0u);
    EXPECT_EQ(accuracy.stale.size(), 2u);
}

TEST(Golden, OccupancyFollowsFromTheHardwaresRegisters) {
    Recording recording = recording_of(16);
    recording.runs[0].launches[0].values[3] = 255;  // 65536 ÷ (256 · 64) = 4 blocks of 2 warps, of 64
    recording.runs[0].launches[0].values[4] = 12.5;
    const auto comparisons = compare(recording, recording.runs.front(), explanation_of(16), *find_capability(90));
    EXPECT_EQ(judge(comparisons, {}).equal.size(), 4u);
}

TEST(Golden, RecordingsReadBackWhatWasWritten) {
    const Recording recording = recording_of(std::nullopt);
    const Recording read = parse_recording(to_json(recording), "add.json");
    EXPECT_EQ(to_json(read), to_json(recording));
    EXPECT_EQ(read.runs.front().launches.front().values, recording.runs.front().launches.front().values);
    EXPECT_EQ(read.capability, 90);
    EXPECT_EQ(read.multiprocessors, 132);
    EXPECT_EQ(read.provenance.front().value, "H200");
}

TEST(Golden, BadFilesAreRefusedByName) {
    EXPECT_THROW(parse_recording("{\"schema\": 2}", "x.json"), FileError);
    EXPECT_THROW(parse_recording("{", "x.json"), FileError);
    Recording recording = recording_of(16);
    recording.metrics.pop_back();
    EXPECT_THROW(parse_recording(to_json(recording), "x.json"), FileError);
    EXPECT_THROW(
        parse_known_differences(R"({"differences": [{"rung": "a/b", "metric": "m", "reason": ""}]})", "x.json"),
        FileError);
    EXPECT_EQ(parse_known_differences(R"({"differences": [{"rung": "a/b", "metric": "m", "reason": "r"}]})", "x.json")
                  .front()
                  .reason,
              "r");
}

TEST(Golden, EveryOperationIsRecordedOnProblemsThatAreNotEmpty) {
    for (const Operation* operation : operations()) {
        const auto problems = golden_problems(*operation);
        EXPECT_FALSE(problems.empty()) << operation->name;
        EXPECT_GE(problems.size() + 1, operation->types.size()) << operation->name;
        for (const Problem& problem : problems) {
            const Work work = operation->work(problem);
            EXPECT_GT(work.bytes() + work.flops, 0u) << operation->name << format_extents(*operation, problem);
        }
    }
}

std::string text_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Modelled counters follow the basic blocks that a host compiler makes; g++ 12 made those of the page.
std::string as_every_compiler_has_it(std::string page) {
#if defined(__clang__) || __GNUC__ != 12
    const std::size_t begin = page.find("## Modelled counters"), end = page.find("\n## ", begin);
    if (begin != page.npos && end != page.npos) page.erase(begin, end - begin);
#endif
    return page;
}

TEST(Golden, CountersAreTheHardwaresAndThePageSaysHowMany) {
#ifdef __clang__
    GTEST_SKIP() << "clang takes vectors apart: the page is of kernels that g++ compiled";
#endif
    const std::string root = LANEWORK_SOURCE_DIR, folder = root + "/tests/golden/h200";
    const auto recordings = read_recordings(folder);
    const auto known = read_known_differences(folder);
    const TracedRecordings traced = trace_recordings(recordings, [](const std::string&) {});
    const Accuracy accuracy = judge(traced.comparisons, known);
    for (const auto& [comparison, reason] : accuracy.different) EXPECT_TRUE(reason) << describe(*comparison);
    for (const KnownDifference* stale : accuracy.stale)
        ADD_FAILURE() << stale->metric << " of " << stale->rung << " is listed as different and is equal";
    EXPECT_EQ(as_every_compiler_has_it(accuracy_page(recordings, traced, known)),
              as_every_compiler_has_it(text_of(root + "/docs/explain-accuracy.md")))
        << "make it again: scripts/accuracy-page";
}

}  // namespace
}  // namespace lanework
