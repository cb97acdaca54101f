// Two thirds, as 1080 rows become 720: three pixels by three become two by two, and no pixel is in two such squares.
#include <utility>

#include "ops/resize/quarters.cuh"
#include "ops/resize/tile.cuh"

namespace {
/// A lane's share of a row: whole thirds, of 1, 3 and 4 channels alike, in whole words. Lanes that are nine words apart
/// read shared memory without meeting in a bank.
constexpr int kShareWords = 9, kShareBytes = kWordBytes * kShareWords;
constexpr int kOutWords = 6, kOutBytes = kWordBytes * kOutWords;
constexpr int kWarpBytes = kLanes * kShareBytes, kWarpVectors = kWarpBytes / kVectorBytes;
constexpr int kThirdWarps = 2;

/// How four bytes of a share, in three words of it at most, become a word: by a permutation of the first two of these
/// and one of the result and the third.
struct Gathering {
    int words[3] = {};
    unsigned first = 0, second = 0;

    constexpr explicit Gathering(const int (&bytes)[4]) {
        int found = 0;
        for (int word = 0; word < kShareWords; ++word)
            for (int i = 0; i < 4; ++i)
                if (bytes[i] / kWordBytes == word && (found == 0 || words[found - 1] != word)) words[found++] = word;
        for (; found < 3; ++found) words[found] = words[found - 1];
        for (int i = 0; i < 4; ++i) {
            const int word = bytes[i] / kWordBytes, byte = bytes[i] % kWordBytes, place = 4 * i;
            const bool third = word == words[2] && word != words[1];
            first |= static_cast<unsigned>(third ? i : word == words[0] ? byte : 4 + byte) << place;
            second |= static_cast<unsigned>(third ? 4 + byte : i) << place;
        }
    }
    constexpr bool has_third() const { return words[2] != words[1]; }
};

template <int... bytes>
__device__ std::uint32_t gathered(const std::uint32_t (&share)[kShareWords]) {
    constexpr Gathering how({bytes...});
    const std::uint32_t two = __byte_perm(share[how.words[0]], share[how.words[1]], how.first);
    if constexpr (how.has_third()) return __byte_perm(two, share[how.words[2]], how.second);
    return two;
}

/// Half-pixel centres: both outputs weigh the outer pixel of three with ¾, and the one in the middle with ¼.
template <class Quarters>
struct OuterThirds {
    static constexpr int nearer(int output) { return 2 * output; }
    static constexpr int other(int) { return 1; }
    static __device__ std::uint32_t along(std::uint32_t nearer, std::uint32_t other) { return nearer * 3 + other; }
    static __device__ std::uint32_t down(std::uint32_t nearer, std::uint32_t other) {
        return Quarters::both(Quarters::quarter(other), Quarters::three_quarters(nearer));
    }
};
/// Convention legacy: the first output is the first pixel, the second the mean of the two others.
struct LegacyThirds {
    static constexpr int nearer(int output) { return 2 * output; }
    static constexpr int other(int output) { return output; }
    static __device__ std::uint32_t along(std::uint32_t nearer, std::uint32_t other) { return nearer + other; }
    static __device__ std::uint32_t down(std::uint32_t nearer, std::uint32_t other) {
        return rounded_halves((nearer + other) * 64);
    }
};

/// The sums along a row of all samples of a lane's outputs: of samples 4·i and 4·i + 2 in the halves of a word, and of
/// the two that follow these.
template <class Arithmetic, int channels>
struct ThirdSums {
    std::uint32_t even[kOutWords], odd[kOutWords];

