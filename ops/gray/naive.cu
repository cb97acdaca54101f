// One thread a pixel, three byte loads each: a warp asks three times for the same three lines.
#include "ops/gray/operation.hpp"

namespace {
constexpr int kThreads = 256;

template <GrayForm form>
__global__ void naive(const std::uint8_t* rgb, std::uint8_t* gray, std::int64_t pixels) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < pixels) gray[i] = static_cast<std::uint8_t>(gray_of<form>(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]));
}

void launch(const GrayArgs& a, cudaStream_t stream) {
    if (a.pixels() == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.pixels(), kThreads));
    with_form(a.form,
              [&]<GrayForm form>() { naive<form><<<blocks, kThreads, 0, stream>>>(a.rgb, a.gray, a.pixels()); });
}
}  // namespace

LANEWORK_RUNG(
    gray, naive,
    {
        .lesson = "One thread a pixel: three byte loads, each of which touches every line of the warp's pixels.",
        .launch = launch,
    });
