// Which products of many matrices are verified and timed, and which rung computes them.
#include "ops/batched_matmul/operation.hpp"

#include <lanework/operation.hpp>

#include "ops/matmul/definition.hpp"
#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"
#include "src/core/in_parts.hpp"

namespace {

constexpr std::string_view kVariants[] = {"nn", "nt"};  // of each MatmulForm
// Empty along each axis, one product, one element, ragged against tiles of 16 and 64; rows and matrices of whole 16
// bytes, which TMA fetches, with more than a tile each way and a last step that is not full; one and few products with
// sums that are split; one row of each, of which the small one is traced, too, and so many short ones that
// a warp has several.
constexpr Extents kVerified[] = {extents(0, 5, 6, 7),       extents(3, 0, 5, 7),      extents(3, 5, 0, 7),
                                 extents(3, 5, 7, 0),       extents(1, 1, 1, 1),      extents(5, 31, 33, 32),
                                 extents(1, 65, 520, 72),   extents(3, 100, 72, 88),  extents(7, 64, 64, 64),
                                 extents(2, 129, 200, 136), extents(4, 40, 1096, 48), extents(3, 200, 24, 320),
                                 extents(3, 1, 1096, 72),   extents(2, 1, 24, 40),    extents(2, 1, 40, 8200)};
// More than a grid has blocks along z, of which each computes a tile that is all but empty: minutes on simt, where a
// test asks `naive` for it, and .ci/run the other rungs. Then many vectors, one, two and three of each product, of each
// number of lanes that a short row has, and of each size of block; and sums that two, four and eight blocks of a
// cluster share.
constexpr Extents kVerifiedByHardware[] = {
    extents(kMostAlongZ + 2, 1, 2, 3), extents(70, 1, 104, 240), extents(70, 2, 72, 240),  extents(70, 3, 72, 240),
    extents(420, 1, 136, 40),          extents(64, 1, 264, 264), extents(100, 1, 520, 40), extents(3, 67, 1736, 80),
    extents(3, 67, 2952, 80),          extents(3, 67, 6416, 80)};
constexpr Extents kCuda[] = {extents(1024, 128, 64, 128), extents(64, 512, 512, 512)};
constexpr Extents kSimt[] = {extents(16, 64, 32, 64)};
constexpr Extents kCpu[] = {extents(64, 128, 64, 128)};

/// A vector, or a few floats', of each product, and blocks enough where the sums are long: 64 products or more where
/// they have more than 4096 terms, which was the most that was measured (results/h200/batched-matmul-vector*.json).
bool is_of_vectors(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    const std::int64_t shorter = std::min(m, k), longer = std::max(m, k);
    return shorter <= (p.dtype == DType::float32 ? 4 : 1) && longer >= 64 && n >= 64 && n / 8 <= products * longer &&
           (n <= 4096 || products >= 64);
}
/// Larger tiles than 32 × 32 stand empty for the most part, of 16 bits those of tensor cores of which a quarter is
/// used.
bool is_small(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    const std::int64_t side = p.dtype == DType::float32 ? 32 : 16;
    return m <= side && k <= side;
}
/// Tiles of 128 × 128 that are not half empty.
bool fills_tiles(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    return m > 64 && k > 64;
}
/// Tiles of 256 × 256 that are not half empty, for most multiprocessors.
bool fills_large_tiles(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    return m > 128 && k > 128 && products * m * k >= std::int64_t{2048} * 2048;
}
/// On Hopper tensor cores. Measured: results/h100/limit.json.
constexpr Preference kChoice[] = {{"matrix_vector", is_of_vectors},
                                  {"register_tile", is_small},
                                  {"persistent", fills_large_tiles},
                                  {"warp_groups"},
                                  {"split_on_arrival"},
                                  {"double_buffered", fills_tiles},
                                  {"register_tile"}};

std::vector<BufferSpec> buffers(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    const auto all = [](auto... lengths) { return (static_cast<std::size_t>(lengths) * ...); };
    return {{"a", Role::input, p.dtype, all(products, m, n)},
            {"b", Role::input, p.dtype, all(products, n, k)},
            {"c", Role::output, p.dtype, all(products, m, k)}};
}
Work work(const Problem& p) {
    const std::vector<BufferSpec> arrays = buffers(p);
    return work_of(arrays, 2 * arrays[0].count * static_cast<std::uint64_t>(p.lengths<BatchedMatmulAxes>().k));
}
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const std::vector<BufferSpec> arrays = buffers(p);
    const auto fill_both = [&]<class T>(T) {
        const auto [left, right] = b.arrays<T, T>();
        fill_elements(left, arrays[0].count, 2 * seed);
        fill_elements(right, arrays[1].count, 2 * seed + 1);
    };
    switch (p.dtype) {
        case DType::float16: return fill_both(float16{});
        case DType::bfloat16: return fill_both(bfloat16{});
        default: return fill_both(float{});
    }
}

template <class T>
MatmulArgs<T> operands(const BatchedMatmulArgs<T>& x, std::int64_t number) {
    return {x.product(number), {}};
}
template <class T>
void reference(const BatchedMatmulArgs<T>& x) {
    // Large products have threads of their own.
    constexpr std::int64_t kWorthAThread = 1 << 22, kLarge = 1 << 26;  // multiplications
    const MatmulArgs<T> first = operands(x, 0);
    const std::int64_t each = std::max<std::int64_t>(first.m * first.n * first.k, 1);
    in_parts(x.products, each >= kLarge ? x.products : kWorthAThread / each, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) reference_product(operands(x, p));
    });
}
template <class T>
void magnitudes(const BatchedMatmulArgs<T>& x, double* of) {
    for (std::int64_t p = 0; p < x.products; ++p) magnitudes_of_product(operands(x, p), of + p * x.to_next_c);
}

}  // namespace

LANEWORK_OPERATION(batched_matmul,
                   {
                       .summary = "C[p] = A[p]·B[p] of each of the products p, each m×k = m×n · n×k",
                       .axes = BatchedMatmulAxes::names,
                       .variants = kVariants,
                       .verified = kVerified,
                       .verified_by_hardware = kVerifiedByHardware,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill = fill,
                       .inputs = kHardNumbers,
                       .reference = {reference<float>, reference<float16>, reference<bfloat16>},
                       .magnitudes = {magnitudes<float>, magnitudes<float16>, magnitudes<bfloat16>},
                       .tolerance = [](const Problem& p) { return product_tolerance(one_product(p)); },
                       .tolerance_of_random = [](const Problem& p) { return random_product_tolerance(one_product(p)); },
                       .choice = kChoice,
                   });
