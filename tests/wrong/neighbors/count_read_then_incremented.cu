// expect: wrong — the count is read, used as a slot, and then incremented: two threads take the same slot
// says: offsets[
#include "ops/neighbors/pairs.hpp"

namespace {
template <class T>
__global__ void count_read_then_incremented(NeighborsArgs<T> a, std::int32_t* counts, std::int32_t* neighbors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    const auto enter = [&](std::int64_t at, std::int64_t other) {
        const std::int32_t slot = counts[at];
        if (slot < a.facts.most) neighbors[slot * a.n + at] = static_cast<std::int32_t>(other);
        counts[at] = slot + 1;  // others have read the same count, and their slots are lost
    };
    for (std::int64_t j = i; j < a.n; ++j)
        for (std::int32_t image = 0; image < a.facts.images; ++image) {
            if (i == j && image == a.facts.home) continue;
            if (!is_near(triple(a.positions, i), triple(a.positions, j), triple(a.images, image), a.limit)) continue;
            enter(i, j);
            if (i != j) enter(j, i);
        }
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table = table_of(a);
    LANEWORK_CHECK(cudaMemsetAsync(table.counts, 0, static_cast<std::size_t>(a.n) * sizeof(std::int32_t), stream));
    count_read_then_incremented<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, table.counts, table.neighbors);
    write_list<false>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, count_read_then_incremented,
              {
                  .lesson = "Never: only the value that atomicAdd returns is a slot of one's own.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {table_bytes<float>, table_bytes<double>},
              });
