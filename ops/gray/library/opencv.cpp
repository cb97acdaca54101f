// OpenCV's own conversion: the peer on the CPU. It has the one form that bears its name.
#include <opencv2/imgproc.hpp>

#include "ops/gray/operation.hpp"

namespace {
void launch(const GrayArgs<std::uint8_t>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    const auto mat = [](const auto& image, void* pixels) {
        return cv::Mat(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC(image.channels), pixels,
                       static_cast<std::size_t>(image.pitch));
    };
    const bool bgr = a.order == ChannelOrder::bgr, alpha = a.in.channels == 4;
    cv::Mat gray = mat(a.out, a.out.pixels);
    cv::cvtColor(
        mat(a.in, const_cast<std::uint8_t*>(a.in.pixels)), gray,
        bgr ? (alpha ? cv::COLOR_BGRA2GRAY : cv::COLOR_BGR2GRAY) : (alpha ? cv::COLOR_RGBA2GRAY : cv::COLOR_RGB2GRAY));
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (kGrayVariants[problem.variant].form != GrayForm::opencv) return "OpenCV computes the form `opencv` only.";
    const auto [height, width, channels, margin] = problem.lengths<ImageAxes>();
    if (height > kLargest || width > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(gray, opencv,
              {
                  .lesson = "cv::cvtColor with COLOR_RGB2GRAY and its kin.",
                  .launch = {launch},
                  .refuses = refuses,
              });
