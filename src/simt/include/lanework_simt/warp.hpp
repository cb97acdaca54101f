// The warp's collective operations. The lanes that a mask names meet per (warp, mask, operation), never block-wide.
//
// A mask that lacks its caller fails the kernel. A lane that left the kernel is not waited for by __syncwarp and the
// votes; by an operation that exchanges values (shuffles, matches, reductions) it is an error. A lane that the block
// never had (a last warp of less than 32 threads) is not waited for; reading from it, or from a lane that the mask
// does not name, gives a pattern of 0x7f bytes: CUDA leaves the value undefined.
#pragma once

#include <lanework_simt/thread.hpp>

namespace lanework_simt {

inline constexpr unsigned kFullMask = 0xffffffffu;

enum class WarpOperation : std::uint8_t {
    syncwarp,
    shuffle_index,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    any,
    all,
    ballot,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
    activemask
};

namespace lane_exchange {

std::uint64_t shuffle(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned argument, int width,
                      Place place);
/// The lanes of the mask whose predicate is not zero.
unsigned vote(WarpOperation operation, unsigned mask, bool predicate, unsigned* voters, Place place);
/// The lanes of the mask whose value is the caller's.
unsigned match(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned* matched, Place place);
std::uint32_t reduce(WarpOperation operation, unsigned mask, std::uint32_t value, bool is_signed, Place place);

template <class T>
[[gnu::always_inline]] inline std::uint64_t to_bits(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "warps exchange values of at most 8 bytes");
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T>
[[gnu::always_inline]] inline T from_bits(std::uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
template <class T>
inline T shuffled(WarpOperation operation, unsigned mask, T value, unsigned argument, int width, Place place) {
    return from_bits<T>(shuffle(operation, mask, to_bits(value), argument, width, place));
}

}  // namespace lane_exchange
inline namespace api {

void __syncwarp(unsigned mask = kFullMask, Place place = Place::here());

/// The value of lane `lane` of the caller's group of `width` lanes (a power of two).
template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, Place place = Place::here()) {
    return lane_exchange::shuffled(WarpOperation::shuffle_index, mask, value, static_cast<unsigned>(lane), width,
                                   place);
}
/// The value of the lane `delta` below, above, or at the caller's index xor `lanes`; the caller's own outside its
/// group.
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, Place place = Place::here()) {
    return lane_exchange::shuffled(WarpOperation::shuffle_up, mask, value, delta, width, place);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, Place place = Place::here()) {
    return lane_exchange::shuffled(WarpOperation::shuffle_down, mask, value, delta, width, place);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize, Place place = Place::here()) {
    return lane_exchange::shuffled(WarpOperation::shuffle_xor, mask, value, static_cast<unsigned>(lanes), width, place);
}

int __any_sync(unsigned mask, int predicate, Place place = Place::here());
int __all_sync(unsigned mask, int predicate, Place place = Place::here());
unsigned __ballot_sync(unsigned mask, int predicate, Place place = Place::here());

/// The lanes of the mask whose value equals the caller's, bit for bit.
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, Place place = Place::here()) {
    unsigned lanes = 0;
    return lane_exchange::match(WarpOperation::match_any, mask, lane_exchange::to_bits(value), &lanes, place);
}
/// The mask when all its lanes have one value, else 0; `*equal` says which.
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* equal, Place place = Place::here()) {
    unsigned lanes = 0;
    const unsigned same =
        lane_exchange::match(WarpOperation::match_all, mask, lane_exchange::to_bits(value), &lanes, place);
    *equal = same == lanes;
    return same == lanes ? mask : 0u;
}

/// The lanes that arrive here together: waits until every other lane of the warp has arrived, waits elsewhere, has left
/// or keeps spinning. Hardware may return fewer; it never returns a lane that took another way.
unsigned __activemask(Place place = Place::here());

unsigned __reduce_add_sync(unsigned mask, unsigned value, Place place = Place::here());
int __reduce_add_sync(unsigned mask, int value, Place place = Place::here());
unsigned __reduce_min_sync(unsigned mask, unsigned value, Place place = Place::here());
int __reduce_min_sync(unsigned mask, int value, Place place = Place::here());
unsigned __reduce_max_sync(unsigned mask, unsigned value, Place place = Place::here());
int __reduce_max_sync(unsigned mask, int value, Place place = Place::here());
unsigned __reduce_and_sync(unsigned mask, unsigned value, Place place = Place::here());
unsigned __reduce_or_sync(unsigned mask, unsigned value, Place place = Place::here());
unsigned __reduce_xor_sync(unsigned mask, unsigned value, Place place = Place::here());

}  // namespace api
}  // namespace lanework_simt
