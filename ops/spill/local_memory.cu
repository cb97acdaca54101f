// The loop as one would write it. The place in the ring follows from the step's number, and registers have no numbers
// that a program could compute: the compiler puts the ring into "local" memory, which is global memory that belongs to
// one thread, 64 bytes of it, and each step becomes two loads and a store.
#include "ops/spill/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void local_memory(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t steps) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    std::uint32_t ring[kRing];
    for (int place = 0; place < kRing; ++place) ring[place] = initial(static_cast<std::uint32_t>(in[i]), place);
#pragma unroll 1
    for (std::int64_t step = 0; step < steps; ++step)
        ring[place_of(step)] = next(ring[place_of(step)], ring[lagged_place(step)]);
    std::uint32_t result = 0;
    for (int place = 0; place < kRing; ++place) result = fold(result, ring[place]);
    out[i] = static_cast<std::int32_t>(result);
}

void launch(const SpillArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    local_memory<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.steps);
}
}  // namespace

LANEWORK_RUNG(spill, local_memory,
              {
                  .lesson = "An array that is indexed by a variable cannot live in registers: it goes to local memory.",
                  .launch = launch,
              });
