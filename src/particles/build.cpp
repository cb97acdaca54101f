// A list on the processor: count every atom's neighbours, add the counts up, and write each list to its place.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "src/particles/least_pairs.hpp"
#include "src/particles/nearest.hpp"
#include "src/particles/neighborhood.hpp"

namespace lanework {
namespace {

/// Calls body(index) for 0 … count − 1 on the team. The first exception that one of them throws ends it.
template <class Body>
void for_each(std::int64_t count, int threads, Body body) {
    std::exception_ptr failure;
    std::atomic<bool> failed = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1 && count > 1)
    for (std::int64_t index = 0; index < count; ++index) {
        if (failed.load(std::memory_order_relaxed)) continue;
        try {
            body(index);
        } catch (...) {
            failed = true;
#pragma omp critical(lanework_neighbors_failure)
            if (!failure) failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

/// Some consecutive cells of one system: what a thread takes at a time.
struct Portion {
    const Cells* cells;
    std::int64_t begin, end;
    std::vector<std::uint64_t> keys = {};  // the candidates of its cells, kept from the count for the fill …
    std::vector<std::size_t> ends = {};    // … up to here for each cell; none where they are too many to be kept

    std::int64_t atoms() const { return cells->end(end - 1) - cells->begin(begin); }
};
constexpr std::int64_t kAtomsPerPortion = 128;
constexpr std::int64_t kKeptPerAtom = 64;  // candidates: 512 bytes

std::vector<Portion> portions_of(const std::vector<Cells>& systems) {
    std::vector<Portion> portions;
    for (const Cells& cells : systems)
        for (std::int64_t cell = 0; cell < cells.occupied();) {
            const std::int64_t begin = cell, first = cells.begin(begin);
            while (cell < cells.occupied() && (cell == begin || cells.end(cell) - first <= kAtomsPerPortion)) ++cell;
            portions.push_back({.cells = &cells, .begin = begin, .end = cell});
        }
    return portions;
}

/// The pairs that all threads have counted so far. Where they are known not to fit, the rest is not waited for.
template <class T>
class Tally {
public:
    Tally(const NeighborOptions& options, std::int64_t atoms)
        : options_(options), atoms_(static_cast<std::uint64_t>(atoms)) {}

    /// Throws NeighborMemoryError.
    void add(std::uint64_t pairs) {
        const std::uint64_t sum = pairs_.fetch_add(pairs) + pairs;
        if (sum / kCountedPairs > (sum - pairs) / kCountedPairs) check_memory<T>(options_, atoms_, {sum, false});
    }

private:
    const NeighborOptions& options_;
    std::uint64_t atoms_;
    std::atomic<std::uint64_t> pairs_ = 0;
};

/// One pass over all atoms by one thread at a time: what it needs to count and to fill.
template <class T>
class Pass {
public:
    Pass(const Particles<T>& particles, const Cutoffs<T>& cutoffs, const NeighborOptions& options)
        : neighborhood_(particles, cutoffs), options_(options) {}

    void count(Portion& portion, Tally<T>& tally, std::int64_t* counts) {
        for (std::int64_t cell = portion.begin; cell < portion.end; ++cell) {
            const Cells& cells = *portion.cells;
            begin_cell(cells, cell);
            neighborhood_.gather(cells, cell, [&] {
                if (neighborhood_.is_whole()) keep(portion, cell);
                count_cell(cells, cell, tally);
            });
            for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place)
                counts[cells.first_atom() + cells.atom(place)] = found_of(cells, cell, place);
        }
    }

    void fill(Portion& portion, NeighborList<T>& list) {
        const Cells& cells = *portion.cells;
        for (std::int64_t cell = portion.begin; cell < portion.end; ++cell) {
            const auto index = static_cast<std::size_t>(cell - portion.begin);
            const auto fill_portion = [&] { fill_cell(cells, cell, list); };
            begin_cell(cells, cell);
            if (index < portion.ends.size()) {
                const std::size_t first = index > 0 ? portion.ends[index - 1] : 0;
                neighborhood_.restore(cells, std::span(portion.keys).subspan(first, portion.ends[index] - first));
                fill_portion();
            } else {
                neighborhood_.gather(cells, cell, fill_portion);
            }
        }
    }

private:
    static constexpr std::uint64_t kToldPairs = std::uint64_t{1} << 20;

    std::int64_t before() const { return neighborhood_.before_self(); }
    std::int64_t behind() const { return neighborhood_.behind_self(); }

    void begin_cell(const Cells& cells, std::int64_t cell) {
        found_.assign(static_cast<std::size_t>(cells.end(cell) - cells.begin(cell)), 0);
    }
    /// Neighbours that have been found of an atom of the cell.
    std::int64_t& found_of(const Cells& cells, std::int64_t cell, std::int64_t place) {
        return found_[static_cast<std::size_t>(place - cells.begin(cell))];
    }

    /// Counts those that the portion has.
    void count_cell(const Cells& cells, std::int64_t cell, Tally<T>& tally) {
        while (neighborhood_.next_block())
            for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place) {
                neighborhood_.turn_to(cells.atom(place));
                const Candidates<T> c = neighborhood_.candidates();
                const Vec3<T>& x = neighborhood_.position();
                const std::int64_t count = (options_.half ? 0 : kernels_.count(c, x.x, x.y, x.z, 0, before())) +
                                           kernels_.count(c, x.x, x.y, x.z, behind(), c.count);
                found_of(cells, cell, place) += count;
                untold_ += static_cast<std::uint64_t>(count);
                if (untold_ > kToldPairs) tally.add(std::exchange(untold_, 0));
            }
    }

    /// The candidates of as many of the first cells as there is room for.
    void keep(Portion& portion, std::int64_t cell) {
        const auto keys = neighborhood_.keys();
        const auto index = static_cast<std::size_t>(cell - portion.begin);
        if (portion.ends.size() < index ||
            static_cast<std::int64_t>(portion.keys.size() + keys.size()) > kKeptPerAtom * portion.atoms())
            return;
        portion.keys.insert(portion.keys.end(), keys.begin(), keys.end());
        portion.ends.push_back(portion.keys.size());
    }

    Sifted<T> reserve(std::int64_t candidates) {
        const auto room = static_cast<std::size_t>(candidates + kSiftPadding);
        if (slot_.size() < room) {
            slot_.resize(room + room / 2);
            for (auto* array : {&dx_, &dy_, &dz_, &squared_}) array->resize(slot_.size());
        }
        return {slot_.data(), dx_.data(), dy_.data(), dz_.data(), squared_.data()};
    }

    /// Writes the neighbours that the portion has for the atoms of the cell.
    void fill_cell(const Cells& cells, std::int64_t cell, NeighborList<T>& list) {
        while (neighborhood_.next_block())
            for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place) {
                neighborhood_.turn_to(cells.atom(place));
                const Candidates<T> c = neighborhood_.candidates();
                const Vec3<T>& x = neighborhood_.position();
                const Sifted<T> sifted = reserve(c.count);
                std::int64_t count = 0;
                if (!options_.half)
                    count = kernels_.select(c, x.x, x.y, x.z, 0, before(), options_.vectors, sifted, count);
                count = kernels_.select(c, x.x, x.y, x.z, behind(), c.count, options_.vectors, sifted, count);
                const std::int64_t atom = cells.first_atom() + cells.atom(place);
                std::int64_t& found = found_of(cells, cell, place);
                write(sifted, count, atom, list.offsets[static_cast<std::size_t>(atom)] + found, list);
                found += count;
            }
    }

