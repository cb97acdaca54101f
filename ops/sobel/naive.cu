// One thread a pixel, eight byte loads each: neighbouring threads ask for the same pixels again and again.
#include "ops/sobel/edge.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

template <SobelForm form>
__global__ void naive(const std::uint8_t* gray, std::uint8_t* edges, std::int64_t height, std::int64_t width) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (x >= width) return;
    const std::int64_t left = reflect(x - 1, width), right = reflect(x + 1, width);
    // A grid has at most 65535 blocks downwards; a taller image takes several steps.
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < height;
         y += std::int64_t{gridDim.y} * kRows) {
        const std::uint8_t *above = gray + reflect(y - 1, height) * width, *here = gray + y * width,
                           *below = gray + reflect(y + 1, height) * width;
        const int gx = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
        const int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
        edges[y * width + x] = edge_of<form>(gx, gy);
    }
}

void launch(const SobelArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    const dim3 grid = sobel_grid(a, kCols, kRows);
    with_form(a.form,
              [&]<SobelForm form>() { naive<form><<<grid, block, 0, stream>>>(a.gray, a.edges, a.height, a.width); });
}
}  // namespace

LANEWORK_RUNG(sobel, naive,
              {
                  .lesson = "One thread a pixel: eight byte loads, and every pixel is asked for by eight threads.",
                  .launch = launch,
              });
