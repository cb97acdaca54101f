// cv::resize with INTER_LINEAR: the peer on the CPU, and the arithmetic of the convention that bears its name.
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "ops/resize/operation.hpp"

namespace {
template <class T>
cv::Mat matrix_of(const ImageView<T>& image) {
    const int type = CV_MAKETYPE(cv::DataType<std::remove_const_t<T>>::depth, image.channels);
    return {static_cast<int>(image.height), static_cast<int>(image.width), type,
            const_cast<std::remove_const_t<T>*>(image.pixels), static_cast<std::size_t>(image.pitch)};
}

template <class T>
void launch(const ResizeArgs<T>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    for (std::int64_t image = 0; image < a.out.count; ++image) {
        cv::Mat out = matrix_of(image_of(a.out, image));
        cv::resize(matrix_of(image_of(a.in, image)), out, out.size(), 0, 0, cv::INTER_LINEAR);
    }
}

bool has_half(const Problem& problem) {
    bool halves = false;
    for_each_pair(problem, [&](const ImageShape& in, const ImageShape& out, std::int64_t) {
        halves |= is_half(in.height, in.width, out.height, out.width);
    });
    return halves;
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (static_cast<Convention>(problem.variant) != Convention::opencv)
        return "OpenCV computes the convention `opencv` only.";
    const auto of = problem.lengths<ResizeAxes>();
    if (std::max({of.height, of.width, of.out_height, of.out_width}) > kLargest) return "OpenCV's sizes are 32-bit.";
    if (problem.dtype == DType::float32 && has_half(problem))
        return "OpenCV sums the four floats of an exact half in an order that depends on the place in the row.";
    return {};
}
}  // namespace

LANEWORK_RUNG(resize, opencv,
              {
                  .lesson = "cv::resize with INTER_LINEAR.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .refuses = refuses,
              });
