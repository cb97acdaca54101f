// What OpenCV's rungs of letterbox and tensor share: an image resized and bordered by OpenCV, and what it cannot do.
#pragma once

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "src/pixels/batch_sizes.hpp"
#include "src/pixels/fitted_source.hpp"

namespace lanework::fitting {

template <class T>
cv::Mat matrix_of(const ImageView<T>& image) {
    using Sample = std::remove_const_t<T>;
    return {static_cast<int>(image.height), static_cast<int>(image.width),
            CV_MAKETYPE(cv::DataType<Sample>::depth, image.channels), const_cast<Sample*>(image.pixels),
            static_cast<std::size_t>(image.pitch)};
}

/// Resizes an image by way of one of its own and fills `out` with it and a border.
template <class T>
void fit_with_opencv(const ImageView<const T>& in, const FittedImage& place, const LetterboxOptions& options,
                     cv::Mat& out) {
    const cv::Scalar pad(options.pad[0], options.pad[1], options.pad[2], options.pad[3]);
    if (place.height == 0) {
        out.setTo(pad);
        return;
    }
    cv::Mat resized;
    cv::resize(matrix_of(in), resized, {static_cast<int>(place.width), static_cast<int>(place.height)}, 0, 0,
               cv::INTER_LINEAR);
    const auto top = static_cast<int>(place.top), left = static_cast<int>(place.left);
    cv::copyMakeBorder(resized, out, top, out.rows - resized.rows - top, left, out.cols - resized.cols - left,
                       cv::BORDER_CONSTANT, pad);
}

/// Why OpenCV does not compute this problem as it is defined; empty when it does.
inline std::string_view opencv_refuses(const Problem& p, const LetterboxOptions& options, bool float_samples) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (options.convention != Convention::opencv) return "OpenCV computes the convention `opencv` only.";
    const auto of = p.lengths<Axes>();
    if (std::max({of.height, of.width, of.out_height, of.out_width}) > kLargest) return "OpenCV's sizes are 32-bit.";
    bool halves = false;
    for_each_source(p, [&](std::int64_t height, std::int64_t width, std::int64_t) {
        const FittedImage place = fitted(height, width, of.out_height, of.out_width, options.fit, options.scale_up);
        halves |= place.height > 0 && is_half(height, width, place.height, place.width);
    });
    if (float_samples && halves)
        return "OpenCV sums the four floats of an exact half in an order that depends on the place in the row.";
    return {};
}

}  // namespace lanework::fitting
