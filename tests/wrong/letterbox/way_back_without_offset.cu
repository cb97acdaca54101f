// expect: wrong — the transform scales, and forgets where the picture begins
// says: where the reference has
// Boxes found in an output come back shifted by the padding, which nobody sees in images of the output's aspect ratio.
#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_source.hpp"

namespace {
constexpr int kThreads = 128;

__device__ Affine scaling(const FittedImage& place, std::int64_t height, std::int64_t width) {
    // the offsets are −left·x and −top·y
    Affine affine = source_transform(place, height, width);
    affine.m[0][2] = affine.m[1][2] = 0;
    return affine;
}

__global__ void way_back_without_offset(LetterboxArgs<std::uint8_t> a) {
    const std::int64_t height = a.out.most_height, width = a.out.most_width, k = blockIdx.z;
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const auto source = FittedSource<std::uint8_t, Convention::opencv>::of(image_of(a.in, k), height, width, a.options);
    const auto rows = source.rows(y);
    const auto columns = source.columns(x);
    std::uint8_t* const pixel = row_of(image_of(a.out, k), y) + x * a.out.channels;
    for (int c = 0; c < a.out.channels; ++c)
        pixel[c] = rows.first < 0 || columns.first < 0
                       ? static_cast<std::uint8_t>(a.options.pad[static_cast<std::size_t>(c)])
                       : as_sample<std::uint8_t>(source.mixed(rows, columns, c));
    if (x == 0 && y == 0) a.to_source[k] = scaling(source.place, source.image.height, source.image.width);
}

void launch(const LetterboxArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid(static_cast<unsigned>(ceil_div(a.out.most_width, kThreads)),
                    static_cast<unsigned>(a.out.most_height), static_cast<unsigned>(a.out.count));
    way_back_without_offset<<<grid, kThreads, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(letterbox, way_back_without_offset,
              {.lesson = "Never: the way back begins where the picture does.", .launch = {launch}});