    void write(const Sifted<T>& from, std::int64_t count, std::int64_t atom, std::int64_t to,
               NeighborList<T>& list) const {
        const auto at = static_cast<std::size_t>(to);
        if (options_.first) std::fill_n(list.first.data() + at, count, static_cast<std::int32_t>(atom));
        std::int32_t* const indices = list.indices.data() + at;
        for (std::int64_t k = 0; k < count; ++k) indices[k] = neighborhood_.atom(from.slot[k]);
        if (options_.shifts)
            for (std::int64_t k = 0; k < count; ++k)
                list.shifts.data()[at + static_cast<std::size_t>(k)] = neighborhood_.shift(from.slot[k]);
        if (options_.vectors)
            for (std::int64_t k = 0; k < count; ++k)
                list.vectors.data()[at + static_cast<std::size_t>(k)] = {from.dx[k], from.dy[k], from.dz[k]};
        if (options_.distances) kernels_.roots(from.squared, list.distances.data() + at, count);
    }

    Neighborhood<T> neighborhood_;
    const NeighborOptions& options_;
    const SiftKernels<T> kernels_ = sift_kernels<T>();
    std::vector<std::int64_t> found_;  // of the atoms of the cell
    std::uint64_t untold_ = 0;         // pairs that the tally does not know of yet
    std::vector<SlotOf<T>> slot_;
    std::vector<T> dx_, dy_, dz_, squared_;
};

/// counts[i] → offsets[i], in place; offsets[atoms] is the sum.
void counts_to_offsets(NeighborArray<std::int64_t>& counts) {
    std::int64_t sum = 0;
    for (std::int64_t& entry : counts) sum += std::exchange(entry, sum);
}

template <class T>
void build(const Particles<T>& particles, const Cutoffs<T>& cutoffs, const NeighborOptions& options, int threads,
           NeighborList<T>& list) {
    const std::vector<SystemRange> systems = systems_of(particles);
    std::vector<Cells> cells(systems.size());
    for_each(static_cast<std::int64_t>(systems.size()), threads, [&](std::int64_t s) {
        const auto at = static_cast<std::size_t>(s);
        cells[at] = Cells(particles, systems[at], s, cutoffs.largest);
    });
    std::vector<Portion> portions = portions_of(cells);
    std::vector<Pass<T>> passes;
    for (int t = 0; t < threads; ++t) passes.emplace_back(particles, cutoffs, options);
    const auto each = [&](auto body) {
        for_each(static_cast<std::int64_t>(portions.size()), threads, [&](std::int64_t p) {
            body(passes[static_cast<std::size_t>(omp_get_thread_num())], portions[static_cast<std::size_t>(p)]);
        });
    };
    // The list stays empty until it is known to fit.
    NeighborArray<std::int64_t> offsets = std::exchange(list.offsets, {});
    offsets.resize_for_overwrite(static_cast<std::size_t>(particles.atoms()) + 1);
    offsets[offsets.size() - 1] = 0;
    Tally<T> tally(options, particles.atoms());
    each([&](Pass<T>& pass, Portion& portion) { pass.count(portion, tally, offsets.data()); });
    counts_to_offsets(offsets);
    check_memory<T>(options, static_cast<std::uint64_t>(particles.atoms()),
                    {static_cast<std::uint64_t>(offsets[offsets.size() - 1])});
    try {
        list.offsets = std::move(offsets);
        size_pairs(options, list);
        each([&](Pass<T>& pass, Portion& portion) { pass.fill(portion, list); });
    } catch (...) {
        list = {};
        throw;
    }
}

/// A list of nothing: every pair of types has the cutoff 0.
template <class T>
NeighborList<T> empty_list(const Particles<T>& particles, const NeighborOptions& options) {
    NeighborArray<std::int64_t> offsets(static_cast<std::size_t>(particles.atoms()) + 1);
    std::fill(offsets.begin(), offsets.end(), 0);
    return allocate_list<T>(options, std::move(offsets));
}

}  // namespace

