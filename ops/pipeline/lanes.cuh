// Streams beside the caller's: work forks from its stream into them and joins it again, so that to the caller all of it
// happened in its own stream.
#pragma once

#include "ops/pipeline/stages.cuh"
#include "src/cuda/stream.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <int kLanes>
class Lanes final : public Prepared {
public:
    static constexpr int kCount = kLanes;

    cudaStream_t operator[](std::int64_t index) const { return lane_[index % kLanes].get(); }
    /// What was launched on `stream` before comes before anything in a lane.
    void fork_from(cudaStream_t stream) const {
        forked_.record(stream);
        for (const Stream& lane : lane_) wait(lane.get(), forked_);
    }
    /// What is launched on `stream` after comes after everything in the lanes.
    void join_into(cudaStream_t stream) const {
        for (int i = 0; i < kLanes; ++i) {
            done_[i].record(lane_[i].get());
            wait(stream, done_[i]);
        }
    }

private:
    Stream lane_[kLanes];
    Event forked_, done_[kLanes];
};

template <int kLanes>
PreparedOwner make_lanes(const PipelineArgs&, cudaStream_t) {
    return PreparedOwner(new Lanes<kLanes>());
}

template <int kLanes>
std::size_t lane_workspace(const PipelineArgs& args) {
    return slot_bytes(args, kLanes);
}

/// Chunk after chunk, each with all of its stages, in the lanes by turns. A lane's slot is free again when its own
/// previous chunk is done: its stream sees to that.
template <int kLanes>
void run_depth_first(const PipelineArgs& args, const Lanes<kLanes>& lanes, cudaStream_t stream) {
    lanes.fork_from(stream);
    const Chunks chunks(args.n);
    for (std::int64_t i = 0; i < chunks.count(); ++i) run_chunk(args, chunks[i], slot_at(args, i % kLanes), lanes[i]);
    lanes.join_into(stream);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
