// A block stages its pixels and a border one pixel wide in shared memory: each pixel is read from global memory about
// once instead of eight times.
#include "ops/sobel/edge.cuh"

namespace {
constexpr int kCols = 64, kRows = 16, kThreadRows = 4;
constexpr int kTileCols = kCols + 2, kTileRows = kRows + 2;  // one pixel of border on every side

template <SobelForm form>
__device__ std::uint8_t edge_at(const std::uint8_t (&tile)[kTileRows][kTileCols], int row, int col) {
    const std::uint8_t *above = tile[row], *here = tile[row + 1], *below = tile[row + 2];
    const int gx = above[col + 2] + 2 * here[col + 2] + below[col + 2] - above[col] - 2 * here[col] - below[col];
    const int gy = below[col] + 2 * below[col + 1] + below[col + 2] - above[col] - 2 * above[col + 1] - above[col + 2];
    return edge_of<form>(gx, gy);
}

template <SobelForm form>
__global__ void shared_tile(const std::uint8_t* gray, std::uint8_t* edges, std::int64_t height, std::int64_t width) {
    __shared__ std::uint8_t tile[kTileRows][kTileCols];
    const std::int64_t first_col = std::int64_t{blockIdx.x} * kCols;
    const int col = static_cast<int>(threadIdx.x), thread_row = static_cast<int>(threadIdx.y);
    for (std::int64_t first_row = std::int64_t{blockIdx.y} * kRows; first_row < height;
         first_row += std::int64_t{gridDim.y} * kRows) {
        // Threads beyond the image stage its reflection; the far side of a ragged tile is cut to the last reflection.
        for (int row = thread_row; row < kTileRows; row += kThreadRows) {
            const std::int64_t y = reflect(min(first_row + row - 1, height), height);
            for (int c = col; c < kTileCols; c += kCols)
                tile[row][c] = gray[y * width + reflect(min(first_col + c - 1, width), width)];
        }
        __syncthreads();
        for (int row = thread_row; row < kRows; row += kThreadRows)
            if (first_row + row < height && first_col + col < width)
                edges[(first_row + row) * width + first_col + col] = edge_at<form>(tile, row, col);
        __syncthreads();
    }
}

void launch(const SobelArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kThreadRows);
    const dim3 grid = sobel_grid(a, kCols, kRows);
    with_form(a.form, [&]<SobelForm form>() {
        shared_tile<form><<<grid, block, 0, stream>>>(a.gray, a.edges, a.height, a.width);
    });
}
}  // namespace

LANEWORK_RUNG(
    sobel, shared_tile,
    {
        .climbs_from = "naive",
        .lesson = "Stage the tile and its one-pixel border in shared memory: global memory is read about once.",
        .launch = launch,
    });