    __device__ explicit ThirdSums(const uint4* row, int lane) {
        std::uint32_t share[kShareWords];
#pragma unroll
        for (int i = 0; i < kShareWords; ++i)
            share[i] = reinterpret_cast<const std::uint32_t*>(row)[kShareWords * lane + i];
        [&]<int... word>(std::integer_sequence<int, word...>) { (take<word>(share), ...); }
        (std::make_integer_sequence<int, kOutWords>());
    }
    /// The byte of a share that is weighed for a sample of its output, as the nearer or as the other.
    static constexpr int byte_of(int sample, bool nearer) {
        const int pixel = sample / channels, output = pixel % 2;
        const int of_three = nearer ? Arithmetic::nearer(output) : Arithmetic::other(output);
        return (pixel / 2 * 3 + of_three) * channels + sample % channels;
    }
    template <int word>
    __device__ void take(const std::uint32_t (&share)[kShareWords]) {
        constexpr std::uint32_t kEven = 0x00FF00FFu;
        constexpr unsigned kOdd = 0x4341;
        constexpr int s = kWordBytes * word;
        const std::uint32_t nearer =
            gathered<byte_of(s, true), byte_of(s + 1, true), byte_of(s + 2, true), byte_of(s + 3, true)>(share);
        const std::uint32_t other =
            gathered<byte_of(s, false), byte_of(s + 1, false), byte_of(s + 2, false), byte_of(s + 3, false)>(share);
        even[word] = Arithmetic::along(nearer & kEven, other & kEven);
        odd[word] = Arithmetic::along(__byte_perm(nearer, 0, kOdd), __byte_perm(other, 0, kOdd));
    }
    static __device__ Words<kOutWords> blend(const ThirdSums& nearer, const ThirdSums& other) {
        Words<kOutWords> words;
#pragma unroll
        for (int i = 0; i < kOutWords; ++i)
            words.word[i] = __byte_perm(Arithmetic::down(nearer.even[i], other.even[i]),
                                        Arithmetic::down(nearer.odd[i], other.odd[i]), 0x7351);
        return words;
    }
};

/// Begins to copy a warp's part of a row; where the row ends, zeros follow.
__device__ inline void copy_third(uint4* to, const std::uint8_t* from, std::int32_t left, int lane) {
    const auto* vectors = reinterpret_cast<const uint4*>(from);
#pragma unroll
    for (int first = 0; first < kWarpVectors; first += kLanes) {
        const int i = first + lane;
        if (i >= kWarpVectors) continue;
        const std::int32_t bytes = min(max(left - kVectorBytes * i, 0), kVectorBytes);
        if (left >= kWarpBytes)
            begin_copy(to + i, vectors + i);
        else
            begin_partial_copy(to + i, bytes > 0 ? vectors + i : vectors, bytes);
    }
    end_group();
}

__device__ inline void store_third(std::uint8_t* to, const Words<kOutWords>& words, std::int32_t left) {
    if (left < kOutBytes || !is_aligned(to, 2 * kWordBytes)) return store_words(to, words, left);
#pragma unroll
    for (int i = 0; i < kOutWords; i += 2)
        *reinterpret_cast<uint2*>(to + kWordBytes * i) = make_uint2(words.word[i], words.word[i + 1]);
}

struct ThirdImage {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::int32_t in_pitch, out_pitch;
    std::int32_t in_bytes, out_bytes;  ///< of a row
    std::int32_t squares;              ///< one below the other
};

template <class Arithmetic, int channels>
__global__ void __launch_bounds__(kLanes* kThirdWarps) wide_thirds(const ThirdImage image) {
    using Sums = ThirdSums<Arithmetic, channels>;
    __shared__ uint4 tiles[kThirdWarps][3][kWarpVectors];
    const int lane = static_cast<int>(threadIdx.x);
    const auto square = static_cast<std::int32_t>(blockIdx.y * kThirdWarps + threadIdx.y);
    if (square >= image.squares) return;
    uint4(&tile)[3][kWarpVectors] = tiles[threadIdx.y];
    const std::int32_t first = static_cast<std::int32_t>(blockIdx.x) * kWarpBytes;
    const std::uint8_t* from = image.in + std::int64_t{3 * square} * image.in_pitch + first;
#pragma unroll
    for (int row = 0; row < 3; ++row)
        copy_third(tile[row], from + std::int64_t{row} * image.in_pitch, image.in_bytes - first, lane);
    const std::int32_t out_byte = static_cast<std::int32_t>(blockIdx.x) * (kLanes * kOutBytes) + lane * kOutBytes;
    std::uint8_t* to = image.out + std::int64_t{2 * square} * image.out_pitch + out_byte;
    const std::int32_t left = image.out_bytes - out_byte;
    wait_for_copies<2>();
    const Sums upper(tile[0], lane);
    wait_for_copies<1>();
    const Sums middle(tile[1], lane);
    store_third(to, Sums::blend(upper, Arithmetic::other(0) == 0 ? upper : middle), left);
    wait_for_copies<0>();
    const Sums lower(tile[2], lane);
    store_third(to + image.out_pitch, Sums::blend(lower, middle), left);
}

/// Whether it is a single image that becomes exactly two thirds as high and wide, with input rows that begin at
/// vectors.
bool has_wide_thirds(const ResizeArgs<std::uint8_t>& a) {
    // In blocks of several squares, fewer than CUDA allows downwards; and positions are exact as floats.
    constexpr std::int64_t kMostHeight = 1 << 17, kMostWidth = 1 << 20, kMostPitch = 0x7FFFFFFF;
    if (a.empty() || is_batch(a)) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const auto is_two_thirds = [](std::int64_t from, std::int64_t to) {
        const AxisMap map = AxisMap::of(from, to);
        return 2 * from == 3 * to && map.scale == 1.5 && map.float_scale == 1.5F;
    };
    if (!is_two_thirds(in.height, out.height) || !is_two_thirds(in.width, out.width)) return false;
    return in.height <= kMostHeight && in.width <= kMostWidth && has_vector_rows(in) && in.pitch <= kMostPitch &&
           out.pitch <= kMostPitch;
}

void launch_wide_thirds(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const auto squares = static_cast<std::int32_t>(in.height / 3);
    const ThirdImage image{in.pixels,
                           out.pixels,
                           static_cast<std::int32_t>(in.pitch),
                           static_cast<std::int32_t>(out.pitch),
                           static_cast<std::int32_t>(in.width * in.channels),
                           static_cast<std::int32_t>(out.width * out.channels),
                           squares};
    const dim3 block(kLanes, kThirdWarps),
        grid(static_cast<unsigned>(ceil_div(in.width * in.channels, std::int64_t{kWarpBytes})),
             static_cast<unsigned>(ceil_div(squares, kThirdWarps)));
    with_channels(in.channels, [&]<int channels>() {
        if (a.convention == Convention::opencv)
            wide_thirds<OuterThirds<OpencvQuarters>, channels><<<grid, block, 0, stream>>>(image);
        else if (a.convention == Convention::floating)
            wide_thirds<OuterThirds<FloatQuarters>, channels><<<grid, block, 0, stream>>>(image);
        else
            wide_thirds<LegacyThirds, channels><<<grid, block, 0, stream>>>(image);
    });
}
}  // namespace

LANEWORK_RUNG(resize, wide_thirds,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "Exact two thirds: squares of three pixels that share nothing, each row copied at once.",
                  .launch = {launch_wide_thirds},
                  .fits = {has_wide_thirds},
                  .only = "one image of bytes that becomes exactly two thirds as high and wide, rows at vectors",
              });
// mends: instruction_bound, few_loads_in_flight
