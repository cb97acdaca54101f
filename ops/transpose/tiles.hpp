// Which tile of the matrix a block works on. Tiles are numbered along grid.x alone, which reaches 2147483647; grid.y
// would end at 65535, and a tall matrix has more rows of tiles than that.
#pragma once

#include <lanework/problem.hpp>
#include <string_view>

namespace lanework {

/// A matrix cut into tiles of kRows × kCols elements, numbered row by row: one block for each.
template <int kRows, int kCols = kRows>
struct Tiles {
    static constexpr std::int64_t count(std::int64_t rows, std::int64_t cols) {
        return ceil_div(rows, kRows) * ceil_div(cols, kCols);
    }
    static constexpr unsigned grid(std::int64_t rows, std::int64_t cols) {
        return static_cast<unsigned>(count(rows, cols));
    }
    /// Why a grid has no block for every tile; empty when it has.
    static constexpr std::string_view refuse(const Problem& p) {
        return count(p.extent[0], p.extent[1]) <= 2147483647 ? std::string_view()
                                                             : "a grid ends at 2147483647 blocks, one for each tile";
    }

    /// The first row and column of this block's tile.
    struct Corner {
        std::int64_t row, col;
    };
    static __device__ Corner corner(std::int64_t cols) {
        const unsigned across = static_cast<unsigned>(ceil_div(cols, kCols));
        const unsigned down = blockIdx.x / across;
        return {std::int64_t{down} * kRows, std::int64_t{blockIdx.x - down * across} * kCols};
    }
};

}  // namespace lanework
