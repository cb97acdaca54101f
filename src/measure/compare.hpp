// Comparing what a rung computed with what is right, element by element.
#pragma once

#include <lanework/operation.hpp>
#include <optional>
#include <string>

namespace lanework {

/// The elements that differ in one array, gathered chunk by chunk.
struct Differences {
    std::size_t count = 0;
    /// The first that differs: its index and both values as text. Only meaningful when count > 0.
    std::size_t first = 0;
    std::string found;
    std::string right;
    /// The largest difference of finite floating-point elements, and the largest magnitude of what is right. Only
    /// gathered where a tolerance allows differences.
    double largest_difference = 0, largest_right = 0;

    /// The first over the second; nothing where nothing is right but zeros.
    std::optional<double> error() const {
        return largest_right > 0 ? std::optional(largest_difference / largest_right) : std::nullopt;
    }
};

/// Compares `count` elements that begin at element `offset` of their array, and adds what differs to `differences`.
/// Differing are elements beyond the tolerance; with no tolerance, elements that are not equal to the bit. NaN equals
/// NaN. `magnitudes` are of the array's elements, from its first on; null for none.
void compare(DType dtype, const void* right, const void* found, std::size_t offset, std::size_t count,
             const Tolerance& tolerance, const double* magnitudes, Differences& differences);

/// "65 536": figures in groups of three.
std::string grouped(std::size_t number);

}  // namespace lanework
