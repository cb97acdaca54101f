// What GELU is in double, which sizes it is verified and timed on, and how far float arithmetic and the rounding of a
// result may be off.
#include "ops/gelu/operation.hpp"

#include <lanework/operation.hpp>
#include <type_traits>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kVariants[] = {"erf", "tanh"};
// Around a pack of 4 and of 8 elements, a warp and a block.
constexpr Extents kVerified[] = {extents(0),
                                 extents(1),
                                 extents(3),
                                 extents(7),
                                 extents(8),
                                 extents(9),
                                 extents(31),
                                 extents(1000),
                                 extents(2048),
                                 extents(2051),
                                 extents(4099),
                                 extents(65537),
                                 extents((1 << 20) + 5)};
constexpr Extents kCuda[] = {extents(1 << 28)};
constexpr Extents kSimt[] = {extents(1 << 19)};
constexpr Extents kCpu[] = {extents(1 << 25)};

// Inputs reach from where the result is nearly 0 to where it is x itself.
constexpr float kRange = 8;

constexpr std::uint64_t kFlopsPerElement = 14;  // of the erf form in vectorized.cu; the tanh form has fewer

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<GeluAxes>().n); }

template <class T>
T rounded(double value) {
    const auto f = static_cast<float>(value);
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(f);
    else if constexpr (std::is_same_v<T, bfloat16>)
        return to_bfloat16(f);
    else
        return f;
}

double widened(float x) { return x; }
double widened(float16 x) { return to_float(x); }
double widened(bfloat16 x) { return to_float(x); }

template <class T>
void fill_as(const Problem& p, std::uint64_t seed, void* values) {
    T* const x = static_cast<T*>(values);
    for (std::size_t i = 0; i < count(p); ++i) {
        float uniform = 0;
        fill_uniform(&uniform, 1, random_bits(seed, i));
        x[i] = rounded<T>(kRange * uniform);
    }
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [in] = b.arrays<void>();
    switch (p.dtype) {
        case DType::float16: return fill_as<float16>(p, seed, in);
        case DType::bfloat16: return fill_as<bfloat16>(p, seed, in);
        default: return fill_as<float>(p, seed, in);
    }
}

constexpr Input kInputs[] = {{"constant", "1.23", in_first_array<patterns::constant>},
                             {"alternating", "±1.23", in_first_array<patterns::alternating>},
                             {"ascending", "0, 1, 2, …", in_first_array<patterns::ascending>},
                             {"signed_zeros", "+0, −0, …", in_first_array<patterns::signed_zeros>},
                             {"subnormal", "below the smallest normal number", in_first_array<patterns::subnormal>},
                             {"large", "max/3", in_first_array<patterns::third_of_largest>},
                             {"extremes", "lowest, largest, …", in_first_array<patterns::extremes>},
                             {"infinite", "+∞, −∞, …", in_first_array<patterns::infinities>},
                             {"nan", "random with a NaN", in_first_array<patterns::one_nan>}};

template <class T>
void reference(const GeluArgs<T>& a) {
    for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = rounded<T>(exact_gelu(widened(a.in[i]), a.form));
}

/// What float arithmetic errs by. The result is then rounded to its type, as the reference's is: where they fall on two
/// sides of a tie, they are one step apart.
Tolerance tolerance(const Problem& p) {
    constexpr double kAbsolute = kGeluAbsolute, kRelative = kGeluRelative;
    switch (p.dtype) {
        case DType::float16:
            return {.absolute = kAbsolute + 0x1p-24,
                    .relative = kRelative + 0x1p-10,
                    .signed_zero = true,
                    .reason = "float arithmetic, then one step of float16"};
        case DType::bfloat16:
            return {.absolute = kAbsolute,
                    .relative = kRelative + 0x1p-7,
                    .signed_zero = true,
                    .reason = "float arithmetic, then one step of bfloat16"};
        default:
            return {.absolute = kAbsolute,
                    .relative = kRelative,
                    .signed_zero = true,
                    .reason = "a few roundings of float arithmetic"};
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, count(p)}, {"out", Role::output, p.dtype, count(p)}};
}

}  // namespace

LANEWORK_OPERATION(gelu, {
                             .summary = "y = x·Φ(x)",
                             .axes = GeluAxes::names,
                             .variants = kVariants,
                             .verified = kVerified,
                             .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                             .buffers = buffers,
                             .work = [](const Problem& p) { return work_of(buffers(p), kFlopsPerElement * count(p)); },
                             .fill = fill,
                             .inputs = kInputs,
                             .reference = {reference<float>, reference<float16>, reference<bfloat16>},
                             .tolerance = tolerance,
                         });
