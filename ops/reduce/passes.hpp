// One launch leaves one value per block; those are folded by further launches until one is left.
#pragma once

#include <utility>

#include "ops/reduce/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks that reduce n values, `per_block` each; at least one, so that the sum of nothing is written too.
inline std::int64_t blocks_of(std::int64_t n, std::int64_t per_block) {
    return n > per_block ? ceil_div(n, per_block) : 1;
}

/// Values that pass from launch to launch: those of the first pass and, beside them, of the second.
inline std::int64_t partial_count(std::int64_t n, std::int64_t per_block) {
    const std::int64_t first = blocks_of(n, per_block);
    return first + blocks_of(first, per_block);
}

/// Calls pass(in, out, n, blocks) until one block is enough, and that one writes a.out. `partial` holds partial_count
/// values. The input is only read.
template <class T, class Pass>
void in_passes(const ReduceArgs<T>& a, std::int64_t per_block, T* partial, Pass pass) {
    const T* in = a.in;
    T* other = partial + blocks_of(a.n, per_block);
    std::int64_t n = a.n, blocks = blocks_of(n, per_block);
    while (blocks > 1) {
        pass(in, partial, n, static_cast<unsigned>(blocks));
        in = partial;
        std::swap(partial, other);
        n = blocks;
        blocks = blocks_of(n, per_block);
    }
    pass(in, a.out, n, 1U);
}

/// Why one block per `per_block` values does not fit a grid, or `refuse` refuses the form; empty when it does.
template <std::int64_t per_block, std::string_view (*refuse)(const Problem&) = refuse_places>
std::string_view refuse_beyond_grid(const Problem& p) {
    if (const std::string_view reason = refuse(p); !reason.empty()) return reason;
    return blocks_of(p.extent[0], per_block) < std::int64_t{1} << 31
               ? std::string_view()
               : "a one-dimensional grid ends at 2147483647 blocks";
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
