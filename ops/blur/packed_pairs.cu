// Sixteen bytes a thread in 16-byte accesses, and two samples in the 16-bit halves of a register: sums of weight 16
// stay below 2¹², so an addition serves both. All rows of a thread are under way before the first is used.
#include "ops/blur/filter.cuh"

namespace {
constexpr std::uint32_t both(std::uint32_t value) { return value << 16 | value; }

/// Sixteen 8-bit samples; the even samples of word i are a pair, the odd ones another.
template <int channels>
struct PackedBlur {
    static constexpr int kSamples = kVectorBytes, kWords = kSamples / kWordBytes;
    struct Row {
        std::uint32_t even[kWords], odd[kWords];  ///< sums of three neighbours
    };

    __device__ Row row(const Window<std::uint8_t, kSamples>& window) const {
        std::uint32_t even[kWords + 2], odd[kWords + 2];
        for (int i = 0; i < kWords + 2; ++i) {
            even[i] = window.word[i] & both(0xFF);
            odd[i] = window.word[i] >> 8 & both(0xFF);
        }
        // The pair between two of the same kind: the second of one and the first of the next.
        const auto between = [](std::uint32_t first, std::uint32_t next) { return __funnelshift_r(first, next, 16); };
        Row row;
        for (int i = 1; i <= kWords; ++i) {
            if constexpr (channels == 1) {
                const std::uint32_t sum = even[i] + odd[i];
                row.even[i - 1] = sum + even[i] + between(odd[i - 1], odd[i]);
                row.odd[i - 1] = sum + odd[i] + between(even[i], even[i + 1]);
            } else if constexpr (channels == 3) {
                row.even[i - 1] = smooth(odd[i - 1], even[i], between(odd[i], odd[i + 1]));
                row.odd[i - 1] = smooth(between(even[i - 1], even[i]), odd[i], even[i + 1]);
            } else {
                row.even[i - 1] = smooth(even[i - 1], even[i], even[i + 1]);
                row.odd[i - 1] = smooth(odd[i - 1], odd[i], odd[i + 1]);
            }
        }
        return row;
    }
    __device__ Words<kWords> result(const Row& above, const Row& here, const Row& below) const {
        Words<kWords> words;
        for (int i = 0; i < kWords; ++i) {
            const std::uint32_t even = smooth(above.even[i], here.even[i], below.even[i]) + both(8);
            const std::uint32_t odd = smooth(above.odd[i], here.odd[i], below.odd[i]) + both(8);
            words.word[i] = (even >> 4 & both(0xFF)) | (odd << 4 & ~both(0xFF));
        }
        return words;
    }
};

constexpr int kThreads = 128;

template <bool aligned, int channels>
__global__ void __launch_bounds__(kThreads, 6)
    blur_bytes(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    filter_rows<channels, kVectorBytes, 4, aligned>(in, out, PackedBlur<channels>());
}
template <bool aligned, int channels>
__global__ void __launch_bounds__(kThreads, 6) blur_floats(ImageView<const float> in, ImageView<float> out) {
    filter_rows<channels, 4, 2, aligned>(in, out, SampleBlur<float, channels>());
}

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    constexpr bool bytes = sizeof(T) == 1;
    constexpr std::int64_t kSamples = bytes ? 16 : 4, kRowsPerThread = bytes ? 4 : 2;
    const StripLaunch shape =
        StripLaunch::over(ceil_div(a.in.width * a.in.channels, kSamples), ceil_div(a.in.height, kRowsPerThread));
    const bool aligned = has_vector_rows(a.in) && has_vector_rows(a.out);
    with_channels(a.in.channels, [&]<int channels>() {
        if constexpr (bytes)
            aligned ? blur_bytes<true, channels><<<shape.grid, shape.block, 0, stream>>>(a.in, a.out)
                    : blur_bytes<false, channels><<<shape.grid, shape.block, 0, stream>>>(a.in, a.out);
        else
            aligned ? blur_floats<true, channels><<<shape.grid, shape.block, 0, stream>>>(a.in, a.out)
                    : blur_floats<false, channels><<<shape.grid, shape.block, 0, stream>>>(a.in, a.out);
    });
}
}  // namespace

LANEWORK_RUNG(blur, packed_pairs,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Sixteen bytes a thread, two samples in the halves of a register, all loads in flight.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
