// A small image is done before the threads of a block have agreed on anything: here they share nothing, and each has
// one pixel. What such a launch takes is how long one thread takes.
#include <algorithm>

#include "ops/resize/word_pairs.cuh"
#include "src/pixels/words.cuh"

namespace {
/// An image as the kernel is told, without what it need not know: what is more than a line of constants, 48 bytes of
/// which are for arguments, a thread waits for once more. Scale is double for the convention opencv, else float.
template <class Scale>
struct LoneImage {
    const std::uint8_t* in;
    std::uint8_t* out;
    Scale row_scale, column_scale;
    std::uint32_t in_pitch, out_pitch;
    std::uint16_t in_height, in_width;
    std::int32_t width;  ///< of the output

    static __device__ AxisMap map_of(double scale, std::int32_t in) { return {scale, 0, in}; }
    static __device__ AxisMap map_of(float scale, std::int32_t in) { return {0, scale, in}; }
    __device__ AxisMap rows() const { return map_of(row_scale, in_height); }
    __device__ AxisMap columns() const { return map_of(column_scale, in_width); }
};
static_assert(sizeof(LoneImage<double>) == 48);

template <Convention convention>
using ScaleOf = std::conditional_t<convention == Convention::opencv, double, float>;

template <class Scale>
Scale scale_of(const AxisMap& map) {
    if constexpr (std::is_same_v<Scale, double>) return map.scale;
    return map.float_scale;
}

/// Two neighbouring pixels of a row, of which one has all of the weight beyond the outermost centres. Only there do the
/// taps of rows and of columns differ.
struct LonePair {
    std::int32_t first;
    float fraction;

