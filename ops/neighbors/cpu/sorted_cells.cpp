// The list of the library: the candidates of a cell are gathered and sorted once for all of its atoms, each of which
// then tests them a vector at a time; what passes is in order already. All threads take cells.
#include <algorithm>

#include "ops/neighbors/operation.hpp"

namespace {
template <class T>
void launch(const NeighborsArgs<T>& a, Team team) {
    const Particles<T> particles{.positions = {a.positions, static_cast<std::size_t>(3 * a.n)}, .boxes = {a.box, 1}};
    const NeighborList<T> list = neighbors(particles, {.cutoff = a.cutoff}, team);
    std::copy(list.offsets.begin(), list.offsets.end(), a.offsets);
    std::copy(list.indices.begin(), list.indices.end(), a.indices);
}
}  // namespace

LANEWORK_RUNG(neighbors, sorted_cells,
              {
                  .climbs_from = "cell_list",
                  .lesson = "Sort candidates once per cell, test a vector of them at a time, on all threads.",
                  .launch = {launch<float>, launch<double>},
              });
