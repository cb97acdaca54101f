// cv::resize with INTER_LINEAR and cv::copyMakeBorder: what a letterbox is made of on the CPU.
#include <opencv2/imgproc.hpp>

#include "ops/letterbox/operation.hpp"
#include "src/image/fit.hpp"
#include "src/image/rows.hpp"

namespace {
template <class T>
cv::Mat matrix_of(const ImageView<T>& image) {
    using Sample = std::remove_const_t<T>;
    return {static_cast<int>(image.height), static_cast<int>(image.width),
            CV_MAKETYPE(cv::DataType<Sample>::depth, image.channels), const_cast<Sample*>(image.pixels),
            static_cast<std::size_t>(image.pitch)};
}

template <class T>
void fit_one(const ImageView<const T>& in, const ImageView<T>& to, const LetterboxOptions& options) {
    const FittedImage place = fitted(in.height, in.width, to.height, to.width, options.fit, options.scale_up);
    const cv::Scalar pad(options.pad[0], options.pad[1], options.pad[2], options.pad[3]);
    cv::Mat out = matrix_of(to), resized;
    if (place.height == 0) {
        out.setTo(pad);
        return;
    }
    cv::resize(matrix_of(in), resized, {static_cast<int>(place.width), static_cast<int>(place.height)}, 0, 0,
               cv::INTER_LINEAR);
    const auto top = static_cast<int>(place.top), left = static_cast<int>(place.left);
    cv::copyMakeBorder(resized, out, top, out.rows - resized.rows - top, left, out.cols - resized.cols - left,
                       cv::BORDER_CONSTANT, pad);
}

template <class T>
void launch(const LetterboxArgs<T>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    for (std::int64_t k = 0; k < a.out.count; ++k) {
        const ImageView<const T> in = image_of(a.in, k);
        fit_one(in, image_of(a.out, k), a.options);
        if (a.to_source)
            a.to_source[k] = source_transform(
                fitted(in.height, in.width, a.out.most_height, a.out.most_width, a.options.fit, a.options.scale_up),
                in.height, in.width);
    }
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (letterbox_options(problem.variant).convention != Convention::opencv)
        return "OpenCV computes the convention `opencv` only.";
    for (std::size_t axis = 0; axis < 4; ++axis)
        if (problem.extent[axis] > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(letterbox, opencv,
              {
                  .lesson = "cv::resize into an image of its own, then cv::copyMakeBorder.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .refuses = refuses,
              });
