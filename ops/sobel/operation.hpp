// Sobel: the strength of edges of every channel, or one derivative as OpenCV gives it. 8-bit arithmetic is of integers,
// of floats every product and sum is rounded by itself in a stated order, so every device gives the same bytes.
//
// With p the image and its border continued by reflection about the outermost pixels (reflect-101: gfedcb|abcdefgh),
// a row's difference is d = p[x+1] − p[x−1] and its smooth sum s = (p[x−1] + p[x+1]) + 2·p[x]; then
//   Gx = (d[y−1] + d[y+1]) + 2·d[y]    Gy = s[y+1] − s[y−1]
#pragma once

#include <cmath>
#include <cstdint>
#include <lanework/image_view.hpp>
#include <type_traits>

#include "src/pixels/problem_views.hpp"
#include "src/pixels/reflect.hpp"

namespace lanework {

/// The operation's variants. half_sum is (|Gx| + |Gy|) / 2, rounded down of 8-bit samples; magnitude is √(Gx² + Gy²),
/// rounded to nearest of them; both saturate at 255. Of floats they are neither rounded nor saturated.
enum class SobelOutput : std::uint8_t { half_sum, magnitude, gx, gy };

constexpr bool is_derivative(SobelOutput output) { return output == SobelOutput::gx || output == SobelOutput::gy; }

/// What a derivative of samples of type T is stored as, and what Gx and Gy are computed in.
template <class T>
using SobelDerivative = std::conditional_t<std::is_same_v<T, float>, float, std::int16_t>;
template <class T>
using SobelNumber = std::conditional_t<std::is_same_v<T, float>, float, int>;

/// The axes are height, width, channels and margin. Throws UsageError for channels that images do not have.
ImageShape sobel_shape(const Problem& problem);

template <class T>
struct SobelArgs {
    using Element = T;
    ImageView<const T> in;  ///< 1, 3 or 4 channels
    /// The same shape. `edges` is what half_sum and magnitude write, `derivative` what gx and gy do.
    ImageView<T> edges;
    ImageView<SobelDerivative<T>> derivative;
    SobelOutput output;

    static SobelArgs from(const Problem& problem, const Buffers& buffers) {
        const ImageShape shape = image_shape(problem);
        const auto [array, edges] = buffers.arrays<void, void>();
        const auto output = static_cast<SobelOutput>(problem.variant);
        const auto in = image_view<const T>(array, shape);
        if (is_derivative(output)) return {in, {}, image_view<SobelDerivative<T>>(edges, shape), output};
        return {in, image_view<T>(edges, shape), {}, output};
    }
    bool empty() const { return in.height == 0 || in.width == 0; }
    std::int64_t samples() const { return in.width * in.channels; }  ///< of a row
};

inline constexpr int kBrightest = 255;

/// From two derivatives to a result. For magnitude, the square root of a float is near enough: a root below 256 is at
/// least 1/2048 away from the next tie (r + ½ has no integer square), and the error of a float there is 2⁻¹⁶.
template <SobelOutput output>
constexpr auto edge_of(int gx, int gy) {
    if constexpr (is_derivative(output)) {
        return static_cast<std::int16_t>(output == SobelOutput::gx ? gx : gy);
    } else if constexpr (output == SobelOutput::half_sum) {
        const int half = ((gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy)) >> 1;
        return static_cast<std::uint8_t>(half < kBrightest ? half : kBrightest);
    } else {
        const int square = gx * gx + gy * gy, most = kBrightest * kBrightest;
        return static_cast<std::uint8_t>(sqrtf(static_cast<float>(square < most ? square : most)) + 0.5F);
    }
}
template <SobelOutput output>
constexpr float edge_of(float gx, float gy) {
    if constexpr (is_derivative(output)) return output == SobelOutput::gx ? gx : gy;
    if constexpr (output == SobelOutput::half_sum) return (fabsf(gx) + fabsf(gy)) * 0.5F;
    return sqrtf(gx * gx + gy * gy);
}

/// Calls body.operator()<output>() for the output that is known only when the program runs.
template <class Body>
void with_output(SobelOutput output, const Body& body) {
    switch (output) {
        case SobelOutput::half_sum: return body.template operator()<SobelOutput::half_sum>();
        case SobelOutput::magnitude: return body.template operator()<SobelOutput::magnitude>();
        case SobelOutput::gx: return body.template operator()<SobelOutput::gx>();
        case SobelOutput::gy: return body.template operator()<SobelOutput::gy>();
    }
}

/// The view that an output is written to.
template <SobelOutput output, class T>
const auto& out_of(const SobelArgs<T>& a) {
    if constexpr (is_derivative(output))
        return a.derivative;
    else
        return a.edges;
}

}  // namespace lanework

using sobel_signature = lanework::Signature<lanework::SobelArgs<std::uint8_t>, lanework::SobelArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
