// Counting neighbours, and writing them in order: a warp for each atom.
#pragma once

#include "src/particles/device/search.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kListThreads = kWarp * kWarpsPerBlock;

template <class T>
__global__ void __launch_bounds__(kListThreads)
    count_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, std::int64_t* counts,
                    NeighborStatus* status) {
    __shared__ DeviceRun<T> runs[kWarpsPerBlock][kWarp];
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const auto at = static_cast<std::int32_t>(blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp);
    if (at >= p.atoms) return;
    if (!all_is_well(*status)) {
        if (lane == 0) counts[at] = 0;
        return;
    }
    const std::int32_t atom = work.sorted[at].atom;
    const Search<T> search(work, work.systems[system_of(p, atom)], rules, at);
    int found = 0;
    search.for_each_candidate(runs[threadIdx.x / kWarp], lane,
                              [&](const DeviceRun<T>& run, std::int32_t place, bool inside) {
                                  std::int32_t other;
                                  if (inside && search.accepts(run, place, other)) ++found;
                              });
    for (int step = kWarp / 2; step > 0; step /= 2) found += __shfl_xor_sync(~0U, found, step);
    if (lane != 0) return;
    counts[atom] = found;
    const auto most = static_cast<unsigned long long>(found);
    if (*static_cast<volatile std::uint64_t*>(&status->most) < most)  // few queue at the counter
        atomicMax(reinterpret_cast<unsigned long long*>(&status->most), most);
}

template <class T>
__global__ void conclude_count(DeviceParticles<T> p, const std::int64_t* offsets, NeighborStatus* status) {
    status->pairs = static_cast<std::uint64_t>(offsets[p.atoms]);
}

/// Sorts the keys of a warp: lane l holds those that end up at l·kEach … l·kEach + kEach − 1. A bitonic network, of
/// which the steps shorter than kEach stay within a lane.
template <int kEach, class Key>
__device__ void sort_by_warp(Key (&keys)[kEach], int lane) {
#pragma unroll
    for (int run = 2; run <= kWarp * kEach; run *= 2)
#pragma unroll
        for (int stride = run / 2; stride > 0; stride /= 2)
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                const bool ascending = ((lane * kEach + r) & run) == 0;
                if (stride >= kEach) {
                    const Key other = __shfl_xor_sync(~0U, keys[r], stride / kEach);
                    const bool takes_smaller = ((lane & (stride / kEach)) == 0) == ascending;
                    if ((other < keys[r]) == takes_smaller) keys[r] = other;
                } else if ((r & stride) == 0) {
                    const Key first = keys[r], second = keys[r | stride];
                    const bool exchange = (first > second) == ascending;
                    keys[r] = exchange ? second : first;
                    keys[r | stride] = exchange ? first : second;
                }
            }
}

/// Where key k lies in a buffer: a word is left out after every 32, so that lanes whose keys are a power of two apart
/// reach different banks.
__device__ constexpr int spread(int k) { return k + k / kWarp; }

/// The neighbours of one atom as keys (j, number of the image), the smallest first. A warp's buffer holds as many as
/// there are in most lists; a longer list comes in several portions, of which each takes another search.
template <class T, class Key, int kCapacity>
class Portions {
public:
    __device__ Portions(const Search<T>& search, DeviceRun<T>* runs, Key* keys, int lane)
        : search_(search), runs_(runs), keys_(keys), lane_(lane) {}

    /// Puts the smallest keys that are larger than the last one given out into the buffer, sorted; returns how many.
    __device__ int next() {
        held_ = 0;
        limit_ = ~Key{0};
        const Key after = last_;
        const bool first = first_;
        search_.for_each_candidate(runs_, lane_, [&](const DeviceRun<T>& run, std::int32_t place, bool inside) {
            if (held_ + kWarp > kCapacity) shrink();
            std::int32_t atom = 0;
            bool wanted = inside && search_.accepts(run, place, atom);
            const Key key = static_cast<Key>(atom) * search_.system.codes + run.code;
            wanted = wanted && (first || key > after) && key < limit_;
            const unsigned lanes = __ballot_sync(~0U, wanted);
            if (wanted) keys_[spread(held_ + __popc(lanes & ((1U << lane_) - 1)))] = key;
            held_ += __popc(lanes);
        });
        sort();
        if (held_ > 0) last_ = keys_[spread(held_ - 1)];
        first_ = false;
        return held_;
    }

private:
    /// Sorts what is held, in the registers of the warp.
    __device__ void sort() {
        __syncwarp();
        if (held_ <= kWarp) return sort_as<1>();
        if (held_ <= 2 * kWarp) return sort_as<2>();
        if (held_ <= 4 * kWarp) return sort_as<4>();
        if constexpr (kCapacity > 4 * kWarp) {
            if (held_ <= 8 * kWarp) return sort_as<8>();
            if (held_ <= 16 * kWarp) return sort_as<16>();
        }
        if constexpr (kCapacity > 16 * kWarp) sort_as<32>();
    }
    template <int kEach>
    __device__ void sort_as() {
        Key own[kEach];
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
            const int k = r * kWarp + lane_;
            own[r] = k < held_ ? keys_[spread(k)] : ~Key{0};
        }
        __syncwarp();
        sort_by_warp<kEach>(own, lane_);
#pragma unroll
        for (int r = 0; r < kEach; ++r) keys_[spread(lane_ * kEach + r)] = own[r];
        __syncwarp();
    }
    /// Keeps the smaller half: what is larger belongs to a later portion.
    __device__ void shrink() {
        sort();
        held_ = kCapacity / 2;
        limit_ = keys_[spread(held_)];
        __syncwarp();
    }

    const Search<T>& search_;
    DeviceRun<T>* runs_;
    Key* keys_;
    int lane_, held_ = 0;
    Key limit_ = ~Key{0}, last_ = 0;
    bool first_ = true;
};

