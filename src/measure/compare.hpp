// Comparing what a rung computed with what is right, element by element.
#pragma once

#include <lanework/operation.hpp>
#include <string>

namespace lanework {

/// The elements that differ in one array, gathered chunk by chunk.
struct Differences {
    std::size_t count = 0;
    /// The first that differs: its index and both values as text. Only meaningful when count > 0.
    std::size_t first = 0;
    std::string found;
    std::string right;
};

/// Compares `count` elements that begin at element `offset` of their array, and adds what differs to `differences`.
/// Differing are elements beyond the tolerance; with no tolerance, elements that are not equal to the bit. NaN equals
/// NaN.
void compare(DType dtype, const void* right, const void* found, std::size_t offset, std::size_t count,
             const Tolerance& tolerance, Differences& differences);

/// "65 536": figures in groups of three.
std::string grouped(std::size_t number);

}  // namespace lanework
