// OpenCV's 16-bit derivatives, and the half of the sum of their magnitudes: the peer on the CPU.
#include <algorithm>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "ops/sobel/operation.hpp"

namespace {
/// Derivatives of 8-bit samples fit 16 bits, so they are exact. A region's neighbours are not its border.
cv::Mat derivative(const SobelArgs<std::uint8_t>& a, bool along_x, cv::Mat result = {}) {
    const cv::Mat in(static_cast<int>(a.in.height), static_cast<int>(a.in.width), CV_8UC(a.in.channels),
                     const_cast<std::uint8_t*>(a.in.pixels), static_cast<std::size_t>(a.in.pitch));
    cv::Sobel(in, result, CV_16S, along_x ? 1 : 0, along_x ? 0 : 1, 3, 1, 0,
              cv::BORDER_REFLECT_101 | cv::BORDER_ISOLATED);
    return result;
}

/// The rounding down of the half is ours to say.
void half_sums(const SobelArgs<std::uint8_t>& a) {
    const cv::Mat gx = derivative(a, true), gy = derivative(a, false);
    const std::int64_t length = a.samples();
    for (int row = 0; row < gx.rows; ++row) {
        const std::int16_t *x = gx.ptr<std::int16_t>(row), *y = gy.ptr<std::int16_t>(row);
        std::uint8_t* to = a.edges.pixels + row * a.edges.pitch;
        for (std::int64_t i = 0; i < length; ++i)
            to[i] = static_cast<std::uint8_t>(std::min((std::abs(x[i]) + std::abs(y[i])) >> 1, kBrightest));
    }
}

void launch(const SobelArgs<std::uint8_t>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    if (!is_derivative(a.output)) return half_sums(a);
    const auto& out = a.derivative;
    derivative(a, a.output == SobelOutput::gx,
               cv::Mat(static_cast<int>(out.height), static_cast<int>(out.width), CV_16SC(out.channels), out.pixels,
                       static_cast<std::size_t>(out.pitch)));
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 28;
    if (static_cast<SobelOutput>(problem.variant) == SobelOutput::magnitude)
        return "OpenCV is measured on half_sum and on the derivatives.";
    const auto [height, width, channels, margin] = problem.lengths<ImageAxes>();
    if (height > kLargest || width > kLargest) return "OpenCV's sizes are 32-bit.";
    return {};
}
}  // namespace

LANEWORK_RUNG(sobel, opencv,
              {
                  .lesson = "cv::Sobel to 16 bits; of both derivatives, the half of the magnitudes' sum.",
                  .launch = {launch},
                  .refuses = refuses,
              });
