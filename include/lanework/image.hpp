// Images: gray, blur, sobel, resize, letterbox, warp and a network's input tensor, the same bytes on every device.
//
// The arithmetic is part of the interface and written down in docs/image-arithmetic.md: mapping, weights, rounding and
// borders of each convention. Samples are 8-bit or float32; a pixel has 1, 3 or 4 of them, interleaved.
//
// Every function takes views of the caller's memory and says where it computes: on a team of threads, where it returns
// when all is done, or on a device's stream, where it enqueues its kernels and returns. Nothing is allocated, copied to
// the host or waited for, so that a CUDA graph can capture the calls. Arguments are checked first: UsageError says
// which is wrong; DeviceError that a launch was refused. Images may be empty; nothing is computed then. Outputs must
// not overlap inputs.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/half.hpp>
#include <lanework/rung.hpp>

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
    constexpr operator ImageView<const T>() const { return {pixels, height, width, channels, pitch}; }
};

/// The part of an image that begins at row `top` and column `left`. Throws UsageError where it is not inside.
template <class T>
ImageView<T> region(const ImageView<T>& image, std::int64_t top, std::int64_t left, std::int64_t height,
                    std::int64_t width);

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

/// Where a call computes, and in which order with others.
class ImageTarget {
public:
    ImageTarget(Team team) : kind_(DeviceKind::cpu), team_(team) {}  // NOLINT(google-explicit-constructor)
    /// `stream` is one of the device's (a cudaStream_t for a GPU), and the images are in its memory.
    ImageTarget(Device& device, void* stream) : kind_(device.info().kind), device_(&device), stream_(stream) {}

    DeviceKind kind() const { return kind_; }
    /// What Rung::Typed::launch_args takes.
    void* stream() { return device_ ? stream_ : &team_; }
    /// The device whose launches are to be checked; null for a team.
    Device* device() const { return device_; }

private:
    DeviceKind kind_;
    Team team_;
    Device* device_ = nullptr;
    void* stream_ = nullptr;
};

/// How sampling between pixels is defined. The values are the orders of the operations' variants.
enum class Convention : std::uint8_t {
    opencv,    ///< half-pixel centres, OpenCV's arithmetic: for 8-bit samples its integers, bit by bit
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
/// One gray value for each pixel. in: 3 or 4 channels (alpha is not read); out: 1 channel, the same size.
/// T is std::uint8_t or float.
template <class T>
void gray(const ImageView<const T>& in, const ImageView<T>& out, const GrayOptions& options, ImageTarget target);

/// The 3×3 Gaussian [1 2 1]ᵀ[1 2 1] / 16 of every channel, border reflect-101. out: the shape of in.
template <class T>
void blur(const ImageView<const T>& in, const ImageView<T>& out, ImageTarget target);

/// (|Gx| + |Gy|) / 2 rounded down or √(Gx² + Gy²) rounded to nearest, both saturated to 255; of float samples neither
/// is rounded or saturated.
enum class SobelForm : std::uint8_t { half_sum, magnitude };
/// The strength of edges of every channel, border reflect-101. out: the shape of in.
template <class T>
void sobel(const ImageView<const T>& in, const ImageView<T>& out, SobelForm form, ImageTarget target);

/// Derivatives as OpenCV's Sobel gives them: Gx or Gy of every channel, int16 of 8-bit samples, float of float ones.
enum class SobelAxis : std::uint8_t { x, y };
void sobel_derivative(const ImageView<const std::uint8_t>& in, const ImageView<std::int16_t>& out, SobelAxis axis,
                      ImageTarget target);
void sobel_derivative(const ImageView<const float>& in, const ImageView<float>& out, SobelAxis axis,
                      ImageTarget target);

/// Bilinear resampling of each image of `in` to the size of its counterpart in `out`. Channels and counts are equal;
/// an image without pixels can only become one without pixels.
template <class T>
void resize(const ImageBatch<const T>& in, const ImageBatch<T>& out, Convention convention, ImageTarget target);

/// x' = m[0][0]·x + m[0][1]·y + m[0][2], y' = m[1][0]·x + m[1][1]·y + m[1][2].
struct Affine {
    std::array<std::array<double, 3>, 2> m{{{1, 0, 0}, {0, 1, 0}}};
    constexpr bool operator==(const Affine&) const = default;
};
/// Throws UsageError for one that is singular or not finite.
Affine inverse(const Affine& affine);

struct WarpOptions {
    /// From pixel centres of the input to those of the output (the centre of the first pixel is (0, 0)), as OpenCV's
    /// warpAffine takes it. Must have an inverse.
    Affine affine;
    Convention convention = Convention::opencv;  ///< opencv or floating
    /// What lies around the input, for each channel; of 8-bit images whole numbers from 0 to 255.
    std::array<float, 4> border{};
};
/// The affine transform of an image, bilinear. in and out have the same channels.
template <class T>
void warp(const ImageView<const T>& in, const ImageView<T>& out, const WarpOptions& options, ImageTarget target);

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
/// What letterbox and tensor compute for an image of this size; integers, rounded half up, at least one pixel.
FittedImage fit_image(std::int64_t height, std::int64_t width, std::int64_t out_height, std::int64_t out_width, Fit fit,
                      bool scale_up);
/// From coordinates in the output to those in the source, both counted from the outer corner of the first pixel (its
/// centre is (½, ½)), as boxes are.
Affine to_source(const FittedImage& fitted, std::int64_t height, std::int64_t width);

/// Fits each image of `in` into its counterpart of `out`, which all have one size: out.most_height × out.most_width.
/// to_source: in the memory of the target, one for each image, or null. Throws as resize.
template <class T>
void letterbox(const ImageBatch<const T>& in, const ImageBatch<T>& out, const LetterboxOptions& options,
               Affine* to_source, ImageTarget target);

struct TensorOptions {
    LetterboxOptions letterbox;
    bool swap_red_blue = false;  ///< BGR to RGB and back: channels 0 and 2 are exchanged; mean and std are the output's
    /// out = (sample · scale − mean) / std, computed as sample · a + b with a = scale / std and b = −mean / std rounded
    /// to float; std is not 0.
    float scale = 1.0F / 255;
    std::array<float, 4> mean{}, std{1, 1, 1, 1};
};
/// A network's input: tensor[count][channels][height][width], tightly packed. In is std::uint8_t or float, Out float or
/// float16. With convention opencv 8-bit samples are rounded to 8 bits before they are normalised, as OpenCV's pipeline
/// does; with the others they are not.
template <class Out>
struct TensorView {
    Out* data = nullptr;
    std::int64_t count = 0, channels = 0, height = 0, width = 0;
};
template <class In, class Out>
void tensor(const ImageBatch<const In>& in, const TensorView<Out>& out, const TensorOptions& options, Affine* to_source,
            ImageTarget target);

}  // namespace lanework
