// The tree by which `reproducible` adds on every kind of device: it depends on n alone.
//
// A block takes kFixedThreads × kFixedPacks packs of sixteen bytes. Thread t adds packs t, t + kFixedThreads, … value
// by value, one after the other, then the values of its sum; of 32 threads lane l adds lane l + 16, then l + 8, … l +
// 1, and so do the sums of the warps. One block's sum for each of them is left, and they are added in the same way.
#pragma once

#include "ops/reduce/passes.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kFixedThreads = 256, kFixedPacks = 8;

/// Values of one pack, and of a block.
template <class T>
inline constexpr int kFixedValues = 16 / sizeof(T);
template <class T>
inline constexpr int kFixedBlock = kFixedThreads* kFixedPacks* kFixedValues<T>;

template <class T>
std::size_t fixed_tree_bytes(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kFixedBlock<T>)) * sizeof(T);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
