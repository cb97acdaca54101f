// expect: wrong — each thread zeroes its atom's counter in the kernel in which others already count at it
// says: offsets[
#include "ops/neighbors/pairs.hpp"

namespace {
template <class T>
__global__ void counters_zeroed_inside(NeighborsArgs<T> a, std::int32_t* counts, std::int32_t* neighbors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    counts[i] = 0;  // no barrier orders this against the threads of other blocks, nor of other warps
    const auto enter = [&](std::int64_t at, std::int64_t other) {
        const std::int32_t slot = atomicAdd(&counts[at], 1);
        if (slot >= 0 && slot < a.facts.most) neighbors[slot * a.n + at] = static_cast<std::int32_t>(other);
    };
    for (std::int64_t j = i; j < a.n; ++j)
        for (std::int32_t image = 0; image < a.facts.images; ++image) {
            if (i == j && image == a.facts.home) continue;
            if (!is_near(triple(a.positions, i), triple(a.positions, j), triple(a.images, image), a.limit)) continue;
            enter(i, j);
            if (i != j) enter(j, i);
        }
}

/// As wrong counts would have it, but never outside of the table.
static __global__ void clamp_counts(std::int32_t* counts, std::int32_t most, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i < n && (counts[i] < 0 || counts[i] > most)) counts[i] = 0;
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table = table_of(a);
    counters_zeroed_inside<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, table.counts, table.neighbors);
    clamp_counts<<<pair_blocks(a), kPairBlock, 0, stream>>>(table.counts, a.facts.most, a.n);
    write_list<false>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, counters_zeroed_inside,
              {
                  .lesson = "Never: zero what is counted in before the launch, on the same stream.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {table_bytes<float>, table_bytes<double>},
              });
