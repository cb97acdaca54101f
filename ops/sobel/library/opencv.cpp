// OpenCV's 16-bit derivatives and their mean: the peer on the CPU.
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "ops/sobel/operation.hpp"

namespace {
/// Gx and Gy fit 16 bits, so both derivatives are exact; the rounding down of the half is ours to say.
void launch(const SobelArgs& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    const cv::Mat gray(static_cast<int>(a.height), static_cast<int>(a.width), CV_8UC1,
                       const_cast<std::uint8_t*>(a.gray));
    cv::Mat gx, gy;
    cv::Sobel(gray, gx, CV_16S, 1, 0, 3, 1, 0, cv::BORDER_REFLECT_101);
    cv::Sobel(gray, gy, CV_16S, 0, 1, 3, 1, 0, cv::BORDER_REFLECT_101);
    const cv::Mat sum = cv::abs(gx) + cv::abs(gy);
    for (int y = 0; y < gray.rows; ++y) {
        const std::int16_t* from = sum.ptr<std::int16_t>(y);
        std::uint8_t* to = a.edges + y * a.width;
        for (int x = 0; x < gray.cols; ++x) to[x] = static_cast<std::uint8_t>(std::min(from[x] / 2, kBrightest));
    }
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (static_cast<SobelForm>(problem.variant) != SobelForm::half_sum) return "OpenCV is measured on half_sum only.";
    if (problem.extent[0] > kLargest || problem.extent[1] > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(sobel, opencv,
              {
                  .lesson = "cv::Sobel twice to 16 bits, then the mean of the magnitudes.",
                  .launch = launch,
                  .refuses = refuses,
              });
