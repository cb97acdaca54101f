// The affine transform of an image: arguments checked, the transform inverted, the top rung launched.
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/warp/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/affine.hpp"
#include "src/pixels/checks.hpp"
#include "src/pixels/image_options.hpp"

extern const lanework::Operation lanework_operation_warp;

namespace lanework {
namespace {

bool is_finite(const Affine& affine) {
    for (const auto& row : affine.m)
        for (const double value : row)
            if (!std::isfinite(value)) return false;
    return true;
}

/// The border as samples; those of 8 bits are whole numbers from 0 to 255.
template <class T>
std::array<T, 4> border_of(const std::array<float, 4>& border, int channels) {
    std::array<T, 4> samples{};
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
        const float value = border[c];
        if (sizeof(T) == 1 && !(value >= 0 && value <= 255 && value == std::floor(value)))
            throw UsageError(fmt::format(
                "warp: options.border[{}] is {}; of 8-bit images it is a whole number from 0 to 255", c, value));
        if (!std::isfinite(value))
            throw UsageError(fmt::format("warp: options.border[{}] is {}; it must be finite", c, value));
        samples[c] = static_cast<T>(value);
    }
    return samples;
}

}  // namespace

Affine inverse(const Affine& affine) {
    if (!is_finite(affine))
        throw UsageError(fmt::format("the affine transform [{} {} {}; {} {} {}] is not finite", affine.m[0][0],
                                     affine.m[0][1], affine.m[0][2], affine.m[1][0], affine.m[1][1], affine.m[1][2]));
    const Affine result = inverse_of(affine);
    if (!is_finite(result))
        throw UsageError(fmt::format(
            "the affine transform [{} {} {}; {} {} {}] has the determinant {} and no inverse in double", affine.m[0][0],
            affine.m[0][1], affine.m[0][2], affine.m[1][0], affine.m[1][1], affine.m[1][2], determinant(affine)));
    return result;
}

template <class T>
void warp(const ImageView<const T>& in, const ImageView<T>& out, const WarpOptions& options, Target target) {
    image::require_view("warp", "in", in);
    image::require_view("warp", "out", out);
    if (in.channels != out.channels)
        throw UsageError(
            fmt::format("warp: in has {} channels and out {}; they must be equal", in.channels, out.channels));
    if (options.convention == Convention::legacy)
        throw UsageError("warp: the convention legacy is of resizing; opencv and float are right");
    const WarpArgs<T> args{in,
                           out,
                           options.affine,
                           inverse(options.affine),
                           options.convention,
                           border_of<T>(options.border, in.channels)};
    if (!args.empty()) image::launch(lanework_operation_warp, args, target);
}

template void warp(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, const WarpOptions&, Target);
template void warp(const ImageView<const float>&, const ImageView<float>&, const WarpOptions&, Target);

}  // namespace lanework

