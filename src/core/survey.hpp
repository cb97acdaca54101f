// A survey of a device: what its parts were measured to do, figure by figure, each with the rung that showed it.
#pragma once

#include <lanework/dtype.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

enum class Unit : std::uint8_t { bytes_per_second, flops_per_second, operations_per_second, seconds };
constexpr std::string_view name_of(Unit unit) {
    constexpr std::string_view names[] = {"bytes/s", "FLOP/s", "operations/s", "s"};
    return names[static_cast<int>(unit)];
}

/// What a device's maker publishes a figure for.
enum class Part : std::uint8_t { none, memory, arithmetic, shared_memory, link, matrix_products };
constexpr std::string_view name_of(Part part) {
    constexpr std::string_view names[] = {"none", "memory", "arithmetic", "shared_memory", "link", "matrix_products"};
    return names[static_cast<int>(part)];
}

struct Reading {
    /// "memory", "launch"…
    std::string group;
    /// "copy of 16 MiB".
    std::string name;
    /// The rung that reached it ("copy/vectorized"), or how it was measured.
    std::string by;
    Unit unit = Unit::seconds;
    /// More is better, except for seconds.
    double value = 0;
    /// Whose published figure it can be held against.
    Part part = Part::none;
    /// Of arithmetic.
    DType dtype = DType::float32;
};

struct Survey {
    std::string device;       ///< DeviceInfo::id
    std::string fingerprint;  ///< DeviceInfo::fingerprint of what was measured
    std::string measured_at;  ///< UTC, ISO 8601
    std::vector<Reading> readings;
};

}  // namespace lanework
