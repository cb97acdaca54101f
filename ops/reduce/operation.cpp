// What the forms are, which sizes it is verified and timed on, and how far a floating-point sum may be off.
#include "ops/reduce/operation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <lanework/operation.hpp>
#include <limits>

#include "ops/reduce/extreme.hpp"
#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kVariants[] = {"sum", "min", "max", "argmin", "argmax"};
// Around a warp, a block, two blocks and a multiple of them; odd numbers of blocks; what one block reads in two tiles;
// enough for three passes of 512 elements a block.
constexpr Extents kVerified[] = {
    extents(0),    extents(1),      extents(2),      extents(31),    extents(32),    extents(33),    extents(255),
    extents(256),  extents(257),    extents(513),    extents(1000),  extents(1023),  extents(1024),  extents(1025),
    extents(4099), extents(16'383), extents(32'765), extents(65536), extents(65537), extents(77777), extents(131'075)};
// What a cluster of blocks reads with all of its loads, and more.
constexpr Extents kVerifiedByHardware[] = {extents(250'001), extents(262'147)};
constexpr Extents kCuda[] = {extents(std::int64_t{1} << 28), extents(100'000'000)};
constexpr Extents kSimt[] = {extents(1 << 18)};
constexpr Extents kCpu[] = {extents(1 << 26)};

// The rung that is made for minima, maxima and their places; the others show the steps.
bool seeks_extreme(const Problem& p) { return static_cast<ReduceForm>(p.variant) != ReduceForm::sum; }
// Sums: what one block reads at one go it reads fastest, then what a cluster does; of more, two chained launches are as
// fast as any or faster (results/h200/limit.json, reduce*.json).
bool sums(const Problem& p) { return !seeks_extreme(p); }
constexpr Preference kChoice[] = {
    {"extremes", seeks_extreme}, {"one_block", sums}, {"one_cluster", sums}, {"chained", sums}};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<ReduceAxes>().n); }
ReduceForm form_of(const Problem& p) { return static_cast<ReduceForm>(p.variant); }
BufferSpec result_of(const Problem& p) {
    return {"out", Role::output, seeks_place(form_of(p)) ? DType::int64 : p.dtype, 1};
}

/// Sums parts of 4096 in a wider type and then the parts: at most 4096 + n/4096 roundings lie on any path, each
/// thousands of times smaller than those of T.
template <class T, class Wide>
void sum(const ReduceArgs<T>& a) {
    constexpr std::int64_t kPart = 4096;
    Wide total = 0;
    for (std::int64_t begin = 0; begin < a.n; begin += kPart) {
        const std::int64_t end = begin + kPart < a.n ? begin + kPart : a.n;
        Wide part = 0;
        for (std::int64_t i = begin; i < end; ++i) part += static_cast<Wide>(a.in[i]);
        total += part;
    }
    *a.out = static_cast<T>(total);
}

void exact_sum(const ReduceArgs<std::int32_t>& a) {
    std::uint32_t total = 0;
    for (std::int64_t i = 0; i < a.n; ++i) total += static_cast<std::uint32_t>(a.in[i]);
    *a.out = static_cast<std::int32_t>(total);
}

/// The first of the elements that are numbers and than which none is smaller, or larger.
template <class T>
void extreme(const ReduceArgs<T>& a) {
    const bool largest = seeks_largest(a.form);
    const T* best = nullptr;
    for (const T* x = a.in; x != a.in + a.n; ++x)
        if (*x == *x && (!best || (largest ? *x > *best : *x < *best))) best = x;
    if (seeks_place(a.form))
        *a.place = best ? best - a.in : -1;
    else
        *a.out = best ? *best : (largest ? nobody<true, T>() : nobody<false, T>()).value;
}

template <class T, auto sum_of>
void reference(const ReduceArgs<T>& a) {
    a.form == ReduceForm::sum ? sum_of(a) : extreme(a);
}

/// Uniform over [0, 1): with one sign, rounding errors cannot hide behind a sum that cancels to nearly nothing, and
/// a float that runs through all the elements loses sight of them.
template <class T>
void fill_positive(void* values, std::size_t elements, std::uint64_t seed) {
    T* const x = static_cast<T*>(values);
    fill_uniform(x, elements, seed);
    for (std::size_t i = 0; i < elements; ++i) x[i] = (x[i] + T{1}) / T{2};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [in] = b.arrays<void>();
    switch (p.dtype) {
        case DType::float32: return fill_positive<float>(in, count(p), seed);
        case DType::float64: return fill_positive<double>(in, count(p), seed);
        default: return fill_uniform(static_cast<std::int32_t*>(in), count(p), seed);
    }
}

template <class T>
void magnitudes(const ReduceArgs<T>& a, double* of) {
    *of = 0;
    for (std::int64_t i = 0; i < a.n; ++i) *of += std::abs(static_cast<double>(a.in[i]));
}

/// Where no element goes through more than d roundings, the sum errs by at most d·ε/2 of Σ|x|, to first order, whatever
/// the signs (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). A tree has d = ⌈log2 n⌉; 2·log2(n)·ε is
/// four such trees: room for threads that first add some elements one by one, for compensated sums, whose d counts as 2
/// (4.3), and for the reference's own rounding. Each rung's file counts its d. One float that adds 10⁸ elements in turn
/// is off by more than half of the sum. Sums of subnormal numbers are exact.
Tolerance tolerance(const Problem& p) {
    if (seeks_place(form_of(p))) return {.reason = "a place is a whole number"};
    if (form_of(p) != ReduceForm::sum && p.dtype == DType::int32)
        return {.reason = "an extreme is one of the elements"};
    if (form_of(p) != ReduceForm::sum)  // less than any two numbers differ by
        return {.absolute = std::numeric_limits<double>::denorm_min(),
                .reason = "an extreme is one of the elements; of zeros of both signs it is either"};
    if (p.dtype == DType::int32) return {.reason = "integers are summed modulo 2^32, in any order"};
    const double epsilon =
        p.dtype == DType::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    const int depth = std::bit_width(static_cast<std::uint64_t>(count(p)));  // floor(log2 n) + 1
    return {.of_magnitude = 2 * depth * epsilon,
            .reason = "2·log2(n)·ε of Σ|x|: four times the worst case of a tree of additions"};
}

std::vector<BufferSpec> buffers(const Problem& p) { return {{"in", Role::input, p.dtype, count(p)}, result_of(p)}; }

}  // namespace

LANEWORK_OPERATION(reduce, {
                               .summary = "s = x[0] + x[1] + … + x[n−1]; or the extreme, or where it is",
                               .axes = ReduceAxes::names,
                               .variants = kVariants,
                               .verified = kVerified,
                               .verified_by_hardware = kVerifiedByHardware,
                               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                               .buffers = buffers,
                               .work = [](const Problem& p) { return work_of(buffers(p), count(p)); },
                               .fill = fill,
                               .inputs = kHardNumbers,
                               .reference = {reference<std::int32_t, exact_sum>, reference<float, sum<float, double>>,
                                             reference<double, sum<double, long double>>},
                               .magnitudes = {magnitudes<float>, magnitudes<double>},
                               .tolerance = tolerance,
                               .choice = kChoice,
                           });
