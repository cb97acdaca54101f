// What the ladder's rungs are told about themselves: the counts that their files promise, and the reasons.
#include "src/trace/record/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/gpu/kernel_records.hpp"
#include "src/measure/verify.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/observing.hpp"
#include "src/trace/analyse/estimate.hpp"

namespace lanework {
namespace {

Explanation explained(std::string_view operation_name, std::string_view rung, std::string_view size,
                      const ExplainOptions& options = {}) {
    const Operation& operation = find_operation(operation_name);
    const Problem problem = parse_problem(operation, size, operation.default_dtype());
    return explain(operation, find_rung(operation, rung, DeviceKind::simt), problem, 1, options);
}

std::vector<Finding> findings_of(const Explanation& explanation, Rule rule) {
    std::vector<Finding> found;
    std::copy_if(explanation.findings.begin(), explanation.findings.end(), std::back_inserter(found),
                 [=](const Finding& finding) { return finding.rule == rule; });
    return found;
}
bool has(const Explanation& explanation, Rule rule) { return !findings_of(explanation, rule).empty(); }

void expect_no_error(const Explanation& explanation) {
    for (const Finding& finding : explanation.findings)
        EXPECT_FALSE(finding.error()) << explanation.rung << ": " << name_of(finding.rule) << ", " << finding.evidence;
}

KernelCounters counters_of(const Explanation& explanation) {
    EXPECT_EQ(explanation.kernels.size(), 1u);
    return explanation.kernels.front().counters();
}

TEST(ExplainTranspose, RowsOf17WordsConflictTwiceOnBothSides) {
    const Explanation explanation = explained("transpose", "padded_tile_16", "256x256");
    const std::vector<Finding> conflicts = findings_of(explanation, Rule::bank_conflict);
    ASSERT_EQ(conflicts.size(), 2u);
    EXPECT_NE(conflicts[0].place.line, conflicts[1].place.line);
    bool reads = false, writes = false;
    for (const Finding& conflict : conflicts) {
        EXPECT_NE(conflict.evidence.find("2.0 passes per request where 1.0 would do, 2-way"), std::string::npos)
            << conflict.evidence;
        EXPECT_NE(conflict.evidence.find("17 words"), std::string::npos) << conflict.evidence;
        EXPECT_EQ(conflict.place.file, "ops/transpose/padded_tile_16.cu");
        reads = reads || conflict.evidence.starts_with("reads");
        writes = writes || conflict.evidence.starts_with("writes");
    }
    EXPECT_TRUE(reads && writes);
    const KernelCounters counters = counters_of(explanation);
    const std::uint64_t requests = 256 * 256 / 32;
    EXPECT_EQ(counters.shared_loads.requests, requests);
    EXPECT_EQ(counters.shared_loads.wavefronts, 2 * requests);
    EXPECT_EQ(counters.shared_stores.wavefronts, 2 * requests);
}

TEST(ExplainTranspose, RowsOf33WordsAreClean) {
    const Explanation explanation = explained("transpose", "padded_tile", "256x256");
    EXPECT_FALSE(has(explanation, Rule::bank_conflict));
    EXPECT_FALSE(has(explanation, Rule::uncoalesced_access));
    const KernelCounters counters = counters_of(explanation);
    EXPECT_EQ(counters.shared_loads.conflicts() + counters.shared_stores.conflicts(), 0u);
    EXPECT_EQ(counters.global_loads.sectors, 256u * 256 / 8);
    EXPECT_EQ(counters.global_stores.sectors, 256u * 256 / 8);
    EXPECT_EQ(counters.global_loads.repeated_sectors, 0u);
    EXPECT_EQ(explanation.kernels[0].footprint_read, 256u * 256 * 4);
    EXPECT_EQ(explanation.kernels[0].footprint_written, 256u * 256 * 4);
    EXPECT_EQ(explanation.kernels[0].shape.static_shared, 32u * 33 * 4);
}

TEST(ExplainTranspose, RowsOf16WordsAreReadInEightPasses) {
    const Explanation explanation = explained("transpose", "shared_tile", "256x256");
    const std::vector<Finding> conflicts = findings_of(explanation, Rule::bank_conflict);
    ASSERT_EQ(conflicts.size(), 1u);
    EXPECT_NE(conflicts[0].evidence.find("reads take 8.0 passes per request where 1.0 would do, 8-way"),
              std::string::npos)
        << conflicts[0].evidence;
    EXPECT_EQ(counters_of(explanation).shared_stores.conflicts(), 0u);
}

TEST(ExplainTranspose, WithoutATileOneSideTakes32SectorsPerRequest) {
    const Explanation read = explained("transpose", "coalesced_read", "256x256");
    const std::vector<Finding> scattered = findings_of(read, Rule::uncoalesced_access);
    ASSERT_EQ(scattered.size(), 1u);
    EXPECT_TRUE(scattered[0].evidence.starts_with("stores touch 32.0 sectors per request where 4.0"))
        << scattered[0].evidence;
    EXPECT_EQ(counters_of(read).global_stores.sectors, 256u * 256);
    EXPECT_EQ(counters_of(read).global_loads.sectors, 256u * 256 / 8);

    const Explanation write = explained("transpose", "coalesced_write", "256x256");
    const std::vector<Finding> gathered = findings_of(write, Rule::uncoalesced_access);
    ASSERT_EQ(gathered.size(), 1u);
    EXPECT_TRUE(gathered[0].evidence.starts_with("loads touch 32.0 sectors per request where 4.0"))
        << gathered[0].evidence;
    EXPECT_EQ(counters_of(write).global_loads.sectors, 256u * 256);
    EXPECT_EQ(counters_of(write).global_stores.sectors, 256u * 256 / 8);
}

TEST(ExplainAdd, AWarpThatStartsLateTouchesFiveSectors) {
    const Explanation late = explained("add", "misaligned", "65537");
    const std::vector<Finding> excessive = findings_of(late, Rule::excessive_sectors);
    ASSERT_GE(excessive.size(), 1u);
    EXPECT_NE(excessive[0].evidence.find("touch 5.0 sectors per request where 4.0"), std::string::npos)
        << excessive[0].evidence;
    EXPECT_FALSE(has(late, Rule::uncoalesced_access));
    const Explanation aligned = explained("add", "coalesced", "65536");
    EXPECT_FALSE(has(aligned, Rule::excessive_sectors));
    EXPECT_EQ(counters_of(aligned).global_loads.sectors, 2u * 65536 / 8);
    EXPECT_TRUE(has(explained("add", "strided", "65536"), Rule::uncoalesced_access));
}

TEST(ExplainReduce, ShowsNoErrorOnRungsThatTalkThroughAtomics) {
    for (const char* rung : {"single_pass", "atomic_finish"})
        for (const char* size : {"1", "1000", "65537"}) expect_no_error(explained("reduce", rung, size));
}

TEST(ExplainReduce, AnAdditionThatNobodyLooksAtIsAReduction) {
    const KernelCounters added = counters_of(explained("reduce", "atomic_finish", "65536"));
    EXPECT_GT(added.global_reductions.requests, 0u);
    EXPECT_EQ(added.global_atomics.requests, 0u);
    const KernelCounters ticket = counters_of(explained("reduce", "single_pass", "65536"));
    EXPECT_GT(ticket.global_atomics.requests, 0u);
    EXPECT_EQ(ticket.global_reductions.requests, 0u);
}

TEST(Explain, ASeededScheduleCountsTheSame) {
    const std::pair<const char*, const char*> rungs[] = {
        {"transpose", "padded_tile_16"}, {"add", "misaligned"}, {"divergence", "divergent_lanes"}};
    for (const auto& [operation, rung] : rungs) {
        const char* size = std::string_view(operation) == "add" ? "4097" : "100x113";
        const KernelCounters natural = counters_of(explained(operation, rung, size));
        EXPECT_GT(natural.global_loads.sectors, 0u);
        for (const std::uint64_t seed : {1u, 7u}) {
            const KernelCounters seeded = counters_of(explained(operation, rung, size, {.schedule = seed}));
            EXPECT_EQ(seeded.global_loads.requests, natural.global_loads.requests) << rung;
            EXPECT_EQ(seeded.global_loads.sectors, natural.global_loads.sectors) << rung;
            EXPECT_EQ(seeded.global_stores.sectors, natural.global_stores.sectors) << rung;
            EXPECT_EQ(seeded.shared_loads.wavefronts, natural.shared_loads.wavefronts) << rung;
            EXPECT_EQ(seeded.branch.entries, natural.branch.entries) << rung;
            EXPECT_EQ(seeded.branch.divergent, natural.branch.divergent) << rung;
        }
    }
}

// What the kernels of tests/wrong are found guilty of, their counterparts are free of.
TEST(ExplainGoodRungs, AreFreeOfWhatTheyAreTheCureFor) {
    const struct {
        const char *operation, *rung, *size;
        std::vector<Rule> free_of;
    } cases[] = {
        {"copy",
         "coalesced",
         "135168",
         {Rule::uncoalesced_access, Rule::excessive_sectors, Rule::few_blocks, Rule::block_size, Rule::low_occupancy}},
        {"copy", "vectorized", "135168", {Rule::narrow_vectors}},
        {"transpose", "padded_tile", "257x129", {Rule::bank_conflict}},
        {"divergence", "divergent_warps", "1000x33", {Rule::divergent_branch}},
        {"matmul", "shared_tile", "64x64x64", {Rule::redundant_loads}},
        {"coefficients", "constant_uniform", "1000x33", {Rule::constant_serialised}},
        {"reduce", "atomic_finish", "65536", {Rule::atomic_contention}},
    };
    for (const auto& good : cases) {
        const Explanation explanation = explained(good.operation, good.rung, good.size);
        expect_no_error(explanation);
        for (const Rule rule : good.free_of)
            for (const Finding& finding : findings_of(explanation, rule))
                ADD_FAILURE() << good.operation << "/" << good.rung << ": " << name_of(rule) << " at line "
                              << finding.place.line << ": " << finding.evidence;
    }
}

TEST(ExplainGoodRungs, OnTheWayUpShowWhatTheNextOneCures) {
    EXPECT_TRUE(has(explained("copy", "coalesced", "4096"), Rule::narrow_vectors));
    EXPECT_TRUE(has(explained("divergence", "divergent_lanes", "1000x33"), Rule::divergent_branch));
    EXPECT_TRUE(has(explained("matmul", "naive", "64x64x64"), Rule::redundant_loads));
    EXPECT_TRUE(has(explained("coefficients", "constant_divergent", "1000x33"), Rule::constant_serialised));
}

TEST(ExplainSpill, LocalMemoryIsFoundWithTheCompilersWordAndWithout) {
    const bool recorded = !kernel_records("spill", "local_memory", gpus().front().capability).empty();
    const std::vector<Finding> local = findings_of(explained("spill", "local_memory", "1000x48"), Rule::local_memory);
    ASSERT_EQ(local.size(), 1U);
    EXPECT_NE(local[0].evidence.find(recorded ? "bytes per thread lies in memory" : "at an index that varies"),
              std::string::npos)
        << local[0].evidence;
    EXPECT_FALSE(has(explained("spill", "registers", "1000x48"), Rule::local_memory));
}

TEST(ExplainSpill, TheCodeAsWrittenSaysWhereAnArrayIsIndexed) {
    const double places = indexed_on_stack(explained("spill", "local_memory", "1000x48").kernels.at(0));
    EXPECT_GE(places, 32 * 48) << "at least an access of each of 32 warps in each step";
    // g++ unrolls fewer of the loops that say `#pragma unroll` than nvcc does.
    const Explanation registers = explained("spill", "registers", "1000x48");
    for (const PlacedSite& site : registers.kernels.at(0).sites)
        EXPECT_TRUE(site.unrolled || indexed_on_stack(site) == 0) << site.place.line;
}

/// Reads everything, and remembers how long the tapes were.
class LongestTape final : public lanework_simt::Observer {
public:
    LongestTape() { lanework_simt::set_observer(this); }
    LongestTape(const LongestTape&) = delete;
    LongestTape& operator=(const LongestTape&) = delete;
    ~LongestTape() override { lanework_simt::set_observer(nullptr); }
    void block_synchronized(const lanework_simt::ObservedBlock& block) override { read(block, 0, block.threads); }
    void warp_filled(const lanework_simt::ObservedBlock& block, unsigned warp) override {
        ++filled;
        read(block, warp * kLanes, std::min(block.threads, (warp + 1) * kLanes));
    }
    std::size_t longest = 0, filled = 0;

private:
    void read(const lanework_simt::ObservedBlock& block, unsigned first, unsigned end) {
        for (unsigned thread = first; thread < end; ++thread) {
            lanework_simt::Tape& tape = block.tapes[thread];
            longest = std::max(longest, tape.capacity);
            tape.read = tape.size;
        }
    }
};

TEST(Tapes, StayBounded) {
    const Operation& matmul = find_operation("matmul");
    const Problem problem = parse_problem(matmul, "1x20000x1", DType::int32);
    HostArrays host(matmul, problem);
    LongestTape tapes;
    execute(*open_device("simt"), matmul, find_rung(matmul, "naive", DeviceKind::simt), problem, host.buffers());
    EXPECT_GT(tapes.filled, 0u) << "one thread's loop is longer than a tape";
    EXPECT_EQ(tapes.longest, lanework_simt::engine::Tapes::kMaxEvents);
}

TEST(Explain, LeavesOtherOpenDevicesAsTheyAre) {
    const Operation& add = find_operation("add");
    const Rung& rung = find_rung(add, "coalesced", DeviceKind::simt);
    const Problem problem = parse_problem(add, "1000", add.default_dtype());
    const auto device = open_device("simt");
    expect_no_error(explained("transpose", "coalesced_read", "5x7"));
    const Verification after = verify(*device, add, rung, problem, 1);
    EXPECT_EQ(after.verdict, Verdict::ok) << after.reason;
}

TEST(Explain, FindingsAreSortedByTheCostliestOfTheirRule) {
    const Explanation explanation = explained("transpose", "shared_tile", "100x113");
    EXPECT_GE(explanation.findings.size(), 2u);
    std::vector<Rule> rules;
    std::vector<double> costliest;
    for (const Finding& finding : explanation.findings) {
        if (!rules.empty() && rules.back() == finding.rule) {
            EXPECT_LE(finding.weight, costliest.back());
            continue;
        }
        EXPECT_EQ(std::ranges::find(rules, finding.rule), rules.end()) << "the findings of a rule stand together";
        rules.push_back(finding.rule);
        costliest.push_back(finding.weight);
    }
    EXPECT_TRUE(std::ranges::is_sorted(costliest, std::greater<>{}));
}

TEST(ExplainOfASlice, FollowsAGridThatFillsTheGpu) {
    const Operation& operation = find_operation("reduce");
    const Gpu& gpu = gpus().front();
    const Problem large = parse_problem(operation, "268435456", DType::int32);
    const Explanation slice = explained("reduce", "atomic_finish", "262144", {.timed = large});
    ASSERT_FALSE(slice.on_one_sm.empty());
    EXPECT_EQ(lanework_simt::presented_gpu().sms, gpu.sms) << "the device stands for the whole GPU again";
    const KernelTrace &traced = slice.kernels.back(), &one = slice.on_one_sm.back();
    EXPECT_LT(one.shape.blocks(), traced.shape.blocks());
    const Demand demand = demands_of(slice, gpu).back();
    EXPECT_EQ(demand.blocks, static_cast<double>(one.shape.blocks()) * gpu.sms) << "every block that fits";
    const double before = static_cast<double>(traced.shape.blocks());
    EXPECT_NEAR(demand.barriers / demand.blocks, static_cast<double>(traced.pace.barriers) / before, 1e-9)
        << "a block has one tree, whatever its share";
    const double growth = 268435456.0 / 262144;
    const double loads = static_cast<double>(traced.counters().global_loads.requests);
    EXPECT_NEAR(demand.load_requests, loads * growth, 0.01 * loads * growth) << "its loads are its share";
    EXPECT_LT(estimate(slice, gpu).time_s, 2 * roofline_limit(*slice.timed, DType::int32, gpu).seconds);
}

TEST(ExplainOfASlice, StretchesWhatIsReadAndWrittenOverTheLink) {
    const Operation& operation = find_operation("transfer");
    const Rung& rung = find_rung(operation, "zero_copy", DeviceKind::simt);
    for (const char* variant : {"upload", "download"}) {
        Problem small = parse_problem(operation, "1048576", DType::int32);
        small.variant = parse_variant(operation, variant);
        Problem large = parse_problem(operation, "33554432", DType::int32);
        large.variant = small.variant;
        const Explanation slice = explain(operation, rung, small, 1, {.timed = large});
        const Demand demand = demands_of(slice, gpus().front()).front();
        constexpr double kSectors = 33554432 / 8.0;
        EXPECT_NEAR(demand.first_read_sectors, kSectors, 0.01 * kSectors) << variant;
        const bool up = std::string_view(variant) == "upload";
        constexpr double kBytes = 32 * kSectors;
        EXPECT_NEAR(up ? demand.link_read : demand.link_written, kBytes, 0.01 * kBytes) << variant;
        EXPECT_NEAR(up ? demand.memory_written_sectors : demand.memory_read_sectors, kSectors, 0.01 * kSectors);
        EXPECT_EQ(up ? demand.memory_read_sectors : demand.memory_written_sectors, 0) << "that is the host's memory";
    }
}

TEST(ExplainOfASlice, StretchesAGridThatFollowsTheProblem) {
    const Operation& operation = find_operation("transpose");
    const Problem large = parse_problem(operation, "1024x1024", DType::int32);
    const Explanation slice = explained("transpose", "shared_tile", "256x256", {.timed = large});
    const Demand demand = demands_of(slice, gpus().front()).front();
    EXPECT_EQ(demand.blocks, 16.0 * static_cast<double>(slice.kernels[0].shape.blocks()));
}

TEST(ExplainOfASlice, WhatAThreadDoesOnceDoesNotGrowWithItsTurns) {
    const auto demand = [](std::string_view operation, std::string_view rung, std::string_view size,
                           const ExplainOptions& options) {
        return demands_of(explained(operation, rung, size, options), gpus().front()).front();
    };
    for (const auto& [operation, rung] : {std::pair("spill", "registers"), std::pair("fma", "independent_chains")}) {
        const Problem large =
            parse_problem(find_operation(operation), "8192x1024", find_operation(operation).default_dtype());
        const Demand slice = demand(operation, rung, "4096x64", {.timed = large});
        const Demand whole = demand(operation, rung, "8192x1024", {});
        EXPECT_EQ(slice.blocks, whole.blocks) << rung;
        EXPECT_NEAR(slice.host_instructions, whole.host_instructions, 0.02 * whole.host_instructions) << rung;
        EXPECT_NEAR(slice.load_requests, whole.load_requests, 0.02 * whole.load_requests) << rung;
        EXPECT_EQ(slice.barriers, whole.barriers) << rung;
        EXPECT_NEAR(slice.memory_read_sectors, whole.memory_read_sectors, 0.02 * whole.memory_read_sectors) << rung;
    }
}

TEST(ExplainTexture, CountsFetchesByWarp) {
    const Explanation explanation = explained("coefficients", "texture_coefficients", "1000x64");
    expect_no_error(explanation);
    const KernelCounters counters = counters_of(explanation);
    EXPECT_EQ(counters.texture_fetches.requests, 32u * 64) << "1000 threads are 32 warps";
    EXPECT_EQ(counters.texture_fetches.distinct_addresses, counters.texture_fetches.requests) << "all lanes want one";
    EXPECT_EQ(counters.global_loads.requests, 32u) << "of the elements alone";
    EXPECT_TRUE(has(explanation, Rule::redundant_loads));
}

/// The larger problem that the gains are for.
ExplainOptions timed_at(std::string_view operation_name, std::string_view size) {
    const Operation& operation = find_operation(operation_name);
    return {.timed = parse_problem(operation, size, operation.default_dtype())};
}

TEST(ExplainStreams, OneStreamLetsEnginesTakeTurnsAndFourDoNot) {
    const ExplainOptions options = timed_at("pipeline", "134217728");
    const Explanation one = explained("pipeline", "one_stream", "65537", options);
    ASSERT_TRUE(has(one, Rule::serialised_work));
    EXPECT_EQ(one.findings.front().rule, Rule::serialised_work);
    EXPECT_EQ(one.findings.front().place.file, "ops/pipeline/stages.cuh");
    for (const char* const rung : {"two_streams_depth_first", "two_streams_breadth_first", "four_streams", "graph"})
        EXPECT_FALSE(has(explained("pipeline", rung, "65537", options), Rule::serialised_work)) << rung;
}

TEST(ExplainStreams, TheDefaultStreamIsNamedWhereItHoldsKernels) {
    EXPECT_TRUE(has(explained("overlap", "default_stream", "16x5000"), Rule::default_stream_waits));
    for (const char* const rung : {"one_stream", "four_streams", "one_launch"})
        EXPECT_FALSE(has(explained("overlap", rung, "16x5000"), Rule::default_stream_waits)) << rung;
}

TEST(ExplainStreams, EveryStepOfATransferNamesWhatTheNextOneMends) {
    const ExplainOptions options = timed_at("transfer", "33554432");
    const auto says = [&](std::string_view rung, Rule rule) {
        return has(explained("transfer", rung, "262149", options), rule);
    };
    EXPECT_TRUE(says("pageable", Rule::pageable_copies));
    EXPECT_TRUE(says("managed", Rule::page_faults));
    EXPECT_FALSE(says("managed_prefetched", Rule::page_faults));
    for (const Rule rule : {Rule::pageable_copies, Rule::page_faults, Rule::needless_copy})
        for (const char* const rung : {"pinned", "zero_copy"}) EXPECT_FALSE(says(rung, rule)) << rung;
}

}  // namespace
}  // namespace lanework
