// Sixteen bytes a thread in 16-byte accesses, and two samples in the 16-bit halves of a register: an operation serves
// both. The strength of an edge is computed in half precision, where |Gx| + |Gy| ≤ 2040 and every sum on the way to it
// is exact, and magnitudes cost nothing; a derivative, whose sign must be kept, in integers with a bias.
#include <cuda_fp16.h>

#include <cstring>

#include "ops/sobel/filter.cuh"
#include "src/image/filter_launch.cuh"

// Where half precision is emulated an operation is a hundred instructions: functions of many are compiled once there,
// not in line at every place.
#ifdef __NVCC__
#define LANEWORK_LONG_WHEN_EMULATED
#else
#define LANEWORK_LONG_WHEN_EMULATED __attribute__((noinline))
#endif

namespace {
constexpr std::uint32_t both(std::uint32_t value) { return value << 16 | value; }

/// The samples of a window, two a register: pair i is samples 2i and 2i + 1, from −2 to kPairs + 1.
template <int samples>
struct Pairs {
    using Source = Window<std::uint8_t, samples>;
    static constexpr int kPairs = samples / 2, kSidePairs = kSide / 2;
    std::uint32_t pair[kPairs + 2 * kSidePairs];

    __device__ static Pairs of(const Source& window) {
        Pairs pairs;
        for (int i = 0; i < Source::kCount; ++i) {
            pairs.pair[2 * i] = __byte_perm(window.word[i], 0, 0x4140);
            pairs.pair[2 * i + 1] = __byte_perm(window.word[i], 0, 0x4342);
        }
        return pairs;
    }
    __device__ std::uint32_t operator[](int i) const { return pair[i + kSidePairs]; }
    /// The second sample of pair i and the first of the next.
    __device__ std::uint32_t after(int i) const { return __byte_perm((*this)[i], (*this)[i + 1], 0x5432); }

    /// The pair that lies `channels` samples before pair i, or after it.
    template <int channels>
    __device__ std::uint32_t left(int i) const {
        return channels == 1 ? after(i - 1) : channels == 3 ? after(i - 2) : (*this)[i - 2];
    }
    template <int channels>
    __device__ std::uint32_t right(int i) const {
        return channels == 1 ? after(i) : channels == 3 ? after(i + 1) : (*this)[i + 2];
    }
};

/// Below 2048 an integer is the bits of a half, in units of the smallest half there is, 2⁻²⁴: bytes are halves as they
/// are, their sums are exact, and results are integers again.
__device__ __half2 as_halves(std::uint32_t bits) {
    __half2 halves;
    memcpy(&halves, &bits, sizeof(bits));
    return halves;
}
__device__ std::uint32_t bits_of_halves(__half2 halves) {
    std::uint32_t bits;
    memcpy(&bits, &halves, sizeof(bits));
    return bits;
}

template <int channels, SobelOutput output>
struct HalfSobel {
    static constexpr int kSamples = kVectorBytes, kPairs = kSamples / 2;
    struct Row {
        __half2 difference[kPairs], sum[kPairs];  ///< right − left and left + 2·middle + right
    };

