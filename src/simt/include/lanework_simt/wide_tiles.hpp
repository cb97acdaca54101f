// Tiles of more than one warp, 64 to 1024 threads: they meet at a barrier of their own, and exchange values through
// shared memory, of which a kernel that uses them has 8 KiB less.
#pragma once

#include <lanework_simt/groups.hpp>
#include <lanework_simt/shared.hpp>
#include <type_traits>

namespace cooperative_groups {

/// Shared memory that a block hands to this_thread_block() for its wide tiles: they have their own here.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
    char unused;
};
template <unsigned MaxBlockSize>
LANEWORK_SIMT_BUILTIN thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return {};
}

namespace within_block {

using Word = unsigned long long;
inline constexpr unsigned kMostThreads = 1024;

/// A word for each thread of the block.
LANEWORK_SIMT_BUILTIN Word* board() {
    static thread_local lanework_simt::SharedSlotAligned<alignof(Word)> slot;
    Word(&words)[kMostThreads] = slot;
    return words;
}

/// The tiles of so many threads have barriers of their own.
LANEWORK_SIMT_BUILTIN void sync_tile(unsigned size, lanework_simt::Place place) {
    lanework_simt::tile_sync(kMostThreads / size + thread_block::thread_rank() / size, size, place);
}

/// What a wide tile can do, from its size and the caller's rank.
template <class Group>
class Collective {
    using Place = lanework_simt::Place;

public:
    LANEWORK_SIMT_BUILTIN void sync(Place place = Place::here()) const { sync_tile(size(), place); }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl(T value, int rank, Place place = Place::here()) const {
        return moved(value, static_cast<unsigned>(rank) % size(), place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_up(T value, unsigned delta, Place place = Place::here()) const {
        return moved(value, delta <= rank() ? rank() - delta : rank(), place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_down(T value, unsigned delta, Place place = Place::here()) const {
        return moved(value, delta < size() - rank() ? rank() + delta : rank(), place);
    }
    template <class T>
    LANEWORK_SIMT_BUILTIN T shfl_xor(T value, unsigned ranks, Place place = Place::here()) const {
        return moved(value, (rank() ^ ranks) < size() ? rank() ^ ranks : rank(), place);
    }
    LANEWORK_SIMT_BUILTIN int any(int predicate, Place place = Place::here()) const {
        return count(predicate != 0, place) != 0;
    }
    LANEWORK_SIMT_BUILTIN int all(int predicate, Place place = Place::here()) const {
        return count(predicate == 0, place) == 0;
    }

private:
    LANEWORK_SIMT_BUILTIN static constexpr unsigned size() { return Group::size(); }
    LANEWORK_SIMT_BUILTIN static unsigned rank() { return Group::thread_rank(); }
    /// The tile's words.
    LANEWORK_SIMT_BUILTIN static Word* words() { return board() + thread_block::thread_rank() / size() * size(); }

    template <class T>
    LANEWORK_SIMT_BUILTIN T moved(const T& value, unsigned from, Place place) const {
        static_assert(std::is_trivially_copyable<T>::value, "threads exchange values that can be copied byte by byte");
        T result = value;
        for (unsigned at = 0; at < sizeof(T); at += sizeof(Word)) {
            const unsigned left = static_cast<unsigned>(sizeof(T)) - at,
                           bytes = left < sizeof(Word) ? left : sizeof(Word);
            Word word = 0;
            __builtin_memcpy(&word, reinterpret_cast<const char*>(&value) + at, bytes);
            words()[rank()] = word;
            sync(place);
            word = words()[from];
            sync(place);
            __builtin_memcpy(reinterpret_cast<char*>(&result) + at, &word, bytes);
        }
        return result;
    }
    LANEWORK_SIMT_BUILTIN unsigned count(bool mine, Place place) const {
        words()[rank()] = mine;
        sync(place);
        unsigned all = 0;
        for (unsigned i = 0; i < size(); ++i) all += static_cast<unsigned>(words()[i]);
        sync(place);
        return all;
    }
};

}  // namespace within_block

}  // namespace cooperative_groups
