// Rules about branches, and about how a launch fills the GPU.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kOftenDivergent = 0.10, kCostlyBranch = 0.02, kVeryCostlyBranch = 0.10;
constexpr double kLowOccupancy = 0.5, kVeryLowOccupancy = 0.25;
constexpr double kEmptyTail = 0.10;  // of the launch's time
constexpr int kWholeWaves = 8;       // a tail after so many full rounds hides in them

SourcePlace place_of(const LaunchShape& shape) {
    return {.file = shape.file, .line = shape.line, .column = 0, .function = {}};
}

void find_divergence(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const BranchCounters& counted = placed.site.branch;
    if (counted.branches == 0 || placed.emulates) return;
    const BranchCounters& all = in.counters.branch;
    const double often = static_cast<double>(counted.divergent) / static_cast<double>(counted.branches);
    // The lanes that idle in the kernel's blocks, by where lanes part.
    const double idle = 1 - static_cast<double>(all.lanes) / static_cast<double>(all.entries * kLanes);
    const double weight = idle * static_cast<double>(counted.divergent) / static_cast<double>(all.divergent);
    if (often < kOftenDivergent || weight < kCostlyBranch) return;
    findings.push_back(
        {.rule = Rule::divergent_branch,
         .severity = weight >= kVeryCostlyBranch ? Severity::warning : Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("the lanes of a warp part {} of {} times here, {:.0f}%; both ways then run "
                                 "one after the other",
                                 counted.divergent, counted.branches, 100 * often),
         .remedy = "Give whole warps the same way: branch on the warp's index instead of the lane's, or "
                   "sort the work; short ways can be computed both and selected.",
         .weight = weight,
         .other = {}});
}

void find_occupancy(const RuleInputs& in, std::vector<Finding>& findings) {
    const Capability& sm = in.gpu.limits();
    const Occupancy now = occupancy(sm, in.resources);
    if (now.impossible != Impossible::no || now.fraction >= kLowOccupancy) return;
    const std::string unknown = in.resources.registers_per_thread == 0 ? "; its registers are not known here" : "";
    findings.push_back(
        {.rule = Rule::low_occupancy,
         .severity = now.fraction < kVeryLowOccupancy ? Severity::warning : Severity::advice,
         .place = place_of(in.launch.shape),
         .evidence = fmt::format("{} of {} warps fit on an SM ({:.0f}%), limited by {}{}", now.warps, sm.warps_per_sm,
                                 100 * now.fraction, describe_limit(sm, in.resources, now), unknown),
         .remedy = "Use less of what limits it, or another block size: `lanework occupancy` shows the curve. "
                   "Much work in flight per thread can make up for few warps.",
         .weight = kCostlyBranch * (1 - now.fraction),
         .other = {}});
}

void find_few_blocks(const RuleInputs& in, std::vector<Finding>& findings) {
    const auto blocks = static_cast<double>(in.launch.shape.blocks());
    const auto sms = static_cast<double>(in.gpu.sms);
    const int per_sm = std::max(occupancy(in.gpu.limits(), in.resources).blocks, 1);
    const double waves = blocks / (sms * per_sm), rounds = std::ceil(waves);
    const double idle = 1 - waves / rounds;
    std::string evidence;
    if (blocks < sms) {
        evidence = fmt::format("{} block{} keep{} {} of {} SMs busy", in.launch.shape.blocks(), blocks == 1 ? "" : "s",
                               blocks == 1 ? "s" : "", in.launch.shape.blocks(), in.gpu.sms);
    } else if (waves > 1 && waves < kWholeWaves && idle > kEmptyTail) {
        evidence = fmt::format(
            "{} blocks are {:.2f} rounds of {} SMs × {} blocks: the last round leaves {:.0f}% of the "
            "launch's time unused",
            in.launch.shape.blocks(), waves, in.gpu.sms, per_sm, 100 * idle);
    } else {
        return;
    }
    const double weight = blocks < sms ? 1 - blocks / sms : idle;
    findings.push_back({.rule = Rule::few_blocks,
                        .severity = weight > kLowOccupancy ? Severity::warning : Severity::advice,
                        .place = place_of(in.launch.shape),
                        .evidence = std::move(evidence),
                        .remedy =
                            "Split the work into more blocks, several for each SM, or let a grid-stride loop share it "
                            "evenly; a larger problem does it too.",
                        .weight = weight * kOftenDivergent,
                        .other = {}});
}

void find_block_size(const RuleInputs& in, std::vector<Finding>& findings) {
    const unsigned threads = in.launch.shape.threads_per_block();
    const unsigned idle = (kLanes - threads % kLanes) % kLanes;
    std::string evidence;
    if (idle != 0) {
        evidence = fmt::format("blocks of {} threads leave {} of {} lanes unused in their last warp", threads, idle,
                               static_cast<unsigned>(kLanes));
    } else if (threads < static_cast<unsigned>(kSensibleThreads)) {
        evidence = fmt::format("blocks of {} threads are small: an SM runs at most {} blocks", threads,
                               in.gpu.limits().blocks_per_sm);
    } else {
        return;
    }
    const double lost = static_cast<double>(idle) / (threads + idle);
    findings.push_back({.rule = Rule::block_size,
                        .severity = lost > kLowOccupancy / 2 ? Severity::warning : Severity::advice,
                        .place = place_of(in.launch.shape),
                        .evidence = std::move(evidence),
                        .remedy = "Use a multiple of 32 threads, 128 to 256 to begin with, then measure others.",
                        .weight = std::max(lost, kCostlyBranch / 2),
                        .other = {}});
}

}  // namespace

void find_branch_costs(const RuleInputs& inputs, std::vector<Finding>& findings) {
    for (const PlacedSite& placed : inputs.launch.sites) find_divergence(inputs, placed, findings);
}

void find_launch_costs(const RuleInputs& inputs, std::vector<Finding>& findings) {
    find_occupancy(inputs, findings);
    find_few_blocks(inputs, findings);
    find_block_size(inputs, findings);
}

}  // namespace lanework
