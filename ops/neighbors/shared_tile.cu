// Every thread reads every atom. A block reads a tile of them once, into shared memory, and all of its threads test
// against that.
#include "ops/neighbors/pairs.hpp"

namespace {
template <class T>
__global__ void shared_tile(NeighborsArgs<T> a, std::int32_t* counts, std::int32_t* neighbors) {
    __shared__ T tile[3 * kPairBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    const Vec3<T> from = i < a.n ? triple(a.positions, i) : Vec3<T>{};
    std::int32_t found = 0;
    for (std::int64_t first = 0; first < a.n; first += kPairBlock) {
        const std::int64_t in_tile = a.n - first < kPairBlock ? a.n - first : kPairBlock;
        for (std::int64_t k = threadIdx.x; k < 3 * in_tile; k += kPairBlock) tile[k] = a.positions[3 * first + k];
        __syncthreads();
        for (std::int64_t k = 0; i < a.n && k < in_tile; ++k) {
            const Vec3<T> to = triple(static_cast<const T*>(tile), k);
            for (std::int32_t image = 0; image < a.facts.images; ++image)
                if (is_near(from, to, triple(a.images, image), a.limit) && !(i == first + k && image == a.facts.home))
                    neighbors[found++ * a.n + i] = static_cast<std::int32_t>(first + k);
        }
        __syncthreads();
    }
    if (i < a.n) counts[i] = found;
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table = table_of(a);
    shared_tile<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, table.counts, table.neighbors);
    write_list<true>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, shared_tile,
              {
                  .climbs_from = "no_atomics",
                  .lesson = "A block stages tiles of atoms in shared memory: one read serves all of its threads.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {table_bytes<float>, table_bytes<double>},
                  .refuses = refuse_many_atoms,
              });
