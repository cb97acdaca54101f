// A thread's pixels as words, and their gray values: what the rungs of the GPU share. One kernel serves every weighted
// form and both orders of colours; the weights are arguments.
#pragma once

#include <cstring>

#include "ops/gray/operation.hpp"
#include "src/pixels/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A form and an order as numbers: gray = sum of products with the samples' weights.
template <class T, bool is_max>
struct GrayFormula;

/// 8-bit: (sum + rounding) · reciprocal / 2³², which is exact for the sums that occur (at most 25 550 for a division by
/// 100, 766 by 3; a division by 2¹⁵ is a shift). Weights are halved, w = 256·high + low, and a byte each in the order
/// of the samples, so that four products are one instruction.
template <>
struct GrayFormula<std::uint8_t, false> {
    std::uint32_t high, low, rounding, reciprocal;

    static GrayFormula of(GrayForm form, ChannelOrder order) {
        const auto make = [&](std::uint32_t red, std::uint32_t green, std::uint32_t blue, std::uint32_t rounding,
                              std::uint32_t reciprocal) {
            const int r = 8 * red_of(order), b = 16 - r;
            return GrayFormula{red >> 8 << r | green >> 8 << 8 | blue >> 8 << b,
                               (red & 255) << r | (green & 255) << 8 | (blue & 255) << b, rounding, reciprocal};
        };
        if (form == GrayForm::opencv)
            return make(kRedWeight, kGreenWeight, kBlueWeight, 1u << (kGrayShift - 1), 1u << (32 - kGrayShift));
        if (form == GrayForm::weighted) return make(30, 59, 11, 50, 5243u << 13);  // 2³² ÷ 100, rounded up
        return make(1, 1, 1, 1, 21846u << 16);                                     // 2³² ÷ 3, rounded up
    }
    /// `pixel` has the samples in its bytes; the uppermost means nothing.
    __device__ std::uint32_t operator()(std::uint32_t pixel) const {
        return __umulhi((__dp4a(pixel, high, 0u) << 8) + __dp4a(pixel, low, rounding), reciprocal);
    }
};
template <>
struct GrayFormula<std::uint8_t, true> {
    static GrayFormula of(GrayForm, ChannelOrder) { return {}; }
    __device__ std::uint32_t operator()(std::uint32_t pixel) const {
        return gray_of_bytes<GrayForm::max>(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255);
    }
};
template <>
struct GrayFormula<float, false> {
    float red, green, blue;
    bool thirds;  ///< the sum is divided by 3
    bool bgr;

    static GrayFormula of(GrayForm form, ChannelOrder order) {
        const bool bgr = order == ChannelOrder::bgr;
        if (form == GrayForm::opencv) return {0.299F, 0.587F, 0.114F, false, bgr};
        if (form == GrayForm::weighted) return {0.3F, 0.59F, 0.11F, false, bgr};
        return {1, 1, 1, true, bgr};
    }
    __device__ float operator()(float first, float second, float third) const {
        const float r = bgr ? third : first, b = bgr ? first : third;
        const float sum = (red * r + green * second) + blue * b;
        return thirds ? sum / 3.0F : sum;
    }
};
template <>
struct GrayFormula<float, true> {
    bool bgr;
    static GrayFormula of(GrayForm, ChannelOrder order) { return {order == ChannelOrder::bgr}; }
    __device__ float operator()(float first, float second, float third) const {
        return gray_of_floats<GrayForm::max>(bgr ? third : first, second, bgr ? first : third);
    }
};

/// The gray value of one pixel, sample by sample.
template <bool is_max>
__device__ inline std::uint8_t gray_pixel(const std::uint8_t* pixel, const GrayFormula<std::uint8_t, is_max>& formula) {
    return static_cast<std::uint8_t>(formula(pixel[0] | std::uint32_t{pixel[1]} << 8 | std::uint32_t{pixel[2]} << 16));
}
template <bool is_max>
__device__ inline float gray_pixel(const float* pixel, const GrayFormula<float, is_max>& formula) {
    return formula(pixel[0], pixel[1], pixel[2]);
}

/// The gray value of pixel `index` of some that lie in words one after the other.
template <int channels, int count, bool is_max>
__device__ inline std::uint32_t gray_word(const Words<count>& in, int index,
                                          const GrayFormula<std::uint8_t, is_max>& formula) {
    if constexpr (channels == 4) return formula(in.word[index]);
    const int word = 3 * index / 4, byte = 3 * index % 4;
    const std::uint32_t high = byte > 1 ? in.word[word + 1] : 0;
    return formula(byte == 0 ? in.word[word] : __funnelshift_r(in.word[word], high, static_cast<unsigned>(8 * byte)));
}
template <int channels, int count, bool is_max>
__device__ inline std::uint32_t gray_word(const Words<count>& in, int index,
                                          const GrayFormula<float, is_max>& formula) {
    const auto sample = [&](int at) { return __uint_as_float(in.word[channels * index + at]); };
    return __float_as_uint(formula(sample(0), sample(1), sample(2)));
}

/// Gray values of `pixels` pixels, packed into words.
template <class T, int channels, int pixels, bool is_max>
__device__ inline auto gray_words(const Words<pixels * channels* static_cast<int>(sizeof(T)) / kWordBytes>& in,
                                  const GrayFormula<T, is_max>& formula) {
    constexpr int kPerWord = kWordBytes / static_cast<int>(sizeof(T));
    Words<pixels / kPerWord> out;
    for (int word = 0; word < pixels / kPerWord; ++word) {
        out.word[word] = gray_word<channels>(in, kPerWord * word, formula);
        for (int i = 1; i < kPerWord; ++i)
            out.word[word] |= gray_word<channels>(in, kPerWord * word + i, formula) << (8 * i);
    }
    return out;
}

/// Calls body.operator()<channels, is_max>().
template <class T, class Body>
void with_kernel(const GrayArgs<T>& a, const Body& body) {
    const bool is_max = a.form == GrayForm::max;
    if (a.in.channels == 3)
        is_max ? body.template operator()<3, true>() : body.template operator()<3, false>();
    else
        is_max ? body.template operator()<4, true>() : body.template operator()<4, false>();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
