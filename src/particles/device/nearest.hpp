// Of each atom's neighbours the k nearest, chosen where they are found: the distance of the k-th is settled digit by
// digit, by counting, whatever the number of neighbours; then the list is made of what is not farther.
#pragma once

#include "src/particles/device/long_lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kNearestBuffer = 4 * kWarp;  // keys: few are asked for, more come in several portions
inline constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

/// Distances as integers that compare alike: they are not negative.
__device__ inline unsigned distance_bits(float d) {
    unsigned bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
__device__ inline unsigned long long distance_bits(double d) {
    unsigned long long bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
template <class T>
using DistanceBits = decltype(distance_bits(T{}));

/// The distance that is not exceeded, and how many neighbours just as far belong to the list: the first in order.
template <class T>
struct NearestBound {
    DistanceBits<T> distance;
    std::int32_t ties;
};

/// Which digit the k-th smallest has, by how often each digit occurs; `before` becomes how many have a smaller one.
__device__ inline int digit_of(const unsigned* occurrences, int k, int lane, int& before) {
    constexpr int kEach = kDigits / kWarp;
    int own = 0;
    for (int digit = 0; digit < kEach; ++digit) own += static_cast<int>(occurrences[lane * kEach + digit]);
    int until = own;
    for (int step = 1; step < kWarp; step *= 2) {
        const int other = __shfl_up_sync(~0U, until, static_cast<unsigned>(step));
        if (lane >= step) until += other;
    }
    const int holder = __ffs(static_cast<int>(__ballot_sync(~0U, until >= k))) - 1;
    before = until - own;
    int digit = lane * kEach;
    if (lane == holder)
        for (; before + static_cast<int>(occurrences[digit]) < k; ++digit)
            before += static_cast<int>(occurrences[digit]);
    before = __shfl_sync(~0U, before, holder);
    return __shfl_sync(~0U, digit, holder);
}

/// The bound of the k nearest of an atom that has at least k neighbours.
template <class T>
__device__ NearestBound<T> bound_of(const Search<T>& search, const DeviceRules<T>& rules, SearchRoom<T>& room,
                                    const SortedAtom<T>& self, unsigned* occurrences, int lane) {
    using Bits = DistanceBits<T>;
    Bits known = 0;
    int k = rules.nearest;
    for (int shift = 8 * static_cast<int>(sizeof(Bits)) - kDigitBits; shift >= 0; shift -= kDigitBits) {
        for (int digit = lane; digit < kDigits; digit += kWarp) occurrences[digit] = 0;
        __syncwarp();
        search.for_each_candidate(room, lane, [&](const Candidate<T>& other) {
            T squared;
            if (!are_neighbors(rules, self, other, squared)) return;
            const Bits bits = distance_bits(rounded_root(squared));
            if ((bits ^ known) >> shift >> kDigitBits == 0)
                atomicAdd(&occurrences[static_cast<int>(bits >> shift) & (kDigits - 1)], 1U);
        });
        __syncwarp();
        int before;
        known |= static_cast<Bits>(digit_of(occurrences, k, lane, before)) << shift;
        k -= before;
        __syncwarp();
    }
    return {known, k};
}

/// The list of one atom: what is nearer than the bound, and of what is as far the first ones.
template <class T>
__device__ void fill_nearest_of(const DeviceParticles<T>& p, const DeviceRules<T>& rules, const Search<T>& search,
                                const DeviceNeighborList<T>& list, SearchRoom<T>& room, const SortedAtom<T>& self,
                                NearestBound<T> bound, WideKey* keys, int lane) {
    std::int64_t to = list.offsets[self.atom()];
    const std::int64_t end = list.offsets[self.atom() + 1];
    Portions<T, WideKey, kNearestBuffer> portions(search, rules, room, self, keys, lane);
    while (to < end) {
        const int held =
            portions.next([&](T squared) { return distance_bits(rounded_root(squared)) <= bound.distance; });
        for (int first = 0; first < held; first += kWarp) {
            const int k = first + lane;
            bool nearer = false, tie = false;
            if (k < held) {
                Image3 s;
                const Vec3<T> d = displacement_of(p, search.system, self, search.place.wrap, keys[spread(k)], s);
                const auto bits = distance_bits(rounded_root(squared_length(d)));
                nearer = bits < bound.distance;
                tie = bits == bound.distance;
            }
            const unsigned ties = __ballot_sync(~0U, tie);
            const bool kept = nearer || (tie && __popc(ties & lanes_before(lane)) < bound.ties);
            const unsigned lanes = __ballot_sync(~0U, kept);
            if (kept)
                write_pair(p, search.system, self, search.place.wrap, keys[spread(k)], list,
                           to + __popc(lanes & lanes_before(lane)));
            to += __popc(lanes);
            bound.ties -= min(bound.ties, __popc(ties));
        }
        __syncwarp();
    }
}

template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_nearest(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ WideKey buffers[kWarpsPerBlock][spread(kNearestBuffer)];
    __shared__ unsigned occurrences[kWarpsPerBlock][kDigits];
    __shared__ SearchRoom<T> rooms[kWarpsPerBlock];
    wait_for_previous();
    if (work.padded) pad_list(*list.status, list);
    if (!fits(*list.status, list)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    for_each_group(p, work, lane, [&](const AtomGroup<T>& group) {
        SearchRoom<T>& room = rooms[warp];
        const int size = take_members(room, group, lane);
        const Search<T> search(work, *group.system, rules, group.place);
        for (int k = 0; k < size; ++k) {
            const SortedAtom<T> self = room.atoms[k];
            const std::int64_t count = list.offsets[self.atom() + 1] - list.offsets[self.atom()];
            NearestBound<T> bound{~DistanceBits<T>{0}, 0};
            if (count == rules.nearest) bound = bound_of(search, rules, room, self, occurrences[warp], lane);
            fill_nearest_of(p, rules, search, list, room, self, bound, buffers[warp], lane);
        }
    });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
