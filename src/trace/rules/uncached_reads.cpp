// The rule about what memory sends again and again, since L2 cannot hold it from one use to the next.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kAgain = 1.3;  // of the bytes that are touched

void find_uncached_reads(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand) return;
    constexpr double kSector = 32, kMebi = 1 << 20;
    const double once = in.demand->first_read_sectors, sent = in.demand->memory_read_sectors;
    if (once == 0 || sent < kAgain * once) return;
    findings.push_back({.rule = Rule::uncached_reads,
                        .severity = Severity::warning,
                        .place = place_of(in.launch.shape),
                        .evidence = fmt::format("memory sends about {:.0f} MiB for {:.0f} MiB that are read: more than "
                                                "L2's {:.0f} MiB lie between the uses",
                                                sent * kSector / kMebi, once * kSector / kMebi,
                                                static_cast<double>(in.gpu.l2_bytes) / kMebi),
                        .remedy = "Let blocks that run together share their data: tiles, or an order of blocks that "
                                  "stays in one region.",
                        .other = {}});
}

void read_once(Demand& d, const Mending&) { d.memory_read_sectors = d.first_read_sectors; }

}  // namespace

LANEWORK_COST_RULE(uncached_reads, {.find = find_uncached_reads, .asks_the_model = true, .mend = read_once});

}  // namespace lanework
