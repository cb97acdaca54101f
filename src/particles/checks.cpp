// The arguments of a neighbour list, and the words for what is wrong with them.
#include "src/particles/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/memory.hpp"
#include "src/core/text.hpp"
#include "src/particles/basis.hpp"

namespace lanework {
namespace {

/// Rows of a square table. Throws UsageError when it is not square and symmetric with lengths in it.
template <class T>
std::int32_t check_table(const std::vector<double>& table) {
    const auto types = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(table.size()))));
    if (types * types != table.size() || types > 65536)
        throw UsageError(
            fmt::format("there are {} cutoffs for pairs of types; a square table has 1, 4, 9, …", table.size()));
    for (std::size_t a = 0; a < types; ++a)
        for (std::size_t b = 0; b < types; ++b) {
            const double cutoff = table[a * types + b];
            if (!(cutoff >= 0) || !std::isfinite(cutoff))
                throw UsageError(fmt::format("the cutoff of types {} and {} is {}; it must be a length, or 0 for none",
                                             a, b, cutoff));
            if (cutoff != table[b * types + a])
                throw UsageError(
                    fmt::format("the cutoff of types {} and {} is {}, that of {} and {} is {}; "
                                "the table must be symmetric",
                                a, b, cutoff, b, a, table[b * types + a]));
            if (cutoff > 0) check_cutoff<T>(cutoff, fmt::format("the cutoff of types {} and {}", a, b));
        }
    return static_cast<std::int32_t>(types);
}

/// "(1.5, 2, -3)".
template <class Range>
std::string tuple_text(const Range& values) {
    std::string text;
    for (const auto value : values) text += fmt::format("{}{}", text.empty() ? "(" : ", ", value);
    return text + ")";
}

/// What any process can still have: not worth reading the kernel's files for.
constexpr std::uint64_t kAlwaysThere = std::uint64_t{1} << 20;

}  // namespace

NeighborMemoryError::NeighborMemoryError(std::uint64_t pairs, std::uint64_t bytes, std::uint64_t available, bool exact)
    : MemoryError(fmt::format("the list has {}{} pairs and needs {}; it may take {}: choose a smaller cutoff, a half "
                              "list or fewer arrays",
                              exact ? "" : "at least ", pairs, format_bytes(bytes), format_bytes(available))),
      pairs_(pairs),
      bytes_(bytes),
      available_(available),
      exact_(exact) {}

template <class T>
void check_cutoff(double cutoff, std::string_view name) {
    if (!(cutoff > 0) || !std::isfinite(cutoff))
        throw UsageError(fmt::format("{} is {}; it must be a positive length", name, cutoff));
    using Limits = std::numeric_limits<T>;
    const double shortest = std::sqrt(static_cast<double>(Limits::min())),
                 longest = std::sqrt(static_cast<double>(Limits::max()));
    const bool squares = cutoff >= shortest && cutoff <= longest &&
                         std::isnormal(static_cast<T>(static_cast<T>(cutoff) * static_cast<T>(cutoff)));
    if (!squares)
        throw UsageError(fmt::format("{} is {}; it must be from {:.2g} to {:.2g}, where its square is a normal {}",
                                     name, cutoff, shortest, longest, sizeof(T) == 4 ? "float" : "double"));
}

template <class T>
Cutoffs<T> checked_cutoffs(const NeighborOptions& options) {
    if (options.nearest < 0) throw UsageError(fmt::format("nearest is {}; it must be 0 or more", options.nearest));
    if (options.nearest > 0 && options.half)
        throw UsageError("the nearest neighbours of each atom are not a half list: pairs are not mutual");
    Cutoffs<T> cutoffs;
    if (options.pair_cutoffs.empty()) {
        check_cutoff<T>(options.cutoff);
        cutoffs.largest = options.cutoff;
        const T cutoff = static_cast<T>(options.cutoff);
        cutoffs.squared = {static_cast<T>(cutoff * cutoff)};
        return cutoffs;
    }
    cutoffs.types = check_table<T>(options.pair_cutoffs);
    cutoffs.by_type = true;
    for (const double length : options.pair_cutoffs) {
        const T cutoff = static_cast<T>(length);
        cutoffs.largest = std::max(cutoffs.largest, length);
        cutoffs.lengths.push_back(length);
        cutoffs.squared.push_back(static_cast<T>(cutoff * cutoff));
    }
    return cutoffs;
}

