// The rule about grids that leave SMs idle: fewer blocks than SMs, or a last round of a few.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kEmptyTail = 0.10;  // of the launch's time
constexpr int kWholeWaves = 8;       // a tail after so many full rounds hides in them
constexpr double kHalfIdle = 0.5, kWeight = 0.10;

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
                        .severity = weight > kHalfIdle ? Severity::warning : Severity::advice,
                        .place = place_of(in.launch.shape),
                        .evidence = std::move(evidence),
                        .remedy =
                            "Split the work into more blocks, several for each SM, or let a grid-stride loop share it "
                            "evenly; a larger problem does it too.",
                        .weight = weight * kWeight,
                        .other = {}});
}

/// The same work in as many blocks as there is room for.
void fill_all_sms(Demand& d, const Mending& mending) {
    const double room = mending.gpu.sms * d.resident_blocks;
    d.blocks = room * std::max(1.0, std::ceil(d.blocks / room));
}

}  // namespace

LANEWORK_COST_RULE(few_blocks, {.find = find_few_blocks, .mend = fill_all_sms});

}  // namespace lanework
