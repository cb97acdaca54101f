// Work on a range, divided among the threads of a team.
#pragma once

#include <omp.h>

#include <lanework/rung.hpp>

#include "src/cpu/share.hpp"

namespace lanework {

/// Calls work(Share) on each of the team's threads that has a grain (elements) of [0, count) to itself; where there is
/// not one grain, one thread takes what there is.
template <class Work>
void in_shares(Team team, std::int64_t count, std::int64_t grain, Work work) {
    const std::int64_t grains = (count + grain - 1) / grain;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(grains, 1, team.threads));
#pragma omp parallel num_threads(threads)
    work(share_of(count, omp_get_num_threads(), omp_get_thread_num(), grain));
}

}  // namespace lanework