template <class T>
void check_particles(const Particles<T>& p, std::int32_t types) {
    if (p.dimensions != 2 && p.dimensions != 3)
        throw UsageError(fmt::format("the positions have {} dimensions; there are lists in 2 and in 3", p.dimensions));
    if (p.positions.size() % static_cast<std::size_t>(p.dimensions) != 0)
        throw UsageError(
            fmt::format("{} coordinates are no whole number of atoms with {} each", p.positions.size(), p.dimensions));
    const std::int64_t atoms = p.atoms(), most = std::numeric_limits<std::int32_t>::max();
    if (atoms > most)
        throw UsageError(fmt::format("{} atoms are more than the {} that an index can tell apart", atoms, most));
    std::size_t systems = 1;
    if (!p.systems.empty()) {
        systems = p.systems.size() - 1;
        if (p.systems.front() != 0 || p.systems.back() != atoms)
            throw UsageError(fmt::format("the systems span atoms {} to {}; they must span 0 to {}", p.systems.front(),
                                         p.systems.back(), atoms));
        for (std::size_t s = 0; s < systems; ++s)
            if (p.systems[s] > p.systems[s + 1])
                throw UsageError(
                    fmt::format("system {} begins at atom {} and ends at {}", s, p.systems[s], p.systems[s + 1]));
    }
    if (!p.boxes.empty() && p.boxes.size() != systems)
        throw UsageError(
            fmt::format("there are {} boxes for {} systems; give one for each, or none", p.boxes.size(), systems));
    for (std::size_t s = 0; s < p.boxes.size(); ++s) {
        const PeriodicBox& box = p.boxes[s];
        check_vectors(box, static_cast<std::int64_t>(s));
        if (p.dimensions == 3) continue;
        if (box.periodic[2]) throw UsageError(fmt::format("box {}: in two dimensions the third direction is open", s));
        for (int k = 0; k < 2; ++k)
            if (box.periodic[static_cast<std::size_t>(k)] && box.vectors[static_cast<std::size_t>(k)][2] != 0)
                throw UsageError(fmt::format("box {}: in two dimensions no box vector leaves the plane", s));
    }
    if (types == 0) return;
    if (static_cast<std::int64_t>(p.types.size()) != atoms)
        throw UsageError(fmt::format("there are {} types for {} atoms", p.types.size(), atoms));
    for (std::size_t i = 0; i < p.types.size(); ++i)
        if (p.types[i] < 0 || p.types[i] >= types)
            throw UsageError(
                fmt::format("atom {} is of type {}; the table of cutoffs has types 0 to {}", i, p.types[i], types - 1));
}

template <class T>
void keep_present(Cutoffs<T>& cutoffs, const Particles<T>& particles) {
    if (!cutoffs.by_type) return;
    const auto types = static_cast<std::size_t>(cutoffs.types);
    std::vector<bool> present(types);
    for (const std::int32_t type : particles.types) present[static_cast<std::size_t>(type)] = true;
    cutoffs.largest = 0;
    for (std::size_t a = 0; a < types; ++a)
        for (std::size_t b = 0; b < types && present[a]; ++b)
            if (present[b]) cutoffs.largest = std::max(cutoffs.largest, cutoffs.lengths[a * types + b]);
}

template <class T>
void refuse_atom(const Particles<T>& p, std::int64_t atom) {
    const auto x =
        p.positions.subspan(static_cast<std::size_t>(atom * p.dimensions), static_cast<std::size_t>(p.dimensions));
    for (const T value : x)
        if (!std::isfinite(value))
            throw UsageError(fmt::format("atom {} is at {}; every coordinate must be finite", atom, tuple_text(x)));
    throw UsageError(
        fmt::format("atom {} is at {}, more than 2^28 boxes away; move it into its box", atom, tuple_text(x)));
}

template <class T>
void refuse_rounding(const Particles<T>& p, std::int64_t atom, std::int64_t system) {
    const auto x =
        p.positions.subspan(static_cast<std::size_t>(atom * p.dimensions), static_cast<std::size_t>(p.dimensions));
    throw UsageError(
        fmt::format("atom {} is at {}, where rounding alone reaches through more than 2^16 images of box {}; move it "
                    "nearer to the origin",
                    atom, tuple_text(x), system));
}

void check_vectors(const PeriodicBox& box, std::int64_t system) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double v[3] = {box.vectors[k][0], box.vectors[k][1], box.vectors[k][2]};
        if (!box.periodic[k] || has_fitting_length(v) || (v[0] == 0 && v[1] == 0 && v[2] == 0)) continue;
        const bool finite = std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
        throw UsageError(fmt::format(
            "vector {} of box {} is {}; {}", "abc"[k], system, tuple_text(v),
            finite ? fmt::format("its length must be from {:.2g} to {:.2g}", kShortestVector, kLongestVector)
                   : "it must be finite"));
    }
}

