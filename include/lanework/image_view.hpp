// What images are and how they are computed: views of pixels, conventions and options. Plain types, which kernels take
// as they are; the functions are in <lanework/image.hpp>.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/half.hpp>
#include <string_view>
#include <type_traits>

namespace lanework {

/// Rows of interleaved samples in memory that somebody else owns.
template <class T>
struct ImageView {
    T* pixels = nullptr;  ///< the first sample of the first row
    std::int64_t height = 0, width = 0;
    int channels = 1;        ///< samples of a pixel: 1, 3 or 4
    std::int64_t pitch = 0;  ///< bytes from a row to the next: a multiple of sizeof(T), at least those of a row

    /// Rows without anything between them.
    static constexpr ImageView tight(T* pixels, std::int64_t height, std::int64_t width, int channels) {
        return {pixels, height, width, channels, width * channels * static_cast<std::int64_t>(sizeof(T))};
    }
    /// A template, since nvcc warns of a conversion of a type to itself even where it is ruled out.
    template <class Const>
    requires(std::is_same_v<Const, const T> && !std::is_const_v<T>) constexpr operator ImageView<Const>() const {
        return {pixels, height, width, channels, pitch};
    }
};

/// Where one image of a batch lies.
struct ImagePlace {
    std::int64_t offset = 0;  ///< bytes from the batch's base to the first sample: a multiple of sizeof(T); may be < 0
    std::int64_t pitch = 0;   ///< as in ImageView
    std::int32_t height = 0, width = 0;
};

/// Images of different sizes that one call computes: on a device, one launch.
template <class T>
struct ImageBatch {
    T* base = nullptr;
    /// One for each image, in memory of the device that computes, which reads them when it does; null: `only` alone.
    const ImagePlace* places = nullptr;
    std::int64_t count = 0;
    int channels = 1;
    /// No image is higher or wider: what a launch covers.
    std::int64_t most_height = 0, most_width = 0;
    ImagePlace only = {};

    constexpr ImageBatch() = default;
    constexpr ImageBatch(T* base, const ImagePlace* places, std::int64_t count, int channels, std::int64_t most_height,
                         std::int64_t most_width)
        : base(base),
          places(places),
          count(count),
          channels(channels),
          most_height(most_height),
          most_width(most_width) {}
    /// A single image is a batch of one.
    constexpr ImageBatch(const ImageView<T>& image)  // NOLINT(google-explicit-constructor)
        : base(image.pixels),
          count(1),
          channels(image.channels),
          most_height(image.height),
          most_width(image.width),
          only{0, image.pitch, static_cast<std::int32_t>(image.height), static_cast<std::int32_t>(image.width)} {}
};

/// How sampling between pixels is defined. The values are the orders of the operations' variants.
enum class Convention : std::uint8_t {
    opencv,    ///< half-pixel centres, OpenCV 4's arithmetic: for 8-bit samples its integers, bit by bit
    floating,  ///< half-pixel centres in float, rounded to nearest even; torch's align_corners=False, antialias=False
    legacy,    ///< asymmetric: output pixel i samples at i·scale; else as `floating`
};

/// "opencv", "float", "legacy".
constexpr std::string_view name_of(Convention convention) {
    return convention == Convention::opencv ? "opencv" : convention == Convention::floating ? "float" : "legacy";
}

/// In which order the colours of a pixel lie. A fourth sample, alpha, follows in either.
enum class ChannelOrder : std::uint8_t { rgb, bgr };

/// The formula of a gray value; docs/image-arithmetic.md.
enum class GrayForm : std::uint8_t { opencv, weighted, mean, max };

struct GrayOptions {
    GrayForm form = GrayForm::opencv;
    ChannelOrder order = ChannelOrder::rgb;
};

/// (|Gx| + |Gy|) / 2 rounded down or √(Gx² + Gy²) rounded to nearest, both saturated to 255; of float samples neither
/// is rounded or saturated.
enum class SobelForm : std::uint8_t { half_sum, magnitude };

enum class SobelAxis : std::uint8_t { x, y };

/// x' = m[0][0]·x + m[0][1]·y + m[0][2], y' = m[1][0]·x + m[1][1]·y + m[1][2].
struct Affine {
    std::array<std::array<double, 3>, 2> m{{{1, 0, 0}, {0, 1, 0}}};
    constexpr bool operator==(const Affine&) const = default;
};

struct WarpOptions {
    /// From pixel centres of the input to those of the output (the centre of the first pixel is (0, 0)), as OpenCV's
    /// warpAffine takes it. Must have an inverse.
    Affine affine = {};
    Convention convention = Convention::opencv;  ///< opencv or floating
    /// What lies around the input, for each channel; of 8-bit images whole numbers from 0 to 255.
    std::array<float, 4> border{};
};

/// How an image is fitted into another size.
enum class Fit : std::uint8_t {
    centred,   ///< its aspect ratio is kept, the rest is padded on both sides
    top_left,  ///< its aspect ratio is kept, the rest is padded on the right and below
    stretch,   ///< it fills all, and nothing is padded
};
constexpr std::string_view name_of(Fit fit) {
    return fit == Fit::centred ? "centred" : fit == Fit::top_left ? "top_left" : "stretch";
}

struct LetterboxOptions {
    Fit fit = Fit::centred;
    Convention convention = Convention::opencv;
    bool scale_up = true;  ///< false: an image that is smaller than the output keeps its size; not with stretch
    /// Of 8-bit images whole numbers from 0 to 255, for each channel.
    std::array<float, 4> pad = {114, 114, 114, 114};
};

/// Where an image of `height` × `width` pixels comes to lie in an output: rows top … top + height − 1 of it.
struct FittedImage {
    std::int64_t top = 0, left = 0, height = 0, width = 0;
    constexpr bool operator==(const FittedImage&) const = default;
};

struct TensorOptions {
    LetterboxOptions letterbox;
    bool swap_red_blue = false;  ///< BGR to RGB and back: channels 0 and 2 are exchanged; mean and std are the output's
    /// out = (sample · scale − mean) / std, computed as sample · a + b with a = scale / std and b = −mean / std rounded
    /// to float; std is not 0.
    float scale = 1.0F / 255;
    std::array<float, 4> mean{}, std{1, 1, 1, 1};
};

/// A network's input: tensor[count][channels][height][width], tightly packed. Out is float or float16.
template <class Out>
struct TensorView {
    Out* data = nullptr;
    std::int64_t count = 0, channels = 0, height = 0, width = 0;
};

}  // namespace lanework
