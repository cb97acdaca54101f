// OpenCV's own conversion: the peer on the CPU. It has the one form that bears its name.
#include <opencv2/imgproc.hpp>

#include "ops/gray/operation.hpp"

namespace {
void launch(const GrayArgs& a, Team team) {
    if (a.pixels() == 0) return;
    cv::setNumThreads(team.threads);
    const cv::Mat rgb(static_cast<int>(a.height), static_cast<int>(a.width), CV_8UC3, const_cast<std::uint8_t*>(a.rgb));
    cv::Mat gray(rgb.rows, rgb.cols, CV_8UC1, a.gray);
    cv::cvtColor(rgb, gray, cv::COLOR_RGB2GRAY);
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 30;
    if (static_cast<GrayForm>(problem.variant) != GrayForm::opencv) return "OpenCV computes the form `opencv` only.";
    if (problem.extent[0] > kLargest || problem.extent[1] > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(gray, opencv,
              {
                  .lesson = "cv::cvtColor with COLOR_RGB2GRAY.",
                  .launch = launch,
                  .refuses = refuses,
              });
