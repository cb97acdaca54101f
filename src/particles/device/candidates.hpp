// What a search deals with: who decides, who is tested, and when two atoms are neighbours.
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
    DeviceRun<T> runs[kWarp];          ///< where all is plain, only those that are not empty
    std::uint8_t order[kWarp];         ///< else, which those are
    SortedAtom<T> atoms[kTogether];    ///< without their tags
    Vec3<T> low, high;                 ///< the box around them
    SortedAtom<T> waiting[2 * kWarp];  ///< candidates that are near the box, in turn
    View<T> views[2 * kWarp];
};

/// D as it is seen, or through no image: t = 0 changes at most the sign of a zero, which no d² tells.
template <bool kPlain, class T>
__device__ Vec3<T> seen(const Vec3<T>& from, const SortedAtom<T>& to, const Vec3<T>& t) {
    if constexpr (kPlain)
        return {rounded_sum(to.x, -from.x), rounded_sum(to.y, -from.y), rounded_sum(to.z, -from.z)};
    else
        return displacement<T>(from, {to.x, to.y, to.z}, t);
}

/// `self` is without its tag; `squared` becomes d². Plain: there is one cutoff, and no image.
template <bool kPlain = false, class T>
__device__ bool are_neighbors(const DeviceRules<T>& rules, const SortedAtom<T>& self, const Candidate<T>& other,
                              T& squared) {
    T limit = rules.limit;
    if (!kPlain && rules.pair_cutoffs)
        limit = squared_cutoff(
            rules.pair_cutoffs[rules.types[self.atom()] * rules.type_count + rules.types[other.at.atom()]]);
    squared = squared_length(seen<kPlain>({self.x, self.y, self.z}, other.at, other.view.t));
    const bool near = squared < limit;
    return near & (self.tagged - other.from < other.count);  // & and not &&: no branch
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
