// Findings are ranked by what mending them would save of the whole time, by the model.
#include <gtest/gtest.h>

#include "src/trace/analyse/estimate.hpp"
#include "src/trace/rules/rule.hpp"
#include "src/trace/rules/rules.hpp"
#include "tests/trace/rule_samples.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 24;

/// A launch of many rounds with these sites, which moves what its loads and stores touch.
Explanation launched(std::vector<PlacedSite> sites) {
    Explanation explanation;
    explanation.problem.dtype = DType::float32;
    KernelTrace launch = full_launch();
    launch.shape.grid[0] *= 16;
    launch.sites = std::move(sites);
    const KernelCounters counters = launch.counters();
    launch.footprint_read = launch.footprint_pairs = counters.global_loads.sectors * 32;
    launch.footprint_written = counters.global_stores.sectors * 32;
    explanation.kernels = {launch};
    return explanation;
}

PlacedSite streamed(EventKind kind, int line) {
    PlacedSite site = global_site({.requests = kMany / 4,
                                   .sectors = kMany,
                                   .ideal_sectors = kMany,
                                   .bytes = kMany * 32,
                                   .lines = kMany / 4,
                                   .lanes = kMany * 8},
                                  kind, line);
    return site;
}

PlacedSite shared(std::uint64_t wavefronts, int line) {
    PlacedSite site = placed(EventKind::load, 4, line);
    site.site.space = Space::shared;
    site.site.shared = {.requests = kMany, .wavefronts = wavefronts, .ideal_wavefronts = kMany, .most_wavefronts = 32};
    return site;
}

std::vector<Finding> ranked(const Explanation& explanation) {
    std::vector<Finding> findings = performance_findings(explanation, h200());
    sort_findings(findings);
    return findings;
}

TEST(Gain, IsWhatTheModelSavesAndIsSaid) {
    const std::vector<Finding> findings = ranked(launched({shared(32 * kMany, 7)}));
    const Finding* conflict = find(findings, Rule::bank_conflict);
    ASSERT_TRUE(conflict);
    ASSERT_TRUE(conflict->gain);
    EXPECT_GT(*conflict->gain, 0.5);
    EXPECT_EQ(conflict->severity, Severity::warning);
    EXPECT_NEAR(conflict->time_without_s, (1 - *conflict->gain) * conflict->time_s, 1e-12);
    const double without = estimate(launched({shared(kMany, 7)}), h200()).time_s;
    EXPECT_NEAR(conflict->time_without_s, without, 0.01 * without);
}

TEST(Gain, PutsWhatSavesMoreFirst) {
    PlacedSite scattered = streamed(EventKind::store, 3);
    scattered.site.global.sectors *= 8;
    scattered.site.global.lines *= 32;
    const std::vector<Finding> findings = ranked(launched({scattered, shared(2 * kMany, 7)}));
    ASSERT_TRUE(find(findings, Rule::uncoalesced_access));
    EXPECT_EQ(findings.front().rule, Rule::uncoalesced_access);
    for (std::size_t i = 1; i < findings.size(); ++i)
        EXPECT_GE(findings[i - 1].gain.value_or(0), findings[i].gain.value_or(0));
}

TEST(Gain, UnderAFiftiethIsNotShown) {
    // A few conflicts behind a long stream.
    PlacedSite few = shared(0, 7);
    few.site.shared = {.requests = kMany / 64, .wavefronts = kMany / 32, .ideal_wavefronts = kMany / 64};
    const Explanation explanation = launched({streamed(EventKind::load, 1), streamed(EventKind::store, 2), few});
    EXPECT_FALSE(find(ranked(explanation), Rule::bank_conflict));
}

TEST(Gain, ALaunchAtItsLimitHasNoFindings) {
    Explanation explanation =
        launched({streamed(EventKind::load, 1), streamed(EventKind::store, 2), shared(2 * kMany, 7)});
    EXPECT_FALSE(ranked(explanation).empty());
    const auto bytes = static_cast<std::uint64_t>(estimate(explanation, h200()).time_s * h200().memory_bandwidth);
    explanation.work = {.bytes_read = bytes, .bytes_written = 0, .flops = 0};
    EXPECT_TRUE(ranked(explanation).empty());
}

