// expect: wrong — of an odd pixel of padding the larger part lies above and on the left
// says: where the reference has
// The padding of 17 columns is 8 on the left and 9 on the right; rounded up it is the other way round.
#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_source.hpp"

namespace {
constexpr int kThreads = 128;

template <class Source>
__device__ void move_to_larger_half(Source& source, std::int64_t height, std::int64_t width) {
    source.place.top = (height - source.place.height + 1) / 2;  // without + 1 would be right
    source.place.left = (width - source.place.width + 1) / 2;
}

__global__ void rounded_up_padding(LetterboxArgs<std::uint8_t> a) {
    const std::int64_t height = a.out.most_height, width = a.out.most_width, k = blockIdx.z;
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    auto source = FittedSource<std::uint8_t, Convention::opencv>::of(image_of(a.in, k), height, width, a.options);
    move_to_larger_half(source, height, width);
    const auto rows = source.rows(y);
    const auto columns = source.columns(x);
    std::uint8_t* const pixel = row_of(image_of(a.out, k), y) + x * a.out.channels;
    for (int c = 0; c < a.out.channels; ++c)
        pixel[c] = rows.first < 0 || columns.first < 0
                       ? static_cast<std::uint8_t>(a.options.pad[static_cast<std::size_t>(c)])
                       : as_sample<std::uint8_t>(source.mixed(rows, columns, c));
    if (x == 0 && y == 0) a.to_source[k] = source.to_source();
}

void launch(const LetterboxArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid(static_cast<unsigned>(ceil_div(a.out.most_width, kThreads)),
                    static_cast<unsigned>(a.out.most_height), static_cast<unsigned>(a.out.count));
    rounded_up_padding<<<grid, kThreads, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(letterbox, rounded_up_padding,
              {.lesson = "Never: a half pixel more shifts the whole picture.", .launch = {launch}});
