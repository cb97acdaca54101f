// A warp looks for the neighbours of a few atoms of one cell together: their candidates are the same, so that each is
// looked up and loaded once, and then tested against all of them. A lane has a candidate; lanes without one are rare,
// since the candidates of all rows of cells are counted through, and what is too far from the box around the atoms is
// left out before it is tested against any.
#pragma once

#include "src/particles/device/candidates.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The bits that some lane has.
__device__ inline unsigned bits_of_lanes(unsigned bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int step = kWarp / 2; step > 0; step /= 2) bits |= __shfl_xor_sync(~0U, bits, step);
    return bits;
#else
    return __reduce_or_sync(~0U, bits);
#endif
}

/// Whether an atom that is seen through t can be near one in the box. Rounding keeps order: if x is not below the box's
/// side, neither is what any atom within subtracts from it, and so on to the sum of squares.
template <bool kPlain, class T>
__device__ bool is_near_box(const Vec3<T>& low, const Vec3<T>& high, const SortedAtom<T>& atom, const Vec3<T>& t,
                            T limit) {
    const Vec3<T> above = seen<kPlain>(high, atom, t), below = seen<kPlain>(low, atom, t);
    const auto gap = [](T from_high, T from_low) { return max(max(from_high, -from_low), T{0}); };
    return squared_length(Vec3<T>{gap(above.x, below.x), gap(above.y, below.y), gap(above.z, below.z)}) < limit;
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
    bool plain;  ///< every candidate is seen as it is, without an image, and there is one cutoff for all

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
        plain = !hashed && system.wrapped == 0 && !rules.pair_cutoffs;
        for (int k = 0; k < 3; ++k) {
            low[k] = place.cell[k] - system.grid.reach[k];
            std::int32_t high = place.cell[k] + system.grid.reach[k];
            if (!system.grid.basis.periodic[k]) {
                low[k] = max(low[k], 0);
                high = min(high, cells(k) - 1);
            }
            count[k] = high - low[k] + 1;
            plain = plain && low[k] >= 0 && high < cells(k);
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

    /// The same where all is plain, of a row of cells: where its candidates begin.
    __device__ std::int32_t plain_run(std::int64_t index, std::int32_t& length) const {
        const auto rows = static_cast<std::uint32_t>(count[1]), row = static_cast<std::uint32_t>(index);
        const std::uint32_t b = static_cast<std::uint32_t>(low[1]) + row % rows,
                            c = static_cast<std::uint32_t>(low[2]) + row / rows;
        const std::uint32_t before =
            (c * static_cast<std::uint32_t>(cells(1)) + b) * static_cast<std::uint32_t>(cells(0));
        const std::int32_t* const start = work.starts + (static_cast<std::uint32_t>(system.first_bucket) + before +
                                                         static_cast<std::uint32_t>(low[0]));
        const std::int32_t high = min(place.cell[0] + system.grid.reach[0], cells(0) - 1);
        length = start[high - low[0] + 1] - start[0];
        return start[0];
    }

    /// Calls visit(candidate) for all candidates near the atoms of the room, one per lane; every lane of the warp comes
    /// along. kPlain: what the search says of itself, if it is not to be asked.
    template <bool kPlain = false, class Visit>
    __device__ void for_each_candidate(SearchRoom<T>& room, int lane, Visit visit) const {
        const std::int64_t all = runs();
        unsigned held = 0, turn = 0;  // candidates that wait, from waiting[turn] on
        for (std::int64_t first = 0; first < all; first += kWarp) {
            RunEnds run_ends;
            const std::int32_t candidates =
                look_up<kPlain>(room, run_ends, lane, first, static_cast<int>(min(all - first, std::int64_t{kWarp})));
            int mine = 0;  // the run of this lane's next candidate
            std::int32_t at = 0;
            SortedAtom<T> next;
            if (candidates > 0) next = work.sorted[at = place_of<kPlain>(room, run_ends, 0, candidates, lane, mine)];
            const bool ends = first + kWarp >= all;
            bool done = !ends;  // with those that are left at the end
            for (std::int32_t begin = 0; begin < candidates || !done; begin += kWarp) {
                if (begin < candidates) {
                    const SortedAtom<T> atom = next;
                    const DeviceRun<T>& run = room.runs[mine];
                    const std::int32_t there = at;
                    at = place_of<kPlain>(room, run_ends, begin + kWarp, candidates, lane, mine);
                    next = work.sorted[at];  // on its way while the other one is tested
                    held += keep_waiting<kPlain>(room, run, atom, there, begin + lane < candidates, turn + held, lane);
                }
                const bool last = ends && begin + kWarp >= candidates && held <= kWarp;
                if (held < kWarp && !last) continue;
                done = done || last;
                if (held == 0) continue;
                __syncwarp();
                const Candidate<T> other = waiting<kPlain>(room, turn, held, static_cast<unsigned>(lane));
                __syncwarp();
                turn ^= kWarp;
                held -= min(held, static_cast<unsigned>(kWarp));
                visit(other);
            }
            __syncwarp();
        }
    }

private:
    /// Where the runs end that a warp has looked up, none of them empty.
    struct RunEnds {
        std::int32_t own;  ///< of this lane's run: candidates of it and of those before it; −1: it has none
        int last;          ///< run
        int passed = 0;    ///< runs that end before the candidates that are looked at
    };

    /// The sorted place of candidate begin + lane, or of the last if there are not so many, and its run: as many end at
    /// it or before it. For one `begin` after the other, in steps of a warp.
    template <bool kPlain>
    __device__ static std::int32_t place_of(const SearchRoom<T>& room, RunEnds& ends, std::int32_t begin,
                                            std::int32_t candidates, int lane, int& mine) {
        const auto ahead = static_cast<unsigned>(ends.own - begin);
        const unsigned here = bits_of_lanes(ahead < kWarp ? 1U << ahead : 0);
        mine = min(ends.passed + __popc(here & (lanes_before(lane) << 1 | 1)), ends.last);
        if constexpr (!kPlain) mine = room.order[mine];
        ends.passed += __popc(here);
        return min(begin + lane, candidates - 1) + room.runs[mine].shift;
    }

    /// Puts the lanes' atoms at those sorted places that can be near, as the room's atoms see them through a run,
    /// behind the others that wait; returns how many. Not `present`: the lane has none.
    template <bool kPlain>
    __device__ unsigned keep_waiting(SearchRoom<T>& room, const DeviceRun<T>& run, const SortedAtom<T>& atom,
                                     std::int32_t at, bool present, unsigned behind, int lane) const {
        View<T> view{};
        if constexpr (!kPlain) view = {run.t, run.code};
        if (!kPlain && present && (outside || atom.is_wrapped())) {
            const Image3 wrap = work.places[at].wrap;
            if (wrap != place.wrap)
                view.t =
                    translation<T>(pair_shift(system.grid.basis, run.image, place.wrap, wrap), system.grid.basis.box);
        }
        bool wanted =
            is_near_box<kPlain>(room.low, room.high, atom, view.t, limit) & present;  // & and not &&: no branch
        if (!kPlain && hashed && wanted) {
            const std::int32_t* const cell = work.places[at].cell;
            wanted = cell[0] == run.cell[0] && cell[1] == run.cell[1] && cell[2] == run.cell[2];
        }
        const unsigned lanes = __ballot_sync(~0U, wanted);
        if (wanted) {
            const unsigned to = (behind + static_cast<unsigned>(__popc(lanes & lanes_before(lane)))) % (2 * kWarp);
            room.waiting[to] = atom;
            if constexpr (!kPlain) room.views[to] = view;
        }
        return static_cast<unsigned>(__popc(lanes));
    }

    /// The lane's candidate of those that wait, of which there are some; lanes without one have nobody's neighbour.
    template <bool kPlain>
    __device__ Candidate<T> waiting(const SearchRoom<T>& room, unsigned turn, unsigned held, unsigned lane) const {
        const unsigned there = turn + min(lane, held - 1);
        Candidate<T> other{room.waiting[there], {{}, home}, 0, ~0U};
        if constexpr (!kPlain) other.view = room.views[there];
        const auto number = static_cast<std::uint32_t>(other.at.atom());
        other.at.tagged = number;
        if (half)  // those below, and of its own images the later half
            other.count = other.view.code > home ? number + 1 : number;
        else if (other.view.code == home)  // all but itself
            other.from = number + 1;
        if (lane >= held) other.count = 0;
        return other;
    }

    /// Puts runs first … first + held − 1 into shared memory, but empty ones, counted through; returns how many
    /// candidates they have.
    template <bool kPlain>
    __device__ std::int32_t look_up(SearchRoom<T>& room, RunEnds& ends, int lane, std::int64_t first, int held) const {
        std::int32_t length = 0, start = 0;
        if (lane < held) {
            if constexpr (kPlain)
                start = plain_run(first + lane, length);
            else
                room.runs[lane] = run(first + lane, length);  // at once: it is large
        }
        std::int32_t sum = length;
        for (int step = 1; step < kWarp; step *= 2) {
            const std::int32_t other = __shfl_up_sync(~0U, sum, static_cast<unsigned>(step));
            if (lane >= step) sum += other;
        }
        const unsigned some = __ballot_sync(~0U, length > 0);
        const int number = __popc(some & lanes_before(lane));
        if (length > 0) {
            if constexpr (kPlain) {
                room.runs[number].shift = start - (sum - length);
            } else {
                room.runs[lane].shift -= sum - length;
                room.order[number] = static_cast<std::uint8_t>(lane);
            }
        }
        ends.own = length > 0 ? sum : -1;
        ends.last = __popc(some) - 1;
        const std::int32_t candidates = __shfl_sync(~0U, sum, kWarp - 1);
        __syncwarp();
        return candidates;
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