TEST(Gain, IsOfTheSizeThatIsTimed) {
    Explanation slice = launched({streamed(EventKind::load, 1)});
    slice.kernels[0].shape.grid = {static_cast<unsigned>(h200().sms) / 4, 1, 1};
    slice.kernels[0].sites[0].site.global = {
        .requests = 1000, .sectors = 4000, .ideal_sectors = 4000, .bytes = 128'000, .lines = 1000, .lanes = 32'000};
    slice.work = {.bytes_read = 128'000, .bytes_written = 128'000, .flops = 0};
    EXPECT_TRUE(find(ranked(slice), Rule::few_blocks));
    slice.timed = Work{.bytes_read = 12'800'000'000, .bytes_written = 12'800'000'000, .flops = 0};
    EXPECT_FALSE(find(ranked(slice), Rule::few_blocks)) << "the timed size has blocks enough";
}

TEST(Gain, WaitsAreThoseOfTheLoopThatALargerProblemIsIn) {
    // Four loads that are waited for together, and one of what is left, which is all that a short loop has.
    const auto traced = [](unsigned blocks, std::uint64_t fours, std::uint64_t ones) {
        KernelTrace launch = full_launch();
        launch.shape.grid = {blocks, 1, 1};
        const std::uint64_t warps = 8 * blocks, loads = warps * (4 * fours + ones);
        launch.sites = {global_site({.requests = loads,
                                     .sectors = 4 * loads,
                                     .ideal_sectors = 4 * loads,
                                     .bytes = 128 * loads,
                                     .lines = loads,
                                     .lanes = 32 * loads})};
        MachineKernel kernel;
        kernel.registers = 32;
        MachineTrace machine;
        const auto add = [&](const char* name, const char* operands, std::uint64_t turns) {
            kernel.instructions.emplace_back();
            kernel.instructions.back().name = name;
            kernel.instructions.back().operands = operands;
            machine.counts.push_back({.executed = warps * turns});
        };
        for (const char* load : {"R4, [R2]", "R5, [R2]", "R6, [R2]", "R7, [R2]"}) add("LDG.E", load, fours);
        for (const char* sum : {"R9, R9, R4", "R9, R9, R5", "R9, R9, R6", "R9, R9, R7"}) add("FADD", sum, fours);
        add("LDG.E", "R8, [R2]", ones);
        add("FADD", "R9, R9, R8", ones);
        machine.kernel = std::make_shared<const MachineKernel>(kernel);
        machine.sites = {{.instruction = 0, .site = launch.sites[0].site}};
        launch.machine = std::make_shared<const MachineTrace>(machine);
        return launch;
    };
    const auto blocks = static_cast<unsigned>(8 * h200().sms);
    Explanation slice;
    slice.problem.dtype = DType::float32;
    slice.kernels = {traced(blocks, 0, 4)};
    slice.on_one_sm = {traced(8, h200().sms, 0)};
    slice.work = {.bytes_read = 4 * 128ull * 8 * blocks, .bytes_written = 0, .flops = 8ull * 32 * 4 * blocks};
    slice.timed = Work{.bytes_read = 256 * slice.work.bytes_read, .bytes_written = 0, .flops = 256 * slice.work.flops};
    const Demand demand = demands_of(slice, h200()).front();
    EXPECT_EQ(demand.blocks, blocks);
    EXPECT_NEAR(demand.waits_per_load, 0.25, 0.01);
    // Its 8 instructions for each warp are the average; by the source's basic blocks, all warps do alike.
    Explanation uneven;
    uneven.kernels = {traced(blocks, 0, 4)};
    uneven.kernels[0].longest_warp = 1;
    EXPECT_EQ(demands_of(uneven, h200()).front().longest_warp, 1);
    MachineTrace machine_of_uneven = *uneven.kernels[0].machine;
    machine_of_uneven.longest_warp = 24;
    uneven.kernels[0].machine = std::make_shared<const MachineTrace>(machine_of_uneven);
    EXPECT_EQ(demands_of(uneven, h200()).front().longest_warp, 3);
    // Of 8 blocks an SM holds 4, whose threads take 64 registers each: a grid that asked has so many.
    for (KernelTrace* launch : {&slice.kernels[0], &slice.on_one_sm[0]}) {
        MachineTrace machine = *launch->machine;
        MachineKernel kernel = *machine.kernel;
        kernel.registers = 64;
        machine.kernel = std::make_shared<const MachineKernel>(kernel);
        launch->machine = std::make_shared<const MachineTrace>(machine);
    }
    EXPECT_EQ(demands_of(slice, h200()).front().blocks, 4 * h200().sms);
}