/// Writes entry `to` of the list: the neighbour that a key stands for.
template <class T, class Key>
__device__ void write_pair(const DeviceParticles<T>& p, const Search<T>& search, Key key,
                           const DeviceNeighborList<T>& list, std::int64_t to) {
    const DeviceSystem& system = search.system;
    const auto atom = static_cast<std::int32_t>(key / system.codes);
    if (list.first) list.first[to] = search.self.atom;
    list.indices[to] = atom;
    if (!list.shifts && !list.vectors && !list.distances) return;
    Image3 s = image_of_code(system.grid, static_cast<std::uint32_t>(key % system.codes));
    T x[3];
    load_position(p, atom, x);
    if (system.wrapped) {
        const CellPlace place = locate(system.grid, {double(x[0]), double(x[1]), double(x[2])});
        const Image3 more = pair_shift(system.grid.basis, {0, 0, 0}, search.place.wrap, place.wrap);
        s = {s.a + more.a, s.b + more.b, s.c + more.c};
    }
    if (list.shifts) list.shifts[to] = {s.a, s.b, s.c};
    if (!list.vectors && !list.distances) return;
    const Vec3<T> d = displacement<T>({search.self.x, search.self.y, search.self.z}, {x[0], x[1], x[2]},
                                      translation<T>(s, system.grid.basis.box));
    if (list.vectors) list.vectors[to] = {d.x, d.y, d.z};
    if (list.distances) list.distances[to] = rounded_root(squared_length(d));
}

/// The list of one atom, from a warp.
template <class Key, int kCapacity, class T>
__device__ void fill_one(const DeviceParticles<T>& p, const Search<T>& search, const DeviceNeighborList<T>& list,
                         DeviceRun<T>* runs, Key* keys, int lane) {
    std::int64_t to = list.offsets[search.self.atom];
    const std::int64_t end = list.offsets[search.self.atom + 1];
    Portions<T, Key, kCapacity> portions(search, runs, keys, lane);
    while (to < end) {
        const int held = portions.next();
        for (int k = lane; k < held; k += kWarp) write_pair(p, search, keys[spread(k)], list, to + k);
        to += held;
        __syncwarp();
    }
}

/// Blocks that should be resident at once: what hides the latency of the candidates, as far as registers allow.
template <int kCapacity>
inline constexpr int kBlocksPerProcessor = kCapacity <= 4 * kWarp ? 6 : 5;

/// Half as many bits are sorted twice as fast: they hold all keys but those of very many atoms or images.
__device__ inline bool needs_wide_keys(const DeviceSystem& system, std::int64_t atoms) {
    return static_cast<unsigned long long>(atoms) * system.codes > 0xffffffffULL;
}

/// A warp for each atom with more than `above` and at most `up_to` neighbours whose keys are of this width; the grid
/// may be smaller than the atoms.
template <class T, class Key, int kCapacity>
__global__ void __launch_bounds__(kListThreads, kBlocksPerProcessor<kCapacity>)
    fill_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list,
                   std::int64_t above, std::int64_t up_to) {
    constexpr bool kWide = sizeof(Key) > 4;
    __shared__ Key buffers[kWarpsPerBlock][spread(kCapacity)];
    __shared__ DeviceRun<T> runs[kWarpsPerBlock][kWarp];
    const NeighborStatus status = *list.status;
    if (!all_is_well(status) || status.pairs > static_cast<std::uint64_t>(list.capacity)) return;
    if (status.most <= static_cast<std::uint64_t>(above) || (kWide && !*work.wide)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kWarpsPerBlock;
    for (std::int64_t at = std::int64_t{blockIdx.x} * kWarpsPerBlock + warp; at < p.atoms; at += step) {
        const std::int32_t atom = work.sorted[at].atom;
        const std::int64_t count = list.offsets[atom + 1] - list.offsets[atom];
        const DeviceSystem& system = work.systems[system_of(p, atom)];
        if (count <= above || count > up_to || needs_wide_keys(system, p.atoms) != kWide) continue;
        const Search<T> search(work, system, rules, static_cast<std::int32_t>(at));
        fill_one<Key, kCapacity>(p, search, list, runs[warp], buffers[warp], lane);
    }
}

/// One thread per system: whether any list needs wide keys.
template <class T>
__global__ void choose_keys(DeviceParticles<T> p, DeviceWork<T> work) {
    const std::int64_t s = std::int64_t{blockIdx.x} * kListThreads + threadIdx.x;
    if (s < p.system_count && needs_wide_keys(work.systems[s], p.atoms)) atomicOr(work.wide, 1U);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
