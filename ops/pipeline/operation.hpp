// Pipeline: c is the mean of two three-point means, computed on a device from arrays of the host's and back into one.
// Upload, kernel and download are all part of it.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// Which kind of host memory the arrays are in, in the order of the operation's variants.
enum class HostArraysIn : std::uint8_t { pinned, pageable };

LANEWORK_AXES(PipelineAxes, n);

/// c[i] = ((a[i−1] + a[i] + a[i+1])/3 + (b[i−1] + b[i] + b[i+1])/3)/2; beyond either end, the end's own element counts.
struct PipelineArgs {
    using Element = float;
    const float* a;  ///< n, the host's
    const float* b;  ///< n, the host's
    float* c;        ///< n, the host's
    std::int64_t n;
    float* workspace;    ///< the device's: what the rung asked for
    Prepared* prepared;  ///< its streams

    static PipelineArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [a, b, c] = buffers.arrays<const float, const float, float>();
        const auto [n] = problem.lengths<PipelineAxes>();
        return {a, b, c, n, static_cast<float*>(buffers.workspace), buffers.prepared};
    }
};

}  // namespace lanework

using pipeline_signature = lanework::Signature<lanework::PipelineArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
