// Products of small matrices, again and again: the same two tiles are multiplied and summed for a number of steps. Its
// best rung is the ceiling of everything that multiplies matrices.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// Of A (rows × depth), B (depth × cols) and of each tile of C (rows × cols): what a warpgroup of Hopper's keeps in
/// registers.
inline constexpr int kMmaRows = 64, kMmaDepth = 64, kMmaCols = 256;

template <class T>
struct MmaArgs {
    using Element = T;
    const T* a;  ///< kMmaRows × kMmaDepth, row-major
    const T* b;  ///< kMmaDepth × kMmaCols, row-major
    float* c;    ///< tiles × kMmaRows × kMmaCols
    std::int64_t tiles, steps;

    static MmaArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const T*>(buffers.data[0]), static_cast<const T*>(buffers.data[1]),
                static_cast<float*>(buffers.data[2]), problem.extent[0], problem.extent[1]};
    }
};

}  // namespace lanework

using mma_signature = lanework::Signature<lanework::MmaArgs<lanework::float16>, lanework::MmaArgs<lanework::bfloat16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
