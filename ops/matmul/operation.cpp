// Which products of matrices are verified and timed, and which rung computes them.
#include <algorithm>
#include <lanework/operation.hpp>
#include <vector>

#include "ops/matmul/definition.hpp"
#include "ops/matmul/floats_choice.hpp"
#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

/// The forms of each MatmulEpilogue in turn.
constexpr std::string_view kVariants[] = {"nn",      "nt",           "nn_bias",      "nt_bias",   "nn_gelu",
                                          "nt_gelu", "nn_gelu_tanh", "nt_gelu_tanh", "nn_scaled", "nt_scaled"};
// Empty along each axis, single rows and columns, ragged against tiles of 16, 32, 64 and 128, and exact multiples. The
// last have rows of whole 16 bytes, for what TMA moves: more than one tile each way, and more steps than stages; of
// bytes, 300×16×264 and 72×656×136. Then few columns, the first of them with more terms than are on their way at once,
// and few rows.
constexpr Extents kVerified[] = {
    extents(0, 5, 7),      extents(5, 0, 7),       extents(5, 7, 0),      extents(1, 1, 1),      extents(1, 300, 1),
    extents(132, 1, 20),   extents(20, 1, 132),    extents(1, 64, 300),   extents(300, 64, 1),   extents(300, 16, 264),
    extents(31, 33, 32),   extents(64, 16, 64),    extents(128, 8, 128),  extents(129, 9, 131),  extents(132, 20, 140),
    extents(100, 50, 113), extents(100, 133, 100), extents(129, 40, 264), extents(300, 8, 264),  extents(8, 328, 16),
    extents(72, 656, 136), extents(35, 2120, 8),   extents(300, 72, 8),   extents(1, 1096, 264), extents(3, 1096, 72)};
// Sums of one term, and more than a tile of them each way: 60 000 sums by warps are seconds for each form and type.
constexpr Extents kVerifiedByHardware[] = {extents(300, 1, 200)};
constexpr Extents kCuda[] = {extents(2048, 2048, 2048), extents(1024, 1024, 1024)};
constexpr Extents kSimt[] = {extents(128, 128, 128)};
constexpr Extents kCpu[] = {extents(1024, 1024, 1024)};

/// Integers, which have the plain units alone: few rows, columns or results, by what was faster on an H100
/// (results/h100/matmul-int32-by-size.json, matmul-int32-by-columns-by-size.json). Long columns of B by rows are read
/// worst.
bool is_skinny_of_integers(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const std::int64_t shorter = std::min(m, k), longer = std::max(m, k), mi = std::int64_t{1} << 20;
    const bool by_columns = form_of(p) == MatmulForm::nt;
    if (n < 128 || (longer < 256 && n < 1024)) return false;
    if (shorter <= 32) return true;
    if (shorter <= 128) return m * k <= (by_columns || m <= k ? mi : mi / 8 * 5);
    return m * k <= (by_columns ? 768 * 768 : mi);
}
/// Integers with a part of the work for every multiprocessor, by what was faster on an H200
/// (results/h200/matmul-int32-by-size.json, -by-columns.json; `skinny` as timed on an H100, whose plain units are the
/// same).
bool is_large_of_integers(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr double kMultiplyAdds = 1 << 30;
    return p.dtype == DType::int32 && std::min(m, k) >= 128 && n >= 64 &&
           static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) >= kMultiplyAdds;
}
/// Up to 16 rows of floats, up to 4 columns, of B by columns up to 4 of either, and a large matrix: memory is the
/// limit, and the plain units keep up with it.
bool is_skinny(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    if (p.dtype == DType::int32) return is_skinny_of_integers(p);
    const std::int64_t shorter = std::min(m, k);
    if (std::max(m, k) < 256 || n < 256) return false;
    if (p.dtype != DType::float32) return false;
    return form_of(p) == MatmulForm::nt ? shorter <= 4 : (m <= 16 || k <= 4) && n > 1024 * 1024 / std::max(m, k);
}
/// A vector, or a few, and enough rows for a warp each; of B by rows, enough of its columns for all multiprocessors. A
/// few vectors of 16 bits take tensor cores as long (results/h200/matmul-vector-*.json).
bool is_of_vectors(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const std::int64_t shorter = std::min(m, k), longer = std::max(m, k);
    if (longer < 256 || n < 256) return false;
    if (form_of(p) == MatmulForm::nn && m <= k) return n / 16 <= k;
    return p.dtype == DType::float32
               ? shorter <= 4 && n / 8 <= longer
               : (shorter <= 2 || (shorter <= 4 && n <= 2048)) && n / 8 <= longer && (shorter == 1 || longer / 32 <= n);
}
/// Floats whose few products one wave of 16 × 16 tiles computes: less than splitting them takes.
bool is_tiny(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return p.dtype == DType::float32 && ((m * k <= 96 * 96 && n <= 96) || (m * k <= std::int64_t{512} * 512 && n < 64));
}
/// Few columns of 16 bits: A is read once, as fast as memory brings it.
bool is_narrow(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return k <= 8 || (k <= 16 && m <= 4096);
}
/// Whether all rows that are fetched start on whole lines, if the first does: A's, and B's or, where they lie so, its
/// columns.
bool starts_on_lines(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return n % 64 == 0 && (form_of(p) == MatmulForm::nt || k % 64 == 0);
}
/// Too few tiles of 128 × 256 for all multiprocessors, or one wave of them and little to do. Of sums of 1800 terms or
/// more, whose rows do not start on whole lines, one wave of those (66 pairs of blocks, 256 × 256 each) takes less than
/// two of smaller tiles (results/h200/matmul-bfloat16-split-sums.json, 1800³).
bool is_small(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const bool ragged = m % 8 != 0 || n % 8 != 0 || k % 8 != 0;
    const bool is_one_wave = std::min(m, k) >= 1700 && ceil_div(m, 256) * ceil_div(k, 256) <= 66;
    if (!ragged && !starts_on_lines(p) && n >= 1800 && is_one_wave) return false;
    return m * k < std::int64_t{2048} * 2048 || (m * k <= std::int64_t{2112} * 2112 && (n <= 256 || ragged));
}
/// There is a tile of 256 × 128 for most multiprocessors.
bool fills_large_tiles(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return m * k >= std::int64_t{1536} * 1536 && n >= 64 && std::min(m, k) >= 128;
}
/// Larger tiles than 32 × 32 leave multiprocessors idle, or stand half empty.
bool has_few_results(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return n >= 64 && (m * k <= std::int64_t{512} * 512 || std::min(m, k) <= 16);
}

