// OpenCV's own transform: the peer on the CPU, and where the convention of its name comes from.
#include <limits>
#include <opencv2/imgproc.hpp>

#include "ops/warp/operation.hpp"

namespace {
template <class T>
void launch(const WarpArgs<T>& a, Team team) {
    if (a.empty()) return;
    cv::setNumThreads(team.threads);
    const int type = CV_MAKETYPE(cv::DataType<T>::type, a.in.channels);
    const cv::Mat in(static_cast<int>(a.in.height), static_cast<int>(a.in.width), type, const_cast<T*>(a.in.pixels),
                     static_cast<std::size_t>(a.in.pitch));
    cv::Mat out(static_cast<int>(a.out.height), static_cast<int>(a.out.width), type, a.out.pixels,
                static_cast<std::size_t>(a.out.pitch));
    const cv::Matx23d affine(a.affine.m[0][0], a.affine.m[0][1], a.affine.m[0][2], a.affine.m[1][0], a.affine.m[1][1],
                             a.affine.m[1][2]);
    const cv::Scalar border(a.border[0], a.border[1], a.border[2], a.border[3]);
    cv::warpAffine(in, out, affine, out.size(), cv::INTER_LINEAR, cv::BORDER_CONSTANT, border);
}

std::string_view refuses(const Problem& problem) {
    const ImageShape in = warp_input(problem), out = warp_output(problem);
    if (static_cast<Convention>(problem.variant) != Convention::opencv)
        return "OpenCV computes the convention `opencv` only.";
    if (in.height == 0 || in.width == 0) return "OpenCV does not transform an image without pixels.";
    constexpr std::int64_t kMost = std::numeric_limits<std::int16_t>::max();
    if (in.height >= kMost || in.width >= kMost || out.height >= kMost || out.width >= kMost)
        return "OpenCV's pixels have 16-bit coordinates.";
    return {};
}
}  // namespace

LANEWORK_RUNG(warp, opencv,
              {
                  .lesson = "cv::warpAffine with INTER_LINEAR and BORDER_CONSTANT.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .refuses = refuses,
              });
