// The pixels of a strip sample by sample, in every convention and of every type: loads and stores of one sample each.
#pragma once

#include "ops/resize/strip.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Arithmetic is Bilinear<T, convention> or HalfMean<T>.
template <class T, int channels, class Arithmetic>
struct SampleBySample {
    using Row = typename Arithmetic::Weights;
    struct Column {
        std::int32_t first, second;  ///< samples from the row's begin
        typename Arithmetic::Weights weights;
    };
    struct Sums {
        typename Arithmetic::Sum of[channels];
    };
    struct Samples {
        T of[channels];
    };
    struct Neighbours {
        T first[channels], second[channels];
    };

    static __device__ Column column(const Tap& tap, const ImageView<const T>&) {
        return {tap.first * channels, tap.second * channels, Arithmetic::weights(tap)};
    }
    static __device__ Row row(const Tap& tap) { return Arithmetic::weights(tap); }
    static __device__ int pixel_of(int lane, int i, int) { return lane + kLanes * i; }
    static constexpr bool has_words = false;
    static __device__ Access access(const Column&) { return Access::bytes; }
    template <Access>
    static __device__ Neighbours load(const T* row, const Column& column) {
        Neighbours neighbours;
#pragma unroll
        for (int c = 0; c < channels; ++c) {
            neighbours.first[c] = __ldg(row + column.first + c);
            neighbours.second[c] = __ldg(row + column.second + c);
        }
        return neighbours;
    }
    static __device__ Sums along(const Neighbours& neighbours, const Column& column) {
        Sums sums;
#pragma unroll
        for (int c = 0; c < channels; ++c)
            sums.of[c] = Arithmetic::along(neighbours.first[c], neighbours.second[c], column.weights);
        return sums;
    }
    static __device__ Samples down(const Row& row, const Sums& above, const Sums& below) {
        Samples samples;
#pragma unroll
        for (int c = 0; c < channels; ++c) samples.of[c] = Arithmetic::down(above.of[c], below.of[c], row);
        return samples;
    }
    template <int pixels>
    static __device__ void store(T* row, const Samples (&samples)[pixels], std::int64_t first_col, int lane,
                                 std::int64_t width) {
#pragma unroll
        for (int i = 0; i < pixels; ++i) {
            const std::int64_t x = first_col + pixel_of(lane, i, pixels);
            if (x >= width) continue;
#pragma unroll
            for (int c = 0; c < channels; ++c) row[x * channels + c] = samples[i].of[c];
        }
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
