// The resize that is asked for most, an exact half, has a kernel of its own that waits for memory and nothing else.
#include "ops/resize/word_pairs.cuh"

namespace {
/// A thread's share: whole pixels of the input in whole vectors, of each of two rows.
template <int channels>
struct HalfShare {
    static constexpr int vectors = channels == 3 ? 3 : 2, words = 4 * vectors, bytes = 4 * words;
    static constexpr int out_bytes = bytes / 2, pixels = out_bytes / channels;
};

/// Two neighbouring pixels (of one channel, four), `byte` bytes after the begin of a row's words: all of it is known to
/// the compiler.
template <int channels>
__device__ BytePairs pairs_at(const std::uint32_t (&row)[HalfShare<channels>::words + 2], int byte) {
    const int word = byte / 4, shift = 8 * (byte % 4);
    if constexpr (channels == 1)
        return {row[word], 0};
    else
        return pairs_of_words<channels>(__funnelshift_r(row[word], row[word + 1], shift),
                                        __funnelshift_r(row[word + 1], row[word + 2], shift));
}
/// The sum of a channel's two pairs, and what rounds it to nearest, halves up.
template <int c>
__device__ std::uint32_t sum_of_four(const BytePairs& upper, const BytePairs& lower) {
    constexpr std::uint32_t kOnes = 0x00010001u;
    return pair_sum<c>(kOnes, upper) + pair_sum<c>(kOnes, lower) + 2;
}

template <int vectors>
__device__ void words_of_vectors(std::uint32_t (&words)[4 * vectors + 2], const uint4 (&from)[vectors]) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
        words[4 * i] = from[i].x, words[4 * i + 1] = from[i].y;
        words[4 * i + 2] = from[i].z, words[4 * i + 3] = from[i].w;
    }
    words[4 * vectors] = words[4 * vectors + 1] = 0;
}

template <int channels>
__device__ void halve_share(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* to) {
    using Share = HalfShare<channels>;
    uint4 upper[Share::vectors], lower[Share::vectors];
#pragma unroll
    for (int i = 0; i < Share::vectors; ++i) upper[i] = __ldg(reinterpret_cast<const uint4*>(above) + i);
#pragma unroll
    for (int i = 0; i < Share::vectors; ++i) lower[i] = __ldg(reinterpret_cast<const uint4*>(below) + i);
    std::uint32_t upper_words[Share::words + 2], lower_words[Share::words + 2], sums[Share::out_bytes];
    words_of_vectors(upper_words, upper);
    words_of_vectors(lower_words, lower);
    constexpr int kSums = channels == 1 ? 2 : channels;  // at a time
#pragma unroll
    for (int i = 0; i < Share::out_bytes; i += kSums) {
        const BytePairs pairs = pairs_at<channels>(upper_words, 2 * i), others = pairs_at<channels>(lower_words, 2 * i);
        sums[i] = sum_of_four<0>(pairs, others);
        sums[i + 1] = sum_of_four<1>(pairs, others);
        if constexpr (channels >= 3) sums[i + 2] = sum_of_four<2>(pairs, others);
        if constexpr (channels == 4) sums[i + 3] = sum_of_four<3>(pairs, others);
    }
#pragma unroll
    for (int i = 0; i < Share::out_bytes; i += 8)
        *reinterpret_cast<uint2*>(to + i) =
            make_uint2(word_of_results<HalfWords>(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]),
                       word_of_results<HalfWords>(sums[i + 4], sums[i + 5], sums[i + 6], sums[i + 7]));
}

/// The samples that do not fill a share.
template <int channels>
__device__ void halve_rest(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* to, std::int64_t from,
                           std::int64_t samples) {
#pragma unroll 1
    for (std::int64_t i = from; i < samples; ++i) {
        const std::int64_t left = i + i / channels * channels, right = left + channels;
        to[i] = static_cast<std::uint8_t>((above[left] + above[right] + below[left] + below[right] + 2) >> 2);
    }
}

constexpr int kHalfCols = 16, kHalfRows = 8;
constexpr int kHalfBlocks = 16;  ///< on a multiprocessor: as many threads as it holds, of 32 registers each

template <int channels>
__global__ void __launch_bounds__(kHalfCols* kHalfRows, kHalfBlocks)
    wide_halves(const ImageView<const std::uint8_t> in, const ImageView<std::uint8_t> out) {
    using Share = HalfShare<channels>;
    const std::int64_t from = (std::int64_t{blockIdx.x} * kHalfCols + threadIdx.x) * Share::out_bytes;
    // Blocks along z go on where those along y are too many.
    const std::int64_t y =
        (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * kHalfRows + static_cast<std::int64_t>(threadIdx.y);
    const std::int64_t samples = out.width * channels;
    if (from >= samples || y >= out.height) return;
    const std::uint8_t *above = row_of(in, 2 * y), *below = above + in.pitch;
    std::uint8_t* to = row_of(out, y);
    if (from + Share::out_bytes <= samples)
        halve_share<channels>(above + 2 * from, below + 2 * from, to + from);
    else
        halve_rest<channels>(above, below, to, from, samples);
}

/// Whether it is a single image that becomes exactly half as high and wide, with rows that begin at vectors.
bool has_wide_half(const ResizeArgs<std::uint8_t>& a) {
    if (a.empty() || is_batch(a) || !only_maps(a).half) return false;
    const auto in = reinterpret_cast<std::uintptr_t>(a.in.base) + static_cast<std::uintptr_t>(a.in.only.offset);
    const auto out = reinterpret_cast<std::uintptr_t>(a.out.base) + static_cast<std::uintptr_t>(a.out.only.offset);
    return (in | static_cast<std::uintptr_t>(a.in.only.pitch)) % sizeof(uint4) == 0 &&
           (out | static_cast<std::uintptr_t>(a.out.only.pitch)) % sizeof(uint2) == 0;
}

void launch_wide_half(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    with_channels(a.out.channels, [&]<int channels>() {
        dim3 grid = resize_grid(a, HalfShare<channels>::pixels * kHalfCols, kHalfRows);
        grid.z = static_cast<unsigned>(ceil_div(a.out.most_height, std::int64_t{kHalfRows} * grid.y));
        wide_halves<channels><<<grid, dim3(kHalfCols, kHalfRows), 0, stream>>>(image_of(a.in, 0), image_of(a.out, 0));
    });
}
}  // namespace

LANEWORK_RUNG(resize, wide_halves,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "An exact half by 16-byte loads of two rows, all in flight at once; the rest as before.",
                  .launch = {launch_wide_half},
                  .fits = {has_wide_half},
                  .only = "one image of bytes that becomes exactly half as high and wide, rows at whole vectors",
              });
// mends: narrow_vectors, few_loads_in_flight
