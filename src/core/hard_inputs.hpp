// Inputs that are hard to get right, for arrays of plain numbers. An operation lists those that are defined for it
// (Operation::inputs); what is hard about boxes, atoms or images, their operations say themselves.
#pragma once

#include <lanework/operation.hpp>

namespace lanework {

/// Writes `count` elements of a type.
using Pattern = void (*)(DType, void* values, std::size_t count);

namespace patterns {

void constant(DType, void* values, std::size_t count);      ///< 1.23
void alternating(DType, void* values, std::size_t count);   ///< 1.23 and −1.23 in turn
void ascending(DType, void* values, std::size_t count);     ///< 0, 1, 2, …; wraps around for integers
void signed_zeros(DType, void* values, std::size_t count);  ///< +0 and −0 in turn
void subnormal(DType, void* values, std::size_t count);     ///< whole numbers of the smallest there is, of both signs
void third_of_largest(DType, void* values, std::size_t count);
void zeros(DType, void* values, std::size_t count);
void all_ones(DType, void* values, std::size_t count);  ///< every bit is set
void lowest(DType, void* values, std::size_t count);
void largest(DType, void* values, std::size_t count);
void extremes(DType, void* values, std::size_t count);  ///< the lowest and the largest in turn

void nans(DType, void* values, std::size_t count);
void infinities(DType, void* values, std::size_t count);  ///< +∞ and −∞ in turn

/// Leave all elements but one as they are: the middle one; −∞ at a third of the array.
void one_infinity(DType, void* values, std::size_t count);
void one_negative_infinity(DType, void* values, std::size_t count);
void one_nan(DType, void* values, std::size_t count);

}  // namespace patterns

/// Writes a pattern into every input array.
template <Pattern pattern>
void in_every_array(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    for (std::size_t array = 0; array < specs.size(); ++array)
        if (specs[array].role == Role::input) pattern(specs[array].dtype, buffers.data[array], specs[array].count);
}

/// Writes a pattern into the first array alone, which is an input.
template <Pattern pattern>
void in_first_array(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    pattern(specs.front().dtype, buffers.data.front(), specs.front().count);
}

/// +∞ in the middle of the first array, −∞ at a third of the other inputs.
void infinities_in_arrays(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers);

constexpr bool is_float(DType dtype) {
    return dtype == DType::float16 || dtype == DType::bfloat16 || dtype == DType::float32 || dtype == DType::float64 ||
           dtype == DType::float8_e4m3 || dtype == DType::tfloat32;
}
constexpr bool has_floats(const Problem& p) { return is_float(p.dtype); }
constexpr bool has_integers(const Problem& p) { return !has_floats(p); }

/// For operations that take any number, whose input arrays are all of the problem's type.
inline constexpr Input kHardNumbers[] = {
    {"constant", "1.23", in_every_array<patterns::constant>, has_floats},
    {"alternating", "±1.23", in_every_array<patterns::alternating>, has_floats},
    {"signed_zeros", "+0, −0, …", in_every_array<patterns::signed_zeros>, has_floats},
    {"subnormal", "below the smallest normal number", in_every_array<patterns::subnormal>, has_floats},
    {"large", "max/3", in_every_array<patterns::third_of_largest>, has_floats},
    {"infinite", "random with an infinity", infinities_in_arrays, has_floats},
    {"nan", "random with a NaN", in_first_array<patterns::one_nan>, has_floats},
    {"ascending", "0, 1, 2, …", in_every_array<patterns::ascending>},
    {"zeros", "0", in_every_array<patterns::zeros>, has_integers},
    {"all_ones", "−1", in_every_array<patterns::all_ones>, has_integers},
    {"lowest", "min", in_every_array<patterns::lowest>, has_integers},
    {"largest", "max", in_every_array<patterns::largest>, has_integers},
    {"extremes", "min, max, …", in_every_array<patterns::extremes>, has_integers}};
/// Those of integers.
inline constexpr std::span<const Input> kHardIntegers = std::span(kHardNumbers).last(6);

/// For the samples of images, which are the first array: `floats` says whether they are floating-point numbers.
template <bool (*floats)(const Problem&)>
constexpr bool has_bytes(const Problem& p) {
    return !floats(p);
}
template <bool (*floats)(const Problem&)>
inline constexpr Input kHardSamples[] = {
    {"black", "0", in_first_array<patterns::zeros>, has_bytes<floats>},
    {"white", "255", in_first_array<patterns::all_ones>, has_bytes<floats>},
    {"extremes", "0, 255, …", in_first_array<patterns::extremes>, has_bytes<floats>},
    {"ascending", "0, 1, 2, …", in_first_array<patterns::ascending>},
    {"constant", "1.23", in_first_array<patterns::constant>, floats},
    {"alternating", "±1.23", in_first_array<patterns::alternating>, floats},
    {"signed_zeros", "+0, −0, …", in_first_array<patterns::signed_zeros>, floats},
    {"subnormal", "below the smallest normal number", in_first_array<patterns::subnormal>, floats},
    {"large", "max/3", in_first_array<patterns::third_of_largest>, floats},
    {"infinite", "random with an infinity", in_first_array<patterns::one_infinity>, floats},
    {"nan", "random with a NaN", in_first_array<patterns::one_nan>, floats}};

}  // namespace lanework