TEST(Rules, UpdatesOfOneAddressContend) {
    PlacedSite update = global_site({.requests = kMany,
                                     .sectors = kMany,
                                     .ideal_sectors = kMany,
                                     .distinct_addresses = kMany,
                                     .lanes = kMany,
                                     .most_lanes_per_address = 1},
                                    EventKind::reduction, 9);
    Explanation explanation = launched({update});
    explanation.kernels[0].pace = {.hottest_turns = 63, .hottest_sectors = 63};
    EXPECT_FALSE(find(ranked(explanation), Rule::contended_atomics));
    explanation.kernels[0].pace = {.hottest_turns = kMany, .hottest_sectors = kMany};
    const std::vector<Finding> findings = ranked(explanation);
    EXPECT_EQ(findings.front().rule, Rule::contended_atomics);
    EXPECT_EQ(findings.front().place.line, 9);
    EXPECT_GT(*findings.front().gain, 0.5);
}

TEST(Rules, LanesThatIdleAreNamedFromAboutASixth) {
    const auto with = [](std::uint64_t lanes) {
        PlacedSite path = placed(EventKind::path, 0, 4);
        path.site.space = Space::unknown;
        path.site.branch = {.entries = 16 * kMany, .lanes = lanes * 16 * kMany};
        return ranked(launched({path}));
    };
    EXPECT_TRUE(find(with(16), Rule::idle_threads));
    EXPECT_FALSE(find(with(28), Rule::idle_threads));
    EXPECT_TRUE(contains(find(with(16), Rule::idle_threads)->evidence, "50% of the lanes idle"));
}

TEST(Rules, SharedMemoryWithoutConflictsCanStillBeTheLimit) {
    PlacedSite load = shared(0, 5);
    load.site.shared = {.requests = 64 * kMany, .wavefronts = 64 * kMany, .ideal_wavefronts = 64 * kMany};
    EXPECT_TRUE(find(ranked(launched({load})), Rule::shared_memory_bound));
    load.site.shared.wavefronts *= 2;
    EXPECT_FALSE(find(ranked(launched({load})), Rule::shared_memory_bound)) << "conflicts are at fault";
    load.site.shared = {.requests = kMany / 64, .wavefronts = kMany / 64, .ideal_wavefronts = kMany / 64};
    EXPECT_FALSE(find(ranked(launched({streamed(EventKind::load, 1), load})), Rule::shared_memory_bound));
}

