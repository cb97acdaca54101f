// expect: wrong — a row's last vector is stored whole, over what lies after the row
// says: lies between the rows of `out`
#include "ops/blur/filter.cuh"

namespace {
constexpr int kSamples = 4;

__global__ void whole_vectors(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t x = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kSamples;
    if (x >= in.width) return;
    for (std::int64_t y = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * blockDim.y) {
        const auto sums = [&](std::int64_t at) {
            return SampleBlur<std::uint8_t, 1>().row(
                load_any_window<std::uint8_t, kSamples, 1>(row_of(in, reflect(at, in.height)), x, in.width));
        };
        const auto words = SampleBlur<std::uint8_t, 1>().result(sums(y - 1), sums(y), sums(y + 1));
        // in.width - x would be right
        store_words(row_of(out, y) + x, words, kSamples);
    }
}

void launch(const BlurArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(32, 4);
    whole_vectors<<<grid_over(ceil_div(a.in.width, std::int64_t{kSamples}), a.in.height, block), block, 0, stream>>>(
        a.in, a.out);
}

std::string_view refuses(const Problem& p) {
    // Of one channel, with something between the rows.
    const auto [height, width, channels, margin] = p.lengths<ImageAxes>();
    return channels == 1 && margin > 0 ? "" : "one channel and a margin";
}
}  // namespace

LANEWORK_RUNG(blur, whole_vectors,
              {.lesson = "Never: what is beyond a row is not ours.", .launch = {launch}, .refuses = refuses});
