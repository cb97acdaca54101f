// A network's input as it is made with OpenCV: cv::resize, cv::copyMakeBorder, cv::cvtColor, cv::split and, for each
// plane, cv::Mat::convertTo and cv::add.
#include "ops/tensor/operation.hpp"
#include "src/pixels/fitted_by_opencv.hpp"

namespace {
void exchange_red_and_blue(cv::Mat& image) {
    if (image.channels() == 3) cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
    if (image.channels() == 4) cv::cvtColor(image, image, cv::COLOR_BGRA2RGBA);
}

template <class In>
void compute_one(const TensorArgs<float>& a, std::int64_t k) {
    const ImageView<const In> in = image_of(a.images<In>(), k);
    const FittedImage place =
        fitted(in.height, in.width, a.out.height, a.out.width, a.options.letterbox.fit, a.options.letterbox.scale_up);
    cv::Mat image(static_cast<int>(a.out.height), static_cast<int>(a.out.width),
                  CV_MAKETYPE(cv::DataType<In>::depth, in.channels));
    fitting::fit_with_opencv(in, place, a.options.letterbox, image);
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
    const TensorVariant variant = TensorVariant::of(problem.variant);
    return fitting::opencv_refuses(problem, variant.options.letterbox, variant.float_input);
}
}  // namespace

LANEWORK_RUNG(tensor, opencv,
              {
                  .lesson = "Six functions of OpenCV, each of which writes an image that the next one reads.",
                  .launch = {launch},
                  .refuses = refuses,
              });
