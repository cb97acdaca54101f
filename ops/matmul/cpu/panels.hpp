// What the vector code for one kind of processor offers to the loop over the team, and how a product is cut into
// blocks.
#pragma once

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr std::int64_t kWidestPanel = 32;  ///< columns
inline constexpr std::int64_t kDeepestBlock =
    256;  ///< rows of B: a panel of them and a tile's rows of A fill a first cache

/// A length in the fewest parts of at most `most`, which differ by one at most.
struct Parts {
    std::int64_t length, count;
    Parts(std::int64_t of, std::int64_t most) : length(of), count(ceil_div(of, most)) {}
    std::int64_t begin(std::int64_t part) const { return part * (length / count) + std::min(part, length % count); }
    std::int64_t end(std::int64_t part) const { return begin(part + 1); }
};

/// A block of C that one thread computes: rows [row_begin, row_end), the columns of panels [panel_begin, panel_end).
struct TileBlock {
    std::int64_t row_begin, row_end, panel_begin, panel_end;
};

/// The product whose sums the blocks write: C's own, or in a workspace where C is narrower.
template <class T>
struct Sums {
    SumOf<T>* c;
    std::int64_t pitch;  ///< elements from a row to the next
};

template <class T>
struct PanelKernels {
    std::int64_t rows;   ///< of a tile at most
    std::int64_t width;  ///< columns of a tile and of a panel; at most kWidestPanel
    /// `packed` has room for kDeepestBlock rows of the block's panels.
    void (*multiply)(const MatmulArgs<T>&, const Sums<T>&, const TileBlock&, SumOf<T>* packed);
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
