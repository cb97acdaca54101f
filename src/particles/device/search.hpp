// A warp looks for the neighbours of one atom: its lanes first look up the runs of candidates, one each, and then go
// through every run together, so that neighbouring lanes read neighbouring atoms.
#pragma once

#include "src/particles/device/sorting.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarp = 32;

/// What decides about a pair, beside the positions.
template <class T>
struct DeviceRules {
    T limit;  ///< squared cutoff of every pair, where there are no types
    bool half;
    const std::int32_t* types;
    const T* pair_cutoffs;
    std::int32_t type_count;
};

/// Candidates [begin, end) of the sorted atoms, seen through one image.
template <class T>
struct DeviceRun {
    std::int32_t begin, end;
    Image3 image;  ///< in reduced vectors
    std::uint32_t code;
    Vec3<T> t;             ///< translation, for a candidate that is wrapped as the atom is
    std::int32_t cell[3];  ///< where cells share buckets: the one that is meant
};

/// The atom whose neighbours a warp looks for, and where.
template <class T>
struct Search {
    const DeviceWork<T>& work;
    const DeviceSystem& system;
    DeviceRules<T> rules;
    SortedAtom<T> self;
    SortedPlace place;
    std::int32_t low[3], count[3];  ///< rows of cells in reach; along the first direction boxes, or cells where hashed

    __device__ Search(const DeviceWork<T>& from, const DeviceSystem& of, const DeviceRules<T>& by, std::int32_t at)
        : work(from), system(of), rules(by), self(from.sorted[at]), place(from.places[at]) {
        for (int k = 0; k < 3; ++k) {
            low[k] = place.cell[k] - system.grid.reach[k];
            std::int32_t high = place.cell[k] + system.grid.reach[k];
            if (!system.grid.basis.periodic[k]) {
                low[k] = max(low[k], 0);
                high = min(high, cells(k) - 1);
            }
            count[k] = high - low[k] + 1;
        }
        if (!system.hashed) count[0] = box_of(low[0] + count[0] - 1, 0) - box_of(low[0], 0) + 1;
    }

    __device__ std::int32_t cells(int k) const { return static_cast<std::int32_t>(system.grid.cells[k]); }
    /// The box in which a cell lies that is counted on beyond the box's own: ⌊cell / cells⌋, in 32 bits.
    __device__ std::int32_t box_of(std::int32_t cell, int k) const {
        return cell >= 0 ? cell / cells(k) : -((cells(k) - 1 - cell) / cells(k));
    }
    __device__ std::int64_t runs() const { return std::int64_t{count[0]} * count[1] * count[2]; }

    /// Run `index` of runs(): the part of a row of cells that lies in one box, or one cell where cells share buckets.
    __device__ DeviceRun<T> run(std::int64_t index) const {
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
        if (system.hashed) {
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
        run.begin = work.starts[bucket];
        run.end = work.starts[bucket + static_cast<std::uint32_t>(last - first) + 1];
        const Image3 s = in_box_vectors(grid.basis, run.image);
        run.code = image_code(grid, s);
        run.t = translation<T>(s, grid.basis.box);
        return run;
    }

    /// Whether the candidate at a sorted place is a neighbour, and which atom it is.
    __device__ bool accepts(const DeviceRun<T>& run, std::int32_t at, std::int32_t& atom) const {
        const SortedAtom<T> other = work.sorted[at];
        atom = other.atom;
        if (system.hashed) {
            const std::int32_t* const cell = work.places[at].cell;
            if (cell[0] != run.cell[0] || cell[1] != run.cell[1] || cell[2] != run.cell[2]) return false;
        }
        Vec3<T> t = run.t;
        if (system.wrapped) {
            const Image3 wrap = work.places[at].wrap;
            if (wrap.a != place.wrap.a || wrap.b != place.wrap.b || wrap.c != place.wrap.c)
                t = translation<T>(pair_shift(system.grid.basis, run.image, place.wrap, wrap), system.grid.basis.box);
        }
        const Vec3<T> d = displacement<T>({self.x, self.y, self.z}, {other.x, other.y, other.z}, t);
        if (!(squared_length(d) < limit(atom))) return false;
        if (atom == self.atom) return rules.half ? run.code > system.home : run.code != system.home;
        return !rules.half || atom > self.atom;
    }

    __device__ T limit(std::int32_t atom) const {
        if (!rules.pair_cutoffs) return rules.limit;
        return squared_cutoff(rules.pair_cutoffs[rules.types[self.atom] * rules.type_count + rules.types[atom]]);
    }

    /// Calls visit(run, place, in range) for all candidates, one per lane; every lane of the warp comes along. `shared`
    /// has room for a run of each lane.
    template <class Visit>
    __device__ void for_each_candidate(DeviceRun<T>* shared, int lane, Visit visit) const {
        for (std::int64_t first = 0; first < runs(); first += kWarp) {
            bool full = false;
            if (first + lane < runs()) {
                shared[lane] = run(first + lane);
                full = shared[lane].begin < shared[lane].end;
            }
            __syncwarp();
            for (unsigned lanes = __ballot_sync(~0U, full); lanes != 0; lanes &= lanes - 1) {
                const DeviceRun<T>& common = shared[__ffs(static_cast<int>(lanes)) - 1];
                const std::int32_t end = common.end;
                for (std::int32_t at = common.begin; at < end; at += kWarp) visit(common, at + lane, at + lane < end);
            }
            __syncwarp();
        }
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
