// Patterns for every element type.
#include "src/core/hard_inputs.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

namespace lanework {
namespace {

template <class T>
T rounded(double value) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, bfloat16>)
        return to_bfloat16(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, float8_e4m3>)
        return to_float8_e4m3(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, tfloat32>)
        return {static_cast<float>(value)};  // more bits than take part in products: those are hard
    else
        return static_cast<T>(value);
}

/// The largest finite number.
template <class T>
constexpr double largest_of() {
    if constexpr (std::is_same_v<T, float16>)
        return 65504;
    else if constexpr (std::is_same_v<T, bfloat16>)
        return 0x1.FEp127;
    else if constexpr (std::is_same_v<T, float8_e4m3>)
        return 448;
    else if constexpr (std::is_same_v<T, tfloat32>)
        return 0x1.FFCp127;
    else
        return static_cast<double>(std::numeric_limits<T>::max());
}

/// The smallest positive one.
template <class T>
constexpr double smallest_of() {
    if constexpr (std::is_same_v<T, float16>)
        return 0x1p-24;
    else if constexpr (std::is_same_v<T, bfloat16>)
        return 0x1p-133;
    else if constexpr (std::is_same_v<T, float8_e4m3>)
        return 0x1p-9;
    else if constexpr (std::is_same_v<T, tfloat32>)
        return 0x1p-136;
    else
        return static_cast<double>(std::numeric_limits<T>::denorm_min());
}

/// Calls write(T*) for the C++ type.
template <class Write>
void with_type(DType dtype, void* values, Write write) {
    switch (dtype) {
        case DType::uint8: return write(static_cast<std::uint8_t*>(values));
        case DType::int16: return write(static_cast<std::int16_t*>(values));
        case DType::uint16: return write(static_cast<std::uint16_t*>(values));
        case DType::int32: return write(static_cast<std::int32_t*>(values));
        case DType::uint32: return write(static_cast<std::uint32_t*>(values));
        case DType::int64: return write(static_cast<std::int64_t*>(values));
        case DType::uint64: return write(static_cast<std::uint64_t*>(values));
        case DType::float16: return write(static_cast<float16*>(values));
        case DType::bfloat16: return write(static_cast<bfloat16*>(values));
        case DType::float32: return write(static_cast<float*>(values));
        case DType::float64: return write(static_cast<double*>(values));
        case DType::int8: return write(static_cast<std::int8_t*>(values));
        case DType::float8_e4m3: return write(static_cast<float8_e4m3*>(values));
        case DType::tfloat32: return write(static_cast<tfloat32*>(values));
    }
}

/// Writes real(i) to floating-point elements, integer(i) of type T to others.
template <class Real, class Integer>
void each(DType dtype, void* values, std::size_t count, Real real, Integer integer) {
    with_type(dtype, values, [&]<class T>(T* x) {
        for (std::size_t i = 0; i < count; ++i)
            if constexpr (std::is_integral_v<T>)
                x[i] = integer.template operator()<T>(i);
            else
                x[i] = rounded<T>(real.template operator()<T>(i));
    });
}

void put(DType dtype, void* values, std::size_t at, std::size_t count, double value) {
    with_type(dtype, values, [&]<class T>(T* x) {
        if (at < count) x[at] = rounded<T>(value);
    });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

namespace patterns {

void constant(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t) { return 1.23; }, []<class T>(std::size_t) { return T{123}; });
}

void alternating(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t i) { return i % 2 ? -1.23 : 1.23; },
        []<class T>(std::size_t i) { return static_cast<T>(i % 2 ? -123 : 123); });
}

void ascending(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t i) { return static_cast<double>(i); },
        []<class T>(std::size_t i) { return static_cast<T>(i); });
}

void signed_zeros(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t i) { return i % 2 ? -0.0 : 0.0; },
        []<class T>(std::size_t) { return T{0}; });
}

void subnormal(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count,
        []<class T>(std::size_t i) {
            const double value = static_cast<double>(1 + i % 97) * smallest_of<T>();
            return i % 3 == 2 ? -value : value;
        },
        []<class T>(std::size_t i) { return static_cast<T>(i % 97); });
}

void third_of_largest(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t) { return largest_of<T>() / 3; },
        []<class T>(std::size_t) { return static_cast<T>(std::numeric_limits<T>::max() / 3); });
}

void zeros(DType dtype, void* values, std::size_t count) {
    if (count > 0) std::memset(values, 0, count * size_of(dtype));
}

void all_ones(DType dtype, void* values, std::size_t count) {
    if (count > 0) std::memset(values, 0xFF, count * size_of(dtype));
}

void lowest(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t) { return -largest_of<T>(); },
        []<class T>(std::size_t) { return std::numeric_limits<T>::min(); });
}

void largest(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t) { return largest_of<T>(); },
        []<class T>(std::size_t) { return std::numeric_limits<T>::max(); });
}

void extremes(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t i) { return i % 2 ? largest_of<T>() : -largest_of<T>(); },
        []<class T>(std::size_t i) { return i % 2 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min(); });
}

void nans(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t) { return std::numeric_limits<double>::quiet_NaN(); },
        []<class T>(std::size_t) { return T{0}; });
}

void infinities(DType dtype, void* values, std::size_t count) {
    each(
        dtype, values, count, []<class T>(std::size_t i) { return i % 2 ? -kInfinity : kInfinity; },
        []<class T>(std::size_t) { return T{0}; });
}

void one_infinity(DType dtype, void* values, std::size_t count) { put(dtype, values, count / 2, count, kInfinity); }
void one_negative_infinity(DType dtype, void* values, std::size_t count) {
    put(dtype, values, count / 3, count, -kInfinity);
}
void one_nan(DType dtype, void* values, std::size_t count) {
    put(dtype, values, count / 2, count, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace patterns

void infinities_in_arrays(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    patterns::one_infinity(specs.front().dtype, buffers.data.front(), specs.front().count);
    for (std::size_t array = 1; array < specs.size(); ++array)
        if (specs[array].role == Role::input)
            patterns::one_negative_infinity(specs[array].dtype, buffers.data[array], specs[array].count);
}

}  // namespace lanework