TEST(Rules, LoadsThatFollowEachOtherAreNamedWhereTheyAreWaitedFor) {
    Explanation explanation = launched({streamed(EventKind::load, 6)});
    EXPECT_FALSE(find(ranked(explanation), Rule::few_loads_in_flight));
    // The same loads by a warp on each SM.
    explanation.kernels[0].shape.grid = {static_cast<unsigned>(h200().sms), 1, 1};
    explanation.kernels[0].shape.block = {32, 1, 1};
    const std::vector<Finding> findings = ranked(explanation);
    const Finding* waits = find(findings, Rule::few_loads_in_flight);
    ASSERT_TRUE(waits);
    EXPECT_EQ(waits->place.line, 6);
    EXPECT_GT(*waits->gain, 0.3);
    EXPECT_TRUE(contains(waits->evidence, "no other warp of its SM overlaps it")) << waits->evidence;
    explanation.kernels[0].shape.block = {128, 1, 1};
    const std::vector<Finding> four = ranked(explanation);
    ASSERT_TRUE(find(four, Rule::few_loads_in_flight));
    EXPECT_TRUE(contains(find(four, Rule::few_loads_in_flight)->evidence, "; 4 warps of an SM overlap it"))
        << "an SM would hold more blocks than there are";
}

TEST(Rules, PuttingSmallBlocksTogetherMakesNoRoomInSharedMemory) {
    const auto gain = [](std::size_t shared_bytes) {
        Explanation explanation = launched({streamed(EventKind::load, 6)});
        explanation.kernels[0].shape.block = {32, 1, 1};
        explanation.kernels[0].shape.grid = {1u << 20, 1, 1};
        explanation.kernels[0].shape.dynamic_shared = shared_bytes;
        const std::vector<Finding> findings = ranked(explanation);
        const Finding* small = find(findings, Rule::block_size);
        return small && small->gain ? *small->gain : 0.0;
    };
    EXPECT_GT(gain(0), 0.02);
    EXPECT_LT(gain(20 << 10), gain(0)) << "blocks put together need as much of it";
}

TEST(Rules, PuttingSmallBlocksTogetherFillsTheRoomThatOtherLimitsLeave) {
    const auto warps = [](std::size_t shared_bytes) {
        Explanation explanation = launched({streamed(EventKind::load, 6)});
        KernelTrace& launch = explanation.kernels[0];
        launch.shape.block = {32, 1, 1};
        launch.shape.grid = {1u << 20, 1, 1};
        launch.shape.dynamic_shared = shared_bytes;
        Demand demand = demands_of(explanation, h200()).front();
        EXPECT_EQ(demand.resident_blocks, 32);
        const Finding small{.rule = Rule::block_size,
                            .severity = Severity::advice,
                            .place = {},
                            .evidence = {},
                            .remedy = {},
                            .weight = 0,
                            .other = {}};
        find_cost_rule(Rule::block_size)->mend(demand, {small, launch, h200(), DType::float32, {}, {}});
        return demand.resident_blocks * demand.warps_per_block;
    };
    EXPECT_EQ(warps(0), 64);
    EXPECT_EQ(warps(6 << 10), 32) << "32 blocks fit into shared memory, too, and no more";
}

TEST(Rules, LoadsThatTheCodeAloneHasStayInL1) {
    Explanation explanation = launched({streamed(EventKind::load, 6)});
    KernelTrace& launch = explanation.kernels[0];
    const auto with = [&](std::uint64_t times) {
        MachineTrace machine;
        MachineKernel kernel;
        kernel.registers = 32;
        kernel.instructions.resize(1);
        kernel.instructions[0].name = "LDG.E";
        kernel.instructions[0].operands = "R4, [R2]";
        machine.kernel = std::make_shared<const MachineKernel>(kernel);
        Site site = launch.sites[0].site;
        machine.counts = {{.executed = times * site.global.requests}};
        for (std::uint64_t i = 1; i < times; ++i) site.global.add(launch.sites[0].site.global);
        machine.sites = {{.instruction = 0, .site = site}};
        launch.machine = std::make_shared<const MachineTrace>(machine);
        return demands_of(explanation, h200()).front();
    };
    const Demand own = with(1), tables = with(10);
    EXPECT_EQ(tables.load_requests, 10 * own.load_requests);
    EXPECT_DOUBLE_EQ(tables.l2_read_sectors, own.l2_read_sectors);
    EXPECT_LT(tables.load_latency, own.load_latency / 2);
}

