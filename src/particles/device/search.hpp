// A warp looks for the neighbours of a few atoms of one cell together: their candidates are the same, so that each is
// looked up and loaded once, and then tested against all of them. A lane has a candidate; lanes without one are rare,
// since the candidates of all rows of cells are counted through, and what is too far from the box around the atoms is
// left out before it is tested against any.
#pragma once

#include "src/particles/device/sorting.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What decides about a pair, beside the positions.
template <class T>
struct DeviceRules {
    T limit;  ///< squared cutoff of every pair, where there are no types
    bool half;
    std::int32_t nearest;  ///< 0: all neighbours
    const std::int32_t* types;
    const T* pair_cutoffs;
    std::int32_t type_count;
};

/// Candidates that lie side by side among the sorted atoms, seen through one image.
template <class T>
struct DeviceRun {
    std::int32_t last;   ///< candidates of this run and of those before it
    std::int32_t shift;  ///< from the number of a candidate to its place among the sorted atoms
    Image3 image;        ///< in reduced vectors
    std::uint32_t code;
    Vec3<T> t;             ///< translation, for a candidate that is wrapped as the atoms are
    std::int32_t cell[3];  ///< where cells share buckets: the one that is meant
};

/// What an atom is seen through.
template <class T>
struct View {
    Vec3<T> t;
    std::uint32_t code;  ///< of the image
};

/// What a lane tests.
template <class T>
struct Candidate {
    SortedAtom<T> at;  ///< without its tag
    View<T> view;
    std::uint32_t from, count;  ///< the atoms that keep it if it is near: `count` of them, beginning with `from`
};

/// What a warp keeps in shared memory while it searches for a few atoms.
template <class T>
struct SearchRoom {
    DeviceRun<T> runs[kWarp];
    SortedAtom<T> atoms[kTogether];    ///< without their tags
    std::int32_t at[kTogether];        ///< their sorted places
    Vec3<T> low, high;                 ///< the box around them
    SortedAtom<T> waiting[2 * kWarp];  ///< candidates that are near the box, in turn
    View<T> views[2 * kWarp];
};

/// `self` is without its tag; `squared` becomes d².
template <class T>
__device__ bool are_neighbors(const DeviceRules<T>& rules, const SortedAtom<T>& self, const Candidate<T>& other,
                              T& squared) {
    T limit = rules.limit;
    if (rules.pair_cutoffs)
        limit = squared_cutoff(
            rules.pair_cutoffs[rules.types[self.atom()] * rules.type_count + rules.types[other.at.atom()]]);
    const Vec3<T> d = displacement<T>({self.x, self.y, self.z}, {other.at.x, other.at.y, other.at.z}, other.view.t);
    squared = squared_length(d);
    const bool near = squared < limit;
    return near & (self.tagged - other.from < other.count);  // & and not &&: no branch
}

/// The cells around one cell, for atoms of it that are wrapped alike.
template <class T>
struct Search {
    const DeviceWork<T>& work;
    const DeviceSystem& system;
    SortedPlace place;
    // Copies of what every candidate needs: the system is in memory that kernels write to.
    const T limit;
    const bool half, hashed, outside;  ///< outside: the atoms that are searched for are wrapped
    const std::uint32_t home;
    const int code_bits;
    std::int32_t low[3], count[3];  ///< rows of cells in reach; along the first direction boxes, or cells where hashed

    __device__ Search(const DeviceWork<T>& from, const DeviceSystem& of, const DeviceRules<T>& rules,
                      const SortedPlace& around)
        : work(from),
          system(of),
          place(around),
          limit(rules.limit),
          half(rules.half),
          hashed(of.hashed),
          outside(around.wrap != Image3{0, 0, 0}),
          home(of.home),
          code_bits(of.code_bits) {
        for (int k = 0; k < 3; ++k) {
            low[k] = place.cell[k] - system.grid.reach[k];
            std::int32_t high = place.cell[k] + system.grid.reach[k];
            if (!system.grid.basis.periodic[k]) {
                low[k] = max(low[k], 0);
                high = min(high, cells(k) - 1);
            }
            count[k] = high - low[k] + 1;
        }
        if (!hashed) count[0] = box_of(low[0] + count[0] - 1, 0) - box_of(low[0], 0) + 1;
    }

