// What a matrix product is, which shapes it is verified and timed on, and how far an element may be off.
#include "ops/matmul/operation.hpp"

#include <algorithm>
#include <cmath>
#include <lanework/operation.hpp>
#include <limits>
#include <thread>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/gelu.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

/// The forms of each MatmulEpilogue in turn.
constexpr std::string_view kVariants[] = {"nn",      "nt",           "nn_bias",      "nt_bias",   "nn_gelu",
                                          "nt_gelu", "nn_gelu_tanh", "nt_gelu_tanh", "nn_scaled", "nt_scaled"};
// Empty along each axis, single rows and columns, ragged against tiles of 16, 32, 64 and 128, and exact multiples. The
// last have rows of whole 16 bytes, for what TMA moves: more than one tile each way, and more steps than stages; of
// bytes, 300×16×264 and 72×656×136. The very last have few columns, the first of them more terms than are on their way
// at once.
constexpr Extents kVerified[] = {
    extents(0, 5, 7),       extents(5, 0, 7),      extents(5, 7, 0),     extents(1, 1, 1),      extents(1, 300, 1),
    extents(300, 1, 200),   extents(1, 64, 300),   extents(300, 64, 1),  extents(300, 16, 264), extents(31, 33, 32),
    extents(64, 16, 64),    extents(128, 8, 128),  extents(129, 9, 131), extents(132, 20, 140), extents(100, 50, 113),
    extents(100, 133, 100), extents(129, 40, 264), extents(300, 8, 264), extents(8, 328, 16),   extents(72, 656, 136),
    extents(35, 2120, 8),   extents(300, 72, 8)};
constexpr Extents kCuda[] = {extents(2048, 2048, 2048), extents(1024, 1024, 1024)};
constexpr Extents kSimt[] = {extents(128, 128, 128)};
constexpr Extents kCpu[] = {extents(1024, 1024, 1024)};

/// Up to 16 rows of floats: memory is the limit, and the plain units keep up with it.
bool is_skinny(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return m <= 16 && k >= 256 && n >= 256 && p.dtype == DType::float32;
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
/// Too few tiles of 128 × 256 for all multiprocessors, or one wave of them and little to do.
bool is_small(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const bool ragged = m % 8 != 0 || n % 8 != 0 || k % 8 != 0;
    return m * k < std::int64_t{2048} * 2048 || (m * k <= std::int64_t{2112} * 2112 && (n <= 256 || ragged));
}
/// To write pieces of floats takes longer than to split them again for every tile; of B by columns none are written.
bool splits_on_arrival(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    return form_of(p) == MatmulForm::nt || m * k <= std::int64_t{1450} * 1450 || std::min(m, k) <= 256;
}
/// Tiles of 128 × 256 and three pieces of each operand pay.
bool is_large(const Problem& p) { return p.lengths<MatmulAxes>().n >= 64; }
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
constexpr Preference kChoice[] = {{"skinny", is_skinny},
                                  {"narrow", is_narrow},
                                  {"shared_tile_16", is_tiny},
                                  {"split_on_arrival", splits_on_arrival},
                                  {"split_sums", is_small},
                                  {"persistent"},
                                  {"split_floats", is_large},
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
    Work work{.flops = 2 * a_count(p) * static_cast<std::uint64_t>(p.lengths<MatmulAxes>().k)};
    for (const BufferSpec& array : buffers(p))
        (array.role == Role::input ? work.bytes_read : work.bytes_written) += size_of(array.dtype) * array.count;
    return work;
}

/// The compiler makes a version for each width of vector and picks one when the program starts.
#if defined(__x86_64__)
#define LANEWORK_EACH_WIDTH __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define LANEWORK_EACH_WIDTH
#endif

/// sums[j] += factor · row[j], in the sums' type.
LANEWORK_EACH_WIDTH void add_multiple(double* sums, double factor, const float* row, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) sums[j] += factor * static_cast<double>(row[j]);
}
LANEWORK_EACH_WIDTH void add_multiple(std::uint32_t* sums, std::uint32_t factor, const std::int32_t* row,
                                      std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) sums[j] += factor * static_cast<std::uint32_t>(row[j]);
}

