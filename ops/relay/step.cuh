// The kernel of one step, and all steps of a relay as that many launches.
#pragma once

#include "ops/relay/operation.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kStepThreads = 256;

/// A word per thread.
static __global__ void step_words(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kStepThreads + threadIdx.x;
    if (i < words) out[i] = stepped(in[i]);
}

/// A launch per step, the first of them from `in` to `out`; after_each() is called behind every one. Without any steps
/// the words are copied.
template <class AfterEach>
void launch_steps(const RelayArgs& a, cudaStream_t stream, AfterEach after_each) {
    if (a.words == 0) return;
    if (a.steps == 0) LANEWORK_CHECK(cudaMemcpyAsync(a.out, a.in, a.bytes(), cudaMemcpyDeviceToDevice, stream));
    const auto blocks = static_cast<unsigned>(ceil_div(a.words, kStepThreads));
    for (std::int64_t step = 0; step < a.steps; ++step) {
        step_words<<<blocks, kStepThreads, 0, stream>>>(step == 0 ? a.in : a.out, a.out, a.words);
        after_each();
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
