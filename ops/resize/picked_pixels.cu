// Where a scale is a whole number and positions meet pixels, as 1080 rows become 360, nothing is weighed: pixels are
// picked, and the rows between them are never read.
#include <algorithm>

#include "ops/resize/strip.cuh"
#include "src/pixels/words.cuh"

namespace {
constexpr int kPicked = 4;  ///< pixels of a lane, next to each other: whole words of the output
constexpr int kPickedRows = 4;

struct PickedImage {
    const std::uint8_t* in;  ///< the first row that is picked
    std::uint8_t* out;
    std::int64_t row_step;  ///< bytes of the input from one picked row to the next
    std::int32_t out_pitch;
    std::int32_t step, first;    ///< pixels of a row: from one that is picked to the next, and the first one
    std::int32_t height, width;  ///< of the output
};

/// The pixel at a byte of a row that begins and ends at words, in the lowest bytes of a word; what the others hold is
/// not said.
template <int channels>
__device__ std::uint32_t load_pixel(const std::uint8_t* row, std::int32_t byte) {
    if constexpr (channels == 1) return __ldg(row + byte);
    const auto word_of = [&](std::int32_t at) {
        return __ldg(reinterpret_cast<const std::uint32_t*>(row + (at & ~3)));
    };
    if constexpr (channels == 4) return word_of(byte);
    return __funnelshift_r(word_of(byte), word_of(byte + 2), 8 * (byte & 3));
}

/// Their bytes, one pixel's after the other's.
template <int channels>
__device__ Words<channels> joined(const std::uint32_t (&pixels)[kPicked]) {
    if constexpr (channels == 1)
        return {{__byte_perm(__byte_perm(pixels[0], pixels[1], 0x0040), __byte_perm(pixels[2], pixels[3], 0x0040),
                             0x5410)}};
    else if constexpr (channels == 3)
        return {{__byte_perm(pixels[0], pixels[1], 0x4210), __byte_perm(pixels[1], pixels[2], 0x5421),
                 __byte_perm(pixels[2], pixels[3], 0x6542)}};
    else
        return {{pixels[0], pixels[1], pixels[2], pixels[3]}};
}

/// A lane's pixels. Where the step is known to the compiler, so is how they lie in the words of their row; a step of 0
/// is not known.
template <int channels, int step, int first>
__device__ void load_picked(std::uint32_t (&pixels)[kPicked], const std::uint8_t* row, std::int32_t x,
                            const PickedImage& image) {
    if (step > 0 && x + kPicked <= image.width) {
        const std::uint8_t* share = row + x * (step * channels);  // begins at a word, as four pixels of the input do
#pragma unroll
        for (int i = 0; i < kPicked; ++i) pixels[i] = load_pixel<channels>(share, (i * step + first) * channels);
    } else {
#pragma unroll
        for (int i = 0; i < kPicked; ++i)
            pixels[i] = load_pixel<channels>(row, (image.first + min(x + i, image.width - 1) * image.step) * channels);
    }
}

template <int channels, int step, int first>
__global__ void __launch_bounds__(kLanes* kPickedRows) picked_pixels(const PickedImage image) {
    const auto x = static_cast<std::int32_t>(blockIdx.x * kLanes + threadIdx.x) * kPicked;
    const auto y = static_cast<std::int32_t>(blockIdx.y * kPickedRows + threadIdx.y);
    if (x >= image.width || y >= image.height) return;
    std::uint32_t pixels[kPicked];
    load_picked<channels, step, first>(pixels, image.in + y * image.row_step, x, image);
    const Words<channels> words = joined<channels>(pixels);
    std::uint8_t* to = image.out + std::int64_t{y} * image.out_pitch + channels * x;
    if (x + kPicked <= image.width && is_aligned(to, kWordBytes)) {
#pragma unroll
        for (int i = 0; i < channels; ++i) reinterpret_cast<std::uint32_t*>(to)[i] = words.word[i];
    } else {
        store_words(to, words, channels * (image.width - x));
    }
}

/// The pixels of an axis that are picked: every step-th one from `first` on; a step of 0 where positions meet no
/// pixels.
struct Picks {
    std::int64_t step = 0, first = 0;

    static Picks of(std::int64_t in, std::int64_t out, Convention convention) {
        const std::int64_t step = in / out;
        const AxisMap map = AxisMap::of(in, out);
        if (step * out != in || map.scale != static_cast<double>(step) || map.float_scale != static_cast<float>(step))
            return {};
        if (convention == Convention::legacy) return {step, 0};
        return step % 2 == 0 ? Picks{} : Picks{step, step / 2};
    }
};

/// Calls body.operator()<step, first>() for the columns that are asked for most, and with a step of 0 for others.
template <class Body>
void with_step(const Picks& columns, const Body& body) {
    if (columns.step == 2) return body.template operator()<2, 0>();
    if (columns.step == 3 && columns.first == 0) return body.template operator()<3, 0>();
    if (columns.step == 3) return body.template operator()<3, 1>();
    if (columns.step == 4) return body.template operator()<4, 0>();
    body.template operator()<0, 0>();
}

/// Calls body(rows, columns) with what is picked of a single image of whole words, if that is all there is to do.
template <class Body>
bool with_picks(const ResizeArgs<std::uint8_t>& a, const Body& body) {
    // In blocks of four rows, fewer than CUDA allows downwards; and positions are exact as floats.
    constexpr std::int64_t kMostHeight = 1 << 17, kMostSide = 1 << 20, kMostPitch = 0x7FFFFFFF;
    if (a.empty() || is_batch(a)) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    if (out.height > kMostHeight || std::max(in.height, in.width) > kMostSide || out.pitch > kMostPitch) return false;
    if (!has_word_rows(in)) return false;
    const Picks rows = Picks::of(in.height, out.height, a.convention),
                columns = Picks::of(in.width, out.width, a.convention);
    if (rows.step == 0 || columns.step == 0) return false;
    body(rows, columns);
    return true;
}

void launch_picks(const ResizeArgs<std::uint8_t>& a, const Picks& rows, const Picks& columns, cudaStream_t stream) {
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const PickedImage image{row_of(in, rows.first),
                            out.pixels,
                            rows.step * in.pitch,
                            static_cast<std::int32_t>(out.pitch),
                            static_cast<std::int32_t>(columns.step),
                            static_cast<std::int32_t>(columns.first),
                            static_cast<std::int32_t>(out.height),
                            static_cast<std::int32_t>(out.width)};
    const dim3 block(kLanes, kPickedRows),
        grid(static_cast<unsigned>(ceil_div(out.width, std::int64_t{kLanes} * kPicked)),
             static_cast<unsigned>(ceil_div(out.height, std::int64_t{kPickedRows})));
    with_channels(in.channels, [&]<int channels>() {
        with_step(columns, [&]<int step, int first>() {
            picked_pixels<channels, step, first><<<grid, block, 0, stream>>>(image);
        });
    });
}

bool has_picks(const ResizeArgs<std::uint8_t>& a) {
    return with_picks(a, [](const Picks&, const Picks&) {});
}
void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    with_picks(a, [&](const Picks& rows, const Picks& columns) { launch_picks(a, rows, columns, stream); });
}
}  // namespace

LANEWORK_RUNG(resize, picked_pixels,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "A whole scale whose positions meet pixels: these are picked, and no others read.",
                  .launch = {launch},
                  .fits = {has_picks},
                  .only = "one image of bytes at a whole scale whose positions meet pixels, rows of whole words",
              });
// mends: instruction_bound
