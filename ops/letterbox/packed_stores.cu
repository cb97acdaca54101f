// The bytes of a warp's 32 pixels leave as words: lanes exchange pixels, and some of them store for all.
#include "ops/letterbox/tiles.cuh"

namespace {
constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarp = 32, kWordBytes = 4;

/// The bytes of a pixel, the first one lowest.
template <int channels>
__device__ std::uint32_t packed(const Pixel<std::uint8_t, channels>& pixel) {
    std::uint32_t bytes = 0;
#pragma unroll
    for (int c = 0; c < channels; ++c) bytes |= std::uint32_t{pixel.sample[c]} << (8 * c);
    return bytes;
}

/// Word `lane` of the warp's row of pixels, of which `bytes` is the lane's. All lanes must call it.
template <int channels>
__device__ std::uint32_t word_of(std::uint32_t bytes, int lane) {
    if constexpr (channels == 4) return bytes;
    std::uint32_t word = 0;
    const int first = kWordBytes * lane / channels, skipped = kWordBytes * lane % channels;
#pragma unroll
    for (int i = 0; i < ceil_div(kWordBytes, channels); ++i) {
        const std::uint32_t pixel = __shfl_sync(kAllLanes, bytes, (first + i) % kWarp);
        const int shift = 8 * (i * channels - skipped);
        word |= shift < 0 ? pixel >> -shift : pixel << shift;
    }
    return word;
}

/// A warp's pixels as words, where its part of the row is whole and begins at one.
template <class T, int channels>
__device__ void store_packed(T* row, std::int64_t x, std::int64_t width, const Pixel<T, channels>& pixel) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        const int lane = static_cast<int>(threadIdx.x) % kWarp;
        const std::int64_t begin = x - lane;
        T* const to = row + begin * channels;
        if (begin + kWarp <= width && reinterpret_cast<std::uintptr_t>(to) % kWordBytes == 0) {
            const std::uint32_t word = word_of<channels>(packed(pixel), lane);
            if (lane < kWarp * channels / kWordBytes) reinterpret_cast<std::uint32_t*>(to)[lane] = word;
            return;
        }
    }
    store_samples(row, x, width, pixel);
}

template <Convention convention, int channels, class T>
__global__ void packed_stores(LetterboxArgs<T> a, Padding<T> padding) {
    write_tiles<ByWord, convention, channels>(
        a, padding, [](T* row, std::int64_t x, std::int64_t width, const Pixel<T, channels>& pixel) {
            store_packed(row, x, width, pixel);
        });
}

template <class T>
void launch(const LetterboxArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tile_grid(a.out.most_height, a.out.most_width, a.out.count);
    const auto padding = Padding<T>::of(a.options);
    with_convention(a.options.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            packed_stores<convention, channels><<<grid, kTileColumns, 0, stream>>>(a, padding);
        });
    });
}
}  // namespace

LANEWORK_RUNG(letterbox, packed_stores,
              {
                  .climbs_from = "word_windows",
                  .lesson = "Lanes exchange pixels, so that 8-bit rows are stored as words instead of bytes.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
