// A finding: what is wrong or slow about a kernel, where, how that is known, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/trace/analyse/site.hpp"

namespace lanework {

/// The rules, hazards first: these make a result wrong.
enum class Rule : std::uint8_t {
    race,            ///< two threads, at least one writes, nothing orders them
    warp_synchrony,  ///< the same within a warp: only lockstep would order them
    out_of_bounds,   ///< outside every allocation, or outside its array
    use_after_free,
    uninitialised_read,
    misaligned_access,  ///< an address that is no multiple of the access's width: an error on a GPU
    divergent_barrier,  ///< threads of a block (or lanes of a mask) that never meet
    launch_failure,     ///< any other failure of the launch
    invalid_free,       ///< of memory that was freed before, or that no allocation begins with
    leak,               ///< memory that is never freed; looked for when asked
    uncoalesced_access,
    excessive_sectors,
    bank_conflict,
    divergent_branch,
    low_occupancy,
    few_blocks,       ///< fewer blocks than fill the GPU, or a tail of a few
    block_size,       ///< no multiple of 32, or too small to hide latency
    redundant_loads,  ///< the same bytes loaded again by a block: shared memory would save them
    narrow_vectors,   ///< neighbouring elements accessed one by one where 16 bytes at once would do
    constant_serialised,
    atomic_contention,
    local_memory,
    contended_atomics,     ///< updates of one address that wait for each other, all over the launch
    few_loads_in_flight,   ///< loads follow each other, and too few warps overlap them
    idle_threads,          ///< lanes that take no part while their warp goes on
    shared_memory_bound,   ///< operands are fetched from shared memory for each use
    uncached_reads,        ///< read again from memory, since L2 cannot hold them in between
    separate_launches,     ///< many launches, which take time to start
    dependent_arithmetic,  ///< one chain of arithmetic a thread, each result of which is waited for
    instruction_bound,     ///< what is computed around the accesses takes the time
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::instruction_bound) + 1;
/// As in results files and after `// finding:` in tests: "bank_conflict".
std::string_view name_of(Rule rule);

/// An error makes results wrong, a warning costs time, advice may.
enum class Severity : std::uint8_t { error, warning, advice };
constexpr std::string_view name_of(Severity severity) {
    constexpr std::string_view names[] = {"error", "warning", "advice"};
    return names[static_cast<int>(severity)];
}

struct Finding {
    Rule rule;
    Severity severity;
    /// "" and 0 for one about the whole kernel.
    SourcePlace place;
    /// What was seen, with figures: "loads touch 32 sectors per request, 4 would do".
    std::string evidence;
    /// What to do about it, one sentence.
    std::string remedy;
    /// The part of the kernel's cost that it accounts for, 0 … 1, for ordering; errors are 1.
    double weight = 0;
    /// The other place, of a race.
    SourcePlace other;
    /// The kernel whose launch it is about; "" where it is about all of them.
    std::string kernel = {};
    /// Which launch of the explanation it was found in, from 0.
    std::size_t launch = 0;
    /// What mending it would save, of the whole time, by the model of time; none where that was not asked.
    std::optional<double> gain = {};
    /// The whole time now and without it, in seconds; 0 where there is no gain.
    double time_s = 0, time_without_s = 0;

    bool error() const { return severity == Severity::error; }
};

}  // namespace lanework