/// What a sum becomes at (row, col): exactly, of integers modulo 2^32.
template <class Sum, class T>
Result<T> finished_exactly(const Finish<T>& finish, Sum sum, std::int64_t row, std::int64_t col) {
    Sum number = static_cast<Sum>(finish.alpha) * sum;
    if (finish.adds_bias) number += static_cast<Sum>(widened(finish.bias[col]));
    if (finish.beta != SumOf<T>{0})
        number += static_cast<Sum>(finish.beta) * static_cast<Sum>(widened(finish.c_in[row * finish.c_in_pitch + col]));
    if constexpr (!std::is_integral_v<Sum>) {
        if (finish.activation == MatmulActivation::gelu) number = exact_gelu(number, GeluForm::erf);
        if (finish.activation == MatmulActivation::gelu_tanh) number = exact_gelu(number, GeluForm::tanh);
    }
    return narrowed<Result<T>>(number);
}

/// Rows [begin, end) of C, each the sum of B's rows weighted by A's, over parts of B that stay in the cache.
template <class Sum, class In, class T>
void reference_rows(const In* a, const In* b, const MatmulArgs<T>& x, std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t kRows = 16, kCols = 512;
    std::vector<Sum> sums(kRows * kCols);
    for (std::int64_t row = begin; row < end; row += kRows) {
        const std::int64_t rows = std::min(kRows, end - row);
        for (std::int64_t col = 0; col < x.k; col += kCols) {
            const std::int64_t cols = std::min(kCols, x.k - col);
            std::fill(sums.begin(), sums.end(), Sum{});
            for (std::int64_t i = 0; i < x.n; ++i)
                for (std::int64_t r = 0; r < rows; ++r)
                    add_multiple(&sums[static_cast<std::size_t>(r * kCols)], static_cast<Sum>(a[(row + r) * x.n + i]),
                                 b + i * x.k + col, cols);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c)
                    x.c[(row + r) * x.k + col + c] =
                        finished_exactly(x.finish, sums[static_cast<std::size_t>(r * kCols + c)], row + r, col + c);
        }
    }
}

/// Floats are summed in double, int32 modulo 2^32. The definition is serial; rows are independent, and a large product
/// would take minutes on one core.
template <class Sum, class In, class T>
void reference_of(const In* a, const In* b, const MatmulArgs<T>& x) {
    constexpr std::int64_t kWorthAThread = 1 << 22;  // multiplications
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::int64_t threads = std::clamp<std::int64_t>(x.m * x.n * x.k / kWorthAThread, 1, cores);
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < threads; ++t)
        others.emplace_back([=, &x] { reference_rows<Sum>(a, b, x, x.m * t / threads, x.m * (t + 1) / threads); });
    reference_rows<Sum>(a, b, x, 0, x.m / threads);
}
/// A, and B by rows, in the type in which products are summed: narrower elements are floats or int32, exactly.
template <class T>
std::vector<SumOf<T>> widened_a(const MatmulArgs<T>& x) {
    std::vector<SumOf<T>> wide(area(x.m, x.n));
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = widened(x.a[i]);
    return wide;
}
template <class T>
std::vector<SumOf<T>> widened_b(const MatmulArgs<T>& x) {
    std::vector<SumOf<T>> wide(area(x.n, x.k));
    for (std::int64_t i = 0; i < x.n; ++i)
        for (std::int64_t col = 0; col < x.k; ++col)
            wide[static_cast<std::size_t>(i * x.k + col)] =
                widened(x.b[x.b_by_columns ? col * x.n + i : i * x.k + col]);
    return wide;
}
/// Floats are summed in double and rounded to C's type once, integers modulo 2^32.
template <class T>
void reference(const MatmulArgs<T>& x) {
    using Sum = std::conditional_t<std::is_integral_v<SumOf<T>>, std::uint32_t, double>;
    if constexpr (std::is_same_v<T, SumOf<T>>)
        if (!x.b_by_columns) return reference_of<Sum>(x.a, x.b, x);
    reference_of<Sum>(widened_a(x).data(), widened_b(x).data(), x);
}

/// |alpha|·|A|·|B| + |bias| + |beta·addend|: the sum of the magnitudes of each element's terms.
template <class T>
void magnitudes(const MatmulArgs<T>& x, double* of) {
    const Finish<T>& finish = x.finish;
    const auto magnitude = [](auto number) { return std::abs(double{widened(number)}); };
    std::fill_n(of, x.m * x.k, 0.0);
    const auto b = widened_b(x);
    for (std::int64_t row = 0; row < x.m; ++row) {
        double* const of_row = of + row * x.k;
        for (std::int64_t i = 0; i < x.n; ++i)
            for (std::int64_t col = 0; col < x.k; ++col)
                of_row[col] +=
                    std::abs(double{widened(x.a[row * x.n + i])} * double{b[static_cast<std::size_t>(i * x.k + col)]});
        for (std::int64_t col = 0; col < x.k; ++col) {
            of_row[col] *= std::abs(double{finish.alpha});
            if (finish.adds_bias) of_row[col] += magnitude(finish.bias[col]);
            if (finish.beta != 0)
                of_row[col] += std::abs(double{finish.beta}) * magnitude(finish.c_in[row * finish.c_in_pitch + col]);
        }
    }
}