TEST(Rules, TilesThatGoThroughRegistersCouldBeCopiedAhead) {
    // Few warps that load, store to shared memory and compute, tile after tile.
    const auto with = [](const char* load, const char* store, std::uint64_t tiles) {
        PlacedSite stored = shared(0, 8);
        stored.site.kind = EventKind::store;
        Explanation explanation = launched({streamed(EventKind::load, 6), stored});
        KernelTrace& launch = explanation.kernels[0];
        launch.shape.block = {32, 1, 1};
        launch.shape.grid = {static_cast<unsigned>(h200().sms), 1, 1};
        const std::uint64_t warps = launch.shape.blocks(), turns = tiles * warps;
        for (PlacedSite& placed : launch.sites)
            placed.site.global = {.requests = turns,
                                  .sectors = 4 * turns,
                                  .ideal_sectors = 4 * turns,
                                  .bytes = 128 * turns,
                                  .lines = turns,
                                  .lanes = 32 * turns};
        launch.sites[1].site.global = {};
        launch.sites[1].site.shared = {.requests = turns, .wavefronts = turns, .ideal_wavefronts = turns};
        launch.pace.barriers = 2 * turns;
        launch.footprint_read = launch.footprint_pairs = 128 * turns;
        MachineKernel kernel;
        kernel.registers = 32;
        kernel.instructions.resize(3);
        const auto instruction = [&](std::size_t at, const char* name, const std::string& operands) {
            kernel.instructions[at].name = name;
            kernel.instructions[at].operands = operands;
        };
        instruction(0, "LDG.E", load);
        instruction(1, "STS", store);
        instruction(2, "FADD", "R9, R9, R8");
        MachineTrace machine;
        machine.kernel = std::make_shared<const MachineKernel>(kernel);
        machine.counts = {{.executed = turns}, {.executed = turns}, {.executed = 400 * turns}};
        machine.sites.resize(2);
        for (std::uint32_t i = 0; i < 2; ++i) {
            machine.sites[i].instruction = i;
            machine.sites[i].site = launch.sites[i].site;
        }
        launch.machine = std::make_shared<const MachineTrace>(machine);
        return ranked(explanation);
    };
    const std::vector<Finding> findings = with("R4, desc[UR4][R2.64]", "[R0], R4", 64);
    const Finding* copies = find(findings, Rule::synchronous_copies);
    ASSERT_TRUE(copies);
    EXPECT_EQ(copies->place.line, 8);
    EXPECT_TRUE(contains(copies->evidence, "64 tiles"));
    EXPECT_GT(*copies->gain, 0.1);
    EXPECT_FALSE(find(with("R4, desc[UR4][R2.64]", "[R0], R5", 64), Rule::synchronous_copies)) << "what was computed";
    EXPECT_FALSE(find(with("R4, desc[UR4][R2.64]", "[R0], R4", 1), Rule::synchronous_copies))
        << "nothing to copy ahead";
}

TEST(Rules, WhatL2CannotHoldIsReadAgain) {
    Explanation explanation = launched({streamed(EventKind::load, 1), streamed(EventKind::store, 2)});
    EXPECT_FALSE(find(ranked(explanation), Rule::uncached_reads));
    KernelTrace& launch = explanation.kernels[0];
    GlobalCounters& loads = launch.sites[0].site.global;
    launch.reuse.by_blocks.back() = 3 * loads.sectors;  // each by four blocks far apart
    loads.sectors *= 4;
    launch.reuse.sectors = loads.sectors;
    launch.reuse.requests = loads.requests;
    EXPECT_TRUE(find(ranked(explanation), Rule::uncached_reads));
    launch.footprint_read = launch.footprint_pairs = launch.footprint_written = 1 << 20;
    launch.reuse.by_blocks = {};
    launch.reuse.by_blocks[1] = 3 * (loads.sectors / 4);
    EXPECT_FALSE(find(ranked(explanation), Rule::uncached_reads)) << "L2 keeps it";
}

