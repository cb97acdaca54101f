// The model of time: each part grows with what it is about, and with nothing else.
#include "src/trace/analyse/time_model.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

const Gpu& h200() { return parse_gpu("h200"); }

/// 8 rounds of 8 blocks of 8 warps on each SM that do nothing yet.
Demand idle() {
    Demand demand;
    demand.blocks = h200().sms * 64.0;
    demand.warps_per_block = 8;
    demand.resident_blocks = 8;
    return demand;
}
double seconds(const Demand& demand, const Gpu& gpu = h200()) { return time_of({&demand, 1}, gpu).seconds; }
double part(const Demand& demand, Bottleneck which) { return time_of({&demand, 1}, h200()).part(which); }

TEST(TimeModel, FurtherLaunchesCostLessThanTheFirst) {
    const std::vector<Demand> two{idle(), idle()};
    const double one = seconds(idle()), both = time_of(two, h200()).seconds;
    EXPECT_GT(both, one);
    EXPECT_LT(both, 2 * one);
}

TEST(TimeModel, ALaunchThatTheHostWaitedForBeginsLaterAndAGraphsStepSooner) {
    const auto second = [](double Demand::*begun) {
        std::vector<Demand> two{idle(), idle()};
        if (begun) two[1].*begun = 1;
        return time_of(two, h200());
    };
    const TimeParameters parameters;
    const double plain = second(nullptr).part(Bottleneck::launch);
    EXPECT_NEAR(second(&Demand::host_waited).part(Bottleneck::launch) - plain,
                parameters.waited_launch - parameters.further_launch, 1e-12);
    EXPECT_NEAR(second(&Demand::in_graph).part(Bottleneck::launch) - plain,
                parameters.graph_launch - parameters.further_launch, 1e-12);
    EXPECT_GT(second(&Demand::host_waited).seconds, second(nullptr).seconds);
    EXPECT_LT(second(&Demand::in_graph).seconds, second(nullptr).seconds);
}

TEST(TimeModel, AtomicOperationsForABlockAreDoneByEachSmItself) {
    Demand blocks = idle();
    blocks.block_atomic_requests = 1e6;
    blocks.block_atomic_turns = 32e6;
    Demand device = idle();
    device.atomic_requests = device.atomic_addresses = device.hottest_sectors = 1e6;
    device.atomic_lanes = device.hottest_turns = 32e6;
    EXPECT_LT(10 * part(blocks, Bottleneck::atomics), part(device, Bottleneck::atomics));
    Demand one = blocks;
    one.blocks = 1;
    EXPECT_NEAR(part(one, Bottleneck::atomics), h200().sms * part(blocks, Bottleneck::atomics), 1e-9);
}

TEST(TimeModel, BlocksWaitForAClockOneAfterAnotherWhereTheyFindNoRoom) {
    Demand demand = idle();
    demand.resident_blocks = 1;
    demand.longest_clock_wait = 2e6;
    const auto waits = [&](double blocks, double of_all) {
        demand.blocks = blocks;
        demand.clock_waits = of_all;
        return part(demand, Bottleneck::clock) * h200().clock_hz;
    };
    const double sms = h200().sms;
    EXPECT_DOUBLE_EQ(waits(1, 2e6), 2e6);
    EXPECT_DOUBLE_EQ(waits(sms, sms * 2e6), 2e6);
    EXPECT_DOUBLE_EQ(waits(sms + 1, (sms + 1) * 2e6), 4e6);
    EXPECT_DOUBLE_EQ(waits(320 * sms, 2e6), 2e6) << "one of them alone";
    EXPECT_EQ(part(idle(), Bottleneck::clock), 0);
}

TEST(TimeModel, AWarpPrintsItsLinesOneAfterTheOtherAndOthersInBetween) {
    Demand demand = idle();
    const auto prints = [&](double most, double by_warps, double by_threads) {
        demand.most_printed = most;
        demand.printed_by_warps = by_warps;
        demand.printed_by_threads = by_threads;
        return part(demand, Bottleneck::printing);
    };
    EXPECT_EQ(prints(0, 0, 0), 0);
    const double line = prints(1, 1, 1);
    EXPECT_NEAR(prints(8, 8, 8), 8 * line, 1e-12);
    EXPECT_GT(prints(1, 8, 8), line);
    EXPECT_LT(prints(1, 8, 8), 2 * line);
    EXPECT_GT(prints(1, 8, 256), 2 * prints(1, 8, 8));
}

