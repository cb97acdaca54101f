// Launching once, and sorting what was profiled by rung.
#include "src/profile/profiling.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/cuda/nvtx_range.hpp"

namespace lanework {
namespace {

ProfileJob job(std::string_view operation, std::string_view rung, const char* size) {
    const Operation& found = find_operation(operation);
    return {&found, &find_rung(found, rung, DeviceKind::simt), parse_problem(found, size, found.default_dtype())};
}

std::string name(const ProfileJob& job) { return range_name(*job.operation, *job.rung, job.problem); }

NsightRow row(const char* kernel, std::string range, double value) {
    return {kernel, {2, 1, 1}, {32, 1, 1}, std::move(range), {7, value}};
}

TEST(Profiling, NamesRangesByRungAndProblem) {
    const ProfileJob transpose = job("transpose", "padded_tile", "31x33"), gray = job("gray", "naive", "64x64");
    EXPECT_EQ(range_name(*transpose.operation, *transpose.rung, transpose.problem),
              "transpose/padded_tile 31x33 int32");
    EXPECT_EQ(range_name(*gray.operation, *gray.rung, gray.problem), "gray/naive 64x64 uint8 opencv");
}

TEST(Profiling, SortsLaunchesByTheirRanges) {
    const std::vector<ProfileJob> jobs{job("add", "coalesced", "33"), job("add", "strided", "33"),
                                       job("reduce", "sequential", "513")};
    const std::string coalesced = name(jobs[0]), sequential = name(jobs[2]);
    const NsightTable table{{"unasked.sum", "launch__grid_size"},
                            {row("add_kernel", coalesced, 1), row("setup", "", 2), row("first", sequential, 3),
                             row("second", sequential, 4)}};
    const auto recordings = recordings_of(table, jobs, 9, {90, 132}, {{"gpu", "H200"}});
    ASSERT_EQ(recordings.size(), 2u);
    const Recording &add = recordings[0], &reduce = recordings[1];
    EXPECT_EQ(add.operation, "add");
    EXPECT_EQ(add.metrics, std::vector<std::string>{"launch__grid_size"});
    ASSERT_EQ(add.runs.size(), 2u);
    ASSERT_EQ(add.runs[0].launches.size(), 1u);
    EXPECT_EQ(add.value(add.runs[0].launches[0], "launch__grid_size"), 1);
    EXPECT_TRUE(add.runs[1].launches.empty());
    ASSERT_EQ(reduce.runs[0].launches.size(), 2u);
    EXPECT_EQ(reduce.runs[0].launches[1].kernel, "second");
    EXPECT_EQ(reduce.runs[0].seed, 9u);
    EXPECT_EQ(reduce.provenance.front().value, "H200");
}

TEST(Profiling, LaunchesOnceOnAnyDevice) {
    const auto device = open_device("simt");
    EXPECT_NO_THROW(launch_once(*device, job("transpose", "padded_tile", "31x33"), 1));
}

}  // namespace
}  // namespace lanework
