// What inline PTX becomes: cudafe writes a call of one of these functions for each instruction. Here are those that ask
// where the thread is, that reach memory and that lanes do together; ptx_values.hpp has those that only compute.
#pragma once

#include <lanework_simt/access.hpp>
#include <lanework_simt/atomics.hpp>
#include <lanework_simt/barrier.hpp>
#include <lanework_simt/last_error.hpp>
#include <lanework_simt/ptx_registers.hpp>
#include <lanework_simt/ptx_values.hpp>
#include <lanework_simt/shared.hpp>
#include <lanework_simt/thread.hpp>
#include <lanework_simt/warp.hpp>

namespace lanework_simt::ptx {

// -- where the thread is ----------------------------------------------------------------------------------------------

/// The thread's index in the block, x fastest.
LANEWORK_SIMT_BUILTIN unsigned int thread_in_block() {
    const uint3 thread = thread_index();
    const dim3 block = block_dim();
    return (thread.z * block.y + thread.y) * block.x + thread.x;
}
LANEWORK_SIMT_BUILTIN unsigned int lane() { return thread_in_block() % kWarpLanes; }
LANEWORK_SIMT_BUILTIN unsigned int warp() { return thread_in_block() / kWarpLanes; }
LANEWORK_SIMT_BUILTIN unsigned int warps() {
    const dim3 block = block_dim();
    return (block.x * block.y * block.z + kWarpLanes - 1) / kWarpLanes;
}
/// The GPU's multiprocessors, and the one that has the block: blocks go around.
unsigned int multiprocessors();
unsigned int multiprocessor();
unsigned long long grid_number();
unsigned long long nanoseconds();
LANEWORK_SIMT_BUILTIN unsigned int leader(unsigned int mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

// -- memory -----------------------------------------------------------------------------------------------------------

/// Addresses of shared memory count from the block's first byte.
LANEWORK_SIMT_BUILTIN unsigned long long shared_base() {
    return reinterpret_cast<unsigned long long>(quiet_load(context.shared));
}
LANEWORK_SIMT_BUILTIN unsigned long long shared_offset(unsigned long long address) { return address - shared_base(); }
LANEWORK_SIMT_BUILTIN unsigned long long shared_address(unsigned long long offset) { return offset + shared_base(); }
LANEWORK_SIMT_BUILTIN bool is_shared(unsigned long long address) {
    return __isShared(reinterpret_cast<const void*>(address)) != 0;
}

template <class T>
LANEWORK_SIMT_BUILTIN T* in_memory(unsigned long long address) {
    return reinterpret_cast<T*>(address);
}
template <class T>
LANEWORK_SIMT_BUILTIN T* in_shared(unsigned long long offset) {
    // The upper half of a 64-bit register may hold anything: the window has 32 bits.
    return reinterpret_cast<T*>(shared_address(offset & 0xffffffffu));
}

template <class T, unsigned Lanes>
struct __align__(sizeof(T) * Lanes) Vector {
    T lane[Lanes];
};
template <class T>
LANEWORK_SIMT_BUILTIN T load(const T* address) {
    return *address;
}
template <class T>
LANEWORK_SIMT_BUILTIN void store(T* address, T value) {
    *address = value;
}
/// Whether each word of a.b.c says where to cache, or that the memory is global.
constexpr bool is_cache_hint(const char* words) {
    constexpr const char* kHints[] = {"ca", "cg", "cs", "cv", "lu", "nc", "wb", "wt", "global"};
    while (*words) {
        bool known = false;
        for (const char* hint : kHints) {
            int length = 0;
            while (hint[length] && words[length] == hint[length]) ++length;
            if (hint[length] || (words[length] && words[length] != '.')) continue;
            words += length;
            known = true;
            break;
        }
        if (!known) return false;
        if (*words == '.') ++words;
    }
    return true;
}
/// Volatile accesses, and those that other threads wait for.
template <class T>
LANEWORK_SIMT_BUILTIN T load_ordered(const T* address, int order) {
    spin_hint(address);
    T value;
    __atomic_load(address, &value, order);
    return value;
}
template <class T>
LANEWORK_SIMT_BUILTIN void store_ordered(T* address, T value, int order) {
    __atomic_store(address, &value, order);
}

/// cp.async: `Bytes` are written, of which those from `given` on are zero.
template <unsigned Bytes>
LANEWORK_SIMT_BUILTIN void copy(void* to, const void* from, unsigned int given) {
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
    using Words = Vector<unsigned int, Bytes / 4>;
    if (given == Bytes) {
        *static_cast<Words*>(to) = *static_cast<const Words*>(from);
        return;
    }
    for (unsigned int i = 0; i < Bytes; ++i)
        static_cast<unsigned char*>(to)[i] = i < given ? static_cast<const unsigned char*>(from)[i] : 0;
}

// -- lanes together ---------------------------------------------------------------------------------------------------

/// `inside` says whether the lane that was asked for is one of the caller's group; if not, the value is its own.
struct Shuffle {
    unsigned int value;
    bool inside;
};
/// The bits of `clamp` above the eighth fix the bits of a lane that a group shares; the lower ones bound its lanes.
LANEWORK_SIMT_BUILTIN Shuffle shuffle_from(unsigned int value, unsigned int wanted, bool inside, unsigned int mask,
                                           Place place) {
    const unsigned int from = inside ? wanted : lane();
    return {__shfl_sync(mask, value, static_cast<int>(from), warpSize, place), inside};
}
LANEWORK_SIMT_BUILTIN unsigned int last_lane(unsigned int clamp) {
    const unsigned int segment = clamp >> 8 & 31;
    return (lane() & segment) | (clamp & 31 & ~segment);
}
LANEWORK_SIMT_BUILTIN Shuffle shuffle_up(unsigned int value, unsigned int by, unsigned int clamp, unsigned int mask,
                                         Place place = Place::here()) {
    const unsigned int from = lane() - (by & 31);
    return shuffle_from(value, from, static_cast<int>(from) >= static_cast<int>(last_lane(clamp)), mask, place);
}
LANEWORK_SIMT_BUILTIN Shuffle shuffle_down(unsigned int value, unsigned int by, unsigned int clamp, unsigned int mask,
                                           Place place = Place::here()) {
    const unsigned int from = lane() + (by & 31);
    return shuffle_from(value, from, from <= last_lane(clamp), mask, place);
}
LANEWORK_SIMT_BUILTIN Shuffle shuffle_bfly(unsigned int value, unsigned int bits, unsigned int clamp, unsigned int mask,
                                           Place place = Place::here()) {
    const unsigned int from = lane() ^ (bits & 31);
    return shuffle_from(value, from, from <= last_lane(clamp), mask, place);
}
LANEWORK_SIMT_BUILTIN Shuffle shuffle_idx(unsigned int value, unsigned int index, unsigned int clamp, unsigned int mask,
                                          Place place = Place::here()) {
    const unsigned int segment = clamp >> 8 & 31;
    const unsigned int from = (lane() & segment) | (index & 31 & ~segment);
    return shuffle_from(value, from, from <= last_lane(clamp), mask, place);
}
/// Whether the predicate is the same in all lanes.
LANEWORK_SIMT_BUILTIN bool vote_uniform(unsigned int mask, bool predicate, Place place = Place::here()) {
    const unsigned int voted = __ballot_sync(mask, predicate, place);
    return voted == 0 || voted == mask;
}

}  // namespace lanework_simt::ptx
