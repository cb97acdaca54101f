// Each pair is tested once and entered at both of its atoms. Many threads enter at the same atom: the value that
// atomicAdd returns is a slot that nobody else was given.
#include "ops/neighbors/pairs.hpp"

namespace {
struct Entry {
    std::int32_t *counts, *neighbors;
    std::int64_t n;
    std::int32_t most;

    __device__ void add(std::int64_t i, std::int64_t j) const {
        const std::int32_t slot = atomicAdd(&counts[i], 1);
        if (slot < most) neighbors[slot * n + i] = static_cast<std::int32_t>(j);  // before it is written, not after
    }
};

template <class T>
__global__ void atomic_pairs(NeighborsArgs<T> a, Entry entry) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    const Vec3<T> from = triple(a.positions, i);
    for (std::int64_t j = i; j < a.n; ++j) {
        const Vec3<T> to = triple(a.positions, j);
        for (std::int32_t image = 0; image < a.facts.images; ++image) {
            if (i == j && image == a.facts.home) continue;
            if (!is_near(from, to, triple(a.images, image), a.limit)) continue;
            entry.add(i, j);
            if (i != j) entry.add(j, i);  // the opposite image of i is a neighbour of j
        }
    }
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table = table_of(a);
    // Zeroed before the launch: a kernel that zeroes its own counters races with the threads that already count.
    LANEWORK_CHECK(cudaMemsetAsync(table.counts, 0, static_cast<std::size_t>(a.n) * sizeof(std::int32_t), stream));
    atomic_pairs<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, Entry{table.counts, table.neighbors, a.n, a.facts.most});
    write_list<false>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, atomic_pairs,
              {
                  .lesson = "Half of the tests, but both atoms get an entry: atomicAdd hands out the slots, scattered.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {table_bytes<float>, table_bytes<double>},
                  .refuses = refuse_many_atoms,
              });
