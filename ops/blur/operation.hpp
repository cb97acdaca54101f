// Blur: the 3×3 Gaussian [1 2 1]ᵀ[1 2 1] / 16 of every channel, border reflect-101. 8-bit sums are exact and rounded
// half up, (sum + 8) >> 4, as OpenCV's GaussianBlur(3×3, sigma 0) does it. Of floats each row is (left + right) +
// 2·middle, the three rows are (above + below) + 2·here, and the sum is multiplied by 1/16; every sum is rounded by
// itself.
#pragma once

#include <cstdint>
#include <lanework/image_view.hpp>
#include <type_traits>

#include "src/pixels/problem_views.hpp"
#include "src/pixels/reflect.hpp"

namespace lanework {

/// The axes are height, width, channels and margin. Throws UsageError for channels that images do not have.
ImageShape blur_shape(const Problem& problem);

template <class T>
struct BlurArgs {
    using Element = T;
    ImageView<const T> in;  ///< 1, 3 or 4 channels
    ImageView<T> out;       ///< the same shape

    static BlurArgs from(const Problem& problem, const Buffers& buffers) {
        const ImageShape shape = image_shape(problem);
        const auto [in, out] = buffers.arrays<void, void>();
        return {image_view<const T>(in, shape), image_view<T>(out, shape)};
    }
    bool empty() const { return in.height == 0 || in.width == 0; }
};

/// What sums of samples are computed in.
template <class T>
using BlurSum = std::conditional_t<std::is_same_v<T, float>, float, int>;

/// The result of a sum of weight 16.
constexpr std::uint8_t blurred(int sum) { return static_cast<std::uint8_t>((sum + 8) >> 4); }
constexpr float blurred(float sum) { return sum * 0.0625F; }

}  // namespace lanework

using blur_signature = lanework::Signature<lanework::BlurArgs<std::uint8_t>, lanework::BlurArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
