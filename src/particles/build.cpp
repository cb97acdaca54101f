// A list on the processor: count every atom's neighbours, add the counts up, and write each list to its place.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <lanework/team.hpp>
#include <mutex>

#include "src/cpu/first_failure.hpp"
#include "src/cpu/helpers.hpp"
#include "src/particles/crowded_cells.hpp"
#include "src/particles/least_pairs.hpp"
#include "src/particles/nearest.hpp"
#include "src/particles/neighborhood.hpp"
#include "src/particles/spare_room.hpp"

namespace lanework {
namespace {

/// Calls body(index) for 0 … count − 1 on the team. The first exception that one of them throws ends it.
template <class Body>
void for_each(std::int64_t count, int threads, const Body& body) {
    FirstFailure failure;
    share_out(threads, static_cast<std::uint32_t>(count),
              [&](std::int64_t index) { failure.guard([&] { body(index); }); });
    failure.rethrow();
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
    ~Pass() { SpareRoom<std::int32_t>::keep({std::move(slots_)}); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

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
                neighborhood_.restore(cells, cell, std::span(portion.keys).subspan(first, portion.ends[index] - first));
                fill_portion();
            } else {
                neighborhood_.gather(cells, cell, fill_portion);
            }
        }
    }

private:
    static constexpr std::size_t kMostSelected = std::size_t{1} << 16;
    static constexpr std::uint64_t kPairsPerCount = std::uint64_t{1} << 20;

    /// The first candidate of the block that the atom's list may hold.
    std::int64_t begin_of_list() const { return options_.half ? neighborhood_.behind_self() : 0; }

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
                const std::int64_t count =
                    kernels_.count(neighborhood_.candidates(), neighborhood_.centre(), begin_of_list());
                found_of(cells, cell, place) += count;
                uncounted_ += static_cast<std::uint64_t>(count);
                if (uncounted_ > kPairsPerCount) tally.add(std::exchange(uncounted_, 0));
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

    /// Neighbours of one atom that have been selected and not been written.
    struct Row {
        Centre<T> centre;
        std::int64_t atom, count, to;
        std::size_t slots;
    };

