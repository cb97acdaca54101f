// Overlap: pieces of work that need nothing of each other, each of them a kernel. Which of them run at the same time is
// decided by the streams that they are launched on and by how full each makes the GPU.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(OverlapAxes, tasks, n);

struct OverlapArgs {
    using Element = std::int32_t;
    const std::int32_t* in;  ///< tasks × n
    std::int32_t* out;       ///< tasks × n: each element after kOverlapSteps steps
    std::int64_t tasks;
    std::int64_t n;      ///< elements of a task
    Prepared* prepared;  ///< the rung's streams

    static OverlapArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const std::int32_t, std::int32_t>();
        const auto [tasks, n] = problem.lengths<OverlapAxes>();
        return {in, out, tasks, n, buffers.prepared};
    }
};

inline constexpr int kOverlapSteps = 64;

/// x ← 1 664 525·x + 1 013 904 223, modulo 2^32.
constexpr std::int32_t overlap_step(std::int32_t x) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * 1'664'525U + 1'013'904'223U);
}
constexpr std::int32_t overlap_steps(std::int32_t x) {
    for (int step = 0; step < kOverlapSteps; ++step) x = overlap_step(x);
    return x;
}

}  // namespace lanework

using overlap_signature = lanework::Signature<lanework::OverlapArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
