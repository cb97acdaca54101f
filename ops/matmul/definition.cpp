// Products in exact arithmetic, and why an element may be off by so much.
#include "ops/matmul/definition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/gelu.hpp"
#include "src/core/in_parts.hpp"
#include "src/cpu/each_width.hpp"

namespace lanework {
namespace {

std::size_t area(std::int64_t rows, std::int64_t cols) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

/// sums[j] += factor · row[j], in the sums' type.
template <class Sum, class In>
inline void add_row(Sum* sums, Sum factor, const In* row, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) sums[j] += factor * static_cast<Sum>(row[j]);
}
LANEWORK_EACH_WIDTH void add_multiple(double* sums, double factor, const float* row, std::int64_t count) {
    add_row(sums, factor, row, count);
}
LANEWORK_EACH_WIDTH void add_multiple(std::uint32_t* sums, std::uint32_t factor, const std::int32_t* row,
                                      std::int64_t count) {
    add_row(sums, factor, row, count);
}

/// Rows of sums that take rows of B together, as many as there are of each: a sum is read and written once for four
/// terms, a term read once for four sums.
constexpr std::int64_t kTogether = 4;
template <class Sum>
struct Factors {
    Sum of[kTogether][kTogether];  ///< of a row of sums, a row of B
};

/// The same of four rows of sums, to which four rows of B are added one after the other.
template <class Sum, class In>
inline void add_rows(Sum* __restrict s0, Sum* __restrict s1, Sum* __restrict s2, Sum* __restrict s3,
                     const Factors<Sum>& factors, const In* rows, std::int64_t pitch, std::int64_t count) {
    const In *const r0 = rows, *const r1 = r0 + pitch, *const r2 = r1 + pitch, *const r3 = r2 + pitch;
    const auto [f0, f1, f2, f3] = factors.of;
    for (std::int64_t j = 0; j < count; ++j) {
        const auto b0 = static_cast<Sum>(r0[j]), b1 = static_cast<Sum>(r1[j]), b2 = static_cast<Sum>(r2[j]),
                   b3 = static_cast<Sum>(r3[j]);
        s0[j] = s0[j] + f0[0] * b0 + f0[1] * b1 + f0[2] * b2 + f0[3] * b3;
        s1[j] = s1[j] + f1[0] * b0 + f1[1] * b1 + f1[2] * b2 + f1[3] * b3;
        s2[j] = s2[j] + f2[0] * b0 + f2[1] * b1 + f2[2] * b2 + f2[3] * b3;
        s3[j] = s3[j] + f3[0] * b0 + f3[1] * b1 + f3[2] * b2 + f3[3] * b3;
    }
}
LANEWORK_EACH_WIDTH void add_multiples(double* sums, std::int64_t sums_pitch, const Factors<double>& factors,
                                       const float* rows, std::int64_t pitch, std::int64_t count) {
    add_rows(sums, sums + sums_pitch, sums + 2 * sums_pitch, sums + 3 * sums_pitch, factors, rows, pitch, count);
}
LANEWORK_EACH_WIDTH void add_multiples(std::uint32_t* sums, std::int64_t sums_pitch,
                                       const Factors<std::uint32_t>& factors, const std::int32_t* rows,
                                       std::int64_t pitch, std::int64_t count) {
    add_rows(sums, sums + sums_pitch, sums + 2 * sums_pitch, sums + 3 * sums_pitch, factors, rows, pitch, count);
}

/// Adds to rows × cols sums a part of each: depth terms, of A's columns and B's rows.
template <class Sum, class In>
void add_part(Sum* sums, std::int64_t sums_pitch, const In* a, std::int64_t a_pitch, const In* b, std::int64_t b_pitch,
              std::int64_t rows, std::int64_t depth, std::int64_t cols) {
    const auto factor = [&](std::int64_t row, std::int64_t i) { return static_cast<Sum>(a[row * a_pitch + i]); };
    for (std::int64_t row = 0; row < rows; row += kTogether) {
        const bool whole = row + kTogether <= rows;
        std::int64_t i = 0;
        for (; whole && i + kTogether <= depth; i += kTogether) {
            Factors<Sum> factors;
            for (std::int64_t r = 0; r < kTogether; ++r)
                for (std::int64_t term = 0; term < kTogether; ++term) factors.of[r][term] = factor(row + r, i + term);
            add_multiples(sums + row * sums_pitch, sums_pitch, factors, b + i * b_pitch, b_pitch, cols);
        }
        for (; i < depth; ++i)
            for (std::int64_t r = row; r < std::min(row + kTogether, rows); ++r)
                add_multiple(sums + r * sums_pitch, factor(r, i), b + i * b_pitch, cols);
    }
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
    // Many products are tiny: no more sums than there are.
    const std::int64_t most_rows = std::min<std::int64_t>(64, end - begin),
                       most_cols = std::min<std::int64_t>(512, x.k);
    constexpr std::int64_t kMostDepth = 128;
    if (most_rows <= 0 || most_cols <= 0) return;
    std::vector<Sum> sums(area(most_rows, most_cols));
    for (std::int64_t row = begin; row < end; row += most_rows) {
        const std::int64_t rows = std::min(most_rows, end - row);
        for (std::int64_t col = 0; col < x.k; col += most_cols) {
            const std::int64_t cols = std::min(most_cols, x.k - col);
            std::fill(sums.begin(), sums.end(), Sum{});
            for (std::int64_t i = 0; i < x.n; i += kMostDepth)
                add_part(sums.data(), most_cols, a + row * x.n + i, x.n, b + i * x.k + col, x.k, rows,
                         std::min(kMostDepth, x.n - i), cols);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c)
                    x.c[(row + r) * x.k + col + c] = finished_exactly(
                        x.finish, sums[area(r, most_cols) + static_cast<std::size_t>(c)], row + r, col + c);
        }
    }
}

