// Twice the tests and no atomics: a thread finds all neighbours of its own atom, counts them in a register and writes
// the k-th of them beside the k-th of its neighbour thread.
#include "ops/neighbors/pairs.hpp"

namespace {
template <class T>
__global__ void no_atomics(NeighborsArgs<T> a, std::int32_t* counts, std::int32_t* neighbors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    const Vec3<T> from = triple(a.positions, i);
    std::int32_t found = 0;
    for (std::int64_t j = 0; j < a.n; ++j) {
        const Vec3<T> to = triple(a.positions, j);
        for (std::int32_t image = 0; image < a.facts.images; ++image)
            if (is_near(from, to, triple(a.images, image), a.limit) && !(i == j && image == a.facts.home))
                neighbors[found++ * a.n + i] = static_cast<std::int32_t>(j);
    }
    counts[i] = found;
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table = table_of(a);
    no_atomics<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, table.counts, table.neighbors);
    write_list<true>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, no_atomics,
              {
                  .climbs_from = "atomic_pairs",
                  .lesson = "Test each pair from both sides: the count stays in a register, writes coalesce in order.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {table_bytes<float>, table_bytes<double>},
                  .refuses = refuse_many_atoms,
              });
