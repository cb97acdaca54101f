// Warp states: the clocks of the average warp, put where the model of time spends them.
#include "src/trace/analyse/warp_states.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "src/trace/analyse/metrics.hpp"
#include "src/trace/analyse/time_model.hpp"

namespace lanework {
namespace {

const Gpu& h200() { return parse_gpu("h200"); }

/// A full GPU of warps of 100 instructions.
Demand plain() {
    Demand demand;
    demand.blocks = h200().sms * 64.0;
    demand.warps_per_block = 8;
    demand.resident_blocks = 8;
    demand.of_code = 1;
    demand.instructions = 100 * demand.blocks * demand.warps_per_block;
    return demand;
}
double warps(const Demand& demand) { return demand.blocks * demand.warps_per_block; }
WarpStates states(const Demand& demand) { return warp_states({&demand, 1}, h200()); }
WarpState most_stalled(const WarpStates& found) {
    WarpState most = WarpState::wait;
    for (std::size_t i = static_cast<std::size_t>(WarpState::wait); i < kWarpStates; ++i)
        if (found.of(static_cast<WarpState>(i)) > found.of(most)) most = static_cast<WarpState>(i);
    return most;
}

TEST(WarpStates, SharesAreAllOfTheClocksAndAnInstructionIsIssuedInOne) {
    const WarpStates found = states(plain());
    double all = 0;
    for (std::size_t i = 0; i < kWarpStates; ++i) all += found.share(static_cast<WarpState>(i));
    EXPECT_NEAR(all, 1, 1e-12);
    EXPECT_NEAR(found.of(WarpState::selected), 100, 1e-9);
    EXPECT_NEAR(found.per_issue(WarpState::selected), 1, 1e-12);
    EXPECT_NEAR(found.eligible_share() + found.stalled_share(), 1, 1e-12);
    EXPECT_NEAR(found.resident, 16, 1e-12) << "64 warps of an SM are 16 of each scheduler";
}

TEST(WarpStates, ArithmeticAloneWaitsForTheSchedulerOrThePipe) {
    const WarpStates issuing = states(plain());
    EXPECT_GT(issuing.of(WarpState::not_selected), issuing.of(WarpState::wait)) << "16 warps want to issue each clock";
    EXPECT_EQ(issuing.of(WarpState::math_pipe_throttle), 0);
    EXPECT_EQ(issuing.of(WarpState::long_scoreboard), 0);
    Demand pipes = plain();
    pipes.pipe_clocks = 2 * pipes.instructions;
    EXPECT_EQ(states(pipes).of(WarpState::not_selected), 0);
    EXPECT_EQ(most_stalled(states(pipes)), WarpState::math_pipe_throttle);
}

TEST(WarpStates, EachCauseHasItsReason) {
    Demand memory = plain();
    memory.load_requests = memory.load_lines = 4 * warps(memory);
    memory.load_latency = 800;
    memory.memory_read_sectors = memory.l2_read_sectors = memory.first_read_sectors = 16 * warps(memory);
    EXPECT_EQ(most_stalled(states(memory)), WarpState::long_scoreboard);

    Demand conflicts = plain();
    conflicts.shared_requests = 10 * warps(conflicts);
    conflicts.shared_wavefronts = 32 * conflicts.shared_requests;
    EXPECT_EQ(most_stalled(states(conflicts)), WarpState::mio_throttle) << "the banks are what all wait for";
    conflicts.blocks = 1;  // and with nobody else on the SM its own passes
    conflicts.instructions /= h200().sms * 64.0;
    conflicts.shared_requests /= h200().sms * 64.0;
    conflicts.shared_wavefronts /= h200().sms * 64.0;
    conflicts.warps_per_block = 1;
    conflicts.instructions /= 8;
    conflicts.shared_requests /= 8;
    conflicts.shared_wavefronts /= 8;
    EXPECT_EQ(most_stalled(states(conflicts)), WarpState::short_scoreboard);

    Demand ends = plain();
    ends.barriers = ends.blocks;
    EXPECT_EQ(states(ends).of(WarpState::barrier), 0) << "the end of a block is no barrier";
    Demand barriers = plain();
    barriers.barriers = 100 * barriers.blocks;
    EXPECT_EQ(most_stalled(states(barriers)), WarpState::barrier);

    Demand lines = plain();
    lines.load_requests = 10 * warps(lines);
    lines.load_lines = 32 * lines.load_requests;
    EXPECT_EQ(most_stalled(states(lines)), WarpState::lg_throttle);
}

TEST(WarpStates, FewWarpsAreSeldomEligible) {
    Demand few = plain();
    few.load_requests = 4 * warps(few);
    few.load_latency = 800;
    few.resident_blocks = 1;
    Demand many = few;
    many.resident_blocks = 8;
    EXPECT_LT(states(few).eligible_warps(), 1) << "a scheduler of two warps has nothing to issue most of the time";
    EXPECT_GT(states(many).eligible_warps(), 2 * states(few).eligible_warps());
}

TEST(WarpStates, LaunchesCountByTheirWarps) {
    Demand small = plain();
    small.blocks = 1;
    small.instructions = 8 * 1000;
    const std::vector<Demand> both{plain(), small};
    const WarpStates found = warp_states(both, h200());
    EXPECT_NEAR(found.instructions, (plain().instructions + 8000) / (warps(plain()) + 8), 1e-9);
    EXPECT_EQ(warp_states({}, h200()).sum(), 0);
    EXPECT_EQ(warp_states({}, h200()).stalled_share(), 0);
}

TEST(WarpStates, AreFiguresOfNsightComputeThatAreModelled) {
    MetricInputs inputs;
    for (std::size_t i = 0; i < kWarpStates; ++i) {
        const Metric* const metric = find_metric(metric_of(static_cast<WarpState>(i)));
        ASSERT_NE(metric, nullptr) << metric_of(static_cast<WarpState>(i));
        EXPECT_EQ(metric->trust, Trust::modelled);
        EXPECT_FALSE(predicted(*metric, inputs)) << "nobody asked the model";
    }
    inputs.warps = states(plain());
    EXPECT_NEAR(*predicted(*find_metric(metric_of(WarpState::wait)), inputs), 3, 1e-9);
}

}  // namespace
}  // namespace lanework
