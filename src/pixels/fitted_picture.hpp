// What operations that fit images into another size have in common: their options, and the way back.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/image.hpp>

#include "src/pixels/image_options.hpp"

namespace lanework {

struct FittedPicture {
    WantedSize size;
    LetterboxOptions letterbox;
    WantedColour pad;

    LetterboxOptions for_channels(int channels) const {
        LetterboxOptions options = letterbox;
        options.pad = pad.of(channels, 114, 255);
        return options;
    }
    FittedImage place_of(const PictureShape& in, const PictureShape& out) const {
        return fit_image(in.height, in.width, out.height, out.width, letterbox.fit, letterbox.scale_up);
    }
};

/// The transforms of images that become nothing, where the processor computes: nowhere is their source. A GPU's memory
/// stays as it is.
inline void write_no_source(Affine* to_source, std::int64_t count, const Target& target) {
    if (to_source && target.kind() == DeviceKind::cpu) std::fill_n(to_source, count, Affine{.m = {}});
}

inline constexpr std::string_view kFits[] = {"centred", "top-left", "stretch"};
/// Those of a FittedPicture that is the first member of the options.
inline constexpr ImageOption kFittedOptions[] = {
    image_options::size(offsetof(FittedPicture, size)),
    image_options::width(offsetof(FittedPicture, size)),
    image_options::height(offsetof(FittedPicture, size)),
    image_options::convention(offsetof(FittedPicture, letterbox.convention)),
    image_options::choice(offsetof(FittedPicture, letterbox.fit), "--fit", "fit", kFits,
                          "centred, top-left or stretch (centred)"),
    image_options::colour(offsetof(FittedPicture, pad), "pad", "Around the picture: {} (114)"),
    image_options::flag(offsetof(FittedPicture, letterbox.scale_up), "--no-scale-up", "scale_up",
                        "small pictures keep their size")};

inline void check_fitted(const ImageStep& step, bool needs_size) {
    const auto& [size, letterbox, pad] = step.as<FittedPicture>();
    if (needs_size && (size.width == 0 || size.height == 0))
        throw UsageError(fmt::format("{}: --size is missing, such as --size 640x640", step.operation().name));
    if (!letterbox.scale_up && letterbox.fit == Fit::stretch)
        throw UsageError("--no-scale-up and --fit stretch exclude each other");
}

inline Affine back_from_fitted(const ImageStep& step, const PictureShape& in, const PictureShape& out) {
    return to_source(step.as<FittedPicture>().place_of(in, out), in.height, in.width);
}

}  // namespace lanework
