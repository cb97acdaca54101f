// Four pixels a thread in one word, and rows that slide down through registers: each row is loaded once for the three
// rows of edges that need it.
#include "ops/sobel/quad.cuh"

namespace {
constexpr int kThreadCols = 32, kThreadRows = 4;
constexpr int kRowsPerThread = 4;
constexpr int kCols = kThreadCols * kQuad, kRows = kThreadRows * kRowsPerThread;

/// What a row contributes to its neighbours' derivatives.
struct Row {
    int difference[kQuad];  // right − left, for Gx
    int smooth[kQuad];      // left + 2·middle + right, for Gy
};

__device__ Row load_row(const std::uint8_t* row, std::int64_t x, std::int64_t width, const std::uint8_t* end) {
    const Quad quad = load_quad(row, x, width, end);
    int pixel[kQuad + 2] = {static_cast<int>(quad.left)};
    for (int i = 0; i < kQuad; ++i) pixel[i + 1] = static_cast<int>(quad.pixels >> (8 * i) & 0xFF);
    pixel[kQuad + 1] = static_cast<int>(quad.right);
    Row result;
    for (int i = 0; i < kQuad; ++i) {
        result.difference[i] = pixel[i + 2] - pixel[i];
        result.smooth[i] = pixel[i] + 2 * pixel[i + 1] + pixel[i + 2];
    }
    return result;
}

template <SobelForm form>
__device__ std::uint32_t edges_of(const Row& above, const Row& here, const Row& below) {
    std::uint32_t word = 0;
    for (int i = 0; i < kQuad; ++i) {
        const int gx = above.difference[i] + 2 * here.difference[i] + below.difference[i];
        word |= std::uint32_t{edge_of<form>(gx, below.smooth[i] - above.smooth[i])} << (8 * i);
    }
    return word;
}

template <SobelForm form>
__global__ void vectorized(const std::uint8_t* gray, std::uint8_t* edges, std::int64_t height, std::int64_t width) {
    const std::int64_t x = (std::int64_t{blockIdx.x} * kThreadCols + threadIdx.x) * kQuad;
    if (x >= width) return;
    const std::uint8_t* end = gray + height * width;
    const auto row = [&](std::int64_t y) { return load_row(gray + reflect(y, height) * width, x, width, end); };
    for (std::int64_t first = std::int64_t{blockIdx.y} * kRows + threadIdx.y * kRowsPerThread; first < height;
         first += std::int64_t{gridDim.y} * kRows) {
        Row above = row(first - 1), here = row(first);
#pragma unroll
        for (int i = 0; i < kRowsPerThread; ++i) {
            const std::int64_t y = first + i;
            if (y >= height) break;
            const Row below = row(y + 1);
            store_word(edges + y * width + x, edges_of<form>(above, here, below), width - x);
            above = here;
            here = below;
        }
    }
}

void launch(const SobelArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kThreadCols, kThreadRows);
    const dim3 grid = sobel_grid(a, kCols, kRows);
    with_form(a.form, [&]<SobelForm form>() {
        vectorized<form><<<grid, block, 0, stream>>>(a.gray, a.edges, a.height, a.width);
    });
}
}  // namespace

LANEWORK_RUNG(sobel, vectorized,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Four pixels a thread by words, and rows that slide through registers: no barrier, three "
                            "rows loaded for every row but once.",
                  .launch = launch,
              });
