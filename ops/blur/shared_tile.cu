// A block stages its samples and a border of one pixel in shared memory: each sample is read from global memory about
// once. Sums of three along the rows are made once as well, and shared by the three rows that need them.
#include "ops/blur/operation.hpp"
#include "src/pixels/staged_tile.cuh"

namespace {
template <class T>
__global__ void shared_tile(ImageView<const T> in, ImageView<T> out) {
    __shared__ StagedTile<T> tile;
    __shared__ BlurSum<T> sums[StagedTile<T>::kRows][FilterTile::kCols];
    const std::int64_t length = in.width * in.channels, first_col = std::int64_t{blockIdx.x} * FilterTile::kCols;
    const int col = static_cast<int>(threadIdx.x), thread_row = static_cast<int>(threadIdx.y);
    for (std::int64_t first_row = std::int64_t{blockIdx.y} * FilterTile::kRows; first_row < in.height;
         first_row += std::int64_t{gridDim.y} * FilterTile::kRows) {
        tile.stage(in, first_row);
        __syncthreads();
        for (int row = thread_row; row < StagedTile<T>::kRows; row += FilterTile::kThreadRows) {
            const T* here = tile.sample[row] + col;
            sums[row][col] = smooth<BlurSum<T>>(here[0], here[in.channels], here[2 * in.channels]);
        }
        __syncthreads();
        for (int row = thread_row; row < FilterTile::kRows; row += FilterTile::kThreadRows)
            if (first_row + row < in.height && first_col + col < length)
                row_of(out, first_row + row)[first_col + col] =
                    blurred(smooth(sums[row][col], sums[row + 1][col], sums[row + 2][col]));
    }
}

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(FilterTile::kCols, FilterTile::kThreadRows), tile(FilterTile::kCols, FilterTile::kRows);
    shared_tile<T><<<grid_over(a.in.width * a.in.channels, a.in.height, tile), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(
    blur, shared_tile,
    {
        .climbs_from = "naive",
        .lesson = "Stage the tile and its border in shared memory, and sum along the rows once for three rows.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