/// What the rounding of a float to an element of 16 bits adds: the reference's and the result's, half a step each,
/// where steps are a share of the number, or of one size below the normal numbers.
Tolerance rounded_to(DType dtype, Tolerance tolerance) {
    if (dtype == DType::float16) {
        tolerance.relative += 0x1p-10;
        tolerance.absolute += 0x1p-24;
    } else if (dtype == DType::bfloat16 || dtype == DType::float8_e4m3) {
        tolerance.relative += 0x1p-7;
        tolerance.absolute += 0x1p-133;
    }
    return tolerance;
}

constexpr bool has_integer_sums(DType dtype) { return dtype == DType::int32 || dtype == DType::int8; }
constexpr double kOperandsCut = 0x1.004p-9, kEpsilonOfBytes = 0x1p-13;

/// A product goes through at most n roundings, its own and n − 1 additions in whatever order: n·ε/2 of the sum of the
/// magnitudes, to first order (Higham, Accuracy and Stability of Numerical Algorithms, 3.5). Twice that covers the
/// higher orders and the reference's own, or additions that cut off instead of rounding, as tensor cores' do. Below the
/// normal numbers each product loses up to half of the smallest. Products of 16-bit elements are exact in float, and
/// summed there. Two types have more to lose:
/// - tfloat32: bits of the operands beyond the 11 leading ones are rounded or cut off, 2⁻¹⁰ of each operand at most,
///   and a little more than 2⁻⁹ of their product.
/// - float8_e4m3: Hopper's tensor cores keep 13 bits of fraction below the largest of the 32 products and the sum that
///   they add at a time: for ε stands 2⁻¹³, 2⁻¹² twice over.
Tolerance tolerance_of_product(const Problem& p) {
    if (has_integer_sums(p.dtype)) return {.reason = "integers are multiplied and summed modulo 2^32, in any order"};
    using Float = std::numeric_limits<float>;
    const auto n = static_cast<double>(std::max<std::int64_t>(p.lengths<MatmulAxes>().n, 1));
    const double sums = n * double{Float::epsilon()}, below_normal = n * double{Float::denorm_min()};
    switch (p.dtype) {
        case DType::float32:
            return {.absolute = below_normal,
                    .of_magnitude = sums,
                    .reason = "n·ε of |A|·|B|: n roundings of each product in any order of addition, twice over"};
        case DType::tfloat32:
            return {.absolute = below_normal,
                    .of_magnitude = sums + kOperandsCut,
                    .reason = "2⁻⁹ of |A|·|B| for operands cut to 11 bits, then n·ε of it for sums in float"};
        case DType::float8_e4m3:
            return {.absolute = below_normal,
                    .of_magnitude = 2 * n * kEpsilonOfBytes,
                    .reason =
                        "n·2⁻¹² of |A|·|B| for sums of 13 bits below the largest product, "
                        "then one step of bfloat16"};
        default:
            return {.absolute = below_normal,
                    .of_magnitude = sums,
                    .reason = "n·ε of |A|·|B| for sums in float, then one step of the 16-bit type"};
    }
}

/// alpha·sum, bias and beta·addend are added with three roundings, of at most what the magnitudes add up to: 2·ε of
/// them. GELU's slope stays below 1.13, and it errs by what it does in float.
Tolerance finished(const Problem& p, Tolerance of_product, double of_terms) {
    constexpr double kSlope = 1.13, kRoundings = 2 * double{std::numeric_limits<float>::epsilon()};
    const MatmulEpilogue epilogue = epilogue_of(p);
    if (has_integer_sums(p.dtype) || epilogue == MatmulEpilogue::none) return of_product;
    Tolerance tolerance = of_product;
    const bool shares = of_product.of_magnitude > 0;
    const double alpha = epilogue == MatmulEpilogue::scaled ? std::abs(double{kAlpha<float>}) : 1;
    tolerance.absolute *= alpha;
    tolerance.absolute += 4 * double{std::numeric_limits<float>::denorm_min()};
    (shares ? tolerance.of_magnitude : tolerance.absolute) += kRoundings * of_terms;
    tolerance.reason = "as of the product, times alpha; 2·ε of |alpha·A|·|B| + |bias| + |beta·addend| for three sums";
    if (activation_of(epilogue) == MatmulActivation::none) return tolerance;
    tolerance.absolute = kSlope * tolerance.absolute + kGeluAbsolute;
    tolerance.of_magnitude *= kSlope;
    tolerance.relative += kGeluRelative;
    tolerance.reason =
        "1.13 times what the product and the bias may be off by, which is GELU's slope; its own error in "
        "float";
    return tolerance;
}
Tolerance tolerance(const Problem& p) { return rounded_to(p.dtype, finished(p, tolerance_of_product(p), 1)); }

