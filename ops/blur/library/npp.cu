// NPP's Gaussian of given weights: the peer on a GPU, and of NPP's the one that can reflect at the border. It sums
// floats and is held against our integers within a stated deviation.
#include "ops/blur/operation.hpp"
#include "src/cuda/check.hpp"
#include "src/peers/npp.hpp"

namespace {
constexpr int kTaps = 3;
using Gauss = int(const std::uint8_t*, int, NppSize, NppPoint, std::uint8_t*, int, NppSize, int, const float*, int,
                  NppStream);

constexpr const char* name_of_blur(std::int64_t channels) {
    return channels == 1   ? "nppiFilterGaussAdvancedBorder_8u_C1R_Ctx"
           : channels == 3 ? "nppiFilterGaussAdvancedBorder_8u_C3R_Ctx"
                           : "nppiFilterGaussAdvancedBorder_8u_C4R_Ctx";
}

/// NPP does not say where it reads its weights, so they lie where both sides reach them.
const float* weights() {
    static const float* const made = [] {
        float* taps = nullptr;
        LANEWORK_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&taps), kTaps * sizeof(float), cudaHostAllocPortable));
        taps[0] = taps[2] = 0.25F;
        taps[1] = 0.5F;
        return taps;
    }();
    return made;
}

void launch(const BlurArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const char* const name = name_of_blur(a.in.channels);
    const NppSize size{static_cast<int>(a.in.width), static_cast<int>(a.in.height)};
    const int status = npp_function<Gauss>(NppPart::filters, name)(
        a.in.pixels, static_cast<int>(a.in.pitch), size, {0, 0}, a.out.pixels, static_cast<int>(a.out.pitch), size,
        kTaps, weights(), kNppMirror, npp_stream(stream));
    check_npp(status, name);
}

std::string_view refuses(const Problem& problem) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 28;
    const auto [height, width, channels, margin] = problem.lengths<ImageAxes>();
    if (margin != 0) return "NPP is measured on whole images: it takes four channels at multiples of four bytes only.";
    if (height > kLargest || width > kLargest) return "NPP's sizes are 32-bit.";
    if (height == 1 || width == 1) return "NPP does not reflect a single row or column.";
    return npp_refusal(NppPart::filters, name_of_blur(channels));
}
}  // namespace

LANEWORK_RUNG(blur, npp,
              {
                  .lesson = "nppiFilterGaussAdvancedBorder with the weights 1/4, 1/2, 1/4 and a mirrored border.",
                  .launch = {launch},
                  .refuses = refuses,
                  .about = npp_version,
                  .deviation = 1,  // level: sums of floats, and an unstated rounding
              });
