// Recordings as files, repeated on the simt device. What was traced stands in for the hardware.
#include "src/profile/golden_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/profile/accuracy_page.hpp"
#include "src/profile/profiling.hpp"
#include "src/trace/record/explain.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

// What a GPU that counts as the simt device does would have left behind.
Recording recorded(std::string_view name, const char* rung_name, const char* size) {
    const Operation& operation = find_operation(name);
    const Rung& rung = find_rung(operation, rung_name, DeviceKind::simt);
    const Problem problem = parse_problem(operation, size, operation.default_dtype());
    Recording recording{{{"gpu", "a GPU"}}, std::string(name), 90, 132, {}, {}};
    for (const Metric& metric : metrics()) recording.metrics.emplace_back(metric.name);
    RecordedRun run = unrecorded({&operation, &rung, problem}, 1);
    const Explanation explanation = explain(operation, rung, problem, 1);
    for (const KernelTrace& kernel : explanation.kernels) {
        RecordedLaunch launch{kernel.shape.kernel, kernel.shape.grid, kernel.shape.block, {}};
        const MetricInputs inputs = metric_inputs(explanation, kernel, *find_capability(90));
        for (const Metric& metric : metrics()) launch.values.push_back(predicted(metric, inputs));
        run.launches.push_back(std::move(launch));
    }
    recording.runs.push_back(std::move(run));
    return recording;
}

std::optional<double>& value(Recording& recording, std::string_view metric) {
    const auto at = std::ranges::find(recording.metrics, metric) - recording.metrics.begin();
    return recording.runs.front().launches.front().values[static_cast<std::size_t>(at)];
}

TracedRecordings traced(std::span<const Recording> recordings) {
    return trace_recordings(recordings, [](const std::string&) {});
}

class GoldenFiles : public ::testing::Test {
protected:
    const TemporaryFolder own_;
    /// Not there yet.
    const fs::path folder_ = own_ / "golden";
};

TEST_F(GoldenFiles, RepeatWhatWasRecorded) {
    write_recording(folder_, recorded("transpose", "padded_tile", "31x33"));
    write_recording(folder_, recorded("reduce", "sequential", "1025"));
    const auto recordings = read_recordings(folder_);
    ASSERT_EQ(recordings.size(), 2u);
    EXPECT_EQ(recordings.front().operation, "reduce");
    EXPECT_GT(recordings.front().runs.front().launches.size(), 1u);
    const TracedRecordings again = traced(recordings);
    const Accuracy accuracy = judge(again.comparisons, {});
    EXPECT_GT(accuracy.compared(), 30u);
    EXPECT_EQ(accuracy.different.size(), 0u);
    EXPECT_TRUE(again.untraced.empty());
    EXPECT_NE(accuracy_page(recordings, again, {}).find("are equal, 0 differ"), std::string::npos);
}

TEST_F(GoldenFiles, ShowADifferenceWithItsReasonOnThePage) {
    std::vector<Recording> recordings{recorded("transpose", "coalesced_read", "31x33")};
    ++*value(recordings.front(), kSectors);
    const TracedRecordings again = traced(recordings);
    const std::vector<KnownDifference> known{{"transpose/coalesced_read", kSectors, "", "one was counted twice"}};
    const std::string page = accuracy_page(recordings, again, known);
    EXPECT_NE(page.find("1 differ"), std::string::npos);
    EXPECT_NE(page.find("one was counted twice"), std::string::npos);
    EXPECT_EQ(judge(again.comparisons, {}).unknown(), 1u);
    EXPECT_EQ(judge(again.comparisons, known).unknown(), 0u);
}

TEST_F(GoldenFiles, CountAsManySmsAsTheGpuHas) {
    const Recording recording = recorded("add", "grid_stride", "65537");
    EXPECT_EQ(recording.value(recording.runs.front().launches.front(), "launch__grid_size"), 257);  // not a CPU's few
}

TEST_F(GoldenFiles, RefuseARungThatIsNotThereAnyMore) {
    std::vector<Recording> recordings{recorded("transpose", "padded_tile", "31x33")};
    recordings.front().runs.front().rung = "padded_tiles";
    EXPECT_THROW(traced(recordings), UsageError);
}

TEST_F(GoldenFiles, AFolderThatIsNotThereHoldsNothing) {
    EXPECT_TRUE(read_recordings(folder_).empty());
    EXPECT_TRUE(read_known_differences(folder_).empty());
    fs::create_directories(folder_);
    std::ofstream(folder_ / "add.json") << "{}";
    EXPECT_THROW(read_recordings(folder_), FileError);
}

}  // namespace
}  // namespace lanework
