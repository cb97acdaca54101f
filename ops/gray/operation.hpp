// Gray: one 8-bit gray value per pixel of an 8-bit RGB image. The forms are integer formulas, so every device gives
// the same bytes.
#pragma once

#include <cstdint>
#include <lanework/rung.hpp>

namespace lanework {

/// In the order of the operation's variants.
enum class GrayForm : std::uint8_t { opencv, weighted, mean, max };

/// Both arrays start at multiples of 16 bytes, as those of Device::allocate do.
struct GrayArgs {
    using Element = std::uint8_t;
    const Element* rgb;  ///< height × width × 3: red, green, blue, interleaved, rows tightly packed
    Element* gray;       ///< height × width
    std::int64_t height, width;
    GrayForm form;

    static GrayArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<Element*>(buffers.data[1]), problem.extent[0],
                problem.extent[1], static_cast<GrayForm>(problem.variant)};
    }
    std::int64_t pixels() const { return height * width; }
};

/// OpenCV's weights of RGB2GRAY in 2⁻¹⁵ (its 8-bit conversion since 4.0; they sum to 2¹⁵, so that gray stays gray):
/// 0.299, 0.587 and 0.114, rounded. All 2²⁴ colours were compared with OpenCV 4.6.
inline constexpr int kGrayShift = 15, kRedWeight = 9798, kGreenWeight = 19235, kBlueWeight = 3735;

/// The gray value of one pixel; r, g and b are 0 … 255, and so is the result. Rounded to nearest in every form.
template <GrayForm form>
constexpr std::uint32_t gray_of(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    if constexpr (form == GrayForm::opencv)
        return (kRedWeight * r + kGreenWeight * g + kBlueWeight * b + (1u << (kGrayShift - 1))) >> kGrayShift;
    else if constexpr (form == GrayForm::weighted)
        return (30 * r + 59 * g + 11 * b + 50) / 100;
    else if constexpr (form == GrayForm::mean)
        return (r + g + b + 1) / 3;
    else
        return r > g ? (r > b ? r : b) : (g > b ? g : b);
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

using gray_signature = lanework::Signature<lanework::GrayArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
