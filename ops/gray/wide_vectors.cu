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
    for (int i = 0; i < count + 2; ++i) words.word[i] = (ahead & 8) != 0 ? words.word[i + 2] : words.word[i];
    for (int i = 0; i < count + 1; ++i) words.word[i] = (ahead & 4) != 0 ? words.word[i + 1] : words.word[i];
    Words<count> shifted;
    for (int i = 0; i < count; ++i)
        shifted.word[i] = __funnelshift_r(words.word[i], words.word[i + 1], 8 * (ahead & 3));
    return shifted;
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
        if (aligned)
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
