// OpenCV's own blur: the peer on the CPU. Its 8-bit arithmetic is ours.
#include <opencv2/imgproc.hpp>

#include "ops/blur/operation.hpp"

namespace {
void launch(const BlurArgs<std::uint8_t>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    const auto mat = [](const auto& image, void* pixels) {
        return cv::Mat(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC(image.channels), pixels,
                       static_cast<std::size_t>(image.pitch));
    };
    cv::Mat out = mat(a.out, a.out.pixels);
    // A region's neighbours are not its border.
    cv::GaussianBlur(mat(a.in, const_cast<std::uint8_t*>(a.in.pixels)), out, cv::Size(3, 3), 0, 0,
                     cv::BORDER_REFLECT_101 | cv::BORDER_ISOLATED);
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 28;
    const auto [height, width, channels, margin] = problem.lengths<ImageAxes>();
    if (height > kLargest || width > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(blur, opencv,
              {
                  .lesson = "cv::GaussianBlur of 3×3 with sigma 0.",
                  .launch = {launch},
                  .refuses = refuses,
              });
