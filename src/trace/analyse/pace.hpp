// Pace: what lets warps wait for each other. Barriers, meetings of lanes, and updates of one address.
#pragma once

#include <unordered_map>

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

/// Of a launch.
struct LaunchPace {
    /// Barriers that blocks passed; meetings of lanes (__syncwarp, shuffles, votes), each of a warp.
    std::uint64_t barriers = 0, meetings = 0;
    /// Of the 512 bytes of global memory that atomic operations keep busiest: the turns that lanes of requests take at
    /// one address, and the sectors that requests touch, both summed over the requests.
    std::uint64_t hottest_turns = 0, hottest_sectors = 0;
    /// Requests of atomic operations on global memory that are for the threads of the block alone, which the SM does
    /// itself, and the turns that their lanes take at one address.
    std::uint64_t block_requests = 0, block_turns = 0;
    /// Lanes of atomic operations in shared memory that another lane of their request comes before at one address, and
    /// the passes over the busiest bank that they make more.
    std::uint64_t shared_collisions = 0, shared_turns = 0;
    /// The turns that lanes of requests of shared memory take at one address, summed over the requests; and the lanes
    /// that name the busiest word of their block, summed over the blocks.
    std::uint64_t shared_same = 0, busiest_words = 0;
};

class PaceAnalyser final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::global || space == Space::shared; }
    void launch_begins(const LaunchShape& shape) override;
    void request(const Request& request) override;
    void meeting(const Meeting& meeting) override;
    void barrier(std::uint64_t block) override;
    void block_ends(std::uint64_t block) override;

    void record(KernelTrace& trace) const override;

    LaunchPace pace() const;

private:
    struct Updates {
        std::uint64_t turns = 0, sectors = 0;
    };

    struct Named;
    void update(const Named& named);

    LaunchPace pace_;
    std::unordered_map<std::uint64_t, Updates> updates_;  // by region
    /// Lanes by word of shared memory, of blocks that run.
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>> words_;
};

}  // namespace lanework