    __device__ LonePair(const Tap& tap, std::int32_t width) : first(tap.first), fraction(tap.fraction) {
        if (tap.second == 0) fraction = 0;
        if (tap.first == width - 1) first = width - 2, fraction = 1;
    }
};

/// The pairs at a byte of a row that begins and ends at words; no word without one of their bytes is touched.
template <int channels>
__device__ BytePairs load_lone_pairs(const std::uint8_t* row, std::int32_t byte) {
    const std::int32_t ahead = byte & 3;
    const auto* words = reinterpret_cast<const std::uint32_t*>(row + (byte - ahead));
    const int shift = 8 * ahead;
    const std::uint32_t low = __ldg(words);
    std::uint32_t middle = low;
    if (channels > 1 || ahead == 3) middle = __ldg(words + 1);
    if constexpr (channels == 1) return pairs_of_words<1>(__funnelshift_r(low, middle, shift), 0);
    if constexpr (channels == 4) return pairs_of_words<4>(low, middle);
    std::uint32_t high = middle;
    if (ahead == 3) high = __ldg(words + 2);
    return pairs_of_words<3>(__funnelshift_r(low, middle, shift), __funnelshift_r(middle, high, shift));
}

/// Floats with one instruction less for a product with a byte, at the price of a register for each weight, which a lone
/// pixel has to spare: the byte is put into the mantissa of 2²³, whose own product, which is exact, is taken away
/// before anything is rounded.
template <Convention convention>
struct FusedFloats : FloatWords<convention> {
    template <int c, int second>
    static __device__ float product(const BytePairs& pairs, float weight) {
        constexpr unsigned kSelector = 0x7440u | (2 * (c % 2) + second);
        const std::uint32_t byte = __byte_perm(pairs.words[c / 2], __float_as_uint(kUnits), kSelector);
        return __fmaf_rn(__uint_as_float(byte), weight, -kUnits * weight);
    }
    template <int c>
    static __device__ float along(const typename FloatWords<convention>::Column& weights, const BytePairs& pairs) {
        return product<c, 0>(pairs, weights.first) + product<c, 1>(pairs, weights.second);
    }
};

constexpr int kLoneThreads = 256;
constexpr std::int64_t kSmallShrunk = 500'000, kSmallGrown = 250'000;  ///< pixels of the output; measured
constexpr std::int64_t kMostBlocks = 3072;                             ///< more take longer to begin than to compute

template <Convention convention, int channels>
__global__ void __launch_bounds__(kLoneThreads) lone_pixels(const LoneImage<ScaleOf<convention>> image) {
    using Arithmetic = std::conditional_t<convention == Convention::opencv, OpencvWords, FusedFloats<convention>>;
    using Pixels = WordPairs<channels, Arithmetic, false>;
    const auto x = static_cast<std::int32_t>(blockIdx.x * kLoneThreads + threadIdx.x);
    const auto y = static_cast<std::int32_t>(blockIdx.y);
    if (x >= image.width) return;
    const Tap row = row_tap<convention>(image.rows(), y);
    const LonePair pair(row_tap<convention>(image.columns(), x), image.in_width);
    const std::int32_t byte = channels * pair.first;
    // Where the second row has no weight, the first is taken for it, which is there already; a branch would be one more
    // thing to wait for.
    const auto above = static_cast<std::uint32_t>(row.first),
               below = static_cast<std::uint32_t>(row.fraction != 0 ? row.second : row.first);
    const BytePairs upper = load_lone_pairs<channels>(image.in + std::uint64_t{above} * image.in_pitch, byte);
    const BytePairs lower = load_lone_pairs<channels>(image.in + std::uint64_t{below} * image.in_pitch, byte);
    const typename Pixels::Column weights{byte, channels, Access::aligned,
                                          Arithmetic::column(Tap{0, 0, pair.fraction})};
    const auto samples =
        Pixels::down(Arithmetic::row(row), Pixels::along(upper, weights), Pixels::along(lower, weights));
    std::uint8_t* to = image.out + std::uint64_t{static_cast<std::uint32_t>(y)} * image.out_pitch + x * channels;
    if constexpr (channels == kWordBytes)
        if (is_aligned(to, kWordBytes)) {
            *reinterpret_cast<std::uint32_t*>(to) =
                word_of_results<Arithmetic>(samples.of[0], samples.of[1], samples.of[2], samples.of[3]);
            return;
        }
#pragma unroll
    for (int c = 0; c < channels; ++c) to[c] = static_cast<std::uint8_t>(samples.of[c] >> Arithmetic::kShift);
}

/// Whether it is a single small image of whole words, to be resampled as its convention does it in general.
bool has_lone_pixels(const ResizeArgs<std::uint8_t>& a) {
    constexpr std::int64_t kMostPitch = 0x7FFFFFFF, kMostSide = 0xFFFF;
    if (a.empty() || is_batch(a) || only_maps(a).half) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const std::int64_t blocks = ceil_div(out.width, std::int64_t{kLoneThreads}) * out.height;
    const std::int64_t most = out.height > in.height ? kSmallGrown : kSmallShrunk;
    return out.height * out.width <= most && blocks <= kMostBlocks && in.width >= 2 && has_word_rows(in) &&
           std::max(in.height, in.width) <= kMostSide && std::max(in.pitch, out.pitch) <= kMostPitch;
}

void launch_lone_pixels(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const AxisMap rows = AxisMap::of(in.height, out.height), columns = AxisMap::of(in.width, out.width);
    const dim3 grid(static_cast<unsigned>(ceil_div(out.width, std::int64_t{kLoneThreads})),
                    static_cast<unsigned>(out.height));
    with_convention(a.convention, [&]<Convention convention>() {
        using Scale = ScaleOf<convention>;
        const LoneImage<Scale> image{in.pixels,
                                     out.pixels,
                                     scale_of<Scale>(rows),
                                     scale_of<Scale>(columns),
                                     static_cast<std::uint32_t>(in.pitch),
                                     static_cast<std::uint32_t>(out.pitch),
                                     static_cast<std::uint16_t>(in.height),
                                     static_cast<std::uint16_t>(in.width),
                                     static_cast<std::int32_t>(out.width)};
        with_channels(out.channels, [&]<int channels>() {
            lone_pixels<convention, channels><<<grid, kLoneThreads, 0, stream>>>(image);
        });
    });
}
}  // namespace

LANEWORK_RUNG(resize, lone_pixels,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "A small image by one thread a pixel that shares nothing: time is one thread's latency.",
                  .launch = {launch_lone_pixels},
                  .fits = {has_lone_pixels},
                  .only = "one small image of bytes whose rows are whole words, and no exact half",
              });
// mends: few_blocks
