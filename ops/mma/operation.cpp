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

constexpr std::string_view kAxes[] = {"tiles", "steps"};
constexpr Extents kVerified[] = {extents(0, 3), extents(1, 0), extents(1, 1), extents(3, 5)};
constexpr Extents kCuda[] = {extents(528, 2048)};  // twice as many as an H200 works on at once
constexpr Extents kSimt[] = {extents(1, 4)};
constexpr Extents kCpu[] = {extents(1, 4)};

constexpr std::size_t kElementsOfA = kMmaRows * kMmaDepth, kElementsOfB = kMmaDepth * kMmaCols;
constexpr std::size_t kElementsOfTile = kMmaRows * kMmaCols;
std::size_t c_count(const Problem& p) { return static_cast<std::size_t>(p.extent[0]) * kElementsOfTile; }

template <class T>
T rounded(float value) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(value);
    else
        return to_bfloat16(value);
}
template <class T>
void fill_elements(void* values, std::size_t count, std::uint64_t seed) {
    std::vector<float> floats(count);
    fill_uniform(floats.data(), count, seed);
    std::transform(floats.begin(), floats.end(), static_cast<T*>(values), rounded<T>);
}
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto both = [&]<class T>(T) {
        fill_elements<T>(b.data[0], kElementsOfA, 2 * seed);
        fill_elements<T>(b.data[1], kElementsOfB, 2 * seed + 1);
    };
    p.dtype == DType::float16 ? both(float16{}) : both(bfloat16{});
}

/// One tile, of the products or of their magnitudes; all tiles are alike.
template <class T, class Of>
std::vector<double> tile_of(const MmaArgs<T>& x, Of of) {
    std::vector<double> tile(kElementsOfTile);
    if (x.steps == 0) return tile;  // zeros, whatever A and B are
    for (std::size_t row = 0; row < kMmaRows; ++row)
        for (std::size_t i = 0; i < kMmaDepth; ++i)
            for (std::size_t col = 0; col < kMmaCols; ++col)
                tile[row * kMmaCols + col] +=
                    of(double{to_float(x.a[row * kMmaDepth + i])} * double{to_float(x.b[i * kMmaCols + col])});
    for (double& element : tile) element *= static_cast<double>(x.steps);
    return tile;
}
template <class T>
void reference(const MmaArgs<T>& x) {
    const std::vector<double> tile = tile_of(x, [](double product) { return product; });
    for (std::int64_t t = 0; t < x.tiles; ++t)
        std::transform(tile.begin(), tile.end(), x.c + t * static_cast<std::int64_t>(kElementsOfTile),
                       [](double element) { return static_cast<float>(element); });
}
template <class T>
void magnitudes(const MmaArgs<T>& x, double* of) {
    const std::vector<double> tile = tile_of(x, [](double product) { return std::abs(product); });
    for (std::int64_t t = 0; t < x.tiles; ++t)
        std::copy(tile.begin(), tile.end(), of + t * static_cast<std::int64_t>(kElementsOfTile));
}

/// Products of 16-bit elements are exact in float; each goes through fewer additions than there are products of an
/// element, and none loses more than ε of the magnitude.
Tolerance tolerance(const Problem& p) {
    using Float = std::numeric_limits<float>;
    const double products =
        static_cast<double>(kMmaDepth) * static_cast<double>(std::max<std::int64_t>(p.extent[1], 1));
    return {.absolute = products * double{Float::denorm_min()},
            .of_magnitude = products * double{Float::epsilon()},
            .reason = "ε of the magnitude for each of an element's products, summed in float"};
}

/// Numbers of any size that are added up without an overflow that depends on the order.
constexpr Input kInputs[] = {{"constant", "1.23", in_every_array<patterns::constant>},
                             {"alternating", "±1.23", in_every_array<patterns::alternating>},
                             {"signed_zeros", "+0, −0, …", in_every_array<patterns::signed_zeros>},
                             {"subnormal", "below the smallest normal number", in_every_array<patterns::subnormal>},
                             {"nan", "random with a NaN", in_first_array<patterns::one_nan>}};

}  // namespace

LANEWORK_OPERATION(mma, {
                            .summary = "C[t] = steps·(A·B) for every tile t, summed step by step",
                            .axes = kAxes,
                            .verified = kVerified,
                            .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                            .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                                return {{"a", Role::input, p.dtype, kElementsOfA},
                                        {"b", Role::input, p.dtype, kElementsOfB},
                                        {"c", Role::output, DType::float32, c_count(p)}};
                            },
                            .work =
                                [](const Problem& p) {
                                    return Work{
                                        .bytes_read = size_of(p.dtype) * (kElementsOfA + kElementsOfB),
                                        .bytes_written = sizeof(float) * c_count(p),
                                        .flops = 2 * c_count(p) * kMmaDepth * static_cast<std::uint64_t>(p.extent[1])};
                                },
                            .fill = fill,
                            .inputs = kInputs,
                            .reference = {reference<float16>, reference<bfloat16>},
                            .magnitudes = {magnitudes<float16>, magnitudes<bfloat16>},
                            .tolerance = tolerance,
                        });