TEST(TimeModel, MemoryMovesAtTheMeasuredRate) {
    Demand demand = idle();
    demand.memory_read_sectors = 1.387e11;  // in a second
    EXPECT_NEAR(part(demand, Bottleneck::memory), 1, 1e-9);
    demand.memory_written_sectors = 1.308e11;
    EXPECT_NEAR(part(demand, Bottleneck::memory), 2, 1e-5);  // but for what stays in L2
    demand.partly_written_sectors = 1.308e11;
    EXPECT_NEAR(part(demand, Bottleneck::memory), 1 + 1.308 / 0.626, 1e-3);
}

TEST(TimeModel, LoneSectorsCostL2MoreThanWholeLines) {
    Demand lines = idle(), lone = idle();
    lines.l2_read_sectors = lone.l2_read_sectors = 1e10;
    lines.l2_read_lines = 0.25e10;
    lone.l2_read_lines = 1e10;
    EXPECT_NEAR(1e10 / part(lines, Bottleneck::l2), 2.7e11, 0.1e11);
    EXPECT_NEAR(1e10 / part(lone, Bottleneck::l2), 1.53e11, 0.1e11);
}

TEST(TimeModel, LanesTakeTurnsAtOneAddressIntegersShorterOnes) {
    Demand integers = idle();
    integers.atomic_requests = integers.atomic_addresses = integers.hottest_sectors = 1e6;
    integers.atomic_lanes = integers.hottest_turns = 32e6;
    Demand floats = integers;
    floats.atomics_of_integers = 0;
    EXPECT_NEAR(1e6 / part(integers, Bottleneck::atomics), 4.23e7, 1e5);
    EXPECT_NEAR(1e6 / part(floats, Bottleneck::atomics), 1.77e7, 1e5);
    integers.hottest_turns = integers.hottest_sectors = 1;
    EXPECT_NEAR(1e6 / part(integers, Bottleneck::atomics), 2.4e9, 1e8) << "each warp at its own";
}

// results/h100/gpu-parameters.csv: compare and swap, global: one cell, 64 blocks of 8 warps.
TEST(TimeModel, LanesThatSwapAtOnePlaceTryAgainForEachThatDoes) {
    Demand demand = idle();
    demand.blocks = 64;
    demand.swapping_lanes = 64 * 8 * 32;
    demand.swaps = 1000 * demand.swapping_lanes;
    EXPECT_NEAR(part(demand, Bottleneck::atomics) / demand.swaps, 1.93e-6, 0.1e-6);
    demand.swaps = 1;
    const double all_try_once = part(demand, Bottleneck::atomics);
    EXPECT_NEAR(all_try_once, demand.swapping_lanes / (32 * 4.23e7), 1e-6);
    demand.swapping_lanes = 1;
    demand.swaps = 1000;
    EXPECT_NEAR(part(demand, Bottleneck::atomics), 1000 * 0.24e-6, 1e-9) << "each waits for L2";
}

TEST(TimeModel, TheLongestWarpsBlockBeginsOnce) {
    Demand demand = idle();
    demand.blocks = 1;
    demand.longest_warp = 100;
    const WarpChain chain = warp_chain(demand);
    const double clocks = part(demand, Bottleneck::latency) * h200().clock_hz;
    EXPECT_NEAR(clocks, 100 * (chain.repeated() - chain.start) + chain.start, 1);
}

TEST(TimeModel, FetchesOfTexturesAreWaitedForWhereTheCodeSaysWhen) {
    Demand demand = idle();
    demand.texture_requests = 10 * demand.blocks * demand.warps_per_block;
    demand.load_latency = 700;
    const double written = warp_chain(demand).global + warp_chain(demand).local;
    demand.waits_per_load = 0.5;
    EXPECT_DOUBLE_EQ(warp_chain(demand).global, 5 * 700);
    EXPECT_GT(warp_chain(demand).global, 10 * written);
}

