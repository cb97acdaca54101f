// Two pixels in the 16-bit halves of one register: an addition serves both. And less to add: with the neighbours
// named by compass, Gx + Gy = 2·((e + s + se) − (w + n + nw)) and Gx − Gy = 2·((e + n + ne) − (w + s + sw)), so that
// (|Gx| + |Gy|) / 2 is the larger magnitude of these two diagonal differences, which share sums of adjacent pixels.
#include "ops/sobel/quad.cuh"

namespace {
constexpr int kWords = 2;               // of a thread's strip of pixels
constexpr int kStrip = kWords * kQuad;  // pixels
constexpr int kRowsPerThread = 4;
constexpr int kThreadCols = 32, kThreadRows = 4;
constexpr int kCols = kThreadCols * kStrip, kRows = kThreadRows * kRowsPerThread;

/// A strip as it is loaded and stored at once.
struct alignas(kStrip) Words {
    std::uint32_t word[kWords];
};

constexpr std::uint32_t both(std::uint32_t value) { return value << 16 | value; }

/// Added to differences in both halves, so that neither is negative; a multiple of 256, so that the low byte of a
/// result is what was wanted. Diagonal differences are at most 3·255.
constexpr std::uint32_t kZero = 1024;

/// Pixels x … x+7 of a row with the pixel on either side, continued by reflection.
struct Strip {
    Words pixels;
    std::uint32_t left, right;
};

__device__ std::uint32_t byte_of(std::uint32_t word, int index) { return word >> (8 * index) & 0xFF; }

/// Eight bytes at any address: the aligned words that they touch, shifted.
__device__ Words load_words(const std::uint8_t* from) {
    const int ahead = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % kQuad);
    const auto* words = reinterpret_cast<const std::uint32_t*>(from - ahead);
    Words result;
    std::uint32_t low = words[0];
    for (int i = 0; i < kWords; ++i) {
        const std::uint32_t high = i + 1 < kWords || ahead != 0 ? words[i + 1] : 0;
        result.word[i] = __funnelshift_r(low, high, static_cast<unsigned>(8 * ahead));
        low = high;
    }
    return result;
}

/// A strip that lies in its row; at the row's ends the reflected neighbours are pixels of the strip itself.
template <bool aligned>
__device__ Strip load_whole_strip(const std::uint8_t* from, bool is_first, bool is_last) {
    Strip strip;
    if constexpr (aligned)
        strip.pixels = *reinterpret_cast<const Words*>(from);
    else
        strip.pixels = load_words(from);
    strip.left = is_first ? byte_of(strip.pixels.word[0], 1) : from[-1];
    strip.right = is_last ? byte_of(strip.pixels.word[kWords - 1], kQuad - 2) : from[kStrip];
    return strip;
}

/// A strip that the row's end cuts: word by word.
__device__ Strip load_cut_strip(const std::uint8_t* row, std::int64_t x, std::int64_t width, const std::uint8_t* end) {
    Strip strip{{}, row[reflect(x - 1, width)], 0};
    for (int i = 0; i < kWords && x + kQuad * i < width; ++i) {
        const Quad quad = load_quad(row, x + kQuad * i, width, end);
        strip.pixels.word[i] = quad.pixels;
        strip.right = quad.right;
        // Where the row ends with this word, the pixel after its end is the first of a word that is not loaded.
        if (i + 1 < kWords) strip.pixels.word[i + 1] = quad.right;
    }
    return strip;
}

/// Sums of horizontally adjacent pixels, two a register: of word i, the sums that begin at pixels (−1, 1), (0, 2) and
/// (1, 3) in this order. So a pair's sum with its left neighbours stands before its sum with its right neighbours.
struct Row {
    std::uint32_t sum[kWords][3];

    __device__ std::uint32_t with_left(int pair) const { return sum[pair / 2][pair % 2]; }
    __device__ std::uint32_t with_right(int pair) const { return sum[pair / 2][pair % 2 + 1]; }
};

__device__ Row sums_of(const Strip& strip) {
    std::uint32_t even[kWords + 1], odd[kWords + 2];  // pixels (0, 2) of word i; pixels (1, 3) of word i−1
    odd[0] = strip.left << 16;
    for (int i = 0; i < kWords; ++i) {
        even[i] = strip.pixels.word[i] & both(0xFF);
        odd[i + 1] = strip.pixels.word[i] >> 8 & both(0xFF);
    }
    even[kWords] = strip.right;
    odd[kWords + 1] = 0;
    std::uint32_t from_odd[kWords + 1];  // sums that begin at pixels (−1, 1) of word i
    for (int i = 0; i <= kWords; ++i) from_odd[i] = __funnelshift_l(odd[i], odd[i + 1], 16) + even[i];
    Row row;
    for (int i = 0; i < kWords; ++i) {
        row.sum[i][0] = from_odd[i];
        row.sum[i][1] = even[i] + odd[i + 1];
        row.sum[i][2] = __funnelshift_l(from_odd[i], from_odd[i + 1], 16);
    }
    return row;
}

