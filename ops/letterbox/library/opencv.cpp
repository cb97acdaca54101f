// cv::resize with INTER_LINEAR and cv::copyMakeBorder: what a letterbox is made of on the CPU.
#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_by_opencv.hpp"

namespace {
template <class T>
void launch(const LetterboxArgs<T>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    for (std::int64_t k = 0; k < a.out.count; ++k) {
        const ImageView<const T> in = image_of(a.in, k);
        const FittedImage place =
            fitted(in.height, in.width, a.out.most_height, a.out.most_width, a.options.fit, a.options.scale_up);
        cv::Mat out = fitting::matrix_of(image_of(a.out, k));
        fitting::fit_with_opencv(in, place, a.options, out);
        if (a.to_source) a.to_source[k] = source_transform(place, in.height, in.width);
    }
}

std::string_view refuses(const Problem& problem) {
    return fitting::opencv_refuses(problem, letterbox_options(problem.variant), problem.dtype == DType::float32);
}
}  // namespace

LANEWORK_RUNG(letterbox, opencv,
              {
                  .lesson = "cv::resize into an image of its own, then cv::copyMakeBorder.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .refuses = refuses,
              });
