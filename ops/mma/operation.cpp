// What repeated products of two tiles are, and which numbers of tiles and steps they are verified and timed on.
#include "ops/mma/operation.hpp"

#include <algorithm>
#include <cmath>
#include <lanework/operation.hpp>
#include <limits>
#include <type_traits>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 3), extents(1, 0), extents(1, 1), extents(3, 5)};
constexpr Extents kCuda[] = {extents(528, 2048)};  // twice as many as an H200 works on at once
constexpr Extents kSimt[] = {extents(1, 4)};
constexpr Extents kCpu[] = {extents(1, 4)};

std::size_t elements_of_a(DType type) { return static_cast<std::size_t>(kMmaRows * mma_depth(type)); }
std::size_t elements_of_b(DType type) { return static_cast<std::size_t>(kMmaCols * mma_depth(type)); }
DType type_of_sums(DType type) { return type == DType::int8 ? DType::int32 : DType::float32; }
constexpr std::size_t kElementsOfTile = kMmaRows * kMmaCols;
std::size_t c_count(const Problem& p) { return static_cast<std::size_t>(p.lengths<MmaAxes>().tiles) * kElementsOfTile; }

template <class T>
T rounded(float value) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(value);
    else if constexpr (std::is_same_v<T, float8_e4m3>)
        return to_float8_e4m3(value);
    else if constexpr (std::is_same_v<T, tfloat32>)
        return to_tfloat32(value);
    else
        return to_bfloat16(value);
}
template <class T>
void fill_elements(T* values, std::size_t count, std::uint64_t seed) {
    if constexpr (std::is_same_v<T, std::int8_t>) {
        fill_uniform(reinterpret_cast<std::uint8_t*>(values), count, seed);
    } else {
        std::vector<float> floats(count);
        fill_uniform(floats.data(), count, seed);
        std::transform(floats.begin(), floats.end(), values, rounded<T>);
    }
}
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto both = [&]<class T>(T) {
        const auto [left, right] = b.arrays<T, T>();
        fill_elements(left, elements_of_a(p.dtype), 2 * seed);
        fill_elements(right, elements_of_b(p.dtype), 2 * seed + 1);
    };
    switch (p.dtype) {
        case DType::bfloat16: return both(bfloat16{});
        case DType::int8: return both(std::int8_t{});
        case DType::float8_e4m3: return both(float8_e4m3{});
        case DType::tfloat32: return both(tfloat32{});
        default: return both(float16{});
    }
}

double value_of(std::int8_t x) { return x; }
double value_of(auto x) { return double{to_float(x)}; }

/// One tile, of the products or of their magnitudes; all tiles are alike.
template <class T, class Of>
std::vector<double> tile_of(const MmaArgs<T>& x, Of of) {
    std::vector<double> tile(kElementsOfTile);
    if (x.steps == 0) return tile;  // zeros, whatever A and B are
    for (std::size_t row = 0; row < kMmaRows; ++row)
        for (std::size_t i = 0; i < x.kDepth; ++i)
            for (std::size_t col = 0; col < kMmaCols; ++col)
                tile[row * kMmaCols + col] += of(value_of(x.a[row * x.kDepth + i]) * value_of(x.b[i * kMmaCols + col]));
    for (double& element : tile) element *= static_cast<double>(x.steps);
    return tile;
}
/// Integers are exact in double up to 2^53, and wrap around at 2^32.
template <class Sum>
Sum as_sum(double element) {
    if constexpr (std::is_integral_v<Sum>)
        return static_cast<Sum>(static_cast<std::uint32_t>(static_cast<std::int64_t>(element)));
    else
        return static_cast<Sum>(element);
}
template <class T>
void reference(const MmaArgs<T>& x) {
    const std::vector<double> tile = tile_of(x, [](double product) { return product; });
    for (std::int64_t t = 0; t < x.tiles; ++t)
        std::transform(tile.begin(), tile.end(), x.c + t * static_cast<std::int64_t>(kElementsOfTile),
                       [](double element) { return as_sum<typename MmaArgs<T>::Sum>(element); });
}
template <class T>
void magnitudes(const MmaArgs<T>& x, double* of) {
    const std::vector<double> tile = tile_of(x, [](double product) { return std::abs(product); });
    for (std::int64_t t = 0; t < x.tiles; ++t)
        std::copy(tile.begin(), tile.end(), of + t * static_cast<std::int64_t>(kElementsOfTile));
}

/// Products of 16-bit elements are exact in float; each goes through fewer additions than there are products of an
/// element, and none loses more than ε of the magnitude. As for matmul, operands of tfloat32 may be cut to 11 bits, and
/// sums of float8_e4m3 have 2⁻¹² in the place of ε.
Tolerance tolerance(const Problem& p) {
    if (p.dtype == DType::int8) return {.reason = "integers are multiplied and summed modulo 2^32, in any order"};
    using Float = std::numeric_limits<float>;
    const double products = static_cast<double>(mma_depth(p.dtype)) *
                            static_cast<double>(std::max<std::int64_t>(p.lengths<MmaAxes>().steps, 1));
    const double epsilon = p.dtype == DType::float8_e4m3 ? 0x1p-12 : double{Float::epsilon()};
    return {.absolute = products * double{Float::denorm_min()},
            .of_magnitude = products * epsilon + (p.dtype == DType::tfloat32 ? 0x1.004p-9 : 0),
            .reason = "ε of the magnitude for each of an element's products, summed in float"};
}

/// Numbers of any size that are added up without an overflow that depends on the order.
constexpr Input kInputs[] = {
    {"constant", "1.23", in_every_array<patterns::constant>, has_floats},
    {"alternating", "±1.23", in_every_array<patterns::alternating>, has_floats},
    {"signed_zeros", "+0, −0, …", in_every_array<patterns::signed_zeros>, has_floats},
    {"subnormal", "below the smallest normal number", in_every_array<patterns::subnormal>, has_floats},
    {"nan", "random with a NaN", in_first_array<patterns::one_nan>, has_floats},
    {"lowest", "min", in_every_array<patterns::lowest>, has_integers},
    {"extremes", "min, max, …", in_every_array<patterns::extremes>, has_integers}};

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"a", Role::input, p.dtype, elements_of_a(p.dtype)},
            {"b", Role::input, p.dtype, elements_of_b(p.dtype)},
            {"c", Role::output, type_of_sums(p.dtype), c_count(p)}};
}

}  // namespace

LANEWORK_OPERATION(mma, {
                            .summary = "C[t] = steps·(A·B) for every tile t, summed step by step",
                            .axes = MmaAxes::names,
                            .verified = kVerified,
                            .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                            .buffers = buffers,
                            .work =
                                [](const Problem& p) {
                                    return work_of(buffers(p),
                                                   2 * c_count(p) * static_cast<std::uint64_t>(mma_depth(p.dtype)) *
                                                       static_cast<std::uint64_t>(p.lengths<MmaAxes>().steps));
                                },
                            .fill = fill,
                            .inputs = kInputs,
                            .reference = {reference<float16>, reference<bfloat16>, reference<std::int8_t>,
                                          reference<float8_e4m3>, reference<tfloat32>},
                            .magnitudes = {magnitudes<float16>, magnitudes<bfloat16>, magnitudes<float8_e4m3>,
                                           magnitudes<tfloat32>},
                            .tolerance = tolerance,
                        });
