// Estimates: what each part follows from, and that the published figures are those of the datasheets.
#include "src/trace/analyse/estimate.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

namespace lanework {
namespace {

// A kernel that reads and writes `sectors` sectors each, in whole lines, by blocks of 256 threads.
Explanation copy_of(std::uint64_t sectors) {
    Explanation explanation;
    explanation.problem.dtype = DType::float32;
    explanation.work = {.bytes_read = sectors * 32, .bytes_written = sectors * 32, .flops = 0};
    KernelTrace launch;
    launch.shape.grid = {static_cast<unsigned>(sectors / 32), 1, 1};
    launch.shape.block = {256, 1, 1};
    launch.footprint_read = launch.footprint_written = sectors * 32;
    const GlobalCounters counters{.requests = sectors / 4,
                                  .sectors = sectors,
                                  .ideal_sectors = sectors,
                                  .bytes = sectors * 32,
                                  .lines = sectors / 4,
                                  .lanes = sectors * 8};
    PlacedSite load, store;
    load.site.global = store.site.global = counters;
    store.site.kind = EventKind::store;
    launch.sites = {load, store};
    explanation.kernels = {launch};
    return explanation;
}

constexpr std::uint64_t kMany = std::uint64_t{1} << 24;

TEST(Gpus, HaveThePeaksOfTheirDatasheets) {
    const auto tera = [](const char* gpu, DType dtype) { return parse_gpu(gpu).peak_flops(dtype) / 1e12; };
    EXPECT_NEAR(tera("h200", DType::float32), 67, 0.5);
    EXPECT_NEAR(tera("h200", DType::float64), 34, 0.6);
    EXPECT_NEAR(tera("a100", DType::float32), 19.5, 0.1);
    EXPECT_NEAR(tera("a100", DType::float64), 9.7, 0.1);
    EXPECT_NEAR(tera("l40s", DType::float32), 91.6, 0.1);
    EXPECT_NEAR(tera("l4", DType::float32), 30.3, 0.1);
    EXPECT_NEAR(tera("t4", DType::float32), 8.1, 0.1);
    EXPECT_NEAR(tera("rtx5090", DType::float32), 104.8, 0.1);
    EXPECT_NEAR(tera("rtx4090", DType::float32), 82.6, 0.1);
    EXPECT_NEAR(tera("rtx3090", DType::float32), 35.6, 0.1);
    EXPECT_NEAR(tera("b200", DType::float32), 75, 0.6);
}

TEST(Gpus, AreFoundHoweverTheyAreWritten) {
    EXPECT_EQ(parse_gpu("RTX 4090").name, "rtx4090");
    EXPECT_EQ(parse_gpu("H200").name, "h200");
    EXPECT_THROW(parse_gpu("rtx"), UsageError);
    for (const Gpu& gpu : gpus()) EXPECT_NE(find_capability(gpu.capability), nullptr) << gpu.name;
}

TEST(Estimate, IsNeverBelowTheWorkOverThePeak) {
    const Gpu& gpu = parse_gpu("h200");
    const Estimate copy = estimate(copy_of(kMany), gpu);
    const double bytes = 2.0 * 32 * static_cast<double>(kMany);
    EXPECT_NEAR(copy.least_s, (bytes - static_cast<double>(gpu.l2_bytes)) / gpu.memory_bandwidth, 1e-9);
    EXPECT_GE(copy.low_s, copy.least_s);
    EXPECT_GT(copy.time_s, bytes / gpu.memory_bandwidth);
    EXPECT_NEAR(copy.high_s, band_of(false, false) * copy.time_s, 1e-9);
    EXPECT_LT(band_of(true, false), band_of(false, false)) << "the machine code tells more";
    EXPECT_EQ(band_of(true, true), band_of(false, true)) << "of a slice it does not";

    Explanation heavy = copy_of(kMany);
    heavy.work.flops = std::uint64_t{1} << 42;
    const Estimate computed = estimate(heavy, gpu);
    EXPECT_EQ(computed.bound, Bottleneck::compute);
    EXPECT_DOUBLE_EQ(computed.least_s, static_cast<double>(heavy.work.flops) / gpu.peak_flops(DType::float32));
}

TEST(Estimate, NamesWhatTakesLongest) {
    const Gpu& gpu = parse_gpu("h200");
    EXPECT_EQ(estimate(copy_of(32), gpu).bound, Bottleneck::launch);

    Explanation conflicted = copy_of(kMany);
    conflicted.kernels[0].sites[0].site.shared = {.requests = kMany, .wavefronts = 32 * kMany};
    EXPECT_EQ(estimate(conflicted, gpu).bound, Bottleneck::shared_memory);

    Explanation contended = copy_of(kMany);
    contended.kernels[0].sites[1].site.kind = EventKind::reduction;
    contended.kernels[0].pace = {.hottest_turns = kMany, .hottest_sectors = 32 * kMany};
    EXPECT_EQ(estimate(contended, gpu).bound, Bottleneck::atomics);
}

TEST(Estimate, ATailOfOneBlockCostsAWholeWave) {
    const Gpu& gpu = parse_gpu("h200");
    const auto sms = static_cast<unsigned>(gpu.sms);
    Explanation full = copy_of(kMany), tail = copy_of(kMany);
    full.kernels[0].shape.grid = {sms, 1, 1};
    tail.kernels[0].shape.grid = {sms + 1, 1, 1};
    EXPECT_GT(estimate(tail, gpu).part(Bottleneck::l1), 1.9 * estimate(full, gpu).part(Bottleneck::l1));
}

/// A copy whose warps enter a basic block so often, in all.
Explanation computing(std::uint64_t entries) {
    Explanation explanation = copy_of(kMany / 64);
    PlacedSite block;
    block.site.kind = EventKind::path;
    block.site.space = Space::unknown;
    block.site.branch = {.entries = entries, .lanes = 32 * entries};
    block.instructions = 8;
    explanation.kernels[0].sites.push_back(block);
    return explanation;
}

TEST(Estimate, CodeThatEmulatesAnInstructionIsNoCodeOfTheKernel) {
    const Gpu& gpu = parse_gpu("h200");
    const double idle = estimate(computing(0), gpu).part(Bottleneck::compute);
    Explanation own = computing(kMany), emulated = computing(kMany);
    emulated.kernels[0].sites.back().emulates = true;
    EXPECT_GT(estimate(own, gpu).part(Bottleneck::compute), 2 * idle);
    EXPECT_DOUBLE_EQ(estimate(emulated, gpu).part(Bottleneck::compute), idle);
}

TEST(Estimate, ATurnAroundAnOperationOfTheAlgorithmIsThatOperation) {
    const Gpu& gpu = parse_gpu("h200");
    Explanation turns = computing(kMany);
    const double before = estimate(turns, gpu).demands[0].host_instructions;
    EXPECT_GT(before, 1.9 * kMany) << "two instructions for a further turn";
    turns.work.flops = 2 * 32 * kMany;  // a multiply-add of each lane
    EXPECT_DOUBLE_EQ(estimate(turns, gpu).demands[0].host_instructions, before - kMany);
    turns.work.flops *= 4;  // then they are not in these turns
    EXPECT_DOUBLE_EQ(estimate(turns, gpu).demands[0].host_instructions, before);
}

TEST(Estimate, KnowsWhatBeginsEachLaunch) {
    Explanation explanation = copy_of(kMany);
    explanation.kernels.resize(5, explanation.kernels.front());
    StreamProgram program;
    const auto launch = [&] {
        StreamTask task;
        task.name = "copy";
        program.submit(std::move(task), nullptr, false);
    };
    launch();
    launch();
    program.host_waits_for_stream(nullptr);
    launch();
    program.begin_graph(nullptr);
    for (std::size_t step = 0; step < 2; ++step) {
        std::vector<std::size_t> before;
        if (step > 0) before.push_back(step - 1);
        program.begin_graph_step(nullptr, before);
        launch();
    }
    program.end_graph();
    auto streams = std::make_shared<StreamTrace>();
    streams->work = program.work();
    streams->places.resize(5);
    streams->launches = {0, 1, 2, 3, 4};
    explanation.streams = streams;
    const std::vector<Demand> demands = estimate(explanation, parse_gpu("h200")).demands;
    std::string begun;
    for (const Demand& demand : demands)
        begun += demand.host_waited != 0 ? "waited " : demand.in_graph != 0 ? "graph " : "host ";
    EXPECT_EQ(begun, "host host waited host graph ");
}

TEST(Estimate, ReachesTheHostsMemoryOverTheLink) {
    Explanation explanation = copy_of(kMany);
    const Gpu& gpu = parse_gpu("h100");
    const Estimate near = estimate(explanation, gpu);
    StreamProgram program;
    StreamTask task;
    task.name = "copy";
    task.read_over_link = 32 * kMany;
    program.submit(std::move(task), nullptr, false);
    auto streams = std::make_shared<StreamTrace>();
    streams->work = program.work();
    streams->places.resize(1);
    streams->launches = {0};
    explanation.streams = streams;
    const Estimate far = estimate(explanation, gpu);
    EXPECT_EQ(far.demands[0].link_read, 32.0 * kMany);
    EXPECT_LT(far.demands[0].memory_read_sectors, near.demands[0].memory_read_sectors);
    EXPECT_NEAR(far.part(Bottleneck::memory), 32.0 * kMany / 5.2e10, 3e-6) << "what an H100 moves in a second";
}

TEST(Estimate, WritingSectorsInPartsCostsMoreMemory) {
    const Gpu& gpu = parse_gpu("h200");
    Explanation parts = copy_of(kMany);
    GlobalCounters& stores = parts.kernels[0].sites[1].site.global;
    parts.kernels[0].reuse.stored_by_blocks.back() = 7 * stores.sectors;  // each by eight blocks far apart
    stores.sectors *= 8;
    EXPECT_GT(estimate(parts, gpu).part(Bottleneck::memory),
              5 * estimate(copy_of(kMany), gpu).part(Bottleneck::memory));
}

TEST(Estimate, OfALargerProblemGrowsWithItsWork) {
    const Gpu& gpu = parse_gpu("h200");
    constexpr std::uint64_t kSlice = std::uint64_t{1} << 16;
    Explanation slice = copy_of(kSlice);
    const double whole = estimate(copy_of(kMany), gpu).time_s;
    EXPECT_LT(estimate(slice, gpu).time_s, whole / 10);
    slice.timed = copy_of(kMany).work;
    slice.timed_size = "large";
    const Estimate stretched = estimate(slice, gpu);
    EXPECT_TRUE(stretched.stretched);
    EXPECT_EQ(stretched.size, "large");
    EXPECT_NEAR(stretched.time_s, whole, 0.02 * whole);
    EXPECT_EQ(stretched.demands[0].blocks, kMany / 32);
}

TEST(Estimate, PlacesTheWorkBelowTheRoof) {
    Explanation explanation = copy_of(kMany);
    explanation.work.flops = 4 * explanation.work.bytes();
    const Roofline roofline = estimate(explanation, parse_gpu("t4")).roofline;
    EXPECT_DOUBLE_EQ(roofline.intensity, 4);
    EXPECT_DOUBLE_EQ(roofline.traced_intensity, 4);
    EXPECT_NEAR(roofline.ridge, 8.14e12 / 320e9, 0.1);
    EXPECT_DOUBLE_EQ(roofline.attainable(4), 4 * 320e9);
    EXPECT_DOUBLE_EQ(roofline.attainable(100), roofline.peak_flops);
}

TEST(Estimate, LoadsGrowAsWhatIsReadAndLoopsAsTheOperations) {
    // Each element is read once, and then computed with for a long time: 16 times the elements, 256 times the work.
    Explanation once = copy_of(kMany / 64);
    once.work.flops = 1 << 20;
    once.timed = Work{.bytes_read = 16 * once.work.bytes_read,
                      .bytes_written = 16 * once.work.bytes_written,
                      .flops = 256 * once.work.flops};
    const double traced = static_cast<double>(once.kernels[0].sites[0].site.global.requests);
    EXPECT_DOUBLE_EQ(demands_of(once, parse_gpu("h200"))[0].load_requests, 16 * traced);
    // Loaded 32 times in a loop: nearly all of it is work.
    once.kernels[0].sites[0].site.global.requests *= 32;
    once.kernels[0].sites[0].site.global.sectors *= 32;
    EXPECT_GT(demands_of(once, parse_gpu("h200"))[0].load_requests, 240 * 32 * traced);
}

}  // namespace
}  // namespace lanework