constexpr std::int64_t kElementsWorthAThread = 1 << 20;

/// Floats are summed in double, int32 modulo 2^32. The definition is serial; rows are independent, and a large product
/// would take minutes on one core.
template <class Sum, class In, class T>
void reference_of(const In* a, const In* b, const MatmulArgs<T>& x) {
    constexpr std::int64_t kWorthAThread = 1 << 22;  // multiplications
    in_parts(x.m, kWorthAThread / std::max<std::int64_t>(x.n * x.k, 1),
             [&](std::int64_t begin, std::int64_t end) { reference_rows<Sum>(a, b, x, begin, end); });
}
/// A, and B by rows, in the type in which products are summed: narrower elements are floats or int32, exactly.
template <class T>
std::vector<SumOf<T>> widened_a(const MatmulArgs<T>& x) {
    std::vector<SumOf<T>> wide(area(x.m, x.n));
    in_parts(x.m * x.n, kElementsWorthAThread, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) wide[static_cast<std::size_t>(i)] = widened(x.a[i]);
    });
    return wide;
}
template <class T>
std::vector<SumOf<T>> widened_b(const MatmulArgs<T>& x) {
    constexpr std::int64_t kBlock = 64;  // columns, each a line of B where it lies by columns
    std::vector<SumOf<T>> wide(area(x.n, x.k));
    in_parts(x.n, kElementsWorthAThread / std::max<std::int64_t>(x.k, 1), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t first = 0; first < x.k; first += kBlock)
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t col = first; col < std::min(first + kBlock, x.k); ++col)
                    wide[static_cast<std::size_t>(i * x.k + col)] =
                        widened(x.b[x.b_by_columns ? col * x.n + i : i * x.k + col]);
    });
    return wide;
}
}  // namespace

template <class T>
void reference_product(const MatmulArgs<T>& x) {
    using Sum = std::conditional_t<std::is_integral_v<SumOf<T>>, std::uint32_t, double>;
    if constexpr (std::is_same_v<T, SumOf<T>>)
        if (!x.b_by_columns) return reference_of<Sum>(x.a, x.b, x);
    reference_of<Sum>(widened_a(x).data(), widened_b(x).data(), x);
}

template <class T>
void magnitudes_of_product(const MatmulArgs<T>& x, double* of) {
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

namespace {

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
}  // namespace

Tolerance product_tolerance(const Problem& p) { return rounded_to(p.dtype, finished(p, tolerance_of_product(p), 1)); }

namespace {

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
}  // namespace

// The terms of a random sum stay below 1.5·(5·√(n/9) + 2).
Tolerance random_product_tolerance(const Problem& p) {
    const double terms = 1.5 * (5 * std::sqrt(static_cast<double>(p.lengths<MatmulAxes>().n)) / 3 + 2);
    return rounded_to(p.dtype, finished(p, tolerance_of_random_product(p), terms));
}

template <class T>
void fill_elements(T* values, std::size_t count, std::uint64_t seed) {
    if constexpr (std::is_same_v<T, std::int8_t>) {
        fill_uniform(reinterpret_cast<std::uint8_t*>(values), count, seed);
    } else if constexpr (std::is_class_v<T>) {
        std::vector<float> floats(count);
        fill_uniform(floats.data(), count, seed);
        in_parts(static_cast<std::int64_t>(count), kElementsWorthAThread, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) values[i] = narrowed<T>(floats[static_cast<std::size_t>(i)]);
        });
    } else {
        fill_uniform(values, count, seed);
    }
}

#define LANEWORK_DEFINE(T)                                    \
    template void reference_product<T>(const MatmulArgs<T>&); \
    template void fill_elements<T>(T*, std::size_t, std::uint64_t)
#define LANEWORK_DEFINE_OF_FLOATS(T) \
    LANEWORK_DEFINE(T);              \
    template void magnitudes_of_product<T>(const MatmulArgs<T>&, double*)
LANEWORK_DEFINE(std::int32_t);
LANEWORK_DEFINE(std::int8_t);
LANEWORK_DEFINE_OF_FLOATS(float);
LANEWORK_DEFINE_OF_FLOATS(float16);
LANEWORK_DEFINE_OF_FLOATS(bfloat16);
LANEWORK_DEFINE_OF_FLOATS(float8_e4m3);
LANEWORK_DEFINE_OF_FLOATS(tfloat32);
#undef LANEWORK_DEFINE
#undef LANEWORK_DEFINE_OF_FLOATS

}  // namespace lanework
