// Every pair once, entered at both of its atoms: first to count, then, when every atom's place is known, to write.
// Because i ascends, each atom receives its neighbours in order.
#include <algorithm>
#include <utility>

#include "ops/neighbors/operation.hpp"

namespace {
/// Calls visit(i, j) for every neighbour j of i: of both for each pair.
template <class T, class Visit>
void for_each_neighbor(const NeighborsArgs<T>& a, Visit visit) {
    const auto triple = [](const T* values, std::int64_t k) {
        return Vec3<T>{values[3 * k], values[3 * k + 1], values[3 * k + 2]};
    };
    for (std::int64_t i = 0; i < a.n; ++i)
        for (std::int64_t j = i; j < a.n; ++j)
            for (std::int32_t image = 0; image < a.facts.images; ++image) {
                if (i == j && image == a.facts.home) continue;
                const Vec3<T> d = displacement(triple(a.positions, i), triple(a.positions, j), triple(a.images, image));
                if (!(squared_length(d) < a.limit)) continue;
                visit(i, j);
                if (i != j) visit(j, i);
            }
}

template <class T>
void launch(const NeighborsArgs<T>& a, Team) {
    std::fill_n(a.offsets, a.n + 1, 0);
    for_each_neighbor(a, [&](std::int64_t i, std::int64_t) { ++a.offsets[i]; });
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i <= a.n; ++i) sum += std::exchange(a.offsets[i], sum);
    std::vector<std::uint64_t> next(a.offsets, a.offsets + a.n);
    for_each_neighbor(a, [&](std::int64_t i, std::int64_t j) {
        a.indices[next[static_cast<std::size_t>(i)]++] = static_cast<std::int32_t>(j);
    });
}

std::string_view refuses(const Problem& p) {
    return p.lengths<NeighborsAxes>().atoms > 32'768 ? "a square of more than 32768 atoms takes too long; use cell_list"
                                                     : "";
}
}  // namespace

LANEWORK_RUNG(neighbors, brute_force,
              {
                  .lesson = "Test every pair once, with every image of the box: count, add up, write. Quadratic.",
                  .launch = {launch<float>, launch<double>},
                  .refuses = refuses,
              });
