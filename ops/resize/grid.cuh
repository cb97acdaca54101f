// The grid over the pixels of a batch: blocks along x and y cover the largest output, along z its images.
#pragma once

#include "ops/resize/pixel.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks that each cover rows × cols output pixels; along y and z at most as many as CUDA allows, so that kernels
/// step on by the grid.
template <class T>
dim3 resize_grid(const ResizeArgs<T>& a, int cols, int rows) {
    constexpr std::int64_t kMostBlocks = 65535;
    const auto at_most = [](std::int64_t blocks) {
        return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
    };
    return dim3(static_cast<unsigned>(ceil_div(a.out.most_width, cols)), at_most(ceil_div(a.out.most_height, rows)),
                at_most(a.out.count));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
