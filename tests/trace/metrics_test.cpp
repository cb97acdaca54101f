// The table of metrics, and figures computed from counters that are written down here.
#include "src/trace/analyse/metrics.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lanework {
namespace {

double value(const char* name, const MetricInputs& inputs) {
    const Metric* metric = find_metric(name);
    if (!metric) ADD_FAILURE() << name << " is not in the table";
    return metric ? predicted(*metric, inputs).value_or(-1) : -1;
}

MetricInputs some_inputs() {
    MetricInputs inputs;
    inputs.counters.global_loads = {.requests = 10, .sectors = 40, .ideal_sectors = 38};
    inputs.counters.global_stores = {.requests = 4, .sectors = 128, .ideal_sectors = 16};
    inputs.counters.global_reductions = {.requests = 1, .sectors = 1, .ideal_sectors = 1};
    inputs.counters.shared_loads = {.requests = 6, .wavefronts = 12, .ideal_wavefronts = 6};
    inputs.counters.shared_stores = {.requests = 2, .wavefronts = 64, .ideal_wavefronts = 2};
    inputs.counters.branch = {.entries = 8, .lanes = 128, .branches = 4, .divergent = 1};
    inputs.shape.grid = {3, 5, 1};
    inputs.shape.block = {32, 8, 1};
    inputs.shape.static_shared = 4224;
    inputs.capability = find_capability(90);
    return inputs;
}

TEST(Metrics, CountGlobalMemoryByKindOfAccess) {
    const MetricInputs inputs = some_inputs();
    EXPECT_EQ(value("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", inputs), 10);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", inputs), 128);
    EXPECT_EQ(value("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", inputs), 0);
    EXPECT_EQ(value("memory_l2_theoretical_sectors_global", inputs), 169);
    EXPECT_EQ(value("memory_l2_theoretical_sectors_global_ideal", inputs), 55);
}

TEST(Metrics, CountWavefrontsAndConflicts) {
    const MetricInputs inputs = some_inputs();
    EXPECT_EQ(value("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", inputs), 12);
    EXPECT_EQ(value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", inputs), 6);
    EXPECT_EQ(value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", inputs), 62);
    EXPECT_EQ(value("memory_l1_wavefronts_shared", inputs), 76);
    EXPECT_EQ(value("memory_l1_wavefronts_shared_ideal", inputs), 8);
}

TEST(Metrics, TellHowUniformBranchesAre) {
    EXPECT_EQ(value("smsp__sass_average_branch_targets_threads_uniform.pct", some_inputs()), 75);
    EXPECT_EQ(value("smsp__thread_inst_executed_per_inst_executed.ratio", some_inputs()), 16);
    EXPECT_FALSE(predicted(*find_metric("smsp__sass_average_branch_targets_threads_uniform.pct"), {}));
}

TEST(Metrics, ComputeOccupancyFromRegisters) {
    MetricInputs inputs = some_inputs();
    EXPECT_FALSE(predicted(*find_metric("launch__occupancy_limit_registers"), inputs));
    inputs.resources = resources_of(inputs.shape, 40);
    EXPECT_EQ(value("launch__grid_size", inputs), 15);
    EXPECT_EQ(value("launch__block_size", inputs), 256);
    EXPECT_EQ(value("launch__registers_per_thread", inputs), 40);
    EXPECT_EQ(value("launch__occupancy_limit_warps", inputs), 8);
    EXPECT_EQ(value("launch__occupancy_limit_registers", inputs), 6);  // 65536 ÷ (40 · 256), in warps of 1280
    EXPECT_EQ(value("sm__maximum_warps_per_active_cycle_pct", inputs), 75);
}

TEST(Metrics, HaveNamesOfTheirOwnAndAReasonWhereTheyAreNotExact) {
    std::set<std::string_view> names;
    for (const Metric& metric : metrics()) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
        EXPECT_EQ(metric.reason.empty(), metric.trust == Trust::exact) << metric.name;
        EXPECT_EQ(metric.reason_with_code.empty(), metric.with_code == Trust::exact) << metric.name;
        EXPECT_EQ(metric.compute == nullptr, metric.with_code == Trust::unavailable) << metric.name;
        EXPECT_FALSE(metric.label.empty()) << metric.name;
    }
}

}  // namespace
}  // namespace lanework
