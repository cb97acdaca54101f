// A block stages its samples and a border of one pixel in shared memory: each sample is read from global memory about
// once. Sums of three along the rows are made once as well, and shared by the three rows that need them.
#include "ops/blur/operation.hpp"
#include "src/image/words.cuh"

namespace {
constexpr int kCols = 64, kRows = 16, kThreadRows = 4;  // of samples
constexpr int kMostChannels = 4;
constexpr int kTileCols = kCols + 2 * kMostChannels, kTileRows = kRows + 2;

template <class T>
__global__ void shared_tile(ImageView<const T> in, ImageView<T> out) {
    __shared__ T tile[kTileRows][kTileCols];
    __shared__ BlurSum<T> sums[kTileRows][kCols];
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
        for (int row = thread_row; row < kTileRows; row += kThreadRows)
            sums[row][col] =
                smooth<BlurSum<T>>(tile[row][col], tile[row][col + in.channels], tile[row][col + 2 * in.channels]);
        __syncthreads();
        for (int row = thread_row; row < kRows; row += kThreadRows)
            if (first_row + row < in.height && first_col + col < length)
                row_of(out, first_row + row)[first_col + col] =
                    blurred(smooth(sums[row][col], sums[row + 1][col], sums[row + 2][col]));
    }
}

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kThreadRows), tile(kCols, kRows);
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