    LANEWORK_LONG_WHEN_EMULATED __device__ Row row(const Window<std::uint8_t, kSamples>& window) const {
        const auto pairs = Pairs<kSamples>::of(window);
        Row row;
        for (int i = 0; i < kPairs; ++i) {
            const __half2 left = as_halves(pairs.template left<channels>(i));
            const __half2 right = as_halves(pairs.template right<channels>(i));
            row.difference[i] = __hsub2(right, left);
            row.sum[i] = __hfma2(as_halves(pairs[i]), __float2half2_rn(2.0F), __hadd2(left, right));
        }
        return row;
    }
    __device__ Words<kPairs / 2> result(const Row& above, const Row& here, const Row& below) const {
        constexpr unsigned kFirstBytes = 0x6420;  // of the four halves of two pairs
        Words<kPairs / 2> words;
        for (int i = 0; i < kPairs / 2; ++i)
            words.word[i] = __byte_perm(edges_of_pair(above, here, below, 2 * i),
                                        edges_of_pair(above, here, below, 2 * i + 1), kFirstBytes);
        return words;
    }

private:
    /// Two edges, in the lower byte of each half.
    LANEWORK_LONG_WHEN_EMULATED __device__ static std::uint32_t edges_of_pair(const Row& above, const Row& here,
                                                                              const Row& below, int i) {
        const __half2 gx =
            __hfma2(here.difference[i], __float2half2_rn(2.0F), __hadd2(above.difference[i], below.difference[i]));
        const __half2 gy = __hsub2(below.sum[i], above.sum[i]);
        if constexpr (output == SobelOutput::half_sum) {
            // 2048 + s is rounded to a multiple of 2, and its lower bits count twos. With s·(1 − 2⁻¹¹) an odd s is
            // rounded down, an even one stays what it is: s / 2, rounded down.
            constexpr std::uint32_t kUnitsOfTwo = 2048, kBelowOne = 0x3BFF;
            const __half2 sum = __hmin2(__hadd2(__habs2(gx), __habs2(gy)), as_halves(both(2 * kBrightest)));
            return bits_of_halves(__hfma2(sum, as_halves(both(kBelowOne)), as_halves(both(kUnitsOfTwo))));
        } else {
            const std::uint32_t x = bits_of_halves(__habs2(gx)), y = bits_of_halves(__habs2(gy));
            const auto edge = [](std::uint32_t a, std::uint32_t b) {
                return std::uint32_t{edge_of<output>(static_cast<int>(a), static_cast<int>(b))};
            };
            return edge(x & 0xFFFF, y & 0xFFFF) | edge(x >> 16, y >> 16) << 16;
        }
    }
};

/// The bias of a difference: four of them make 2¹⁵, which only turns the sign's bit, and no half is ever negative.
constexpr std::uint32_t kBias = 0x2000, kSign = 0x8000;

/// Eight samples, whose results are sixteen bytes.
template <int channels>
struct PackedDerivative {
    static constexpr int kSamples = kVectorBytes / 2, kPairs = kSamples / 2;
    struct Row {
        std::uint32_t term[kPairs];  ///< kBias + right − left, or left + 2·middle + right
    };

    bool is_x;

    __device__ Row row(const Window<std::uint8_t, kSamples>& window) const {
        const auto pairs = Pairs<kSamples>::of(window);
        Row row;
        for (int i = 0; i < kPairs; ++i) {
            const std::uint32_t left = pairs.template left<channels>(i), right = pairs.template right<channels>(i);
            row.term[i] = is_x ? right + both(kBias) - left : smooth(left, pairs[i], right);
        }
        return row;
    }
    __device__ Words<kPairs> result(const Row& above, const Row& here, const Row& below) const {
        Words<kPairs> words;
        for (int i = 0; i < kPairs; ++i) {
            const std::uint32_t x = smooth(above.term[i], here.term[i], below.term[i]);
            const std::uint32_t y = below.term[i] + both(kSign) - above.term[i];
            words.word[i] = (is_x ? x : y) ^ both(kSign);
        }
        return words;
    }
};

/// Blocks on a multiprocessor: as many as there are registers for without spilling.
template <int channels>
constexpr int kBlocks = channels == 4 ? 5 : 6;

template <class T>
void launch(const SobelArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    with_outputs(a, [&]<int channels, bool derivative>(const auto& out, bool first) {
        if constexpr (sizeof(T) > 1)
            launch_filter<channels, 2, kBlocks<channels>>(a.in, out, SampleSobel<float, channels, derivative>{first},
                                                          stream);
        else if constexpr (derivative)
            launch_filter<channels, 4, kBlocks<channels>>(a.in, out, PackedDerivative<channels>{first}, stream);
        else if (first)
            launch_filter<channels, 4, kBlocks<channels>>(a.in, out, HalfSobel<channels, SobelOutput::half_sum>(),
                                                          stream);
        else
            launch_filter<channels, 4, kBlocks<channels>>(a.in, out, HalfSobel<channels, SobelOutput::magnitude>(),
                                                          stream);
    });
}
}  // namespace

LANEWORK_RUNG(
    sobel, packed_pairs,
    {
        .climbs_from = "vectorized",
        .lesson = "Two samples in the halves of a register, in half precision where that is exact, and all loads in "
                  "flight.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