/// A basic block that each warp of the launch enters so often.
PlacedSite block_of_code(double turns, std::uint64_t bytes, int line) {
    PlacedSite path = placed(EventKind::path, 0, line);
    path.site.space = Space::unknown;
    const KernelTrace launch = launched({}).kernels[0];
    const auto entries =
        static_cast<std::uint64_t>(turns * static_cast<double>(launch.shape.blocks() * launch.shape.warps_per_block()));
    path.site.branch = {.entries = entries, .lanes = 32 * entries};
    path.code_bytes = bytes;
    return path;
}

TEST(Rules, LaunchesThatCouldBeOneAreNamedWhereStartingThemTakesTime) {
    Explanation explanation = launched({global_site(
        {.requests = 1000, .sectors = 4000, .ideal_sectors = 4000, .bytes = 128'000, .lines = 1000, .lanes = 32'000})});
    explanation.kernels[0].shape.grid = {static_cast<unsigned>(h200().sms), 1, 1};
    EXPECT_FALSE(find(ranked(explanation), Rule::separate_launches)) << "there is but one";
    explanation.kernels.resize(20, explanation.kernels[0]);
    const std::vector<Finding> findings = ranked(explanation);
    const Finding* many = find(findings, Rule::separate_launches);
    ASSERT_TRUE(many);
    EXPECT_TRUE(contains(many->evidence, "20 launches of 1 kernel follow each other"));
    EXPECT_GT(*many->gain, 0.2);
    const int side = 0;
    explanation.kernels[7].shape.stream = &side;
    EXPECT_TRUE(contains(find(ranked(explanation), Rule::separate_launches)->evidence, "are in 2 streams"));
    // Of a program it is known what comes in between.
    auto streams = std::make_shared<StreamTrace>();
    const auto tasks = [&](std::size_t count) {
        streams->launches.resize(count);
        streams->work.tasks.resize(count);
        streams->places.resize(count);
    };
    tasks(22);
    for (std::size_t i = 0; i < 20; ++i) streams->launches[1 + i] = i;
    explanation.streams = streams;
    EXPECT_TRUE(find(ranked(explanation), Rule::separate_launches)) << "copies before the first and behind the last";
    tasks(23);
    streams->launches.insert(streams->launches.begin() + 10, std::nullopt);
    tasks(23);
    EXPECT_FALSE(find(ranked(explanation), Rule::separate_launches)) << "a copy, or a launch that was not traced";
    // Behind long streams nobody notices the second start.
    Explanation longer = launched({streamed(EventKind::load, 1), streamed(EventKind::store, 2)});
    longer.kernels.resize(2, longer.kernels[0]);
    EXPECT_FALSE(find(ranked(longer), Rule::separate_launches));
}

TEST(Rules, AShortLoopThatLoadsNothingIsAChain) {
    const PlacedSite loop = block_of_code(1000, 20, 8);
    const std::vector<Finding> findings = ranked(launched({loop}));
    const Finding* chain = find(findings, Rule::dependent_arithmetic);
    ASSERT_TRUE(chain);
    EXPECT_EQ(chain->place.line, 8);
    EXPECT_TRUE(contains(chain->evidence, "about 1000 short turns"));
    EXPECT_FALSE(find(ranked(launched({block_of_code(1000, 400, 8)})), Rule::dependent_arithmetic)) << "long turns";
    EXPECT_FALSE(find(ranked(launched({block_of_code(4, 20, 8)})), Rule::dependent_arithmetic)) << "a few turns";
    PlacedSite load = shared(0, 9);
    load.site.shared.requests = load.site.shared.wavefronts = loop.site.branch.entries;
    EXPECT_FALSE(find(ranked(launched({loop, load})), Rule::dependent_arithmetic)) << "it waits for shared memory";
}