    __device__ std::int32_t cells(int k) const { return static_cast<std::int32_t>(system.grid.cells[k]); }
    /// The box in which a cell lies that is counted on beyond the box's own: ⌊cell / cells⌋, in 32 bits.
    __device__ std::int32_t box_of(std::int32_t cell, int k) const {
        if (cell >= 0 && cell < cells(k)) return 0;
        return cell >= 0 ? cell / cells(k) : -((cells(k) - 1 - cell) / cells(k));
    }
    __device__ std::int64_t runs() const { return std::int64_t{count[0]} * count[1] * count[2]; }

    /// Run `index` of runs(): the part of a row of cells that lies in one box, or one cell where cells share buckets.
    /// `length` is the number of its candidates.
    __device__ DeviceRun<T> run(std::int64_t index, std::int32_t& length) const {
        const Grid& grid = system.grid;
        std::int32_t along, b, c;
        if (runs() >> 32 == 0) {  // as ever: 64-bit divisions take several times as long
            const auto narrow = static_cast<std::uint32_t>(index), rest = narrow / static_cast<std::uint32_t>(count[0]);
            along = static_cast<std::int32_t>(narrow % static_cast<std::uint32_t>(count[0]));
            b = low[1] + static_cast<std::int32_t>(rest % static_cast<std::uint32_t>(count[1]));
            c = low[2] + static_cast<std::int32_t>(rest / static_cast<std::uint32_t>(count[1]));
        } else {
            along = static_cast<std::int32_t>(index % count[0]);
            b = low[1] + static_cast<std::int32_t>(index / count[0] % count[1]);
            c = low[2] + static_cast<std::int32_t>(index / count[0] / count[1]);
        }
        DeviceRun<T> run;
        run.image = {box_of(low[0], 0) + along, box_of(b, 1), box_of(c, 2)};
        std::int32_t first, last;
        if (hashed) {
            run.image.a = box_of(low[0] + along, 0);
            first = last = low[0] + along - run.image.a * cells(0);
        } else {
            first = max(low[0] - run.image.a * cells(0), 0);
            last = min(place.cell[0] + grid.reach[0] - run.image.a * cells(0), cells(0) - 1);
        }
        run.cell[0] = first;
        run.cell[1] = b - run.image.b * cells(1);
        run.cell[2] = c - run.image.c * cells(2);
        const std::uint32_t bucket = bucket_of(system, first, run.cell[1], run.cell[2]);
        run.shift = work.starts[bucket];
        length = work.starts[bucket + static_cast<std::uint32_t>(last - first) + 1] - run.shift;
        run.code = home;
        run.t = {0, 0, 0};  // of which side, no distance tells
        if (run.image != Image3{0, 0, 0}) {
            const Image3 s = in_box_vectors(grid.basis, run.image);
            run.code = image_code(grid, s);
            run.t = translation<T>(s, grid.basis.box);
        }
        return run;
    }

    /// Calls visit(candidate, last) for all candidates near the atoms of the room, one per lane; every lane of the warp
    /// comes along. `last`: there are no more.
    template <class Visit>
    __device__ void for_each_candidate(SearchRoom<T>& room, int lane, Visit visit) const {
        const std::int64_t all = runs();
        unsigned held = 0, turn = 0;  // candidates that wait, from waiting[turn] on
        for (std::int64_t first = 0; first < all; first += kWarp) {
            const std::int32_t candidates =
                look_up(room.runs, lane, first, static_cast<int>(min(all - first, std::int64_t{kWarp})));
            int mine = 0;  // the run of this lane's next candidate: the numbers only grow
            std::int32_t at = place_of(room.runs, lane, candidates, mine);
            SortedAtom<T> next = at >= 0 ? work.sorted[at] : SortedAtom<T>{};
            const bool ends = first + kWarp >= all;
            bool done = !ends;  // with those that are left at the end
            for (std::int32_t begin = 0; begin < candidates || !done; begin += kWarp) {
                if (begin < candidates) {
                    const SortedAtom<T> atom = next;
                    const DeviceRun<T>& run = room.runs[mine];
                    const std::int32_t there = at;
                    at = place_of(room.runs, begin + kWarp + lane, candidates, mine);
                    if (at >= 0) next = work.sorted[at];  // on its way while the other one is tested
                    held += keep_waiting(room, run, atom, there, turn + held, lane);
                }
                const bool last = ends && begin + kWarp >= candidates && held <= kWarp;
                if (held < kWarp && !last) continue;
                done = done || last;
                __syncwarp();
                const Candidate<T> other =
                    waiting(room, turn + static_cast<unsigned>(lane), static_cast<unsigned>(lane) < held);
                __syncwarp();
                turn ^= kWarp;
                held -= min(held, static_cast<unsigned>(kWarp));
                visit(other, last);
            }
            __syncwarp();
        }
    }

private:
    /// The sorted place of a candidate, whose run is `mine` or a later one; −1: there are not so many.
    __device__ static std::int32_t place_of(const DeviceRun<T>* shared, std::int32_t number, std::int32_t candidates,
                                            int& mine) {
        if (number >= candidates) return -1;
        while (number >= shared[mine].last) ++mine;
        return number + shared[mine].shift;
    }

