// Sixteen bytes a thread in 16-byte accesses, and two samples in the 16-bit halves of a register: an operation serves
// both. The strength of an edge is computed in half precision, where |Gx| + |Gy| ≤ 2040 and every sum on the way to it
// is exact, and magnitudes cost nothing; a derivative, whose sign must be kept, in integers with a bias.
#include <cuda_fp16.h>

#include <cstring>

#include "ops/sobel/filter.cuh"
#include "src/pixels/filter_launch.cuh"

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

/// √x, with a relative error below 2⁻²⁰.
__device__ float rough_root(float x) {
#ifdef __CUDA_ARCH__
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
#else
    return sqrtf(x);
#endif
}

/// The integer nearest to √2·√square, at most 255; the square is in units of 2⁻⁴⁸. A rough root will do: up to 255 the
/// true one is at least 1/2048 away from the next tie. Added to 2²³ a float is rounded to an integer in its lower bits.
__device__ std::uint32_t nearest_root_of_twice(float square) {
    constexpr float kMostSquare = kBrightest * kBrightest / 2.0F * 0x1p-48F, kScale = 0x1.6A09E6p+24F;
    return __float_as_uint(__fmaf_rn(rough_root(fminf(square, kMostSquare)), kScale, 0x1p+23F)) & kBrightest;
}

/// Edges by boxes: with b(x, y) the sum of the samples x and x + 1 of rows y and y + 1,
///   (Gx + Gy) / 2 = b(x, y) − b(x − 1, y − 1)    (Gx − Gy) / 2 = b(x, y − 1) − b(x − 1, y)
/// The larger of their magnitudes is (|Gx| + |Gy|) / 2, and twice the sum of their squares is Gx² + Gy².
template <int channels, SobelOutput output>
struct HalfSobel {
    static constexpr int kSamples = kVectorBytes, kWords = kSamples / kWordBytes;
    struct Row {
        std::uint32_t even[kWords + 2], odd[kWords + 2];  ///< the even samples of a word are a pair, the odd another
    };

    __device__ Row row(const Window<std::uint8_t, kSamples>& window) const {
        Row row;
        for (int i = 0; i < kWords + 2; ++i) {
            row.even[i] = __byte_perm(window.word[i], 0, 0x4240);
            row.odd[i] = __byte_perm(window.word[i], 0, 0x4341);
        }
        return row;
    }
    __device__ Words<kWords> result(const Row& above, const Row& here, const Row& below) const {
        const Boxes upper = boxes(above, here), lower = boxes(here, below);
        Words<kWords> words;
        for (int i = 0; i < kWords; ++i)
            words.word[i] = __byte_perm(edges(upper.even[i], upper.before_even[i], lower.even[i], lower.before_even[i]),
                                        edges(upper.odd[i], upper.before_odd[i], lower.odd[i], lower.before_odd[i]),
                                        kFirstBytesInTurn);
        return words;
    }

private:
    static constexpr unsigned kFirstBytesInTurn = 0x6240;
    /// At the strip's samples and one pixel before them.
    struct Boxes {
        __half2 even[kWords], odd[kWords], before_even[kWords], before_odd[kWords];
    };

    /// The second of a pair and the first of the next.
    __device__ static __half2 between(__half2 pair, __half2 next) {
        return as_halves(__byte_perm(bits_of_halves(pair), bits_of_halves(next), 0x5432));
    }
    LANEWORK_LONG_WHEN_EMULATED __device__ static Boxes boxes(const Row& upper, const Row& lower) {
        __half2 even[kWords + 2], odd[kWords + 2];  // sums of two rows
        for (int i = 0; i < kWords + 2; ++i) {
            even[i] = __hadd2(as_halves(upper.even[i]), as_halves(lower.even[i]));
            odd[i] = __hadd2(as_halves(upper.odd[i]), as_halves(lower.odd[i]));
        }
        __half2 even_box[kWords + 1], odd_box[kWords + 1];  // from the word before the strip on
        for (int i = 0; i <= kWords; ++i) {
            const __half2 next_even = even[i + 1], next_odd = odd[i + 1];
            even_box[i] = __hadd2(even[i], channels == 1   ? odd[i]
                                           : channels == 3 ? between(odd[i], next_odd)
                                                           : next_even);
            odd_box[i] = __hadd2(odd[i], channels == 1   ? between(even[i], next_even)
                                         : channels == 3 ? next_even
                                                         : next_odd);
        }
        Boxes boxes;
        for (int i = 0; i < kWords; ++i) {
            boxes.even[i] = even_box[i + 1];
            boxes.odd[i] = odd_box[i + 1];
            boxes.before_even[i] = channels == 1   ? between(odd_box[i], odd_box[i + 1])
                                   : channels == 3 ? odd_box[i]
                                                   : even_box[i];
            boxes.before_odd[i] = channels == 1   ? even_box[i + 1]
                                  : channels == 3 ? between(even_box[i], even_box[i + 1])
                                                  : odd_box[i];
        }
        return boxes;
    }
    /// Two edges, in the lower byte of each half.
    LANEWORK_LONG_WHEN_EMULATED __device__ static std::uint32_t edges(__half2 upper, __half2 upper_before,
                                                                      __half2 lower, __half2 lower_before) {
        const __half2 sum = __hsub2(lower, upper_before), difference = __hsub2(upper, lower_before);
        if constexpr (output == SobelOutput::half_sum)
            return bits_of_halves(__hmin2(__hmax2(__habs2(sum), __habs2(difference)), as_halves(both(kBrightest))));
        const auto edge = [](float s, float d) { return nearest_root_of_twice(__fmaf_rn(s, s, d * d)); };
        return edge(__low2float(sum), __low2float(difference)) | edge(__high2float(sum), __high2float(difference))
                                                                     << 16;
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
constexpr int kBlocks = channels == 3 ? 7 : 8;

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
// mends: narrow_vectors, instruction_bound
