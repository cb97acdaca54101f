// Bytes four at a time: vpdpbusd multiplies four of a row of A by four of a column of B and adds them to an int32, in
// each of sixteen columns. It takes one of the two without a sign: B's bytes have 128 added as they are packed, and 128
// times the sum of A's row is taken off where the sums begin. Integers wrap around, so that nothing is lost on the way.
#include <array>
#include <string_view>
#include <utility>

#include "ops/matmul/cpu/quads.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANEWORK_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#endif

namespace {
#if defined(__x86_64__)

/// A tile is kRows × 2 vectors: 28 of 32 registers, and 3 for operands.
struct Vnni {
    static constexpr std::int64_t kRows = 14, kQuads = 1;
    static constexpr std::uint8_t kFlip = 0x80;  // −128 … 127 become 0 … 255
    using Rows = QuadRows<kRows>;

    std::int32_t first[kRows];  ///< what the sums of a row begin with

    LANEWORK_VNNI void begin(const Rows& rows, std::int64_t quads) {
        const __m512i each128 = _mm512_set1_epi8(static_cast<char>(0x80));
        for (std::int64_t r = 0; r < rows.height; ++r) {
            const std::int8_t* const row = rows.data + r * Rows::kPitch;
            __m512i sum = _mm512_setzero_si512();
            std::int64_t at = 0;
            for (; at + 64 <= quads * kQuadBytes; at += 64)
                sum = _mm512_dpbusd_epi32(sum, each128, _mm512_loadu_si512(row + at));
            const __mmask64 rest = (std::uint64_t{1} << (quads * kQuadBytes - at)) - 1;
            sum = _mm512_dpbusd_epi32(sum, each128, _mm512_maskz_loadu_epi8(rest, row + at));
            alignas(64) std::uint32_t parts[16];
            _mm512_store_si512(parts, sum);
            std::uint32_t all = 0;
            for (const std::uint32_t part : parts) all += part;
            first[r] = static_cast<std::int32_t>(0U - all);
        }
    }

    template <int kHeight, int kVectors>
    LANEWORK_VNNI static void tile(const std::int8_t* rows, const std::byte* panel, std::int64_t quads,
                                   const std::int32_t* first, const QuadPlace& place) {
        constexpr std::int64_t kAhead = 16;  // rows of the panel that are on their way from the second cache
        __m512i sums[kHeight][kVectors];
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r)
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_set1_epi32(first[r]);
        for (std::int64_t q = 0; q < quads; ++q, panel += kQuadColumns * kQuadBytes) {
            __m512i b[kVectors];
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) {
                b[v] = _mm512_loadu_si512(panel + 64 * v);
                __builtin_prefetch(panel + kAhead * kQuadColumns * kQuadBytes + 64 * v);
            }
#pragma GCC unroll 16
            for (int r = 0; r < kHeight; ++r) {
                std::int32_t word;
                std::memcpy(&word, rows + r * Rows::kPitch + q * kQuadBytes, sizeof word);
                const __m512i a = _mm512_set1_epi32(word);
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], b[v], a);
            }
        }
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r)
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) {
                const std::int64_t there = place.inside - 16 * v;
                const auto lanes = static_cast<__mmask16>(there >= 16 ? 0xFFFF : there <= 0 ? 0 : (1 << there) - 1);
                std::int32_t* const c = place.c + r * place.pitch + 16 * v;
                const __m512i before = place.onto ? _mm512_maskz_loadu_epi32(lanes, c) : _mm512_setzero_si512();
                _mm512_mask_storeu_epi32(c, lanes, _mm512_add_epi32(before, sums[r][v]));
            }
    }

    using Tile = void (*)(const std::int8_t*, const std::byte*, std::int64_t, const std::int32_t*, const QuadPlace&);
    /// One for each height from 1 on.
    template <int kVectors, int... kBelow>
    static constexpr std::array<Tile, sizeof...(kBelow)> of_heights(std::integer_sequence<int, kBelow...>) {
        return {tile<kBelow + 1, kVectors>...};
    }

    void multiply(const Rows& rows, const std::byte* panel, std::int64_t quads, const QuadPlace& place) const {
        static constexpr auto kHalf = of_heights<1>(std::make_integer_sequence<int, kRows>());
        static constexpr auto kFull = of_heights<2>(std::make_integer_sequence<int, kRows>());
        const auto& tiles = 2 * place.inside <= kQuadColumns ? kHalf : kFull;
        tiles[static_cast<std::size_t>(rows.height - 1)](rows.data, panel, quads, first, place);
    }
};

bool has_vnni() {
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

constexpr PanelKernels<std::int8_t> kKernels{Vnni::kRows, kQuadColumns, kQuadPanelBytes, multiply_quads<Vnni>};

#else
bool has_vnni() { return false; }
constexpr PanelKernels<std::int8_t> kKernels{};
#endif

std::size_t workspace(const MatmulArgs<std::int8_t>& x) { return has_vnni() ? workspace_of_panels(x, kKernels) : 0; }

void launch(const MatmulArgs<std::int8_t>& x, Team team) { multiply_by_panels(x, team, kKernels); }

std::string_view refuses(const Problem&) {
    return has_vnni() ? "" : "multiplies by AVX-512's VNNI, which this processor does not have";
}

bool fits(const MatmulArgs<std::int8_t>& x) { return has_vnni() && has_epilogue(x); }
}  // namespace

LANEWORK_RUNG(matmul, vnni,
              {
                  .climbs_from = "simd",
                  .lesson = "An instruction for products of bytes: four to a sum, where a vector of int32 has one.",
                  .launch = {launch},
                  .workspace = {workspace},
                  .refuses = refuses,
                  .fits = {fits},
                  .only = kGeluOfFloats,
              });
