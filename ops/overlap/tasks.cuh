// A task is a kernel with a thread for each element, and streams are where tasks are launched.
#pragma once

#include "ops/overlap/operation.hpp"
#include "src/cuda/stream.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kTaskBlock = 256;
constexpr int kTaskStreams = 4;

template <int kBlock>
__global__ void task_kernel(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = overlap_steps(in[i]);
}

inline void launch_task(const OverlapArgs& a, std::int64_t task, cudaStream_t stream) {
    if (a.n == 0) return;
    task_kernel<kTaskBlock><<<static_cast<unsigned>(ceil_div(a.n, kTaskBlock)), kTaskBlock, 0, stream>>>(
        a.in + task * a.n, a.out + task * a.n, a.n);
}

/// Four streams that wait for CUDA's default stream and are waited for by it, as cudaStreamCreate makes them; to the
/// caller what is launched on them, and on the default stream, happens in the caller's.
class TaskStreams final : public Prepared {
public:
    TaskStreams() {
        for (cudaStream_t& stream : streams_) LANEWORK_CHECK(cudaStreamCreate(&stream));
    }
    TaskStreams(const TaskStreams&) = delete;
    TaskStreams& operator=(const TaskStreams&) = delete;
    ~TaskStreams() override {
        for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    }

    cudaStream_t operator[](std::int64_t task) const { return streams_[task % kTaskStreams]; }
    void fork_from(cudaStream_t stream) const {
        forked_.record(stream);
        for (cudaStream_t each : streams_) wait(each, forked_);
    }
    void join_into(cudaStream_t stream) const {
        for (int k = 0; k < kTaskStreams; ++k) {
            done_[k].record(streams_[k]);
            wait(stream, done_[k]);
        }
    }

    /// The same of the default stream, behind which all of these are.
    void join_default_into(cudaStream_t stream) const {
        defaulted_.record(cudaStreamLegacy);
        wait(stream, defaulted_);
    }

private:
    cudaStream_t streams_[kTaskStreams] = {};
    Event forked_, defaulted_, done_[kTaskStreams];
};

inline PreparedOwner make_task_streams(const OverlapArgs&, cudaStream_t) { return PreparedOwner(new TaskStreams()); }

}  // namespace lanework::inline LANEWORK_ON_DEVICE
