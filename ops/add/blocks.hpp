// How many blocks of threads an addition is launched with.
#pragma once

#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>
#include <string_view>

#include "ops/add/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kBlockThreads = 256;

/// One thread per item. Never more than a grid holds where refuse_beyond_grid let the problem pass.
inline unsigned blocks_for(std::int64_t items) { return static_cast<unsigned>(ceil_div(items, kBlockThreads)); }

/// Why a line of blocks with one thread per element cannot cover the problem; empty when it can.
inline std::string_view refuse_beyond_grid(const Problem& p) {
    constexpr std::int64_t kMaxBlocks = 2147483647;
    return ceil_div(p.lengths<AddAxes>().n, kBlockThreads) <= kMaxBlocks
               ? std::string_view()
               : "a one-dimensional grid ends at 2147483647 blocks";
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
