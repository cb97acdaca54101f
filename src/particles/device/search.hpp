// A warp looks for the neighbours of a few atoms of one cell together: their candidates are the same, so that each is
// looked up and loaded once, and then tested against all of them. A lane has a candidate; lanes without one are rare,
// since the candidates of all rows of cells are counted through.
#pragma once

#include "src/particles/device/sorting.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarp = 32;
inline constexpr int kTogether = 16;  // atoms of one cell that a warp takes at once

/// The lanes before this one.
__device__ inline unsigned lanes_before(int lane) { return (1U << lane) - 1; }

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

/// What a lane tests.
template <class T>
struct Candidate {
    SortedAtom<T> at;
    Vec3<T> t;
    std::uint32_t code;         ///< of the image
    std::uint32_t from, count;  ///< the atoms that keep it if it is near: `count` of them, beginning with `from`
};

/// `self` is without its tag; `squared` becomes d².
template <class T>
__device__ bool are_neighbors(const DeviceRules<T>& rules, const SortedAtom<T>& self, const Candidate<T>& other,
                              T& squared) {
    T limit = rules.limit;
    if (rules.pair_cutoffs)
        limit = squared_cutoff(
            rules.pair_cutoffs[rules.types[self.atom()] * rules.type_count + rules.types[other.at.atom()]]);
    const Vec3<T> d = displacement<T>({self.x, self.y, self.z}, {other.at.x, other.at.y, other.at.z}, other.t);
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
    const bool half, hashed, outside;  ///< outside: the atoms that are searched for are wrapped
    const std::uint32_t home;
    const int code_bits;
    std::int32_t low[3], count[3];  ///< rows of cells in reach; along the first direction boxes, or cells where hashed

    __device__ Search(const DeviceWork<T>& from, const DeviceSystem& of, const DeviceRules<T>& rules,
                      const SortedPlace& around)
        : work(from),
          system(of),
          place(around),
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

    /// Calls visit(candidate) for all candidates, one per lane; every lane of the warp comes along. `shared` has room
    /// for a run of each lane.
    template <class Visit>
    __device__ void for_each_candidate(DeviceRun<T>* shared, int lane, Visit visit) const {
        const std::int64_t all = runs();
        for (std::int64_t first = 0; first < all; first += kWarp) {
            const int held = static_cast<int>(min(all - first, std::int64_t{kWarp}));
            const std::int32_t candidates = look_up(shared, lane, first, held);
            int mine = 0;  // the run of this lane's next candidate: the numbers only grow
            std::int32_t at = place_of(shared, lane, candidates, mine);
            SortedAtom<T> next = at >= 0 ? work.sorted[at] : SortedAtom<T>{};
            for (std::int32_t begin = kWarp; begin - kWarp < candidates; begin += kWarp) {
                const SortedAtom<T> atom = next;
                const DeviceRun<T>& run = shared[mine];
                const std::int32_t there = at;
                at = place_of(shared, begin + lane, candidates, mine);
                if (at >= 0) next = work.sorted[at];  // on its way while the other one is tested
                visit(candidate(run, atom, there));
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

    /// An atom at a sorted place, as the atoms of this search see it through a run.
    __device__ Candidate<T> candidate(const DeviceRun<T>& run, const SortedAtom<T>& atom, std::int32_t at) const {
        Candidate<T> other{atom, run.t, run.code, 0, 0};
        if (at < 0) return other;
        if (outside || atom.is_wrapped()) {
            const Image3 wrap = work.places[at].wrap;
            if (wrap != place.wrap)
                other.t =
                    translation<T>(pair_shift(system.grid.basis, run.image, place.wrap, wrap), system.grid.basis.box);
        }
        const auto number = static_cast<std::uint32_t>(atom.atom());
        other.count = ~0U;
        if (half)  // those below, and of its own images the later half
            other.count = run.code > home ? number + 1 : number;
        else if (run.code == home)  // all but itself
            other.from = number + 1;
        if (hashed) {
            const std::int32_t* const cell = work.places[at].cell;
            if (cell[0] != run.cell[0] || cell[1] != run.cell[1] || cell[2] != run.cell[2]) other.count = 0;
        }
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