TEST(Rules, InstructionsAroundTheAccessesCanBeTheLimit) {
    Explanation explanation = launched({streamed(EventKind::load, 1), block_of_code(3000, 400, 5)});
    const std::vector<Finding> findings = ranked(explanation);
    const Finding* bound = find(findings, Rule::instruction_bound);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->place.line, 5);
    explanation.work.flops = std::uint64_t{1} << 60;
    EXPECT_FALSE(find(ranked(explanation), Rule::instruction_bound)) << "the algorithm's own arithmetic";
    EXPECT_FALSE(
        find(ranked(launched({streamed(EventKind::load, 1), block_of_code(2, 400, 5)})), Rule::instruction_bound));
}

TEST(Rules, MultiplicationsBeyondTheAlgorithmsOwnAreNamed) {
    const auto with = [](double multiplications) {
        PlacedSite loop = block_of_code(1000, 20, 8);
        loop.instructions = 2;
        loop.multiplications = multiplications;
        Explanation explanation = launched({loop});
        explanation.problem.dtype = DType::int32;
        explanation.work.flops = 2 * 32 * loop.site.branch.entries;  // a multiply-add of each lane in a turn
        return ranked(explanation);
    };
    EXPECT_TRUE(find(with(2), Rule::instruction_bound)) << "both sides of a branch, and one is thrown away";
    EXPECT_FALSE(find(with(1), Rule::instruction_bound)) << "the algorithm's own arithmetic";
}

TEST(Rules, WhatGoesThroughMemoryBetweenLaunchesCountsForJoiningThem) {
    const auto chained = [](std::uint64_t from) {
        Explanation explanation = launched({streamed(EventKind::load, 1), streamed(EventKind::store, 2)});
        explanation.kernels.resize(2, explanation.kernels[0]);
        for (std::size_t i = 0; i < 2; ++i) {
            auto touched = std::make_shared<TouchedMemory>();
            const std::uint64_t read = i == 0 ? 0 : from;
            touched->read.insert(read, read + kMany);
            touched->written.insert((i + 1) * kMany, (i + 2) * kMany);
            explanation.kernels[i].touched = touched;
        }
        return ranked(explanation);
    };
    EXPECT_FALSE(find(chained(5 * kMany), Rule::separate_launches));
    const std::vector<Finding> findings = chained(kMany);
    const Finding* joined = find(findings, Rule::separate_launches);
    ASSERT_TRUE(joined);
    EXPECT_GT(*joined->gain, 0.3) << "half of what is moved is a result that the next launch reads";
}

TEST(Rules, ATileInRegistersThatIsThereNeedsNoOther) {
    PlacedSite load = shared(0, 5);
    load.site.shared = {.requests = 16 * kMany, .wavefronts = 16 * kMany, .ideal_wavefronts = 16 * kMany};
    const auto with = [&](std::uint64_t multiply_adds_of_a_request) {
        Explanation explanation = launched({load, block_of_code(40'000, 400, 8)});
        explanation.work.flops = 2 * 32 * multiply_adds_of_a_request * load.site.shared.requests;
        return ranked(explanation);
    };
    EXPECT_TRUE(find(with(1), Rule::shared_memory_bound));
    EXPECT_FALSE(find(with(16), Rule::shared_memory_bound)) << "16 multiply-adds of each value, as 8×8 results need";
}

TEST(Gain, PlacesOfOneRuleAreRankedByWhatTheySaveTogether) {
    PlacedSite scattered = streamed(EventKind::store, 3);
    scattered.site.global.sectors *= 4;
    scattered.site.global.lines *= 4;
    std::vector<PlacedSite> sites{scattered};
    for (int line = 11; line < 19; ++line) sites.push_back(shared(3 * kMany, line));
    const std::vector<Finding> findings = ranked(launched(sites));
    const Finding *conflict = find(findings, Rule::bank_conflict), *store = find(findings, Rule::uncoalesced_access);
    ASSERT_TRUE(conflict && conflict->gain && store && store->gain);
    EXPECT_LT(*conflict->gain, *store->gain);
    EXPECT_EQ(findings.front().rule, Rule::bank_conflict);
}

}  // namespace
}  // namespace lanework
