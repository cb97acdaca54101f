// Sixteen bytes of results a thread: three or four 16-byte loads in flight at once and one 16-byte store keep memory
// busy with few instructions. Rows that begin elsewhere are parted so that the stores are aligned, and the loads are
// shifted into place.
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 128;

/// `count` words from any address inside a row, of 16-byte loads that are shifted by bytes; where these would reach
/// beyond the row, word by word.
template <int count>
__device__ Words<count> load_shifted(const RowBytes& row, const std::uint8_t* from) {
    const auto ahead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % kVectorBytes);
    const std::uint8_t* first = from - ahead;
    if (ahead == 0 && from >= row.begin && row.end - from >= count * kWordBytes) return load_vectors<count>(row, from);
    if (first < row.begin || row.end - first < (count + 4) * kWordBytes) return load_words<count>(row, from);
    Words<count + 4> words = load_vectors<count + 4>(row, first);
    Words<count> shifted;
    shift_into_place<false>(shifted.word, words.word, ahead);
    return shifted;
}

/// One row that begins with vectors: with neither rows nor shifts to think of, its loads are under way sooner.
template <class T, int channels, bool is_max>
__global__ void __launch_bounds__(kThreads)
    wide_vectors_of_one_row(const T* in, T* out, std::int64_t width, GrayFormula<T, is_max> formula) {
    constexpr int kPixels = kVectorBytes / static_cast<int>(sizeof(T));  // a thread's share
    const std::int64_t x = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) * kPixels;
    in += x * channels;
    out += x;
    if (x + kPixels <= width) {
        Words<4 * channels> words;
        copy_words<4 * channels>(words.word, in);
        copy_words(out, gray_words<T, channels, kPixels>(words, formula));
    } else {
        for (std::int64_t i = 0; i < width - x; ++i) out[i] = gray_pixel(in + i * channels, formula);
    }
}

template <bool aligned, class T, int channels, bool is_max>
__global__ void wide_vectors(ImageView<const T> in, ImageView<T> out, GrayFormula<T, is_max> formula) {
    constexpr int kPixels = kVectorBytes / static_cast<int>(sizeof(T));  // a thread's share
    const std::int64_t share = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::int64_t y = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * blockDim.y) {
        const RowBytes row = bytes_of_row(in, y);
        T* const to = row_of(out, y);
        std::int64_t x = kPixels * share;
        // The first share ends where the output reaches a multiple of 16 bytes; its pixels before the row are not
        // there.
        if constexpr (!aligned)
            x -= static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % kVectorBytes / sizeof(T));
        if (x >= in.width) continue;
        const std::uint8_t* from = row.begin + x * channels * static_cast<int>(sizeof(T));
        const auto words = aligned ? load_vectors<4 * channels>(row, from) : load_shifted<4 * channels>(row, from);
        auto grays = gray_words<T, channels, kPixels>(words, formula);
        const std::int64_t left = (in.width - x) * static_cast<int>(sizeof(T));
        if (x >= 0) {
            store_vectors(to + x, grays, left);
        } else {
            T value[kPixels];
            memcpy(value, &grays, sizeof(value));
            for (int i = 0; i < kPixels; ++i)
                if (x + i >= 0 && x + i < in.width) to[x + i] = value[i];
        }
    }
}

template <class T>
void launch(const GrayArgs<T>& args, cudaStream_t stream) {
    if (args.empty()) return;
    const GrayArgs<T> a = in_long_rows(args);
    const bool aligned = has_vector_rows(a.in) && has_vector_rows(a.out);
    constexpr int kPixels = kVectorBytes / static_cast<int>(sizeof(T));
    const dim3 block = a.in.height == 1 ? dim3(kThreads) : dim3(32, kThreads / 32);
    const dim3 grid = grid_over(ceil_div(a.in.width, kPixels) + (aligned ? 0 : 1), a.in.height, block);
    with_kernel(a, [&]<int channels, bool is_max>() {
        const auto formula = GrayFormula<T, is_max>::of(a.form, a.order);
        if (aligned && a.in.height == 1)
            wide_vectors_of_one_row<T, channels>
                <<<grid, block, 0, stream>>>(a.in.pixels, a.out.pixels, a.in.width, formula);
        else if (aligned)
            wide_vectors<true, T, channels><<<grid, block, 0, stream>>>(a.in, a.out, formula);
        else
            wide_vectors<false, T, channels><<<grid, block, 0, stream>>>(a.in, a.out, formula);
    });
}
}  // namespace

LANEWORK_RUNG(
    gray, wide_vectors,
    {
        .climbs_from = "vectorized",
        .lesson = "Sixteen bytes of results a thread: 16-byte accesses, and all loads in flight before the first use.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
// mends: narrow_vectors
