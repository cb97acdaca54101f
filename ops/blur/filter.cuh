// The blur of a thread's strip, sample by sample.
#pragma once

#include "ops/blur/operation.hpp"
#include "src/pixels/windows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
__device__ inline T sample_of(std::uint32_t bits) {
    if constexpr (std::is_same_v<T, float>)
        return __uint_as_float(bits);
    else
        return static_cast<T>(bits);
}

/// Four samples.
template <class T, int channels>
struct SampleBlur {
    static constexpr int kSamples = 4, kPerWord = Window<T, kSamples>::kPerWord;
    struct Row {
        BlurSum<T> sum[kSamples];  ///< of three neighbours
    };

    __device__ Row row(const Window<T, kSamples>& window) const {
        Row row;
        for (int i = 0; i < kSamples; ++i)
            row.sum[i] = smooth<BlurSum<T>>(sample_of<T>(window.bits(i - channels)), sample_of<T>(window.bits(i)),
                                            sample_of<T>(window.bits(i + channels)));
        return row;
    }
    __device__ Words<kSamples / kPerWord> result(const Row& above, const Row& here, const Row& below) const {
        Words<kSamples / kPerWord> words{};
        for (int i = 0; i < kSamples; ++i)
            words.word[i / kPerWord] |= bits_of(blurred(smooth(above.sum[i], here.sum[i], below.sum[i])))
                                        << (8 * (i % kPerWord));
        return words;
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