/// On Hopper tensor cores, for float32 too where there is work enough; before it the plain units. Measured:
/// results/h100/matmul-float32-by-size.json, limit.json for elements of 16 bits, results/h200/matmul-*.json.
constexpr Preference kChoice[] = {{"register_banks", is_large_of_integers},
                                  {"matrix_vector", is_of_vectors},
                                  {"skinny", is_skinny},
                                  {"narrow", is_narrow},
                                  {"shared_tile_16", is_tiny},
                                  {"split_on_arrival", splits_on_arrival},
                                  {"split_sums", is_small},
                                  {"persistent"},
                                  {"split_floats", has_long_sums},
                                  {"asynchronous_copies", fills_large_tiles},
                                  {"shared_tile", has_few_results},
                                  {"double_buffered"},
                                  {"mma_pipelined"}};

std::size_t area(std::int64_t rows, std::int64_t cols) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}
std::size_t a_count(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return area(m, n);
}
std::size_t b_count(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return area(n, k);
}
DType result_type(DType dtype) {
    switch (dtype) {
        case DType::int8: return dtype_of<Result<std::int8_t>>;
        case DType::float8_e4m3: return dtype_of<Result<float8_e4m3>>;
        case DType::tfloat32: return dtype_of<Result<tfloat32>>;
        default: return dtype;
    }
}
std::size_t c_count(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return area(m, k);
}
std::vector<BufferSpec> buffers(const Problem& p) {
    const DType result = result_type(p.dtype);
    const MatmulEpilogue epilogue = epilogue_of(p);
    std::vector<BufferSpec> arrays{{"a", Role::input, p.dtype, a_count(p)}, {"b", Role::input, p.dtype, b_count(p)}};
    if (epilogue != MatmulEpilogue::none)
        arrays.push_back({"bias", Role::input, result, static_cast<std::size_t>(p.lengths<MatmulAxes>().k)});
    if (epilogue == MatmulEpilogue::scaled) arrays.push_back({"addend", Role::input, result, c_count(p)});
    arrays.push_back({"c", Role::output, result, c_count(p)});
    return arrays;
}
Work work(const Problem& p) {
    return work_of(buffers(p), 2 * a_count(p) * static_cast<std::uint64_t>(p.lengths<MatmulAxes>().k));
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto fill_both = [&]<class T>(T) {
        const auto [left, right] = b.arrays<T, T>();
        fill_elements(left, a_count(p), 2 * seed);
        fill_elements(right, b_count(p), 2 * seed + 1);
        const std::vector<BufferSpec> arrays = buffers(p);
        for (std::size_t i = 2; arrays[i].role == Role::input; ++i)
            fill_elements(static_cast<Result<T>*>(b.data[i]), arrays[i].count, random_bits(seed, i));
    };
    switch (p.dtype) {
        case DType::float32: return fill_both(float{});
        case DType::float16: return fill_both(float16{});
        case DType::bfloat16: return fill_both(bfloat16{});
        case DType::int8: return fill_both(std::int8_t{});
        case DType::float8_e4m3: return fill_both(float8_e4m3{});
        case DType::tfloat32: return fill_both(tfloat32{});
        default: return fill_both(std::int32_t{});
    }
}

}  // namespace

LANEWORK_OPERATION(matmul, {
                               .summary = "C[m×k] = A[m×n]·B[n×k]",
                               .axes = MatmulAxes::names,
                               .variants = kVariants,
                               .exists =
                                   [](const Problem& p) {
                                       return activation_of(epilogue_of(p)) == MatmulActivation::none ||
                                              !has_integer_sums(p.dtype);
                                   },
                               .verified = kVerified,
                               .verified_by_hardware = kVerifiedByHardware,
                               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                               .buffers = buffers,
                               .work = work,
                               .fill = fill,
                               .inputs = kHardNumbers,
                               .reference = {reference_product<std::int32_t>, reference_product<float>,
                                             reference_product<float16>, reference_product<bfloat16>,
                                             reference_product<std::int8_t>, reference_product<float8_e4m3>,
                                             reference_product<tfloat32>},
                               .magnitudes = {magnitudes_of_product<float>, magnitudes_of_product<float16>,
                                              magnitudes_of_product<bfloat16>, magnitudes_of_product<float8_e4m3>,
                                              magnitudes_of_product<tfloat32>},
                               .tolerance = product_tolerance,
                               .tolerance_of_random = random_product_tolerance,
                               .choice = kChoice,
                           });
