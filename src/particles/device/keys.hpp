// Neighbours as keys (atom, number of the image), and how a warp sorts them.
#pragma once

#include "src/particles/device/groups.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The key of a candidate: ascending as atoms, and images of an atom, ascend.
template <class Key, class T>
__device__ Key key_of(const Search<T>& search, const Candidate<T>& other) {
    return static_cast<Key>(other.at.atom()) << search.code_bits | other.view.code;
}

/// A value about which the compiler knows nothing: nvcc neither finds it again for each use, where registers are few,
/// nor keeps what follows from it over loops.
template <class Value>
__device__ Value taken_as_is(Value value) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof value == 8)
        asm volatile("" : "+l"(value));
    else
        asm volatile("" : "+r"(value));
#endif
    return value;
}

/// Sorts the keys of a warp: lane l holds those that end up at l·kEach … l·kEach + kEach − 1. A bitonic network, of
/// which the steps shorter than kEach stay within a lane. Where a lane sorts downwards its keys are turned over, so
/// that all lanes do the same.
template <int kEach, class Key>
__device__ void sort_by_warp(Key (&keys)[kEach], int lane) {
    Key turned = 0;
#pragma unroll
    for (int run = 2; run <= kWarp * kEach; run *= 2) {
        if (run >= kEach) {
            const Key turn = (lane & (run / kEach)) != 0 ? ~Key{0} : Key{0};
#pragma unroll
            for (int r = 0; r < kEach; ++r) keys[r] ^= turned ^ turn;
            turned = turn;
        }
#pragma unroll
        for (int stride = run / 2; stride > 0; stride /= 2)
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                if (stride >= kEach) {
                    const Key other = __shfl_xor_sync(~0U, keys[r], stride / kEach);
                    keys[r] = (lane & (stride / kEach)) == 0 ? min(keys[r], other) : max(keys[r], other);
                } else if ((r & stride) == 0) {
                    const Key low = min(keys[r], keys[r | stride]), high = max(keys[r], keys[r | stride]);
                    const bool ascending = run >= kEach || (r & run) == 0;
                    keys[r] = ascending ? low : high;
                    keys[r | stride] = ascending ? high : low;
                }
            }
    }
}

/// Sorts the keys of a lane by itself: Batcher's network, which merges ever longer runs, odd and even places apart.
template <int kKeys, class Key>
__device__ void sort_by_lane(Key (&keys)[kKeys]) {
#pragma unroll
    for (int run = 1; run < kKeys; run *= 2)
#pragma unroll
        for (int stride = run; stride > 0; stride /= 2)
#pragma unroll
            for (int k = 0; k < kKeys - 1; ++k) {
                const int from = k - stride % run, partner = k + stride;
                if (from >= 0 && from % (2 * stride) < stride && partner < kKeys &&
                    k / (2 * run) == partner / (2 * run)) {
                    const Key low = min(keys[k], keys[partner]), high = max(keys[k], keys[partner]);
                    keys[k] = low;
                    keys[partner] = high;
                }
            }
}

/// Where key k lies in a buffer: a word is left out after every 32, so that lanes whose keys are a power of two apart
/// reach different banks.
__device__ constexpr int spread(int k) { return k + k / kWarp; }

template <int kEach, class Key>
__device__ __noinline__ void sort_buffer_as(Key* keys, int held, int lane) {
    Key own[kEach];
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
        const int k = r * kWarp + lane;
        own[r] = k < held ? keys[spread(k)] : ~Key{0};
    }
    __syncwarp();
    sort_by_warp<kEach>(own, lane);
#pragma unroll
    for (int r = 0; r < kEach; ++r) keys[spread(lane * kEach + r)] = own[r];
}

/// Sorts the first `held` keys of a warp's buffer, which has room for kCapacity, in registers.
template <int kCapacity, class Key>
__device__ void sort_buffer(Key* keys, int held, int lane) {
    __syncwarp();
    if (kCapacity > 4 * kWarp && held <= 4 * kWarp)
        sort_buffer_as<4>(keys, held, lane);
    else if (kCapacity > 8 * kWarp && held <= 8 * kWarp)
        sort_buffer_as<8>(keys, held, lane);
    else
        sort_buffer_as<kCapacity / kWarp>(keys, held, lane);
    __syncwarp();
}

/// D of the pair that a key stands for, and its S.
template <class T, class Key>
__device__ Vec3<T> displacement_of(const DeviceParticles<T>& p, const DeviceSystem& system, const SortedAtom<T>& self,
                                   const Image3& wrap, Key key, Image3& s) {
    s = image_of_code(system.grid, static_cast<std::uint32_t>(key & ((Key{1} << system.code_bits) - 1)));
    T x[3];
    load_position(p, static_cast<std::int64_t>(key >> system.code_bits), x);
    if (system.wrapped) {
        const CellPlace place = locate(system.grid, {double(x[0]), double(x[1]), double(x[2])});
        const Image3 more = pair_shift(system.grid.basis, {0, 0, 0}, wrap, place.wrap);
        s = {s.a + more.a, s.b + more.b, s.c + more.c};
    }
    return displacement<T>({self.x, self.y, self.z}, {x[0], x[1], x[2]}, translation<T>(s, system.grid.basis.box));
}

/// Writes entry `to` of the list: the neighbour of `self`, wrapped by `wrap`, that a key stands for.
template <class T, class Key>
__device__ void write_pair(const DeviceParticles<T>& p, const DeviceSystem& system, const SortedAtom<T>& self,
                           const Image3& wrap, Key key, const DeviceNeighborList<T>& list, std::int64_t to) {
    if (list.first) list.first[to] = self.atom();
    if (list.indices) list.indices[to] = static_cast<std::int32_t>(key >> system.code_bits);
    if (!list.shifts && !list.vectors && !list.distances) return;
    Image3 s;
    const Vec3<T> d = displacement_of(p, system, self, wrap, key, s);
    if (list.shifts) list.shifts[to] = {s.a, s.b, s.c};
    if (list.vectors) list.vectors[to] = {d.x, d.y, d.z};
    if (list.distances) list.distances[to] = rounded_root(squared_length(d));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
