// Staging a block's pixels in shared memory makes the global loads whole words, each line asked for once; lanes read
// their three words from shared memory, where a stride of three (odd) meets no bank conflict.
#include "ops/gray/operation.hpp"
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kTilePixels = kThreads * kPixelsPerWord;
constexpr int kTileWords = kThreads * kWordsPerQuad;

template <GrayForm form>
__global__ void shared_tile(const std::uint8_t* rgb, std::uint8_t* gray, std::int64_t pixels) {
    __shared__ std::uint32_t tile[kTileWords];
    const std::int64_t first = std::int64_t{blockIdx.x} * kTilePixels;
    const auto* words = reinterpret_cast<const std::uint32_t*>(rgb + 3 * first);
    const std::int64_t whole_words = 3 * (pixels - first) / 4;
    for (int word = static_cast<int>(threadIdx.x); word < kTileWords; word += kThreads)
        if (word < whole_words) tile[word] = words[word];
    __syncthreads();

    const int quad = static_cast<int>(threadIdx.x);
    const std::int64_t pixel = first + kPixelsPerWord * quad;
    if (pixel + kPixelsPerWord <= pixels) {
        const std::uint32_t* mine = tile + kWordsPerQuad * quad;
        *reinterpret_cast<std::uint32_t*>(gray + pixel) = gray_of_quad<form>(mine[0], mine[1], mine[2]);
    } else {
        gray_one_by_one<form>(rgb, gray, pixel, pixels);
    }
}

void launch(const GrayArgs& a, cudaStream_t stream) {
    if (a.pixels() == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.pixels(), kTilePixels));
    with_form(a.form,
              [&]<GrayForm form>() { shared_tile<form><<<blocks, kThreads, 0, stream>>>(a.rgb, a.gray, a.pixels()); });
}
}  // namespace

LANEWORK_RUNG(gray, shared_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "Stage the bytes in shared memory: the global loads are whole words and coalesce.",
                  .launch = launch,
              });
