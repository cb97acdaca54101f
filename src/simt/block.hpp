// A resident block: which of its threads have started, wait and have left, and its barriers and warps.
#pragma once

#include <array>
#include <cstdint>
#include <lanework_simt/warp.hpp>
#include <memory>
#include <new>
#include <string>

#include "src/simt/fiber.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt::engine {

inline constexpr unsigned kMaxThreads = 1024;
inline constexpr unsigned kMaxWarps = kMaxThreads / kWarpLanes;
inline constexpr unsigned kBarriers = 16;
/// Barriers of wide tiles, behind those: a tile of 1024 threads has number 1, those of 512 have 2 and 3, and so on.
inline constexpr unsigned kTileBarriers = 32;
/// The most shared memory that a multiprocessor has: an H100's.
inline constexpr std::size_t kArenaBytes = kSharedArenaBytes;
inline constexpr std::size_t kArenaAlignment = 1024;

/// Lanes of a warp that meet for one operation under one mask. It outlives its completion until all have left it.
struct Meeting {
    WarpOperation operation;
    unsigned mask;
    Place place;  // of the first lane that arrived
    unsigned arrived = 0;
    unsigned leaving = 0;
    unsigned spins = 0;  // yields of other lanes of the warp since it began; counted for __activemask alone
    Meeting* next = nullptr;
    std::array<Fiber*, kWarpLanes> waiting;  // null for the lane that completed it
    std::array<std::uint64_t, kWarpLanes> values;
};

/// Lanes of a warp that wait at their next accesses of volatile memory (lockstep.cpp).
struct Steps {
    /// Lanes that wait here, with their fibers, places and addresses.
    unsigned arrived = 0;
    std::array<Fiber*, kWarpLanes> fibers{};
    std::array<std::uint64_t, kWarpLanes> places{};
    std::array<std::uint64_t, kWarpLanes> addresses{};
    /// Yields of other lanes of the warp since lanes went on.
    unsigned spins = 0;
    /// What the last lanes that went on ahead of others accessed, how often it was what others of these had accessed,
    /// and how often others were left behind.
    std::array<std::uint64_t, 4> recent{};
    unsigned repeated = 0, overtaken = 0;
};

struct Warp {
    /// Lanes that the block has.
    unsigned lanes = 0;
    unsigned exited = 0;
    /// Lanes that wait at a barrier or in a warp operation.
    unsigned waiting = 0;
    /// Operations that lack lanes, in no order.
    Meeting* meetings = nullptr;
    /// Lanes that wait at volatile accesses; null while none does.
    Steps* steps = nullptr;

    /// Whether something may come to its end as a lane leaves or begins to wait.
    bool unsettled() const { return meetings || steps; }
};

struct Barrier {
    unsigned arrived = 0;
    unsigned expected = 0;
    /// Threads of this generation with a true predicate, and of the last one that was completed.
    unsigned votes = 0, last_votes = 0;
    FiberQueue waiting;
    const char* name = nullptr;
    Place place;
};

struct ArenaDeleter {
    void operator()(std::byte* arena) const { ::operator delete (arena, std::align_val_t{kArenaAlignment}); }
};

struct Block {
    uint3 index{};
    unsigned threads = 0;
    /// Threads begun, in the order of `order` or of their index, and those that have not left.
    unsigned started = 0, remaining = 0;
    /// The index of the next thread in the natural order. Each part is as wide as a register: a read of two narrow
    /// parts at once would wait for the write of one.
    struct Cursor {
        std::uint64_t x, y, z;
    } cursor{};
    std::unique_ptr<std::byte, ArenaDeleter> shared{
        static_cast<std::byte*>(::operator new (kArenaBytes, std::align_val_t{kArenaAlignment}))};
    std::array<Warp, kMaxWarps> warps;
    std::array<Barrier, kBarriers + kTileBarriers> barriers;
    std::array<std::uint16_t, kMaxThreads> order;  // of a seeded schedule
    Tapes tapes;                                   // while the launch is observed

    unsigned warp_count() const { return (threads + kWarpLanes - 1) / kWarpLanes; }
    Warp& warp_of(unsigned thread) { return warps[thread / kWarpLanes]; }
};

constexpr unsigned lane_bit(unsigned thread) { return 1u << (thread % kWarpLanes); }

/// "(3,0,0)"
std::string to_text(const uint3& index);
/// "transpose.cu:41"
std::string to_text(const Place& place);
/// The index of a block's thread whose linear index is `thread`.
uint3 thread_index_of(unsigned thread, const uint3& block_dim);

}  // namespace lanework_simt::engine