/// With elements in [-1, 1) the n partial sums of an element grow like a random walk, and their roundings add up to a
/// standard deviation of about n·ε/20 (measured). 2·n·ε is forty of those: chance does not reach it, in any order of
/// addition, while TF32 products (11 bits) or a lost term do. Tensor cores cut off what they add, 16 products at a
/// time: the errors, half a step of the partial sum each, all go one way. Of n/16 sums up to 5·√(n/9) (no element of a
/// billion goes further) that is n^1.5·ε/32 at most. Of tfloat32, whose random numbers have 11 bits, 8 are added at a
/// time; of float8_e4m3, 32, with 2⁻¹³ in the place of ε.
Tolerance tolerance_of_random_product(const Problem& p) {
    if (has_integer_sums(p.dtype)) return tolerance_of_product(p);
    const auto n = static_cast<double>(p.lengths<MatmulAxes>().n),
               epsilon = double{std::numeric_limits<float>::epsilon()};
    if (p.dtype == DType::tfloat32)
        return {.absolute = (2 * n + n * std::sqrt(n) / 16) * epsilon,
                .reason = "(2·n + n^1.5/16)·ε: products of 11-bit numbers are exact, and 8 are added at a time"};
    if (p.dtype == DType::float8_e4m3)
        return {.absolute = (2 * n + n * std::sqrt(n) / 32) * kEpsilonOfBytes,
                .reason = "(2·n + n^1.5/32)·2⁻¹³ for sums of 13 bits below the largest product"};
    return {.absolute = (2 * n + n * std::sqrt(n) / 32) * epsilon,
            .reason =
                "(2·n + n^1.5/32)·ε: forty standard deviations of the rounding of n products "
                "of numbers in [-1, 1), and what tensor cores cut off"};
}
/// The terms of a random sum stay below 1.5·(5·√(n/9) + 2).
Tolerance tolerance_of_random(const Problem& p) {
    const double terms = 1.5 * (5 * std::sqrt(static_cast<double>(p.lengths<MatmulAxes>().n)) / 3 + 2);
    return rounded_to(p.dtype, finished(p, tolerance_of_random_product(p), terms));
}

/// Numbers in [-1, 1), or any integers.
template <class T>
void fill_elements(T* values, std::size_t count, std::uint64_t seed) {
    if constexpr (std::is_same_v<T, std::int8_t>) {
        fill_uniform(reinterpret_cast<std::uint8_t*>(values), count, seed);
    } else if constexpr (std::is_class_v<T>) {
        std::vector<float> floats(count);
        fill_uniform(floats.data(), count, seed);
        for (std::size_t i = 0; i < count; ++i) values[i] = narrowed<T>(floats[i]);
    } else {
        fill_uniform(values, count, seed);
    }
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

LANEWORK_OPERATION(matmul,
                   {
                       .summary = "C[m×k] = A[m×n]·B[n×k]",
                       .axes = MatmulAxes::names,
                       .variants = kVariants,
                       .exists =
                           [](const Problem& p) {
                               return activation_of(epilogue_of(p)) == MatmulActivation::none ||
                                      !has_integer_sums(p.dtype);
                           },
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill = fill,
                       .inputs = kHardNumbers,
                       .reference = {reference<std::int32_t>, reference<float>, reference<float16>, reference<bfloat16>,
                                     reference<std::int8_t>, reference<float8_e4m3>, reference<tfloat32>},
                       .magnitudes = {magnitudes<float>, magnitudes<float16>, magnitudes<bfloat16>,
                                      magnitudes<float8_e4m3>, magnitudes<tfloat32>},
                       .tolerance = tolerance,
                       .tolerance_of_random = tolerance_of_random,
                       .choice = kChoice,
                   });
