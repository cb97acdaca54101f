// Gray: one value for each pixel of a colour image. Of 8-bit samples the forms are integer formulas, of floats every
// product and sum is rounded by itself in a stated order, so every device gives the same bytes.
#pragma once

#include <cstdint>
#include <lanework/image_view.hpp>
#include <type_traits>

#include "src/pixels/problem_views.hpp"

namespace lanework {

/// The operation's variants: a form, and for those that depend on it the order of the colours.
struct GrayVariant {
    GrayForm form;
    ChannelOrder order;
};
inline constexpr GrayVariant kGrayVariants[] = {
    {GrayForm::opencv, ChannelOrder::rgb}, {GrayForm::weighted, ChannelOrder::rgb},
    {GrayForm::mean, ChannelOrder::rgb},   {GrayForm::max, ChannelOrder::rgb},
    {GrayForm::opencv, ChannelOrder::bgr}, {GrayForm::weighted, ChannelOrder::bgr}};

/// The axes are height, width, channels and margin. Throws UsageError for channels that gray does not have.
ImageShape gray_shape(const Problem& problem);

template <class T>
struct GrayArgs {
    using Element = T;
    ImageView<const T> in;  ///< 3 or 4 channels; the fourth is not read into any result
    ImageView<T> out;       ///< 1 channel, the same size
    GrayForm form;
    ChannelOrder order;

    static GrayArgs from(const Problem& problem, const Buffers& buffers) {
        const ImageShape shape = image_shape(problem);
        const auto [in, out] = buffers.arrays<void, void>();
        const GrayVariant variant = kGrayVariants[problem.variant];
        return {image_view<const T>(in, shape), image_view<T>(out, {shape.height, shape.width, 1, shape.margin}),
                variant.form, variant.order};
    }
    bool empty() const { return in.height == 0 || in.width == 0; }
};

/// Images whose rows lie one after the other are one long row.
template <class T>
GrayArgs<T> in_long_rows(GrayArgs<T> a) {
    const auto tight = [](const auto& image) {
        return image.pitch == image.width * image.channels * static_cast<std::int64_t>(sizeof(T));
    };
    if (!tight(a.in) || !tight(a.out)) return a;
    for (std::int64_t* width : {&a.in.width, &a.out.width}) *width *= a.in.height;
    a.in.height = a.out.height = 1;
    return a;
}

/// Where a pixel's red lies; its blue lies at 2 − red, its green at 1.
constexpr int red_of(ChannelOrder order) { return order == ChannelOrder::bgr ? 2 : 0; }

/// OpenCV's weights of RGB2GRAY in 2⁻¹⁵ (its 8-bit conversion since 4.0; they sum to 2¹⁵, so that gray stays gray):
/// 0.299, 0.587 and 0.114, rounded. All 2²⁴ colours were compared with OpenCV 4.6.
inline constexpr int kGrayShift = 15, kRedWeight = 9798, kGreenWeight = 19235, kBlueWeight = 3735;

/// The gray value of one pixel; r, g and b are 0 … 255, and so is the result. Rounded to nearest in every form.
template <GrayForm form>
constexpr std::uint32_t gray_of_bytes(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    if constexpr (form == GrayForm::opencv)
        return (kRedWeight * r + kGreenWeight * g + kBlueWeight * b + (1u << (kGrayShift - 1))) >> kGrayShift;
    else if constexpr (form == GrayForm::weighted)
        return (30 * r + 59 * g + 11 * b + 50) / 100;
    else if constexpr (form == GrayForm::mean)
        return (r + g + b + 1) / 3;
    else
        return r > g ? (r > b ? r : b) : (g > b ? g : b);
}

/// The same of floats, not rounded to integers: (red + green) + blue, each weighted first; the maximum takes the later
/// of two that do not compare.
template <GrayForm form>
constexpr float gray_of_floats(float r, float g, float b) {
    if constexpr (form == GrayForm::opencv)
        return (0.299F * r + 0.587F * g) + 0.114F * b;
    else if constexpr (form == GrayForm::weighted)
        return (0.3F * r + 0.59F * g) + 0.11F * b;
    else if constexpr (form == GrayForm::mean)
        return ((r + g) + b) / 3.0F;
    const float larger = r > g ? r : g;
    return larger > b ? larger : b;
}

template <GrayForm form, class T>
constexpr T gray_of(T r, T g, T b) {
    if constexpr (std::is_same_v<T, float>)
        return gray_of_floats<form>(r, g, b);
    else
        return static_cast<T>(gray_of_bytes<form>(r, g, b));
}

/// Calls body.operator()<form>() for the form that is known only when the program runs.
template <class Body>
void with_form(GrayForm form, const Body& body) {
    switch (form) {
        case GrayForm::opencv: return body.template operator()<GrayForm::opencv>();
        case GrayForm::weighted: return body.template operator()<GrayForm::weighted>();
        case GrayForm::mean: return body.template operator()<GrayForm::mean>();
        case GrayForm::max: return body.template operator()<GrayForm::max>();
    }
}

}  // namespace lanework

using gray_signature = lanework::Signature<lanework::GrayArgs<std::uint8_t>, lanework::GrayArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
