// Sixteen bytes a thread in 16-byte accesses, and two samples in the 16-bit halves of a register: sums of weight 16
// stay below 2¹², so an addition serves both. All rows of a thread are under way before the first is used.
#include "ops/blur/filter.cuh"
#include "src/pixels/filter_launch.cuh"

namespace {
constexpr std::uint32_t both(std::uint32_t value) { return value << 16 | value; }

/// Sixteen 8-bit samples; the even samples of word i are a pair, the odd ones another. Rows are summed first: along a
/// row neighbours must be shifted into place, which is then done for the rows of the result only.
template <int channels>
struct PackedBlur {
    static constexpr int kSamples = kVectorBytes, kWords = kSamples / kWordBytes;
    struct Row {
        std::uint32_t even[kWords + 2], odd[kWords + 2];
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
        std::uint32_t even[kWords + 2], odd[kWords + 2];
        for (int i = 0; i < kWords + 2; ++i) {
            even[i] = smooth(above.even[i], here.even[i], below.even[i]);
            odd[i] = smooth(above.odd[i], here.odd[i], below.odd[i]);
        }
        // The pair between two of the same kind: the second of one and the first of the next.
        const auto between = [](std::uint32_t first, std::uint32_t next) { return __funnelshift_r(first, next, 16); };
        Words<kWords> words;
        for (int i = 1; i <= kWords; ++i) {
            if constexpr (channels == 1)
                words.word[i - 1] = upper_bytes(blurred_pair(between(odd[i - 1], odd[i]), even[i], odd[i]),
                                                blurred_pair(even[i], odd[i], between(even[i], even[i + 1])));
            else if constexpr (channels == 3)
                words.word[i - 1] = upper_bytes(blurred_pair(odd[i - 1], even[i], between(odd[i], odd[i + 1])),
                                                blurred_pair(between(even[i - 1], even[i]), odd[i], even[i + 1]));
            else
                words.word[i - 1] = upper_bytes(blurred_pair(even[i - 1], even[i], even[i + 1]),
                                                blurred_pair(odd[i - 1], odd[i], odd[i + 1]));
        }
        return words;
    }

private:
    /// Two results in the upper bytes of the halves: 16·(sum + 8). The products are multiply-adds, which leave the
    /// adder to others.
    __device__ static std::uint32_t blurred_pair(std::uint32_t left, std::uint32_t middle, std::uint32_t right) {
        return middle * 32 + ((left + right) * 16 + both(128));
    }
    /// The upper bytes of the halves of two registers, in turn.
    __device__ static std::uint32_t upper_bytes(std::uint32_t even, std::uint32_t odd) {
        return __byte_perm(even, odd, 0x7351);
    }
};

constexpr int kBlocks = 6;  // on a multiprocessor: as many as there are registers for

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    with_channels(a.in.channels, [&]<int channels>() {
        if constexpr (sizeof(T) == 1)
            launch_filter<channels, 4, kBlocks>(a.in, a.out, PackedBlur<channels>(), stream);
        else
            launch_filter<channels, 2, kBlocks>(a.in, a.out, SampleBlur<float, channels>(), stream);
    });
}
}  // namespace

LANEWORK_RUNG(blur, packed_pairs,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Sixteen bytes a thread, two samples in the halves of a register, all loads in flight.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: narrow_vectors, instruction_bound
