// Warp: the affine transform of an image, bilinear, with a constant border.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/image_view.hpp>
#include <lanework/rung.hpp>

#include "src/pixels/affine.hpp"
#include "src/pixels/problem_views.hpp"

namespace lanework {

LANEWORK_AXES(WarpAxes, height, width, out_height, out_width, channels, degrees, percent, margin);

/// The transform of a problem: by `degrees` counter-clockwise and to `percent` of the size, about the images' centres.
/// It takes centres of input pixels to positions in the output, as OpenCV's getRotationMatrix2D does.
Affine warp_affine(const Problem& problem);

constexpr ImageShape warp_input(const Problem& p) {
    const auto of = p.lengths<WarpAxes>();
    return {of.height, of.width, of.channels, of.margin};
}
constexpr ImageShape warp_output(const Problem& p) {
    const auto of = p.lengths<WarpAxes>();
    return {of.out_height, of.out_width, of.channels, of.margin};
}

/// What lies around the input in problems: not one value for all channels, and none that a fill would give.
template <class T>
constexpr std::array<T, 4> warp_border() {
    if constexpr (sizeof(T) == 1)
        return {201, 17, 90, 255};
    else
        return {0.75F, -2.5F, 0.1F, 1.0F};
}

template <class T>
struct WarpArgs {
    using Element = T;
    ImageView<const Element> in;
    ImageView<Element> out;  ///< with the channels of `in`
    Affine affine;           ///< from centres of input pixels to those of the output, which is what libraries take
    Affine to_in;            ///< its inverse
    Convention convention;   ///< opencv or floating
    std::array<Element, 4> border;  ///< finite
    Prepared* prepared = nullptr;   ///< what the rung prepared, if anything

    static WarpArgs from(const Problem& problem, const Buffers& buffers) {
        const Affine affine = warp_affine(problem);
        const auto [in, out] = buffers.arrays<void, void>();
        return {image_view<const Element>(in, warp_input(problem)),
                image_view<Element>(out, warp_output(problem)),
                affine,
                inverse_of(affine),
                static_cast<Convention>(problem.variant),
                warp_border<Element>(),
                buffers.prepared};
    }
    bool empty() const { return out.height == 0 || out.width == 0; }
};

}  // namespace lanework

using warp_signature = lanework::Signature<lanework::WarpArgs<std::uint8_t>, lanework::WarpArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
