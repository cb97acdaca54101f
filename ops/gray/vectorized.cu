// Four pixels a thread are twelve bytes: three word loads and one word store instead of twelve and four of bytes.
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kPixels = 4;  // a thread's share

template <class T, int channels, bool is_max>
__global__ void vectorized(ImageView<const T> in, ImageView<T> out, GrayFormula<T, is_max> formula) {
    constexpr int kWords = kPixels * channels * static_cast<int>(sizeof(T)) / kWordBytes;
    const std::int64_t x = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) * kPixels;
    if (x >= in.width) return;
    for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y) {
        const RowBytes row = bytes_of_row(in, y);
        const auto words = load_words<kWords>(row, row.begin + x * channels * static_cast<int>(sizeof(T)));
        store_words(row_of(out, y) + x, gray_words<T, channels, kPixels>(words, formula),
                    (in.width - x) * static_cast<int>(sizeof(T)));
    }
}

template <class T>
void launch(const GrayArgs<T>& args, cudaStream_t stream) {
    if (args.empty()) return;
    const GrayArgs<T> a = in_long_rows(args);
    const dim3 block(kThreads), grid = grid_over(ceil_div(a.in.width, kPixels), a.in.height, block);
    with_kernel(a, [&]<int channels, bool is_max>() {
        vectorized<T, channels><<<grid, block, 0, stream>>>(a.in, a.out, GrayFormula<T, is_max>::of(a.form, a.order));
    });
}
}  // namespace

LANEWORK_RUNG(gray, vectorized,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Four pixels a thread: words straight into registers need no shared memory and no barrier.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: shared_memory_bound, instruction_bound
