// Equality within a tolerance for each element type.
#include "src/measure/compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace lanework {
namespace {

// The value as arithmetic and text have it.
template <class T>
auto number(T value) {
    if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
        return to_float(value);
    else
        return value;
}

template <class T>
bool same(T right, T found, const Tolerance& tolerance) {
    if (std::memcmp(&right, &found, sizeof(T)) == 0) return true;
    const auto right_number = number(right), found_number = number(found);
    if constexpr (std::is_floating_point_v<decltype(number(right))>)
        if (std::isnan(right_number)) return std::isnan(found_number);
    if (tolerance.absolute == 0 && tolerance.relative == 0) return false;
    const auto r = static_cast<double>(right_number), f = static_cast<double>(found_number);
    if (std::isinf(r) || std::isinf(f)) return r == f;
    return std::abs(f - r) <= tolerance.absolute + tolerance.relative * std::abs(r);
}

template <class T>
void compare_as(const void* right, const void* found, std::size_t offset, std::size_t count, const Tolerance& tolerance,
                Differences& differences) {
    const auto* const r = static_cast<const T*>(right);
    const auto* const f = static_cast<const T*>(found);
    for (std::size_t i = 0; i < count; ++i) {
        if (same(r[i], f[i], tolerance)) continue;
        if (differences.count++ > 0) continue;
        differences.first = offset + i;
        differences.found = fmt::format("{}", number(f[i]));
        differences.right = fmt::format("{}", number(r[i]));
    }
}

}  // namespace

void compare(DType dtype, const void* right, const void* found, std::size_t offset, std::size_t count,
             const Tolerance& tolerance, Differences& differences) {
    if (std::memcmp(right, found, count * size_of(dtype)) == 0) return;
    switch (dtype) {
        case DType::uint8: return compare_as<std::uint8_t>(right, found, offset, count, tolerance, differences);
        case DType::int16: return compare_as<std::int16_t>(right, found, offset, count, tolerance, differences);
        case DType::uint16: return compare_as<std::uint16_t>(right, found, offset, count, tolerance, differences);
        case DType::int32: return compare_as<std::int32_t>(right, found, offset, count, tolerance, differences);
        case DType::uint32: return compare_as<std::uint32_t>(right, found, offset, count, tolerance, differences);
        case DType::int64: return compare_as<std::int64_t>(right, found, offset, count, tolerance, differences);
        case DType::uint64: return compare_as<std::uint64_t>(right, found, offset, count, tolerance, differences);
        case DType::float16: return compare_as<float16>(right, found, offset, count, tolerance, differences);
        case DType::bfloat16: return compare_as<bfloat16>(right, found, offset, count, tolerance, differences);
        case DType::float32: return compare_as<float>(right, found, offset, count, tolerance, differences);
        case DType::float64: return compare_as<double>(right, found, offset, count, tolerance, differences);
    }
}

std::string grouped(std::size_t number) {
    if (number < 1000) return fmt::format("{}", number);
    return fmt::format("{} {:03}", grouped(number / 1000), number % 1000);
}

}  // namespace lanework
