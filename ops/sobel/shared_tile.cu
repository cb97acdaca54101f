// A block stages its samples and a border one pixel wide in shared memory: each is read from global memory about once
// instead of eight times.
#include "ops/sobel/operation.hpp"
#include "src/pixels/staged_tile.cuh"

namespace {
template <SobelOutput output, class T>
__device__ auto edge_at(const StagedTile<T>& tile, int row, int col, int channels) {
    using Number = SobelNumber<T>;
    const T *above = tile.sample[row] + col, *here = tile.sample[row + 1] + col, *below = tile.sample[row + 2] + col;
    const auto difference = [&](const T* at) { return Number{at[2 * channels]} - Number{at[0]}; };
    const auto sum = [&](const T* at) { return smooth<Number>(at[0], at[channels], at[2 * channels]); };
    return edge_of<output>(smooth(difference(above), difference(here), difference(below)), sum(below) - sum(above));
}

template <SobelOutput output, class T, class Out>
__global__ void shared_tile(ImageView<const T> in, ImageView<Out> out) {
    __shared__ StagedTile<T> tile;
    const std::int64_t length = in.width * in.channels, first_col = std::int64_t{blockIdx.x} * FilterTile::kCols;
    const int col = static_cast<int>(threadIdx.x), thread_row = static_cast<int>(threadIdx.y);
    for (std::int64_t first_row = std::int64_t{blockIdx.y} * FilterTile::kRows; first_row < in.height;
         first_row += std::int64_t{gridDim.y} * FilterTile::kRows) {
        tile.stage(in, first_row);
        __syncthreads();
        for (int row = thread_row; row < FilterTile::kRows; row += FilterTile::kThreadRows)
            if (first_row + row < in.height && first_col + col < length)
                row_of(out, first_row + row)[first_col + col] = edge_at<output>(tile, row, col, in.channels);
        __syncthreads();
    }
}

template <class T>
void launch(const SobelArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(FilterTile::kCols, FilterTile::kThreadRows),
        grid = grid_over(a.samples(), a.in.height, dim3(FilterTile::kCols, FilterTile::kRows));
    with_output(a.output, [&]<SobelOutput output>() {
        shared_tile<output><<<grid, block, 0, stream>>>(a.in, out_of<output>(a));
    });
}
}  // namespace

LANEWORK_RUNG(
    sobel, shared_tile,
    {
        .climbs_from = "naive",
        .lesson = "Stage the tile and its one-pixel border in shared memory: global memory is read about once.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