namespace {

/// One of the transforms is stated: what is not a number is not.
struct WarpPicture {
    WantedSize size;
    Affine affine{{{{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {0, 0, 0}}}};
    double degrees = std::numeric_limits<double>::quiet_NaN();  ///< counter-clockwise about the middle
    WantedColour border;
    Convention convention = Convention::opencv;
};
constexpr std::string_view kConventions[] = {"opencv", "float"};
constexpr ImageOption kOptions[] = {
    image_options::size(offsetof(WarpPicture, size)),
    image_options::width(offsetof(WarpPicture, size)),
    image_options::height(offsetof(WarpPicture, size)),
    image_options::convention(offsetof(WarpPicture, convention), kConventions, "({}: opencv or float; the first)"),
    image_options::colour(offsetof(WarpPicture, border), "border", "{} (0); for each colour, and alpha"),
    image_options::number(ImageOptionKind::affine, offsetof(WarpPicture, affine), "--affine", "matrix", "A,B,C,D,E,F",
                          "x' = Ax + By + C, y' = Dx + Ey + F, from input to output",
                          "six numbers A,B,C,D,E,F: x' = Ax + By + C, y' = Dx + Ey + F"),
    image_options::number(ImageOptionKind::number, offsetof(WarpPicture, degrees), "--rotate", {}, "DEGREES",
                          "counter-clockwise about the middle", "an angle in degrees")};

/// Counter-clockwise as it is seen, with rows that run downwards.
Affine rotation(double degrees, const PictureShape& in, const PictureShape& out) {
    const double angle = degrees * std::numbers::pi / 180;
    const bool quarters = std::fmod(degrees, 90) == 0;  // whose sines are exact
    const double c = quarters ? std::round(std::cos(angle)) : std::cos(angle),
                 s = quarters ? std::round(std::sin(angle)) : std::sin(angle);
    const auto middle = [](std::int64_t length) { return (static_cast<double>(length) - 1) / 2; };
    const double x = middle(in.width), y = middle(in.height);
    return {{{{c, s, middle(out.width) - c * x - s * y}, {-s, c, middle(out.height) + s * x - c * y}}}};
}

Affine transform_of(const WarpPicture& warp, const PictureShape& in, const PictureShape& out) {
    return std::isnan(warp.degrees) ? warp.affine : rotation(warp.degrees, in, out);
}

void apply(const ImageCall& call) {
    const auto& picture = call.step.as<WarpPicture>();
    const PictureShape in{call.in.most_height, call.in.most_width, call.in.channels},
        out{call.out.most_height, call.out.most_width, call.out.channels};
    const WarpOptions options{transform_of(picture, in, out), picture.convention,
                              picture.border.of(call.in.channels, 0, 0)};
    with_samples(call, [&]<class T>() { warp<T>(call.input<T>(), call.output<T>(), options, call.target); });
}

void check(const ImageStep& step, bool) {
    const auto& warp = step.as<WarpPicture>();
    if ((warp.size.width == 0) != (warp.size.height == 0))
        throw UsageError(
            "warp: --width and --height go together, as in --size 480x640; without both the picture keeps its "
            "size");
    const bool has_affine = !std::isnan(warp.affine.m[0][0]), has_angle = !std::isnan(warp.degrees);
    if (!has_affine && !has_angle)
        throw UsageError("warp: the transform is missing: --rotate DEGREES or --affine A,B,C,D,E,F");
    if (has_affine && has_angle) throw UsageError("warp: --affine and --rotate are both given; one is right");
}

/// Its coordinates count from the middle of the first pixel.
Affine back(const ImageStep& step, const PictureShape& in, const PictureShape& out) {
    constexpr Affine to_middle{{{{1, 0, -0.5}, {0, 1, -0.5}}}}, to_corner{{{{1, 0, 0.5}, {0, 1, 0.5}}}};
    return both(to_corner, both(inverse(transform_of(step.as<WarpPicture>(), in, out)), to_middle));
}

/// The transform of a plane: samples lie in the middle of the luma samples that they stand for.
Affine in_plane(const Affine& luma, const PlaneSpacing& spacing) {
    const auto across = static_cast<double>(spacing.across), down = static_cast<double>(spacing.down);
    const double x = (across - 1) / 2, y = (down - 1) / 2;
    const auto& m = luma.m;
    return {{{{m[0][0], m[0][1] * down / across, (m[0][0] * x + m[0][1] * y + m[0][2] - x) / across},
              {m[1][0] * across / down, m[1][1], (m[1][0] * x + m[1][1] * y + m[1][2] - y) / down}}}};
}

PlaneStep warp_plane(const ImageStep& step, const PlaneOfVideo& plane) {
    WarpPicture warp = step.as<WarpPicture>();
    warp.affine = in_plane(transform_of(warp, plane.luma, plane.made_luma), plane.spacing);
    warp.degrees = std::numeric_limits<double>::quiet_NaN();
    warp.size = {plane.made.width, plane.made.height, 0};
    warp.border = {{static_cast<float>(plane.pad)}, 1};
    return {ImageStep(step.operation(), warp), plane.made};
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    warp, WarpPicture,
    {
        .help = "affine",
        .place = 60,
        .options = kOptions,
        .apply = apply,
        .check = check,
        .back = back,
        .plane = warp_plane,
        .signature = R"(image, matrix, size=None, convention="opencv", *, border=0)",
        .doc =
            R"(The affine transform of an image by a 2 × 3 matrix from input to output pixels, as cv2.warpAffine takes it.

    size is (height, width) of the output, that of the input if none is given; `border` lies around the input.
    )",
    });