/// Two edges, in the low byte of each half.
template <SobelForm form>
__device__ std::uint32_t edges_of_pair(const Row& above, const Row& here, const Row& below, int pair) {
    const std::uint32_t east_west = here.with_right(pair) + both(kZero) - here.with_left(pair);
    const std::uint32_t down = east_west + below.with_right(pair) - above.with_left(pair);  // (Gx + Gy) / 2
    const std::uint32_t up = east_west + above.with_right(pair) - below.with_left(pair);    // (Gx − Gy) / 2
    if constexpr (form == SobelForm::half_sum) {
        constexpr std::uint32_t negate = both(2 * kZero);
        const std::uint32_t larger = __vmaxu2(__vmaxu2(down, negate - down), __vmaxu2(up, negate - up));
        return __vminu2(larger, both(kZero + kBrightest));
    } else {
        constexpr int zero = kZero;
        const auto half = [&](int shift) {
            const int d = static_cast<int>(down >> shift & 0xFFFF) - zero,
                      u = static_cast<int>(up >> shift & 0xFFFF) - zero;
            return std::uint32_t{edge_of<form>(d + u, d - u)};
        };
        return half(0) | half(16) << 16;
    }
}

template <SobelForm form, bool aligned>
__device__ void store_edges(std::uint8_t* to, const Row& above, const Row& here, const Row& below, std::int64_t count) {
    constexpr unsigned kInterleave = 0x6240;  // bytes 0 and 2 of the even pair between those of the odd pair
    Words words;
    for (int i = 0; i < kWords; ++i)
        words.word[i] = __byte_perm(edges_of_pair<form>(above, here, below, 2 * i),
                                    edges_of_pair<form>(above, here, below, 2 * i + 1), kInterleave);
    if constexpr (aligned)
        *reinterpret_cast<Words*>(to) = words;
    else
        for (int i = 0; i < kWords; ++i) store_word(to + kQuad * i, words.word[i], count - kQuad * i);
}

template <SobelForm form, bool aligned>
__global__ void packed_pairs(const std::uint8_t* gray, std::uint8_t* edges, std::int64_t height, std::int64_t width) {
    const std::int64_t x = (std::int64_t{blockIdx.x} * kThreadCols + threadIdx.x) * kStrip;
    if (x >= width) return;
    const std::uint8_t* end = gray + height * width;
    const bool is_first = x == 0, is_last = x + kStrip == width, is_whole = x + kStrip <= width;
    const auto row = [&](std::int64_t y) {
        const std::uint8_t* begin = gray + reflect(y, height) * width;
        // Shifted words reach past the strip, so the image's very last strip counts as cut.
        if (aligned || (is_whole && end - (begin + x) >= kStrip + kQuad))
            return sums_of(load_whole_strip<aligned>(begin + x, is_first, is_last));
        return sums_of(load_cut_strip(begin, x, width, end));
    };
    for (std::int64_t first = std::int64_t{blockIdx.y} * kRows + threadIdx.y * kRowsPerThread; first < height;
         first += std::int64_t{gridDim.y} * kRows) {
        Row above = row(first - 1), here = row(first);
#pragma unroll
        for (int i = 0; i < kRowsPerThread; ++i) {
            const std::int64_t y = first + i;
            if (y >= height) break;
            const Row below = row(y + 1);
            store_edges<form, aligned>(edges + y * width + x, above, here, below, width - x);
            above = here;
            here = below;
        }
    }
}

void launch(const SobelArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kThreadCols, kThreadRows);
    const dim3 grid = sobel_grid(a, kCols, kRows);
    with_form(a.form, [&]<SobelForm form>() {
        if (a.width % kStrip == 0)
            packed_pairs<form, true><<<grid, block, 0, stream>>>(a.gray, a.edges, a.height, a.width);
        else
            packed_pairs<form, false><<<grid, block, 0, stream>>>(a.gray, a.edges, a.height, a.width);
    });
}
}  // namespace

LANEWORK_RUNG(
    sobel, packed_pairs,
    {
        .climbs_from = "vectorized",
        .lesson = "Two pixels in the halves of a register, and diagonal differences, which share sums, for Gx and Gy.",
        .launch = launch,
    });
