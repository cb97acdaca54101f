// Between the element types of arrays and the wide ones of references.
#include "src/program/ladder/reference.hpp"

#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

namespace lanework {
namespace {

/// To an element that is rounded once: a double that is half-way between two narrow numbers of a type must not be
/// rounded to a float before.
float to_odd_float(double value) {
    const auto nearest = static_cast<float>(value);
    if (static_cast<double>(nearest) == value || value != value) return nearest;
    // Rounded to odd: of the two floats around the value the one whose last bit is set.
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    const bool outward = (static_cast<double>(nearest) > value) == (value > 0);
    if (outward) --bits;
    return std::bit_cast<float>(bits | 1);
}

template <class T, class Convert>
std::vector<std::uint64_t> widened(const void* elements, std::size_t count, Convert convert) {
    std::vector<std::uint64_t> wide(count);
    const auto* const from = static_cast<const T*>(elements);
    for (std::size_t i = 0; i < count; ++i) wide[i] = convert(from[i]);
    return wide;
}

template <class T, class Convert>
void narrowed(const std::vector<std::uint64_t>& wide, void* elements, Convert convert) {
    auto* const to = static_cast<T*>(elements);
    for (std::size_t i = 0; i < wide.size(); ++i) to[i] = convert(wide[i]);
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

template <class T>
std::vector<std::uint64_t> widened_integers(const void* elements, std::size_t count) {
    return widened<T>(elements, count,
                      [](T value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); });
}

template <class T>
void narrowed_integers(const std::vector<std::uint64_t>& wide, void* elements) {
    narrowed<T>(wide, elements, [](std::uint64_t value) { return static_cast<T>(value); });
}

}  // namespace

std::size_t WideArray::count() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                           [](std::size_t all, std::int64_t length) { return all * static_cast<std::size_t>(length); });
}

std::vector<std::uint64_t> widen(DType dtype, const void* elements, std::size_t count) {
    switch (dtype) {
        case DType::float64: return widened<double>(elements, count, bits_of);
        case DType::float32: return widened<float>(elements, count, [](float value) { return bits_of(value); });
        case DType::float16:
            return widened<float16>(elements, count, [](float16 value) { return bits_of(to_float(value)); });
        case DType::bfloat16:
            return widened<bfloat16>(elements, count, [](bfloat16 value) { return bits_of(to_float(value)); });
        case DType::uint8: return widened_integers<std::uint8_t>(elements, count);
        case DType::int16: return widened_integers<std::int16_t>(elements, count);
        case DType::uint16: return widened_integers<std::uint16_t>(elements, count);
        case DType::int32: return widened_integers<std::int32_t>(elements, count);
        case DType::uint32: return widened_integers<std::uint32_t>(elements, count);
        case DType::int64: return widened_integers<std::int64_t>(elements, count);
        case DType::uint64: return widened_integers<std::uint64_t>(elements, count);
        case DType::int8:
        case DType::float8_e4m3:
        case DType::tfloat32: break;  // no type of one's own ladders
    }
    return {};
}

void narrow(DType dtype, const std::vector<std::uint64_t>& wide, void* elements) {
    const auto real = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
    switch (dtype) {
        case DType::float64: return narrowed<double>(wide, elements, real);
        case DType::float32:
            return narrowed<float>(wide, elements, [&](std::uint64_t bits) { return static_cast<float>(real(bits)); });
        case DType::float16:
            return narrowed<float16>(wide, elements,
                                     [&](std::uint64_t bits) { return to_float16(to_odd_float(real(bits))); });
        case DType::bfloat16:
            return narrowed<bfloat16>(wide, elements,
                                      [&](std::uint64_t bits) { return to_bfloat16(to_odd_float(real(bits))); });
        case DType::uint8: return narrowed_integers<std::uint8_t>(wide, elements);
        case DType::int16: return narrowed_integers<std::int16_t>(wide, elements);
        case DType::uint16: return narrowed_integers<std::uint16_t>(wide, elements);
        case DType::int32: return narrowed_integers<std::int32_t>(wide, elements);
        case DType::uint32: return narrowed_integers<std::uint32_t>(wide, elements);
        case DType::int64: return narrowed_integers<std::int64_t>(wide, elements);
        case DType::uint64: return narrowed_integers<std::uint64_t>(wide, elements);
        case DType::int8:
        case DType::float8_e4m3:
        case DType::tfloat32: break;
    }
}

}  // namespace lanework
