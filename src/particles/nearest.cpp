// Choosing by distance, keeping the order of the list.
#include "src/particles/nearest.hpp"

#include <algorithm>
#include <numeric>

#include "src/cpu/first_failure.hpp"
#include "src/cpu/in_shares.hpp"
#include "src/particles/checks.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kAtomsPerShare = 64;  // at least: so few take a thread's waking to choose for

/// Entries of row i that are kept, ascending. Distances order pairs as their squares do, ties of roots included: both
/// are rounded once from values that are, and equal roots fall back on the order of the list.
template <class T>
void choose(const NeighborList<T>& list, std::int64_t i, std::int64_t kept, std::vector<std::int64_t>& entries) {
    entries.resize(static_cast<std::size_t>(list.count(i)));
    std::iota(entries.begin(), entries.end(), list.offsets[static_cast<std::size_t>(i)]);
    if (static_cast<std::int64_t>(entries.size()) <= kept) return;
    const auto nearer = [&](std::int64_t a, std::int64_t b) {
        const T first = list.distances[static_cast<std::size_t>(a)],
                second = list.distances[static_cast<std::size_t>(b)];
        return first != second ? first < second : a < b;
    };
    std::nth_element(entries.begin(), entries.begin() + kept, entries.end(), nearer);
    entries.resize(static_cast<std::size_t>(kept));
    std::sort(entries.begin(), entries.end());
}

template <class T>
void copy_entry(const NeighborList<T>& from, std::size_t source, NeighborList<T>& to, std::size_t target) {
    if (!to.first.empty()) to.first[target] = from.first[source];
    to.indices[target] = from.indices[source];
    if (!to.shifts.empty()) to.shifts[target] = from.shifts[source];
    if (!to.vectors.empty()) to.vectors[target] = from.vectors[source];
    if (!to.distances.empty()) to.distances[target] = from.distances[source];
}

}  // namespace

template <class T>
NeighborList<T> keep_nearest(const NeighborList<T>& list, const NeighborOptions& options, Team team) {
    const std::int64_t atoms = list.atoms();
    NeighborArray<std::int64_t> offsets(list.offsets.size());
    offsets[0] = 0;
    for (std::int64_t i = 0; i < atoms; ++i)
        offsets[static_cast<std::size_t>(i) + 1] =
            offsets[static_cast<std::size_t>(i)] + std::min<std::int64_t>(list.count(i), options.nearest);
    NeighborList<T> kept = allocate_list<T>(options, std::move(offsets));
    FirstFailure failure;
    in_shares(team, atoms, kAtomsPerShare, [&](Share share) {
        failure.guard([&] {
            std::vector<std::int64_t> entries;
            for (std::int64_t i = share.begin; i < share.end; ++i) {
                choose(list, i, kept.count(i), entries);
                auto target = static_cast<std::size_t>(kept.offsets[static_cast<std::size_t>(i)]);
                for (const std::int64_t entry : entries)
                    copy_entry(list, static_cast<std::size_t>(entry), kept, target++);
            }
        });
    });
    failure.rethrow();
    return kept;
}

template NeighborList<float> keep_nearest(const NeighborList<float>&, const NeighborOptions&, Team);
template NeighborList<double> keep_nearest(const NeighborList<double>&, const NeighborOptions&, Team);

}  // namespace lanework
