// One launch leaves one value per block; those are folded by further launches until one is left.
#pragma once

#include <utility>

#include "ops/reduce/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks that reduce n values, `per_block` each; at least one, so that the sum of nothing is written too.
inline std::int64_t blocks_of(std::int64_t n, std::int64_t per_block) {
    return n > per_block ? ceil_div(n, per_block) : 1;
}

/// Values that pass from launch to launch: those of the first pass and, beside them, of the second. One block needs
/// none.
inline std::int64_t partial_count(std::int64_t n, std::int64_t per_block) {
    const std::int64_t first = blocks_of(n, per_block);
    return first > 1 ? first + blocks_of(first, per_block) : 0;
}

/// Calls pass(in, out, n, blocks) until one block is enough, and that one writes `result`. `partial` holds
/// partial_count of what passes from launch to launch. The input is only read.
template <class T, class Partial, class Result, class Pass>
void in_passes(const T* in, std::int64_t n, std::int64_t per_block, Partial* partial, Result* result, Pass pass) {
    std::int64_t blocks = blocks_of(n, per_block);
    if (blocks == 1) return pass(in, result, n, 1U);
    Partial* other = partial + blocks;
    pass(in, partial, n, static_cast<unsigned>(blocks));
    for (n = blocks; (blocks = blocks_of(n, per_block)) > 1; n = blocks) {
        pass(static_cast<const Partial*>(partial), other, n, static_cast<unsigned>(blocks));
        std::swap(partial, other);
    }
    pass(static_cast<const Partial*>(partial), result, n, 1U);
}

/// The same where values pass and one is the result.
template <class T, class Pass>
void in_passes(const ReduceArgs<T>& a, std::int64_t per_block, T* partial, Pass pass) {
    in_passes(a.in, a.n, per_block, partial, a.out, pass);
}

/// Of a rung that computes every form.
inline std::string_view refuse_nothing(const Problem&) { return {}; }

/// Why one block per `per_block` values does not fit a grid, or `refuse` refuses the form; empty when it does.
template <std::int64_t per_block, std::string_view (*refuse)(const Problem&) = refuse_nothing>
std::string_view refuse_beyond_grid(const Problem& p) {
    if (const std::string_view reason = refuse(p); !reason.empty()) return reason;
    return blocks_of(p.lengths<ReduceAxes>().n, per_block) < std::int64_t{1} << 31
               ? std::string_view()
               : "a one-dimensional grid ends at 2147483647 blocks";
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
