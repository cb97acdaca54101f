// The rule about a thread's own memory: spilled registers, and arrays that are indexed.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

void find(const RuleInputs& in, std::vector<Finding>& findings) {
    const int stack = in.stack_bytes.value_or(0), spilled = in.spilled_bytes.value_or(0);
    if (stack == 0 && spilled == 0) return;
    const std::string what = spilled != 0 ? fmt::format("{} bytes of registers are spilled to memory", spilled)
                                          : fmt::format("an array of {} bytes per thread lies in memory", stack);
    findings.push_back(
        {.rule = Rule::local_memory,
         .severity = Severity::warning,
         .place = place_of(in.launch.shape),
         .evidence = fmt::format("{} ({}, ptxas for sm_{})", what, in.launch.shape.kernel, in.gpu.capability),
         .remedy = spilled != 0 ? "Keep fewer values alive at once, or allow more registers "
                                  "(__launch_bounds__ with fewer threads)."
                                : "Index the array with constants only: unroll the loops over it, so that "
                                  "its elements become registers.",
         .weight = kSeriousCost,
         .other = {}});
}

void keep_in_registers(Demand& d, const Mending&) { d.local_requests = 0; }

}  // namespace

LANEWORK_COST_RULE(local_memory, {.find = find, .mend = keep_in_registers});

}  // namespace lanework
