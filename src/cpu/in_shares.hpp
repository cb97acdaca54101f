// Work on a range, divided among the threads of a team.
#pragma once

#include <lanework/rung.hpp>

#include "src/cpu/helpers.hpp"
#include "src/cpu/share.hpp"

namespace lanework {

/// For each thread: one that comes late or is interrupted leaves some to the others.
inline constexpr std::int64_t kSharesOfAThread = 4;

/// Calls work(Share) for parts of [0, count) that together are all of it, each on one of the team's threads. Parts
/// begin at multiples of `grain` (elements), which is the least that is worth a thread's coming; where there is not one
/// grain, there is one part. The work must not throw.
template <class Work>
void in_shares(Team team, std::int64_t count, std::int64_t grain, Work work) {
    const std::int64_t grains = (count + grain - 1) / grain;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(grains, 1, team.threads));
    const int shares = static_cast<int>(threads == 1 ? 1 : std::min(grains, threads * kSharesOfAThread));
    share_out(threads, static_cast<std::uint32_t>(shares),
              [&](std::int64_t share) { work(share_of(count, shares, static_cast<int>(share), grain)); });
}

}  // namespace lanework
