// The names of the rules.
#include "src/trace/analyse/finding.hpp"

#include <array>

namespace lanework {

std::string_view name_of(Rule rule) {
    constexpr std::array<std::string_view, kRules> names = {
        "race",
        "warp_synchrony",
        "out_of_bounds",
        "use_after_free",
        "uninitialised_read",
        "misaligned_access",
        "divergent_barrier",
        "launch_failure",
        "invalid_free",
        "leak",
        "uncoalesced_access",
        "excessive_sectors",
        "bank_conflict",
        "divergent_branch",
        "low_occupancy",
        "few_blocks",
        "block_size",
        "redundant_loads",
        "narrow_vectors",
        "constant_serialised",
        "atomic_contention",
        "local_memory",
        "contended_atomics",
        "few_loads_in_flight",
        "idle_threads",
        "shared_memory_bound",
        "uncached_reads",
        "separate_launches",
        "dependent_arithmetic",
        "instruction_bound",
    };
    return names[static_cast<std::size_t>(rule)];
}

}  // namespace lanework