template <class T>
void neighbors(const Particles<T>& particles, const NeighborOptions& options, Team team, NeighborList<T>& list) {
    const Cutoffs<T> cutoffs = checked_cutoffs<T>(options);
    check_particles(particles, cutoffs.by_type ? cutoffs.types : 0);
    const int threads = std::max(team.threads, 1);
    if (!(cutoffs.largest > 0)) {
        list = empty_list(particles, options);
        return;
    }
    refuse_hopeless(particles, cutoffs, options);
    if (options.nearest == 0) {
        build(particles, cutoffs, options, threads, list);
    } else {
        NeighborOptions all = options;
        all.nearest = 0;
        all.distances = true;
        NeighborList<T> every;
        build(particles, cutoffs, all, threads, every);
        list = keep_nearest(every, options, team);
    }
}

template <class T>
NeighborList<T> neighbors(const Particles<T>& particles, const NeighborOptions& options, Team team) {
    NeighborList<T> list;
    neighbors(particles, options, team, list);
    return list;
}

#define LANEWORK_INSTANTIATE(T)                                                            \
    template NeighborList<T> neighbors(const Particles<T>&, const NeighborOptions&, Team); \
    template void neighbors(const Particles<T>&, const NeighborOptions&, Team, NeighborList<T>&);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework
