// The copy engine's part of a transfer: it moves bytes beside whatever the multiprocessors do.
#pragma once

#include "ops/transfer/operation.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline void copy_across(const TransferArgs& a, cudaStream_t stream) {
    const auto kind = a.direction == Direction::upload ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (a.words > 0) LANEWORK_CHECK(cudaMemcpyAsync(a.out, a.in, a.bytes(), kind, stream));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
