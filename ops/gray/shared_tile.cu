// Staging a block's pixels in shared memory makes the global loads whole words, each line asked for once; lanes read
// their three words from shared memory, where a stride of three (odd) meets no bank conflict.
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kPixels = 4;  // a thread's share
constexpr int kTilePixels = kThreads * kPixels;

template <class T, int channels, bool is_max>
__global__ void shared_tile(ImageView<const T> in, ImageView<T> out, GrayFormula<T, is_max> formula) {
    constexpr int kWords = kPixels * channels * static_cast<int>(sizeof(T)) / kWordBytes;  // of a share
    constexpr int kTileWords = kThreads * kWords + 1;  // a tile that begins within a word ends within one
    __shared__ std::uint32_t tile[kTileWords];
    const std::int64_t first = std::int64_t{blockIdx.x} * kTilePixels;
    const std::int64_t x = first + kPixels * static_cast<int>(threadIdx.x);
    for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y) {
        const RowBytes row = bytes_of_row(in, y);
        const std::uint8_t* from = row.begin + first * channels * static_cast<int>(sizeof(T));
        const auto ahead = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % kWordBytes);
        for (int word = static_cast<int>(threadIdx.x); word < kTileWords; word += kThreads)
            tile[word] = word_within(row, from - ahead + kWordBytes * word);
        __syncthreads();
        if (x < in.width) {
            const std::uint32_t* mine = tile + kWords * static_cast<int>(threadIdx.x);
            Words<kWords> words;
            for (int i = 0; i < kWords; ++i)
                words.word[i] =
                    ahead == 0 ? mine[i] : __funnelshift_r(mine[i], mine[i + 1], static_cast<unsigned>(8 * ahead));
            store_words(row_of(out, y) + x, gray_words<T, channels, kPixels>(words, formula),
                        (in.width - x) * static_cast<int>(sizeof(T)));
        }
        __syncthreads();
    }
}

template <class T>
void launch(const GrayArgs<T>& args, cudaStream_t stream) {
    if (args.empty()) return;
    const GrayArgs<T> a = in_long_rows(args);
    const dim3 block(kThreads), grid = grid_over(ceil_div(a.in.width, kPixels), a.in.height, block);
    with_kernel(a, [&]<int channels, bool is_max>() {
        shared_tile<T, channels><<<grid, block, 0, stream>>>(a.in, a.out, GrayFormula<T, is_max>::of(a.form, a.order));
    });
}
}  // namespace

LANEWORK_RUNG(gray, shared_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "Stage the samples in shared memory: the global loads are whole words and coalesce.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: uncoalesced_access, narrow_vectors
