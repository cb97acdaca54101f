// expect: wrong — of a colour image the neighbour of a red sample is taken to be the green one beside it
// says: where the reference has
#include "ops/sobel/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__global__ void next_sample(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x, length = in.width * in.channels;
    if (x >= length) return;
    // a pixel away, in.channels samples, would be right
    const std::int64_t left = reflect(x - 1, length), right = reflect(x + 1, length);
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const std::uint8_t *above = row_of(in, reflect(y - 1, in.height)), *here = row_of(in, y),
                           *below = row_of(in, reflect(y + 1, in.height));
        const int gx =
            smooth<int>(above[right], here[right], below[right]) - smooth<int>(above[left], here[left], below[left]);
        const int gy =
            smooth<int>(below[left], below[x], below[right]) - smooth<int>(above[left], above[x], above[right]);
        row_of(out, y)[x] = edge_of<SobelOutput::half_sum>(gx, gy);
    }
}

void launch(const SobelArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    next_sample<<<grid_over(a.samples(), a.in.height, block), block, 0, stream>>>(a.in, a.edges);
}

std::string_view refuses(const Problem& p) { return p.variant == 0 ? "" : "half_sum only"; }
}  // namespace

LANEWORK_RUNG(sobel, next_sample, {.lesson = "Never: neighbours are pixels.", .launch = {launch}, .refuses = refuses});
