// Coordinates: where every thread of a launch stands, one record per thread, at the thread's global linear index.
#pragma once

#include <iterator>
#include <lanework/rung.hpp>

namespace lanework {

/// The fields of a record, in order. Linear indices count x fastest, then y, then z; the last three are the thread's
/// coordinate along each axis of the whole launch: block index × block dimension + thread index.
inline constexpr std::string_view kCoordinateFields[] = {
    "blockIdx.x",      "blockIdx.y",    "blockIdx.z",     "threadIdx.x", "threadIdx.y", "threadIdx.z",
    "gridDim.x",       "gridDim.y",     "gridDim.z",      "blockDim.x",  "blockDim.y",  "blockDim.z",
    "thread in block", "block in grid", "thread in grid", "x",           "y",           "z"};
inline constexpr int kCoordinateFieldCount = static_cast<int>(std::size(kCoordinateFields));

struct CoordinatesArgs {
    using Element = std::uint64_t;
    Element* out;                            ///< threads() records of kCoordinateFieldCount
    std::int64_t grid_x, grid_y, grid_z;     ///< blocks
    std::int64_t block_x, block_y, block_z;  ///< threads of a block

    static CoordinatesArgs from(const Problem& problem, const Buffers& buffers) {
        const Extents& e = problem.extent;
        return {static_cast<Element*>(buffers.data[0]), e[0], e[1], e[2], e[3], e[4], e[5]};
    }
    std::int64_t threads() const { return grid_x * grid_y * grid_z * block_x * block_y * block_z; }
    bool empty() const { return threads() == 0; }
};

/// Why no launch has this shape, in one sentence; empty when one can (CUDA C++ Programming Guide, table "Technical
/// Specifications per Compute Capability": the same limits since compute capability 3.0).
constexpr std::string_view refuse_launch_shape(const Problem& problem) {
    const Extents& e = problem.extent;
    if (e[0] > 2147483647 || e[1] > 65535 || e[2] > 65535)
        return "a grid holds at most 2147483647 x 65535 x 65535 blocks";
    if (e[3] > 1024 || e[4] > 1024 || e[5] > 64) return "a block measures at most 1024 x 1024 x 64 threads";
    if (e[3] * e[4] * e[5] > 1024) return "a block holds at most 1024 threads";
    return {};
}

}  // namespace lanework

using coordinates_signature = lanework::Signature<lanework::CoordinatesArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
