// Equality within a tolerance for each element type.
#include "src/measure/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "src/core/in_parts.hpp"

namespace lanework {
namespace {

// The value as arithmetic and text have it.
template <class T>
auto number(T value) {
    if constexpr (std::is_class_v<T>)
        return to_float(value);
    else
        return value;
}

// Whether an element is right; adds to the largest difference and magnitude.
template <class T>
bool same(T right, T found, const Tolerance& tolerance, double magnitude, Differences& differences) {
    const auto right_number = number(right), found_number = number(found);
    const auto r = static_cast<double>(right_number), f = static_cast<double>(found_number);
    if constexpr (std::is_floating_point_v<decltype(number(right))>) {
        if (std::isfinite(r)) differences.largest_right = std::max(differences.largest_right, std::abs(r));
        if (std::isfinite(r) && std::isfinite(f))
            differences.largest_difference = std::max(differences.largest_difference, std::abs(f - r));
    }
    if (std::memcmp(&right, &found, sizeof(T)) == 0) return true;
    if (std::isnan(r)) return std::isnan(f);
    if (tolerance.exact()) return false;
    if (std::isinf(r) || std::isinf(f)) return r == f;
    if (tolerance.signed_zero && r == 0 && f == 0 && std::signbit(r) != std::signbit(f)) return false;
    return std::abs(f - r) <= tolerance.absolute + tolerance.relative * std::abs(r) + magnitude;
}

template <class T>
void compare_as(const void* right, const void* found, std::size_t offset, std::size_t count, const Tolerance& tolerance,
                const double* magnitudes, Differences& differences) {
    const auto* const r = static_cast<const T*>(right);
    const auto* const f = static_cast<const T*>(found);
    constexpr std::int64_t kWorthAThread = 1 << 18;
    Differences all;
    std::mutex all_at_once;
    in_parts(static_cast<std::int64_t>(count), kWorthAThread, [&](std::int64_t begin, std::int64_t end) {
        Differences part;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const double magnitude = magnitudes ? tolerance.of_magnitude * magnitudes[offset + i] : 0;
            if (!same(r[i], f[i], tolerance, magnitude, part) && part.count++ == 0) part.first = i;
        }
        const std::lock_guard lock(all_at_once);
        if (part.count > 0 && (all.count == 0 || part.first < all.first)) all.first = part.first;
        all.count += part.count;
        all.largest_difference = std::max(all.largest_difference, part.largest_difference);
        all.largest_right = std::max(all.largest_right, part.largest_right);
    });
    differences.largest_difference = std::max(differences.largest_difference, all.largest_difference);
    differences.largest_right = std::max(differences.largest_right, all.largest_right);
    if (differences.count == 0 && all.count > 0) {
        differences.first = offset + all.first;
        differences.found = fmt::format("{}", number(f[all.first]));
        differences.right = fmt::format("{}", number(r[all.first]));
    }
    differences.count += all.count;
}

}  // namespace

void compare(DType dtype, const void* right, const void* found, std::size_t offset, std::size_t count,
             const Tolerance& tolerance, const double* magnitudes, Differences& differences) {
    if (tolerance.exact() && std::memcmp(right, found, count * size_of(dtype)) == 0) return;
    const auto compare_each = [&]<class T>(T) {
        compare_as<T>(right, found, offset, count, tolerance, magnitudes, differences);
    };
    switch (dtype) {
        case DType::uint8: return compare_each(std::uint8_t{});
        case DType::int16: return compare_each(std::int16_t{});
        case DType::uint16: return compare_each(std::uint16_t{});
        case DType::int32: return compare_each(std::int32_t{});
        case DType::uint32: return compare_each(std::uint32_t{});
        case DType::int64: return compare_each(std::int64_t{});
        case DType::uint64: return compare_each(std::uint64_t{});
        case DType::float16: return compare_each(float16{});
        case DType::bfloat16: return compare_each(bfloat16{});
        case DType::float32: return compare_each(float{});
        case DType::float64: return compare_each(double{});
        case DType::int8: return compare_each(std::int8_t{});
        case DType::float8_e4m3: return compare_each(float8_e4m3{});
        case DType::tfloat32: return compare_each(tfloat32{});
    }
}

std::string grouped(std::size_t number) {
    if (number < 1000) return fmt::format("{}", number);
    return fmt::format("{} {:03}", grouped(number / 1000), number % 1000);
}

}  // namespace lanework
