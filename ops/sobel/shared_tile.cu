// A block stages its samples and a border one pixel wide in shared memory: each is read from global memory about once
// instead of eight times.
#include "ops/sobel/operation.hpp"
#include "src/image/words.cuh"

namespace {
constexpr int kCols = 64, kRows = 16, kThreadRows = 4;  // of samples
constexpr int kMostChannels = 4;
constexpr int kTileCols = kCols + 2 * kMostChannels, kTileRows = kRows + 2;  // one pixel of border on every side

template <SobelOutput output, class T>
__device__ auto edge_at(const T (&tile)[kTileRows][kTileCols], int row, int col, int channels) {
    using Number = SobelNumber<T>;
    const T *above = tile[row] + col, *here = tile[row + 1] + col, *below = tile[row + 2] + col;
    const auto difference = [&](const T* at) { return Number{at[2 * channels]} - Number{at[0]}; };
    const auto sum = [&](const T* at) { return smooth<Number>(at[0], at[channels], at[2 * channels]); };
    return edge_of<output>(smooth(difference(above), difference(here), difference(below)), sum(below) - sum(above));
}

template <SobelOutput output, class T, class Out>
__global__ void shared_tile(ImageView<const T> in, ImageView<Out> out) {
    __shared__ T tile[kTileRows][kTileCols];
    const std::int64_t length = in.width * in.channels, first_col = std::int64_t{blockIdx.x} * kCols;
    const int col = static_cast<int>(threadIdx.x), thread_row = static_cast<int>(threadIdx.y);
    for (std::int64_t first_row = std::int64_t{blockIdx.y} * kRows; first_row < in.height;
         first_row += std::int64_t{gridDim.y} * kRows) {
        // Threads beyond the image stage its reflection; the far side of a ragged tile is cut to the last reflection.
        for (int row = thread_row; row < kTileRows; row += kThreadRows) {
            const T* samples = row_of(in, reflect(min(first_row + row - 1, in.height), in.height));
            for (int c = col; c < kCols + 2 * in.channels; c += kCols) {
                const std::int64_t sample = min(first_col + c, length + 2 * in.channels - 1);  // from pixel −1 on
                const std::int64_t pixel = sample / in.channels - 1, channel = sample % in.channels;
                tile[row][c] = samples[reflect(pixel, in.width) * in.channels + channel];
            }
        }
        __syncthreads();
        for (int row = thread_row; row < kRows; row += kThreadRows)
            if (first_row + row < in.height && first_col + col < length)
                row_of(out, first_row + row)[first_col + col] = edge_at<output>(tile, row, col, in.channels);
        __syncthreads();
    }
}

template <class T>
void launch(const SobelArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kThreadRows), grid = grid_over(a.samples(), a.in.height, dim3(kCols, kRows));
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
