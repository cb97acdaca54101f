// What the vector code for one kind of processor offers to the loop over the team.
#pragma once

#include "ops/matmul/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A block of C: rows [row_begin, row_end), the columns of panels [panel_begin, panel_end).
struct PanelBlock {
    std::int64_t row_begin, row_end, panel_begin, panel_end;
};

template <class T>
struct PanelKernels {
    std::int64_t rows;   ///< of a tile
    std::int64_t width;  ///< columns of a tile and of a panel; at most kWidestPanel
    /// Copies one panel of B (n rows × width columns, zeros beyond k) to its place: panels + index·n·width.
    void (*pack)(const MatmulArgs<T>&, std::int64_t index, T* panels);
    void (*multiply)(const MatmulArgs<T>&, const T* panels, const PanelBlock&);
};

inline constexpr std::int64_t kWidestPanel = 32;

}  // namespace lanework::inline LANEWORK_ON_DEVICE
