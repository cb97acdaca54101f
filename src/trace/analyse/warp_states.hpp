// Warp states by the model of time: of the clocks in which a warp is resident, how many it issues, could issue, or is
// stalled, and what for. The names are Nsight Compute's (smsp__average_warps_issue_stalled_<reason>_per_issue_active).
// docs/decisions/warp-states.md
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanework {

struct Demand;
struct Gpu;

enum class WarpState : std::uint8_t {
    selected,            ///< issues an instruction
    not_selected,        ///< could, and the scheduler takes another warp's
    wait,                ///< the clocks from one instruction to the next of a warp
    long_scoreboard,     ///< global and local memory and textures: round trips, and queues of L2 and of memory
    short_scoreboard,    ///< shared memory with its conflicts, and what lanes hand each other
    barrier,             ///< other warps of its block
    lg_throttle,         ///< the queue of L1: more requests and lines than it takes
    mio_throttle,        ///< the queue of shared memory: more passes over the banks than it takes
    math_pipe_throttle,  ///< the arithmetic pipe is taken
};
inline constexpr std::size_t kWarpStates = static_cast<std::size_t>(WarpState::math_pipe_throttle) + 1;
/// As above.
std::string_view name_of(WarpState state);
/// "global or local memory", "other warps of the block": what a warp in this state waits for; of the first two what it
/// does.
std::string_view meaning_of(WarpState state);
/// "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio".
std::string metric_of(WarpState state);

/// Of one launch, or of several weighed by their warps.
struct WarpStates {
    /// Clocks of the average warp, in the order of WarpState.
    std::array<double, kWarpStates> clocks{};
    /// Of the average warp.
    double instructions = 0;
    /// Warps that an SM sub-partition (a scheduler) holds at a time.
    double resident = 0;

    double of(WarpState state) const { return clocks[static_cast<std::size_t>(state)]; }
    double sum() const;
    /// Its part of sum(), 0 where that is 0.
    double share(WarpState state) const;
    /// Selected, or not selected and ready.
    double eligible_share() const { return share(WarpState::selected) + share(WarpState::not_selected); }
    double stalled_share() const { return sum() > 0 ? 1 - eligible_share() : 0; }
    /// Warps of a scheduler that are ready in the average clock.
    double eligible_warps() const { return resident * eligible_share(); }
    /// What Nsight Compute's metric counts: clocks of warps in this state for each instruction that is issued.
    double per_issue(WarpState state) const { return instructions > 0 ? of(state) / instructions : 0; }
};

/// Modelled: the chain of the average warp that nothing is in the way of, and what its launch takes beyond that, put on
/// the queues of the parts that are busy.
WarpStates warp_states(std::span<const Demand> launches, const Gpu& gpu);

}  // namespace lanework
