// Cooperative groups within a warp: tiles of a power of two of neighbouring lanes, and the lanes that are together.
#pragma once

#include <lanework_simt/groups.hpp>
#include <lanework_simt/warp.hpp>
#include <lanework_simt/wide_tiles.hpp>
#include <type_traits>

namespace cooperative_groups {

namespace within_warp {

LANEWORK_SIMT_BUILTIN unsigned lane() { return thread_block::thread_rank() % lanework_simt::kWarpLanes; }
LANEWORK_SIMT_BUILTIN unsigned count(unsigned lanes) { return static_cast<unsigned>(__builtin_popcount(lanes)); }
/// The lane that is the `rank`-th of a mask.
LANEWORK_SIMT_BUILTIN unsigned lane_of(unsigned lanes, unsigned rank) {
    for (; rank > 0; --rank) lanes &= lanes - 1;
    return static_cast<unsigned>(__builtin_ctz(lanes | 0x80000000u));
}
/// The lanes of the caller's tile of so many, a power of two.
LANEWORK_SIMT_BUILTIN unsigned tile_lanes(unsigned size) {
    return (0xffffffffu >> (lanework_simt::kWarpLanes - size)) << (lane() & ~(size - 1));
}
/// The bits of a mask's lanes, moved together.
LANEWORK_SIMT_BUILTIN unsigned packed(unsigned lanes, unsigned bits) {
    unsigned result = 0;
    for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
        result |= (bits >> __builtin_ctz(lanes) & 1u) << rank;
    return result;
}

/// Moves a value of any size between lanes, eight bytes at a time: `exchange` moves a word.
template <class T, class Exchange>
LANEWORK_SIMT_BUILTIN T exchanged(const T& value, const Exchange& exchange) {
    static_assert(std::is_trivially_copyable<T>::value, "lanes exchange values that can be copied byte by byte");
    T result = value;
    for (unsigned at = 0; at < sizeof(T); at += 8) {
        const unsigned bytes = sizeof(T) - at < 8 ? static_cast<unsigned>(sizeof(T)) - at : 8;
        unsigned long long word = 0;
        __builtin_memcpy(&word, reinterpret_cast<const char*>(&value) + at, bytes);
        word = exchange(word);
        __builtin_memcpy(reinterpret_cast<char*>(&result) + at, &word, bytes);
    }
    return result;
}

/// What every group within a warp can do, from the mask of its lanes and how its ranks are numbered. `Group` says the
/// mask, the caller's rank, and the lane of a rank.
template <class Group>
class Collective {
    using Place = lanework_simt::Place;

public:
    LANEWORK_SIMT_BUILTIN void sync(Place place = Place::here()) const { lanework_simt::__syncwarp(mask(), place); }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl(T value, int rank, Place place = Place::here()) const {
        return moved(value, static_cast<unsigned>(rank) % self().size(), place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_up(T value, unsigned delta, Place place = Place::here()) const {
        const unsigned rank = self().thread_rank();
        return moved(value, delta <= rank ? rank - delta : rank, place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_down(T value, unsigned delta, Place place = Place::here()) const {
        const unsigned rank = self().thread_rank();
        return moved(value, delta < self().size() - rank ? rank + delta : rank, place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_xor(T value, unsigned lanes, Place place = Place::here()) const {
        const unsigned rank = self().thread_rank();
        return moved(value, (rank ^ lanes) < self().size() ? rank ^ lanes : rank, place);
    }
    LANEWORK_SIMT_BUILTIN int any(int predicate, Place place = Place::here()) const {
        return lanework_simt::__any_sync(mask(), predicate, place);
    }
    LANEWORK_SIMT_BUILTIN int all(int predicate, Place place = Place::here()) const {
        return lanework_simt::__all_sync(mask(), predicate, place);
    }
    LANEWORK_SIMT_BUILTIN unsigned ballot(int predicate, Place place = Place::here()) const {
        return packed(mask(), lanework_simt::__ballot_sync(mask(), predicate, place));
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN unsigned match_any(T value, Place place = Place::here()) const {
        return packed(mask(), lanework_simt::__match_any_sync(mask(), value, place));
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN unsigned match_all(T value, int& equal, Place place = Place::here()) const {
        return packed(mask(), lanework_simt::__match_all_sync(mask(), value, &equal, place));
    }
    LANEWORK_SIMT_BUILTIN unsigned num_threads() const { return self().size(); }
    LANEWORK_SIMT_BUILTIN unsigned lane_mask() const { return mask(); }

private:
    LANEWORK_SIMT_BUILTIN const Group& self() const { return static_cast<const Group&>(*this); }
    LANEWORK_SIMT_BUILTIN unsigned mask() const { return self().lanes(); }
    template <class T>
    LANEWORK_SIMT_BUILTIN T moved(const T& value, unsigned rank, Place place) const {
        const int lane = static_cast<int>(self().lane_of_rank(rank));
        return exchanged(value, [this, lane, place](unsigned long long word) {
            return lanework_simt::__shfl_sync(mask(), word, lane, lanework_simt::warpSize, place);
        });
    }
};

}  // namespace within_warp

/// The lanes of a warp that a mask names, ranked by their lane.
class coalesced_group : public within_warp::Collective<coalesced_group>, public thread_group {
public:
    using within_warp::Collective<coalesced_group>::num_threads;
    using within_warp::Collective<coalesced_group>::sync;

    LANEWORK_SIMT_BUILTIN explicit coalesced_group(unsigned lanes, unsigned meta_rank = 0, unsigned meta_size = 1)
        : thread_group(Kind::lanes, lanes), lanes_(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}
    LANEWORK_SIMT_BUILTIN unsigned thread_rank() const {
        return within_warp::count(lanes_ & ((1u << within_warp::lane()) - 1));
    }
    LANEWORK_SIMT_BUILTIN unsigned size() const { return within_warp::count(lanes_); }
    LANEWORK_SIMT_BUILTIN unsigned meta_group_rank() const { return meta_rank_; }
    LANEWORK_SIMT_BUILTIN unsigned meta_group_size() const { return meta_size_; }
    LANEWORK_SIMT_BUILTIN unsigned lanes() const { return lanes_; }
    LANEWORK_SIMT_BUILTIN unsigned lane_of_rank(unsigned rank) const { return within_warp::lane_of(lanes_, rank); }

private:
    unsigned lanes_, meta_rank_, meta_size_;
};

/// The lanes that arrive here together.
LANEWORK_SIMT_BUILTIN coalesced_group coalesced_threads(lanework_simt::Place place = lanework_simt::Place::here()) {
    return coalesced_group(lanework_simt::__activemask(place));
}

template <unsigned Size, class Parent = void>
class thread_block_tile;
template <unsigned Size, class Parent>
using TileCollective =
    std::conditional_t<(Size > lanework_simt::kWarpLanes), within_block::Collective<thread_block_tile<Size, Parent>>,
                       within_warp::Collective<thread_block_tile<Size, Parent>>>;

/// Of tiles, CUDA makes those a thread_group that do not say what they are a part of.
template <unsigned Size, class Parent>
class TileGroup {};
template <unsigned Size>
class TileGroup<Size, void> : public thread_group {
public:
    LANEWORK_SIMT_BUILTIN TileGroup() : thread_group(kind(), of()) {}

private:
    static constexpr bool kWide = Size > lanework_simt::kWarpLanes;
    LANEWORK_SIMT_BUILTIN static constexpr Kind kind() { return kWide ? Kind::wide_tile : Kind::lanes; }
    LANEWORK_SIMT_BUILTIN static unsigned of() {
        if constexpr (kWide)
            return Size;
        else
            return within_warp::tile_lanes(Size);
    }
};

/// `Size` neighbouring threads of a block: some lanes of a warp, or some warps.
template <unsigned Size, class Parent>
class thread_block_tile : public TileCollective<Size, Parent>, public TileGroup<Size, Parent> {
    static_assert(Size >= 1 && Size <= within_block::kMostThreads && (Size & (Size - 1)) == 0,
                  "the threads of a tile are a power of two, 1 to 1024");

public:
    using TileCollective<Size, Parent>::sync;

    LANEWORK_SIMT_BUILTIN thread_block_tile() = default;
    /// A tile as the tile of the block that it is.
    template <class Other>
    LANEWORK_SIMT_BUILTIN thread_block_tile(const thread_block_tile<Size, Other>&) {}

    LANEWORK_SIMT_BUILTIN static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    LANEWORK_SIMT_BUILTIN static constexpr unsigned size() { return Size; }
    LANEWORK_SIMT_BUILTIN static constexpr unsigned num_threads() { return Size; }
    LANEWORK_SIMT_BUILTIN static unsigned meta_group_rank() { return rank_in(static_cast<Parent*>(nullptr)) / Size; }
    LANEWORK_SIMT_BUILTIN static unsigned meta_group_size() {
        return (size_of(static_cast<Parent*>(nullptr)) + Size - 1) / Size;
    }
    /// Of a tile within a warp.
    LANEWORK_SIMT_BUILTIN static unsigned lanes() {
        static_assert(Size <= lanework_simt::kWarpLanes, "a tile of several warps has no mask of lanes");
        return within_warp::tile_lanes(Size);
    }
    LANEWORK_SIMT_BUILTIN static unsigned lane_of_rank(unsigned rank) {
        return (within_warp::lane() & ~(Size - 1)) + rank;
    }

private:
    LANEWORK_SIMT_BUILTIN static unsigned rank_in(void*) { return thread_block::thread_rank(); }
    template <unsigned Other, class Whole>
    LANEWORK_SIMT_BUILTIN static unsigned rank_in(thread_block_tile<Other, Whole>*) {
        return thread_block::thread_rank() % Other;
    }
    LANEWORK_SIMT_BUILTIN static unsigned size_of(void*) { return thread_block::size(); }
    template <unsigned Other, class Whole>
    LANEWORK_SIMT_BUILTIN static unsigned size_of(thread_block_tile<Other, Whole>*) {
        return Other;
    }
};

template <unsigned Size>
LANEWORK_SIMT_BUILTIN thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {};
}
template <unsigned Size, unsigned Whole, class Parent>
LANEWORK_SIMT_BUILTIN thread_block_tile<Size, thread_block_tile<Whole, Parent>> tiled_partition(
    const thread_block_tile<Whole, Parent>&) {
    static_assert(Size <= Whole, "a tile is no larger than what it is a part of");
    return {};
}

LANEWORK_SIMT_BUILTIN void thread_group::sync(Place place) const {
    switch (kind_) {
        case Kind::block: return thread_block::sync(place);
        case Kind::grid: return grid_group::sync(place);
        case Kind::lanes: return lanework_simt::__syncwarp(of_, place);
        case Kind::wide_tile: return within_block::sync_tile(of_, place);
    }
}
LANEWORK_SIMT_BUILTIN unsigned long long thread_group::thread_rank() const {
    switch (kind_) {
        case Kind::block: return thread_block::thread_rank();
        case Kind::grid: return grid_group::thread_rank();
        case Kind::lanes: return coalesced_group(of_).thread_rank();
        case Kind::wide_tile: return thread_block::thread_rank() % of_;
    }
    return 0;
}
LANEWORK_SIMT_BUILTIN unsigned long long thread_group::num_threads() const {
    switch (kind_) {
        case Kind::block: return thread_block::num_threads();
        case Kind::grid: return grid_group::num_threads();
        case Kind::lanes: return within_warp::count(of_);
        case Kind::wide_tile: return of_;
    }
    return 0;
}

/// Every `size` ranks of a group in turn.
LANEWORK_SIMT_BUILTIN coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
    const unsigned first = group.thread_rank() / size * size;
    unsigned lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < group.size(); ++rank)
        lanes |= 1u << group.lane_of_rank(rank);
    return coalesced_group(lanes, first / size, (group.size() + size - 1) / size);
}
/// Tiles of a block or of lanes within a warp; the last tile of a block may have fewer threads. Ends the kernel for a
/// size that is no power of two up to 32.
LANEWORK_SIMT_BUILTIN thread_group tiled_partition(const thread_group& group, unsigned size) {
    if (size == 0 || size > lanework_simt::kWarpLanes || (size & (size - 1)) != 0) lanework_simt::__trap();
    if (group.kind_ == thread_group::Kind::lanes) return tiled_partition(coalesced_group(group.of_), size);
    const unsigned first = thread_block::thread_rank() / size * size, left = thread_block::num_threads() - first;
    const unsigned threads = size < left ? size : left;
    return coalesced_group((0xffffffffu >> (lanework_simt::kWarpLanes - threads)) << first % lanework_simt::kWarpLanes);
}
template <unsigned Size>
LANEWORK_SIMT_BUILTIN coalesced_group tiled_partition(const coalesced_group& group) {
    return tiled_partition(group, Size);
}

/// The ranks of a group that give the caller's answer.
template <class Group>
LANEWORK_SIMT_BUILTIN coalesced_group binary_partition(const Group& group, bool predicate,
                                                       lanework_simt::Place place = lanework_simt::Place::here()) {
    const unsigned yes = lanework_simt::__ballot_sync(group.lanes(), predicate, place);
    return coalesced_group(predicate ? yes : group.lanes() & ~yes, predicate, 2);
}
template <class Group, class Label>
LANEWORK_SIMT_BUILTIN coalesced_group labeled_partition(const Group& group, Label label,
                                                        lanework_simt::Place place = lanework_simt::Place::here()) {
    return coalesced_group(lanework_simt::__match_any_sync(group.lanes(), label, place));
}

/// One thread of the group does it.
template <class Group, class Function, class... Arguments>
LANEWORK_SIMT_BUILTIN void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) function(arguments...);
}

}  // namespace cooperative_groups
