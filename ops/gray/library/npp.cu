// NPP's conversion to gray: the peer on a GPU. It multiplies by 0.299, 0.587 and 0.114 in float where the form that
// bears OpenCV's name has integers, and is held against that within a stated deviation.
#include "ops/gray/operation.hpp"
#include "src/peers/npp.hpp"

namespace {
using ToGray = int(const std::uint8_t*, int, std::uint8_t*, int, NppSize, NppStream);

constexpr const char* name_of_gray(std::int64_t channels) {
    return channels == 4 ? "nppiRGBToGray_8u_AC4C1R_Ctx" : "nppiRGBToGray_8u_C3C1R_Ctx";
}

void launch(const GrayArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    static ToGray* const colour = npp_function<ToGray>(NppPart::colours, name_of_gray(3));
    static ToGray* const alpha = npp_function<ToGray>(NppPart::colours, name_of_gray(4));
    const int status = (a.in.channels == 4 ? alpha : colour)(
        a.in.pixels, static_cast<int>(a.in.pitch), a.out.pixels, static_cast<int>(a.out.pitch),
        {static_cast<int>(a.in.width), static_cast<int>(a.in.height)}, npp_stream(stream));
    check_npp(status, name_of_gray(a.in.channels));
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 28;
    const auto [form, order] = kGrayVariants[problem.variant];
    if (form != GrayForm::opencv || order != ChannelOrder::rgb) return "NPP is measured on the form `opencv` only.";
    const auto [height, width, channels, margin] = problem.lengths<ImageAxes>();
    if (margin != 0) return "NPP is measured on whole images: it takes four channels at multiples of four bytes only.";
    if (height > kLargest || width > kLargest) return "NPP's sizes are 32-bit.";
    return npp_refusal(NppPart::colours, name_of_gray(channels));
}
}  // namespace

LANEWORK_RUNG(gray, npp,
              {
                  .lesson = "nppiRGBToGray.",
                  .launch = {launch},
                  .refuses = refuses,
                  .about = npp_version,
                  .deviation = 1,  // level: a product of floats, and an unstated rounding
              });