TEST(TimeModel, AKernelByItselfThatReachesMemoryTakesLonger) {
    const TimeParameters parameters;
    Demand demand = idle();
    const double without = duration_of(demand, h200()).part(Bottleneck::launch);
    demand.store_requests = 1;
    EXPECT_NEAR(duration_of(demand, h200()).part(Bottleneck::launch) - without,
                parameters.lone_access + parameters.lone_access_of_all, 1e-12);
    demand.blocks = 1;
    Demand idle_block = demand;
    idle_block.store_requests = 0;
    EXPECT_NEAR(
        duration_of(demand, h200()).part(Bottleneck::launch) - duration_of(idle_block, h200()).part(Bottleneck::launch),
        parameters.lone_access + parameters.lone_access_of_all / h200().sms, 1e-12);
}

/// What Nsight Compute calls the duration of an empty kernel differs between GPUs whose SMs are alike.
TEST(TimeModel, AKernelByItselfThatDoesNothingTakesWhatItsGpuWasMeasuredToTake) {
    Demand demand = idle();
    demand.blocks = demand.warps_per_block = 1;
    EXPECT_NEAR(duration_of(demand, parse_gpu("h200")).seconds, 1.6e-6, 5e-8);
    EXPECT_NEAR(duration_of(demand, parse_gpu("h100")).seconds, 2.18e-6, 5e-8);
}

TEST(TimeModel, BankConflictsAreTakenOffTheTime) {
    Demand conflicts = idle();
    conflicts.shared_requests = 1e8;
    conflicts.shared_wavefronts = 32e8;
    Demand none = conflicts;
    none.shared_wavefronts = 1e8;
    EXPECT_NEAR(part(conflicts, Bottleneck::shared_memory), 32 * part(none, Bottleneck::shared_memory), 1e-9);
    EXPECT_GT(seconds(conflicts), 2 * seconds(none));
    EXPECT_EQ(time_of({&conflicts, 1}, h200()).bound(), Bottleneck::shared_memory);
}

TEST(TimeModel, SharedAtomicsTakeWhatAnH100WasSeenToTake) {
    const auto requests_of_an_sm = [](const Demand& d) {
        return d.shared_atomic_requests / h200().sms / part(d, Bottleneck::shared_memory);
    };
    Demand apart = idle();
    apart.blocks = 1000 * h200().sms;
    apart.shared_atomic_requests = apart.shared_atomic_wavefronts = 1e9;
    EXPECT_NEAR(requests_of_an_sm(apart), 5.2e8, 0.1e8) << "a cell a lane";
    Demand together = apart;
    together.shared_turns = 31e9;
    EXPECT_NEAR(requests_of_an_sm(together), 5.64e7, 0.1e7) << "a cell a warp";
    together.atomics_of_integers = 0;
    EXPECT_NEAR(requests_of_an_sm(together), 1.99e7, 0.05e7) << "floats by compare-and-swap";
}

TEST(TimeModel, AMatchTakesAsLongAsThereAreGroups) {
    Demand demand = idle();
    demand.blocks = 1000 * h200().sms;
    demand.of_code = 1;
    demand.instructions = demand.matches = 1e9;
    const auto matches_of_an_sm = [&](double groups) {
        demand.matched = groups * demand.matches;
        return demand.matches / h200().sms / part(demand, Bottleneck::compute);
    };
    EXPECT_NEAR(matches_of_an_sm(1), 3.2e8, 0.65e8);
    EXPECT_NEAR(matches_of_an_sm(8), 1.03e8, 0.03e8);
    EXPECT_NEAR(matches_of_an_sm(32), 2.92e7, 0.03e7);
}