    /// Writes the neighbours that the portion has for the atoms of the cell. Those of many atoms are selected first: a
    /// load that needs several stores waits until they are in the cache, behind all that was written to the list.
    void fill_cell(const Cells& cells, std::int64_t cell, NeighborList<T>& list) {
        while (neighborhood_.next_block()) {
            for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place) {
                const std::int32_t atom = cells.atom(place);
                if (selected_ > kMostSelected || (!rows_.empty() && cells.wrap(atom) != wrap_)) write_rows(list);
                wrap_ = cells.wrap(atom);
                neighborhood_.turn_to(atom);
                select(cells.first_atom() + atom, found_of(cells, cell, place), list);
            }
            write_rows(list);
        }
    }

    void select(std::int64_t atom, std::int64_t& found, const NeighborList<T>& list) {
        const Candidates<T>& candidates = neighborhood_.candidates();
        const std::size_t room = selected_ + static_cast<std::size_t>(candidates.count + kSiftPadding);
        if (slots_.size() < room) slots_.resize(room + room / 2);
        const std::int64_t count =
            kernels_.select(candidates, neighborhood_.centre(), begin_of_list(), slots_.data() + selected_);
        if (count == 0) return;  // perhaps there is no list: no place in it may be named
        const std::int64_t to = list.offsets[static_cast<std::size_t>(atom)] + found;
        rows_.push_back({neighborhood_.centre(), atom, count, to, selected_});
        selected_ += static_cast<std::size_t>(count);
        found += count;
    }

    void write_rows(NeighborList<T>& list) {
        for (const Row& row : rows_) write(row, list);
        rows_.clear();
        selected_ = 0;
    }

    void write(const Row& row, NeighborList<T>& list) const {
        const auto at = static_cast<std::size_t>(row.to);
        const std::int32_t *const slots = slots_.data() + row.slots, *const end = slots + row.count;
        if (options_.first) std::fill_n(list.first.data() + at, row.count, static_cast<std::int32_t>(row.atom));
        std::transform(slots, end, list.indices.data() + at,
                       [j = neighborhood_.atoms()](std::int32_t slot) { return j[slot]; });
        if (options_.shifts) write_shifts(slots, end, list.shifts.data() + at);
        if (options_.vectors || options_.distances)
            kernels_.measure(neighborhood_.candidates(), row.centre, slots, row.count,
                             options_.vectors ? list.vectors.data()[at].data() : nullptr,
                             options_.distances ? list.distances.data() + at : nullptr);
    }

    /// Stores 16 bytes for each S of 12: what is too much is overwritten by the next.
    void write_shifts(const std::int32_t* slots, const std::int32_t* end, CellShift* to) const {
        const WideShift* const from = neighborhood_.shifts();
        if (slots == end) return;
        for (; slots + 1 < end; ++slots, ++to) std::memcpy(to->data(), from + *slots, sizeof(WideShift));
        std::memcpy(to->data(), from + *slots, sizeof(CellShift));
    }

    Neighborhood<T> neighborhood_;
    const NeighborOptions& options_;
    const SiftKernels<T> kernels_ = sift_kernels<T>();
    std::vector<std::int64_t> found_;  // of the atoms of the cell
    std::uint64_t uncounted_ = 0;      // pairs that the tally does not have yet
    std::vector<Row> rows_;            // all of one wrap
    std::vector<std::int32_t> slots_ = std::get<0>(SpareRoom<std::int32_t>::take());  // of their neighbours
    std::size_t selected_ = 0;                                                        // slots that are meant
    Image3 wrap_{};
};

/// A pass for each thread of a team. Who asks again soon gets the one it had, whose memory is in its cache.
template <class T>
class Passes {
public:
    Passes(const Particles<T>& particles, const Cutoffs<T>& cutoffs, const NeighborOptions& options, int threads) {
        for (int t = 0; t < threads; ++t) free_.push_back(std::make_unique<Pass<T>>(particles, cutoffs, options));
    }

    /// Calls body(pass) with one that nobody else has.
    template <class Body>
    void with_one(const Body& body) {
        std::unique_ptr<Pass<T>> pass;
        {
            const std::lock_guard lock(mutex_);
            pass = std::move(free_.back());
            free_.pop_back();
        }
        try {
            body(*pass);
        } catch (...) {
            give_back(std::move(pass));
            throw;
        }
        give_back(std::move(pass));
    }

private:
    void give_back(std::unique_ptr<Pass<T>> pass) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(pass));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Pass<T>>> free_;
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
    refuse_crowd<T>(particles, systems, cells, cutoffs, options);
    std::vector<Portion> portions = portions_of(cells);
    Passes<T> passes(particles, cutoffs, options, threads);
    const auto each = [&](const auto& body) {
        for_each(static_cast<std::int64_t>(portions.size()), threads, [&](std::int64_t p) {
            passes.with_one([&](Pass<T>& pass) { body(pass, portions[static_cast<std::size_t>(p)]); });
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
void neighbors(const Particles<T>& particles, const NeighborOptions& options, NeighborList<T>& list, Team team) {
    Cutoffs<T> cutoffs = checked_cutoffs<T>(options);
    check_particles(particles, cutoffs.by_type ? cutoffs.types : 0);
    keep_present(cutoffs, particles);
    const int threads = checked(team).threads;
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
    neighbors(particles, options, list, team);
    return list;
}

#define LANEWORK_INSTANTIATE(T)                                                            \
    template NeighborList<T> neighbors(const Particles<T>&, const NeighborOptions&, Team); \
    template void neighbors(const Particles<T>&, const NeighborOptions&, NeighborList<T>&, Team);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework
