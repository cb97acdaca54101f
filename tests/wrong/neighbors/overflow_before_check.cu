// expect: wrong — the table's height was guessed, and an entry is written before it is known to fit
// says: past the end of
#include "ops/neighbors/pairs.hpp"

namespace {
constexpr std::int32_t kGuess = 2;  // rows of the table: enough for a chain, not for a crystal

template <class T>
__global__ void overflow_before_check(NeighborsArgs<T> a, std::int32_t* counts, std::int32_t* neighbors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    std::int32_t found = 0;
    for (std::int64_t j = 0; j < a.n; ++j)
        for (std::int32_t image = 0; image < a.facts.images; ++image)
            if (is_near(triple(a.positions, i), triple(a.positions, j), triple(a.images, image), a.limit) &&
                !(i == j && image == a.facts.home))
                neighbors[found++ * a.n + i] = static_cast<std::int32_t>(j);
    counts[i] = found < kGuess ? found : kGuess;  // too late: the rows beyond have been written
}

template <class T>
std::size_t workspace(const NeighborsArgs<T>& a) {
    return Table::bytes(a, kGuess);
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Table table(a, a.workspace);
    overflow_before_check<<<pair_blocks(a), kPairBlock, 0, stream>>>(a, table.counts, table.neighbors);
    write_list<true>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, overflow_before_check,
              {
                  .lesson = "Never: count first, or check a slot before it is written.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {workspace<float>, workspace<double>},
              });
