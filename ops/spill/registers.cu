// Sixteen steps at a time, unrolled: a step's place in the ring is now its place in the program, a constant. Every
// value of the ring has a register of its own, and nothing is loaded or stored.
#include "ops/spill/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void registers(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t steps) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    std::uint32_t ring[kRing];
#pragma unroll
    for (int place = 0; place < kRing; ++place) ring[place] = initial(static_cast<std::uint32_t>(in[i]), place);
    std::int64_t step = 0;
    for (; step + kRing <= steps; step += kRing) {
#pragma unroll
        for (int k = 0; k < kRing; ++k) ring[k] = next(ring[k], ring[lagged_place(k)]);
    }
    // The last turn ends early; its places are constants too, so it asks before each.
#pragma unroll
    for (int k = 0; k < kRing; ++k)
        if (step + k < steps) ring[k] = next(ring[k], ring[lagged_place(k)]);
    std::uint32_t result = 0;
#pragma unroll
    for (int place = 0; place < kRing; ++place) result = fold(result, ring[place]);
    out[i] = static_cast<std::int32_t>(result);
}

void launch(const SpillArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    registers<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.steps);
}
}  // namespace

LANEWORK_RUNG(spill, registers,
              {
                  .climbs_from = "local_memory",
                  .lesson = "Unroll until every index is a constant: then each element of the array is a register.",
                  .launch = launch,
              });
// mends: local_memory
