// What Nsight Compute prints is read as it is meant.
#include "src/profile/nsight_csv.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

namespace lanework {
namespace {

constexpr const char* kTable =
    "==PROF== Connected to process 7 (/usr/bin/lanework)\n"
    "==PROF== Profiling \"naive\" - 0: 0%....50%....100% - 4 passes\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"thread "
    "Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:"
    "Msg_Type:Msg\",\"Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg\",\"Kernel "
    "Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sm__maximum_warps_per_active_cycle_pct\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"sector\",\"%\"\n"
    "\"0\",\"7\",\"lanework\",\"127.0.0.1\",\"1  \"\"lanework:transpose/naive 64x64 "
    "int32:none:none:none:none:none:none\"\" "
    "\",\"\",\"naive\",\"1\",\"13\",\"(32, 8, 1)\",\"(2, 2, 1)\",\"0\",\"9.0\",\"3,424\",\"1,048,576\",\"93.75\"\n"
    "\"1\",\"7\",\"lanework\",\"127.0.0.1\",\"\",\"\",\"other\",\"1\",\"13\",\"(1, 1, 1)\",\"(7, 1, 1)\",\"0\",\"9.0\","
    "\"2\",\"n/a\",\"50\"\n"
    "==PROF== Disconnected from process 7\n";

TEST(NsightCsv, ReadsNamesShapesRangesAndValues) {
    const NsightTable table = parse_nsight_csv(kTable);
    ASSERT_EQ(table.metrics,
              (std::vector<std::string>{"gpu__time_duration.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                        "sm__maximum_warps_per_active_cycle_pct"}));
    ASSERT_EQ(table.rows.size(), 2u);
    const NsightRow& row = table.rows.front();
    EXPECT_EQ(row.kernel, "naive");
    EXPECT_EQ(row.range, "transpose/naive 64x64 int32");
    EXPECT_EQ(row.block, (std::array<unsigned, 3>{32, 8, 1}));
    EXPECT_EQ(row.grid, (std::array<unsigned, 3>{2, 2, 1}));
    EXPECT_EQ(row.values, (std::vector<std::optional<double>>{3424, 1048576, 93.75}));
}

TEST(NsightCsv, LeavesOutWhatTheProfilerCouldNotSay) {
    const NsightRow row = parse_nsight_csv(kTable).rows.back();
    EXPECT_EQ(row.range, "");
    EXPECT_EQ(row.values, (std::vector<std::optional<double>>{2, std::nullopt, 50}));
}

TEST(NsightCsv, ATextWithoutATableHasNoRows) {
    EXPECT_TRUE(parse_nsight_csv("==ERROR== No kernels were profiled.\n").rows.empty());
    EXPECT_TRUE(parse_nsight_csv("").rows.empty());
}

TEST(NsightCsv, RefusesATableWithoutItsColumns) {
    EXPECT_THROW(parse_nsight_csv("\"ID\",\"Kernel Name\"\n\"\",\"\"\n"), FileError);
    std::string cut = kTable;
    cut.erase(cut.find(",\"93.75\""), 8);
    EXPECT_THROW(parse_nsight_csv(cut), FileError);
}

}  // namespace
}  // namespace lanework