    /// Whether an atom that is seen through t can be near one in the box. Rounding keeps order: if x is not below the
    /// box's side, neither is what any atom within subtracts from it, and so on to the sum of squares.
    __device__ bool is_near(const SearchRoom<T>& room, const SortedAtom<T>& atom, const Vec3<T>& t) const {
        const Vec3<T> x{atom.x, atom.y, atom.z};
        const Vec3<T> above = displacement(room.high, x, t), below = displacement(room.low, x, t);
        const auto gap = [](T from_high, T from_low) { return max(max(from_high, -from_low), T{0}); };
        return squared_length(Vec3<T>{gap(above.x, below.x), gap(above.y, below.y), gap(above.z, below.z)}) < limit;
    }

    /// Puts the lanes' atoms at those sorted places that can be near, as the room's atoms see them through a run,
    /// behind the others that wait; returns how many.
    __device__ unsigned keep_waiting(SearchRoom<T>& room, const DeviceRun<T>& run, const SortedAtom<T>& atom,
                                     std::int32_t at, unsigned behind, int lane) const {
        View<T> view{run.t, run.code};
        if (at >= 0 && (outside || atom.is_wrapped())) {
            const Image3 wrap = work.places[at].wrap;
            if (wrap != place.wrap)
                view.t =
                    translation<T>(pair_shift(system.grid.basis, run.image, place.wrap, wrap), system.grid.basis.box);
        }
        bool wanted = is_near(room, atom, view.t) & (at >= 0);  // & and not &&: no branch
        if (hashed && wanted) {
            const std::int32_t* const cell = work.places[at].cell;
            wanted = cell[0] == run.cell[0] && cell[1] == run.cell[1] && cell[2] == run.cell[2];
        }
        const unsigned lanes = __ballot_sync(~0U, wanted);
        if (wanted) {
            const unsigned to = (behind + static_cast<unsigned>(__popc(lanes & lanes_before(lane)))) % (2 * kWarp);
            room.waiting[to] = atom;
            room.views[to] = view;
        }
        return static_cast<unsigned>(__popc(lanes));
    }

    /// The candidate that waits there, or one that is nobody's neighbour.
    __device__ Candidate<T> waiting(const SearchRoom<T>& room, unsigned there, bool present) const {
        if (!present) return {};
        Candidate<T> other{room.waiting[there], room.views[there], 0, ~0U};
        const auto number = static_cast<std::uint32_t>(other.at.atom());
        other.at.tagged = number;
        if (half)  // those below, and of its own images the later half
            other.count = other.view.code > home ? number + 1 : number;
        else if (other.view.code == home)  // all but itself
            other.from = number + 1;
        return other;
    }

    /// Puts runs first … first + held − 1 into shared memory, counted through; returns how many candidates they have.
    __device__ std::int32_t look_up(DeviceRun<T>* shared, int lane, std::int64_t first, int held) const {
        std::int32_t length = 0;
        if (lane < held) shared[lane] = run(first + lane, length);
        std::int32_t sum = length;
        for (int step = 1; step < kWarp; step *= 2) {
            const std::int32_t other = __shfl_up_sync(~0U, sum, static_cast<unsigned>(step));
            if (lane >= step) sum += other;
        }
        if (lane < held) {
            shared[lane].last = sum;
            shared[lane].shift -= sum - length;
        }
        const std::int32_t candidates = __shfl_sync(~0U, sum, kWarp - 1);
        __syncwarp();
        return candidates;
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
