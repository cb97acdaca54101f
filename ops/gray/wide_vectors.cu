// Sixteen pixels a thread: three 16-byte loads in flight at once and one 16-byte store keep memory busy with few
// instructions.
#include "ops/gray/operation.hpp"
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 128;
constexpr int kPixels = 16;      // a thread's share
constexpr int kVectorLoads = 3;  // 48 bytes

template <GrayForm form>
__global__ void wide_vectors(const std::uint8_t* rgb, std::uint8_t* gray, std::int64_t pixels) {
    const std::int64_t share = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, pixel = kPixels * share;
    if (pixel + kPixels <= pixels) {
        const uint4* in = reinterpret_cast<const uint4*>(rgb) + kVectorLoads * share;
        const uint4 a = in[0], b = in[1], c = in[2];
        uint4 out;
        out.x = gray_of_quad<form>(a.x, a.y, a.z);
        out.y = gray_of_quad<form>(a.w, b.x, b.y);
        out.z = gray_of_quad<form>(b.z, b.w, c.x);
        out.w = gray_of_quad<form>(c.y, c.z, c.w);
        *reinterpret_cast<uint4*>(gray + pixel) = out;
    } else {
        gray_one_by_one<form>(rgb, gray, pixel, pixels);
    }
}

void launch(const GrayArgs& a, cudaStream_t stream) {
    if (a.pixels() == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.pixels(), kThreads * kPixels));
    with_form(a.form,
              [&]<GrayForm form>() { wide_vectors<form><<<blocks, kThreads, 0, stream>>>(a.rgb, a.gray, a.pixels()); });
}
}  // namespace

LANEWORK_RUNG(
    gray, wide_vectors,
    {
        .climbs_from = "vectorized",
        .lesson = "Sixteen pixels a thread: 16-byte accesses, and three loads in flight before the first use.",
        .launch = launch,
    });
