// Products of small matrices, again and again: the same two tiles are multiplied and summed for a number of steps. Its
// best rung is the ceiling of everything that multiplies matrices.
#pragma once

#include <lanework/rung.hpp>
#include <type_traits>

namespace lanework {

/// Of A (rows × depth) and of each tile of C (rows × cols): what a warpgroup of Hopper's keeps in registers.
inline constexpr int kMmaRows = 64, kMmaCols = 256;
/// Columns of A and rows of B (depth × cols): 128 bytes of a row of A.
constexpr int mma_depth(DType type) { return 128 / static_cast<int>(size_of(type)); }

LANEWORK_AXES(MmaAxes, tiles, steps);

template <class T>
struct MmaArgs {
    using Element = T;
    using Sum = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t, float>;
    static constexpr int kDepth = mma_depth(dtype_of<T>);
    const T* a;  ///< kMmaRows × kDepth, row-major
    const T* b;  ///< kDepth × kMmaCols, row-major
    Sum* c;      ///< tiles × kMmaRows × kMmaCols
    std::int64_t tiles, steps;

    static MmaArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [a, b, c] = buffers.arrays<const T, const T, Sum>();
        const auto [tiles, steps] = problem.lengths<MmaAxes>();
        return {a, b, c, tiles, steps};
    }
};

}  // namespace lanework

using mma_signature = lanework::Signature<lanework::MmaArgs<lanework::float16>, lanework::MmaArgs<lanework::bfloat16>,
                                          lanework::MmaArgs<std::int8_t>, lanework::MmaArgs<lanework::float8_e4m3>,
                                          lanework::MmaArgs<lanework::tfloat32>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
