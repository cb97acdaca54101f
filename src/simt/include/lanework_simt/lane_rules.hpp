// What the lanes of a warp make of each other's values once they have met: one rule for lanes that wait for each other
// on fibers, and for those of a block that runs in regions.
#pragma once

#include <algorithm>
#include <lanework_simt/warp.hpp>

namespace lanework_simt::lane_rules {

/// Each byte of what is read from a lane that brought no value. CUDA leaves it undefined.
inline constexpr unsigned char kUndefinedByte = 0x7f;
inline constexpr std::uint64_t kUndefined = 0x7f7f7f7f7f7f7f7fu;

constexpr bool is_width(int width) { return width >= 1 && width <= int{kWarpLanes} && (width & (width - 1)) == 0; }

/// A lane that left the kernel is not waited for: what comes out is of those that are there. What a shuffle reads of
/// one that has left is undefined.
constexpr bool excuses_exited(WarpOperation operation) {
    return operation != WarpOperation::shuffle_index && operation != WarpOperation::shuffle_up &&
           operation != WarpOperation::shuffle_down && operation != WarpOperation::shuffle_xor;
}

/// The lane that a shuffle reads, by the rules of PTX's shfl: `lane` itself where the other is outside its group.
constexpr unsigned source_lane(WarpOperation operation, unsigned lane, unsigned argument, unsigned width) {
    const unsigned group = lane & ~(width - 1), last = group | (width - 1);
    argument %= kWarpLanes;
    switch (operation) {
        case WarpOperation::shuffle_index: return group | (argument & (width - 1));
        case WarpOperation::shuffle_up: return lane >= group + argument ? lane - argument : lane;
        case WarpOperation::shuffle_down: return lane + argument <= last ? lane + argument : lane;
        default: return (lane ^ argument) <= last ? lane ^ argument : lane;
    }
}

/// Calls `body(lane)` for each of some lanes, the lowest first.
template <class Body>
void for_each(unsigned lanes, Body body) {
    for (; lanes; lanes &= lanes - 1) body(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// What a vote gives for the votes of the lanes that met.
constexpr unsigned vote(WarpOperation operation, unsigned votes, unsigned lanes) {
    if (operation == WarpOperation::any) return votes != 0;
    return operation == WarpOperation::all ? votes == lanes : votes;
}

/// Those of some lanes whose value is that one, bit for bit.
template <class Values>
unsigned same(unsigned lanes, const Values& values, std::uint64_t value) {
    unsigned found = 0;
    for_each(lanes, [&](unsigned lane) { found |= static_cast<unsigned>(values[lane] == value) << lane; });
    return found;
}

/// The values of some lanes, one at least, put together.
template <class Values>
std::uint32_t reduce(WarpOperation operation, unsigned lanes, const Values& values, bool is_signed) {
    // Flipping the sign bit orders signed numbers as unsigned ones.
    const std::uint32_t flip = is_signed ? 0x80000000u : 0u;
    const auto combine = [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
        switch (operation) {
            case WarpOperation::reduce_min: return std::min(a ^ flip, b ^ flip) ^ flip;
            case WarpOperation::reduce_max: return std::max(a ^ flip, b ^ flip) ^ flip;
            case WarpOperation::reduce_and: return a & b;
            case WarpOperation::reduce_or: return a | b;
            case WarpOperation::reduce_xor: return a ^ b;
            default: return a + b;
        }
    };
    auto result = static_cast<std::uint32_t>(values[static_cast<unsigned>(__builtin_ctz(lanes))]);
    for_each(lanes & (lanes - 1),
             [&](unsigned lane) { result = combine(result, static_cast<std::uint32_t>(values[lane])); });
    return result;
}

}  // namespace lanework_simt::lane_rules
