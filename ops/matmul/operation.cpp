// What a matrix product is, which shapes it is verified and timed on, and how far a float element may be off.
#include "ops/matmul/operation.hpp"

#include <algorithm>
#include <cmath>
#include <lanework/operation.hpp>
#include <limits>
#include <thread>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kAxes[] = {"m", "n", "k"};
// Empty along each axis, single rows and columns, ragged against tiles of 16, 32, 64 and 128, and exact multiples.
constexpr Extents kVerified[] = {
    extents(0, 5, 7),     extents(5, 0, 7),     extents(5, 7, 0),      extents(1, 1, 1),      extents(1, 300, 1),
    extents(300, 1, 200), extents(1, 64, 300),  extents(300, 64, 1),   extents(31, 33, 32),   extents(64, 16, 64),
    extents(128, 8, 128), extents(129, 9, 131), extents(132, 20, 140), extents(100, 50, 113), extents(100, 133, 100)};
constexpr Extents kCuda[] = {extents(2048, 2048, 2048), extents(1024, 1024, 1024)};
constexpr Extents kSimt[] = {extents(128, 128, 128)};
constexpr Extents kCpu[] = {extents(1024, 1024, 1024)};

std::size_t area(std::int64_t rows, std::int64_t cols) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}
std::size_t a_count(const Problem& p) { return area(p.extent[0], p.extent[1]); }
std::size_t b_count(const Problem& p) { return area(p.extent[1], p.extent[2]); }
std::size_t c_count(const Problem& p) { return area(p.extent[0], p.extent[2]); }

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

/// Rows [begin, end) of C, each the sum of B's rows weighted by A's, over parts of B that stay in the cache.
template <class Sum, class T>
void reference_rows(const MatmulArgs<T>& x, std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t kRows = 16, kCols = 512;
    std::vector<Sum> sums(kRows * kCols);
    for (std::int64_t row = begin; row < end; row += kRows) {
        const std::int64_t rows = std::min(kRows, end - row);
        for (std::int64_t col = 0; col < x.k; col += kCols) {
            const std::int64_t cols = std::min(kCols, x.k - col);
            std::fill(sums.begin(), sums.end(), Sum{});
            for (std::int64_t i = 0; i < x.n; ++i)
                for (std::int64_t r = 0; r < rows; ++r)
                    add_multiple(&sums[static_cast<std::size_t>(r * kCols)], static_cast<Sum>(x.a[(row + r) * x.n + i]),
                                 x.b + i * x.k + col, cols);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c)
                    x.c[(row + r) * x.k + col + c] = static_cast<T>(sums[static_cast<std::size_t>(r * kCols + c)]);
        }
    }
}

/// Float is summed in double, int32 modulo 2^32. The definition is serial; rows are independent, and a large product
/// would take minutes on one core.
template <class Sum, class T>
void reference(const MatmulArgs<T>& x) {
    constexpr std::int64_t kWorthAThread = 1 << 22;  // multiplications
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::int64_t threads = std::clamp<std::int64_t>(x.m * x.n * x.k / kWorthAThread, 1, cores);
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < threads; ++t)
        others.emplace_back([&x, t, threads] { reference_rows<Sum>(x, x.m * t / threads, x.m * (t + 1) / threads); });
    reference_rows<Sum>(x, 0, x.m / threads);
}

/// |A|·|B|: the sum of the magnitudes of each element's products.
void magnitudes(const MatmulArgs<float>& x, double* of) {
    std::fill_n(of, x.m * x.k, 0.0);
    for (std::int64_t row = 0; row < x.m; ++row)
        for (std::int64_t i = 0; i < x.n; ++i)
            for (std::int64_t col = 0; col < x.k; ++col)
                of[row * x.k + col] += std::abs(double{x.a[row * x.n + i]} * double{x.b[i * x.k + col]});
}

/// A product goes through at most n roundings, its own and n − 1 additions in whatever order: n·ε/2 of the sum of the
/// magnitudes, to first order (Higham, Accuracy and Stability of Numerical Algorithms, 3.5). Twice that covers the
/// higher orders and the reference's own. Below the normal numbers each product loses up to half of the smallest.
Tolerance tolerance(const Problem& p) {
    if (p.dtype == DType::int32) return {.reason = "integers are multiplied and summed modulo 2^32, in any order"};
    using Float = std::numeric_limits<float>;
    const auto n = static_cast<double>(std::max<std::int64_t>(p.extent[1], 1));
    return {.absolute = n * double{Float::denorm_min()},
            .of_magnitude = n * double{Float::epsilon()},
            .reason = "n·ε of |A|·|B|: n roundings of each product in any order of addition, twice over"};
}

/// With elements in [-1, 1) the n partial sums of an element grow like a random walk, and their roundings add up to a
/// standard deviation of about n·ε/20 (measured). 2·n·ε is forty of those: chance does not reach it, in any order of
/// addition, while TF32 products (11 bits) or a lost term do.
Tolerance tolerance_of_random(const Problem& p) {
    if (p.dtype == DType::int32) return tolerance(p);
    return {.absolute = 2.0 * static_cast<double>(p.extent[1]) * std::numeric_limits<float>::epsilon(),
            .reason = "2·n·ε: forty standard deviations of the rounding of n products of numbers in [-1, 1)"};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto fill_both = [&]<class T>(T) {
        fill_uniform(static_cast<T*>(b.data[0]), a_count(p), 2 * seed);
        fill_uniform(static_cast<T*>(b.data[1]), b_count(p), 2 * seed + 1);
    };
    p.dtype == DType::float32 ? fill_both(float{}) : fill_both(std::int32_t{});
}

}  // namespace

LANEWORK_OPERATION(matmul, {
                               .summary = "C[m×k] = A[m×n]·B[n×k]",
                               .axes = kAxes,
                               .verified = kVerified,
                               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                               .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                                   return {{"a", Role::input, p.dtype, a_count(p)},
                                           {"b", Role::input, p.dtype, b_count(p)},
                                           {"c", Role::output, p.dtype, c_count(p)}};
                               },
                               .work =
                                   [](const Problem& p) {
                                       const std::size_t size = size_of(p.dtype);
                                       return Work{.bytes_read = size * (a_count(p) + b_count(p)),
                                                   .bytes_written = size * c_count(p),
                                                   .flops = 2 * a_count(p) * static_cast<std::uint64_t>(p.extent[2])};
                                   },
                               .fill = fill,
                               .inputs = kHardNumbers,
                               .reference = {reference<std::uint32_t, std::int32_t>, reference<double, float>},
                               .magnitudes = magnitudes,
                               .tolerance = tolerance,
                               .tolerance_of_random = tolerance_of_random,
                           });
