// Which tile of the matrix a block works on. Tiles are numbered along grid.x alone, which reaches 2147483647; grid.y
// would end at 65535, and a tall matrix has more rows of tiles than that.
#pragma once

#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>
#include <string_view>

#include "ops/transpose/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Which tile follows which. Blocks start in the order of their numbers, so neighbours in number run side by side.
enum class TileOrder {
    along_rows,    ///< side by side on rows of the input
    down_columns,  ///< one below the other: side by side on rows of the output
};

/// A matrix cut into tiles of kRows × kCols elements: one block for each.
template <int kRows, int kCols = kRows, TileOrder kOrder = TileOrder::along_rows>
struct Tiles {
    static constexpr std::int64_t count(std::int64_t rows, std::int64_t cols) {
        return ceil_div(rows, kRows) * ceil_div(cols, kCols);
    }
    static constexpr unsigned grid(std::int64_t rows, std::int64_t cols) {
        return static_cast<unsigned>(count(rows, cols));
    }
    /// Why a grid has no block for every tile; empty when it has.
    static constexpr std::string_view refuse(const Problem& p) {
        const auto [rows, cols] = p.lengths<TransposeAxes>();
        return count(rows, cols) <= 2147483647 ? std::string_view()
                                               : "a grid ends at 2147483647 blocks, one for each tile";
    }

    /// The first row and column of this block's tile.
    struct Corner {
        std::int64_t row, col;
    };
    static __device__ Corner corner(std::int64_t cols) {
        const unsigned across = static_cast<unsigned>(ceil_div(cols, kCols)), down = gridDim.x / across;
        const unsigned per_line = kOrder == TileOrder::along_rows ? across : down;
        const unsigned line = blockIdx.x / per_line, place = blockIdx.x - line * per_line;
        return kOrder == TileOrder::along_rows ? Corner{std::int64_t{line} * kRows, std::int64_t{place} * kCols}
                                               : Corner{std::int64_t{place} * kRows, std::int64_t{line} * kCols};
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
