// The edges of a thread's strip, sample by sample.
#pragma once

#include "ops/sobel/operation.hpp"
#include "src/pixels/windows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

__device__ inline std::uint32_t bits_of(std::int16_t sample) { return static_cast<std::uint16_t>(sample); }

/// Four samples. Which of the outputs it is that shares a kernel (both derivatives, or both strengths) is told when the
/// program runs.
template <class T, int channels, bool derivative>
struct SampleSobel {
    static constexpr int kSamples = 4;
    using Number = SobelNumber<T>;
    using Out = std::conditional_t<derivative, SobelDerivative<T>, T>;
    static constexpr int kPerWord = kWordBytes / static_cast<int>(sizeof(Out));
    struct Row {
        Number difference[kSamples];  ///< right − left, for Gx
        Number sum[kSamples];         ///< left + 2·middle + right, for Gy
    };

    bool first;  ///< gx or half_sum, not gy or magnitude

    __device__ Row row(const Window<T, kSamples>& window) const {
        Row row;
        const auto at = [&](int i) { return Number{number_of<T>(window.bits(i))}; };
        for (int i = 0; i < kSamples; ++i) {
            row.difference[i] = at(i + channels) - at(i - channels);
            row.sum[i] = smooth<Number>(at(i - channels), at(i), at(i + channels));
        }
        return row;
    }
    __device__ Words<kSamples / kPerWord> result(const Row& above, const Row& here, const Row& below) const {
        Words<kSamples / kPerWord> words{};
        for (int i = 0; i < kSamples; ++i) {
            const Number gx = smooth(above.difference[i], here.difference[i], below.difference[i]);
            const Number gy = below.sum[i] - above.sum[i];
            words.word[i / kPerWord] |= bits_of(edge(gx, gy)) << (8 * static_cast<int>(sizeof(Out)) * (i % kPerWord));
        }
        return words;
    }

private:
    template <class S>
    __device__ static Number number_of(std::uint32_t bits) {
        if constexpr (std::is_same_v<S, float>)
            return __uint_as_float(bits);
        else
            return static_cast<int>(bits);
    }
    __device__ Out edge(Number gx, Number gy) const {
        if constexpr (derivative) return first ? edge_of<SobelOutput::gx>(gx, gy) : edge_of<SobelOutput::gy>(gx, gy);
        return first ? edge_of<SobelOutput::half_sum>(gx, gy) : edge_of<SobelOutput::magnitude>(gx, gy);
    }
};

/// Calls body.operator()<channels, derivative>(out, first).
template <class T, class Body>
void with_outputs(const SobelArgs<T>& a, const Body& body) {
    with_channels(a.in.channels, [&]<int channels>() {
        if (is_derivative(a.output))
            body.template operator()<channels, true>(a.derivative, a.output == SobelOutput::gx);
        else
            body.template operator()<channels, false>(a.edges, a.output == SobelOutput::half_sum);
    });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
