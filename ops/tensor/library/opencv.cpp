// A network's input as it is made with OpenCV: cv::resize, cv::copyMakeBorder, cv::cvtColor, cv::split and, for each
// plane, cv::Mat::convertTo and cv::add.
#include <opencv2/imgproc.hpp>

#include "ops/tensor/operation.hpp"
#include "src/image/fit.hpp"
#include "src/image/rows.hpp"

namespace {
template <class In>
cv::Mat letterboxed(const ImageView<const In>& in, const TensorArgs<float>& a, const FittedImage& place) {
    const auto& pads = a.options.letterbox.pad;
    const cv::Scalar pad(pads[0], pads[1], pads[2], pads[3]);
    const int type = CV_MAKETYPE(cv::DataType<In>::depth, in.channels);
    const auto height = static_cast<int>(a.out.height), width = static_cast<int>(a.out.width);
    if (place.height == 0) return {height, width, type, pad};
    const cv::Mat source(static_cast<int>(in.height), static_cast<int>(in.width), type, const_cast<In*>(in.pixels),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat resized, out;
    cv::resize(source, resized, {static_cast<int>(place.width), static_cast<int>(place.height)}, 0, 0,
               cv::INTER_LINEAR);
    const auto top = static_cast<int>(place.top), left = static_cast<int>(place.left);
    cv::copyMakeBorder(resized, out, top, height - resized.rows - top, left, width - resized.cols - left,
                       cv::BORDER_CONSTANT, pad);
    return out;
}

void exchange_red_and_blue(cv::Mat& image) {
    if (image.channels() == 3) cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
    if (image.channels() == 4) cv::cvtColor(image, image, cv::COLOR_BGRA2RGBA);
}

template <class In>
void compute_one(const TensorArgs<float>& a, std::int64_t k) {
    const ImageView<const In> in = image_of(a.images<In>(), k);
    const FittedImage place =
        fitted(in.height, in.width, a.out.height, a.out.width, a.options.letterbox.fit, a.options.letterbox.scale_up);
    cv::Mat image = letterboxed(in, a, place);
    if (a.options.swap_red_blue) exchange_red_and_blue(image);
    std::vector<cv::Mat> samples;
    cv::split(image, samples);
    const Normalisation normalised = Normalisation::of(a.options);
    for (int c = 0; c < a.out.channels; ++c) {
        cv::Mat plane(image.rows, image.cols, CV_32F, a.out.data + (k * a.out.channels + c) * a.plane());
        samples[static_cast<std::size_t>(c)].convertTo(plane, CV_32F, normalised.factor[c]);
        cv::add(plane, cv::Scalar(normalised.offset[c]), plane);
    }
    if (a.to_source) a.to_source[k] = source_transform(place, in.height, in.width);
}

void launch(const TensorArgs<float>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    for (std::int64_t k = 0; k < a.out.count; ++k)
        if (a.float_input)
            compute_one<float>(a, k);
        else
            compute_one<std::uint8_t>(a, k);
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (TensorVariant::of(problem.variant).options.letterbox.convention != Convention::opencv)
        return "OpenCV computes the convention `opencv` only.";
    for (std::size_t axis = 0; axis < 4; ++axis)
        if (problem.extent[axis] > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(tensor, opencv,
              {
                  .lesson = "Six functions of OpenCV, each of which writes an image that the next one reads.",
                  .launch = {launch},
                  .refuses = refuses,
              });
