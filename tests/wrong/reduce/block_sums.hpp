// What wrong kernels that leave a sum for each block have in common: the right way to launch them.
#pragma once

#include "ops/reduce/passes.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kBlock = 256;

inline std::size_t workspace(const ReduceArgs<std::int32_t>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(std::int32_t);
}

/// Calls pass(in, out, n, blocks) until one block is enough.
template <class Pass>
void in_passes(const ReduceArgs<std::int32_t>& a, Pass pass) {
    in_passes(a, kBlock, static_cast<std::int32_t*>(a.workspace), pass);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
