// Four pixels a thread are twelve bytes: three word loads and one word store instead of twelve and four of bytes.
#include "ops/gray/operation.hpp"
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;

template <GrayForm form>
__global__ void vectorized(const std::uint8_t* rgb, std::uint8_t* gray, std::int64_t pixels) {
    const std::int64_t quad = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, pixel = kPixelsPerWord * quad;
    if (pixel + kPixelsPerWord <= pixels) {
        const auto* words = reinterpret_cast<const std::uint32_t*>(rgb) + kWordsPerQuad * quad;
        *reinterpret_cast<std::uint32_t*>(gray + pixel) = gray_of_quad<form>(words[0], words[1], words[2]);
    } else {
        gray_one_by_one<form>(rgb, gray, pixel, pixels);
    }
}

void launch(const GrayArgs& a, cudaStream_t stream) {
    if (a.pixels() == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.pixels(), kThreads * kPixelsPerWord));
    with_form(a.form,
              [&]<GrayForm form>() { vectorized<form><<<blocks, kThreads, 0, stream>>>(a.rgb, a.gray, a.pixels()); });
}
}  // namespace

LANEWORK_RUNG(gray, vectorized,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Four pixels a thread: words straight into registers need no shared memory and no barrier.",
                  .launch = launch,
              });