void refuse_box(const PeriodicBox& box, std::int64_t system) {
    std::string vectors;
    for (std::size_t k = 0; k < 3; ++k)
        if (box.periodic[k]) vectors += (vectors.empty() ? "" : ", ") + tuple_text(box.vectors[k]);
    throw UsageError(fmt::format("the periodic vectors {} of box {} are not linearly independent", vectors, system));
}

void check_independent(const PeriodicBox& box, std::int64_t system) {
    if (!make_basis(box, true).independent) refuse_box(box, system);
}

void refuse_images(double cutoff, std::int64_t system) {
    throw UsageError(
        fmt::format("a cutoff of {} reaches through more than 2^32 images of box {}, or over 2^29 of them along one "
                    "direction; choose a smaller one",
                    cutoff, system));
}

template <class T>
std::vector<SystemRange> systems_of(const Particles<T>& p) {
    std::vector<SystemRange> systems;
    const std::size_t count = p.systems.empty() ? 1 : p.systems.size() - 1;
    for (std::size_t s = 0; s < count; ++s)
        systems.push_back({p.systems.empty() ? 0 : p.systems[s], p.systems.empty() ? p.atoms() : p.systems[s + 1],
                           p.boxes.empty() ? PeriodicBox::open() : p.boxes[s]});
    return systems;
}

template <class T>
std::uint64_t list_bytes(const NeighborOptions& options, std::uint64_t atoms, std::uint64_t pairs) {
    const std::uint64_t per_pair =
        sizeof(std::int32_t) + (options.first ? sizeof(std::int32_t) : 0) + (options.shifts ? sizeof(CellShift) : 0) +
        (options.vectors ? sizeof(DistanceVector<T>) : 0) + (options.distances ? sizeof(T) : 0);
    return (atoms + 1) * sizeof(std::int64_t) + pairs * per_pair;
}

template <class T>
std::uint64_t pairs_that_fit(const NeighborOptions& options, std::uint64_t atoms) {
    const std::uint64_t room = options.memory_limit > 0 ? options.memory_limit : available_memory(),
                        without = list_bytes<T>(options, atoms, 0);
    return room > without ? (room - without) / (list_bytes<T>(options, atoms, 1) - without) : 0;
}

template <class T>
void check_memory(const NeighborOptions& options, std::uint64_t atoms, PairCount count, std::uint64_t scratch) {
    const std::uint64_t bytes = list_bytes<T>(options, atoms, count.pairs);
    if (options.memory_limit > 0) {
        if (bytes > options.memory_limit)
            throw NeighborMemoryError(count.pairs, bytes, options.memory_limit, count.exact);
    } else if (bytes > kAlwaysThere) {
        const std::uint64_t free = available_memory(), available = free - std::min(free, scratch);
        if (bytes > available) throw NeighborMemoryError(count.pairs, bytes, available, count.exact);
    }
}

template <class T>
void size_pairs(const NeighborOptions& options, NeighborList<T>& list) {
    const auto pairs = static_cast<std::size_t>(list.offsets[list.offsets.size() - 1]);
    list.first.resize_for_overwrite(options.first ? pairs : 0);
    list.indices.resize_for_overwrite(pairs);
    list.shifts.resize_for_overwrite(options.shifts ? pairs : 0);
    list.vectors.resize_for_overwrite(options.vectors ? pairs : 0);
    list.distances.resize_for_overwrite(options.distances ? pairs : 0);
}

template <class T>
NeighborList<T> allocate_list(const NeighborOptions& options, NeighborArray<std::int64_t> offsets) {
    NeighborList<T> list;
    list.offsets = std::move(offsets);
    size_pairs(options, list);
    return list;
}

#define LANEWORK_INSTANTIATE(T)                                                                     \
    template void check_cutoff<T>(double, std::string_view);                                        \
    template Cutoffs<T> checked_cutoffs<T>(const NeighborOptions&);                                 \
    template void check_particles<T>(const Particles<T>&, std::int32_t);                            \
    template void keep_present<T>(Cutoffs<T>&, const Particles<T>&);                                \
    template void refuse_atom<T>(const Particles<T>&, std::int64_t);                                \
    template void refuse_rounding<T>(const Particles<T>&, std::int64_t, std::int64_t);              \
    template std::vector<SystemRange> systems_of<T>(const Particles<T>&);                           \
    template std::uint64_t list_bytes<T>(const NeighborOptions&, std::uint64_t, std::uint64_t);     \
    template std::uint64_t pairs_that_fit<T>(const NeighborOptions&, std::uint64_t);                \
    template void check_memory<T>(const NeighborOptions&, std::uint64_t, PairCount, std::uint64_t); \
    template void size_pairs<T>(const NeighborOptions&, NeighborList<T>&);                          \
    template NeighborList<T> allocate_list<T>(const NeighborOptions&, NeighborArray<std::int64_t>);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework
