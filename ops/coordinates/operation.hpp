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

LANEWORK_AXES(CoordinatesAxes, grid_x, grid_y, grid_z, block_x, block_y, block_z);

struct CoordinatesArgs {
    using Element = std::uint64_t;
    Element* out;                            ///< threads() records of kCoordinateFieldCount
    std::int64_t grid_x, grid_y, grid_z;     ///< blocks
    std::int64_t block_x, block_y, block_z;  ///< threads of a block

    static CoordinatesArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [records] = buffers.arrays<Element>();
        const auto [grid_x, grid_y, grid_z, block_x, block_y, block_z] = problem.lengths<CoordinatesAxes>();
        return {records, grid_x, grid_y, grid_z, block_x, block_y, block_z};
    }
    std::int64_t threads() const { return grid_x * grid_y * grid_z * block_x * block_y * block_z; }
    bool empty() const { return threads() == 0; }
};

/// Why no launch has this shape, in one sentence; empty when one can (CUDA C++ Programming Guide, table "Technical
/// Specifications per Compute Capability": the same limits since compute capability 3.0).
constexpr std::string_view refuse_launch_shape(const Problem& problem) {
    const auto [grid_x, grid_y, grid_z, block_x, block_y, block_z] = problem.lengths<CoordinatesAxes>();
    if (grid_x > 2147483647 || grid_y > 65535 || grid_z > 65535)
        return "a grid holds at most 2147483647 x 65535 x 65535 blocks";
    if (block_x > 1024 || block_y > 1024 || block_z > 64) return "a block measures at most 1024 x 1024 x 64 threads";
    if (block_x * block_y * block_z > 1024) return "a block holds at most 1024 threads";
    return {};
}

}  // namespace lanework

using coordinates_signature = lanework::Signature<lanework::CoordinatesArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