TEST(TimeModel, AWarpGoesOnWhenItsCodeSaysSo) {
    Demand unknown = idle();
    unknown.of_code = 1;
    unknown.instructions = 1000 * unknown.blocks * unknown.warps_per_block;
    Demand close = unknown, far = unknown;
    close.stall_clocks = 1.5 * close.instructions;
    far.stall_clocks = 6 * far.instructions;
    EXPECT_DOUBLE_EQ(warp_chain(close).issue + warp_chain(close).fixed, 1500);
    EXPECT_DOUBLE_EQ(warp_chain(far).issue + warp_chain(far).fixed, 6000);
    EXPECT_LT(part(close, Bottleneck::latency), part(unknown, Bottleneck::latency));
    EXPECT_GT(part(far, Bottleneck::latency), part(unknown, Bottleneck::latency));
}

TEST(TimeModel, WarpsOverlapTheWaitingOfEachOther) {
    Demand many = idle();
    many.load_requests = many.blocks * many.warps_per_block * 32;
    many.load_latency = 700;
    Demand few = many;
    few.resident_blocks = 1;
    EXPECT_GT(part(few, Bottleneck::latency), 4 * part(many, Bottleneck::latency));
}

TEST(TimeModel, ATailOfOneBlockCostsARound) {
    Demand full = idle(), tail = idle();
    full.of_code = tail.of_code = 1;
    full.instructions = tail.instructions = 1e9;
    full.blocks = h200().sms;
    tail.blocks = h200().sms + 1;
    EXPECT_NEAR(part(tail, Bottleneck::compute), 2 * part(full, Bottleneck::compute),
                0.02 * part(full, Bottleneck::compute));
}

TEST(TimeModel, AHalfAsFastMemoryTakesTwiceTheTime) {
    Demand demand = idle();
    demand.memory_read_sectors = 1e9;
    const Gpu& t4 = parse_gpu("t4");
    EXPECT_NEAR(time_of({&demand, 1}, t4).part(Bottleneck::memory),
                part(demand, Bottleneck::memory) * h200().memory_bandwidth / t4.memory_bandwidth, 1e-9);
}

TEST(TimeModel, MoreOfAnythingNeverTakesLess) {
    for (const DemandFigure& figure : demand_figures()) {
        // More blocks or warps share the work; the rest of these are no amounts.
        if (figure.name == "blocks" || figure.name == "warps_per_block" || figure.name == "resident_blocks" ||
            figure.name == "atomics_of_integers" || figure.name == "load_bytes" || figure.name == "of_code")
            continue;
        Demand some = idle();
        for (const DemandFigure& other : demand_figures())
            if (some.*other.value == 0) some.*other.value = 1e6;
        Demand more = some;
        more.*figure.value *= 1000;
        EXPECT_GE(seconds(more), seconds(some)) << figure.name;
    }
}

TEST(TimeModel, ALoopThatStoresWaitsForTheLoadsOfEachTurn) {
    Demand copies = idle();
    copies.load_latency = 750;
    copies.load_requests = 1000 * copies.blocks * copies.warps_per_block;
    Demand sums = copies;
    copies.store_requests = copies.load_requests;
    EXPECT_GT(part(copies, Bottleneck::latency), 2 * part(sums, Bottleneck::latency));
    copies.store_requests /= 4;
    EXPECT_DOUBLE_EQ(part(copies, Bottleneck::latency), part(sums, Bottleneck::latency)) << "4 loads before a store";
}

TEST(TimeModel, TexturesAndArraysOfThreadsTakeTheSameWayAsLoads) {
    for (double Demand::*const requests : {&Demand::texture_requests, &Demand::local_requests}) {
        Demand demand = idle();
        const double without = part(demand, Bottleneck::l1);
        demand.*requests = 1e9;
        EXPECT_GT(part(demand, Bottleneck::l1), without + 0.005);
    }
}

TEST(TimeModel, FurtherPassesOverTheBanksAreWaitedFor) {
    Demand demand = idle();
    demand.shared_requests = demand.shared_wavefronts = 100 * demand.blocks * demand.warps_per_block;
    const double even = part(demand, Bottleneck::latency);
    demand.shared_wavefronts *= 8;
    EXPECT_GT(part(demand, Bottleneck::latency), 1.5 * even);
}

}  // namespace
}  // namespace lanework
