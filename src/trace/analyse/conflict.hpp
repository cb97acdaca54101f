// A conflict: two accesses of different threads to a word, one of which writes, that no barrier and no meeting orders.
#pragma once

#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/sync_order.hpp"

namespace lanework {

struct Conflict {
    const Site *earlier_site = nullptr, *later_site = nullptr;
    Moment earlier, later;
    /// Of the word.
    std::uint64_t address = 0;
    /// The start of its allocation, 0 for shared memory.
    std::uint64_t object = 0;
    /// Of two within a block.
    EpochInterval epoch;
    /// Both are the same statement, which writes …
    bool one_statement = false;
    /// … and blocks write different values: which one stays decides what is read.
    bool values_differ = false;
    /// Both are atomic, and the scope of one is its block: for another block it is not atomic.
    bool narrow_atomics = false;
    /// Between the same sites.
    std::uint64_t count = 1;

    bool in_one_block() const { return earlier.thread.block == later.thread.block; }
    bool is_like(const Conflict& other) const {
        return earlier_site == other.earlier_site && later_site == other.later_site &&
               in_one_block() == other.in_one_block() && in_one_warp() == other.in_one_warp();
    }
    bool in_one_warp() const { return in_one_block() && earlier.thread.warp() == later.thread.warp(); }
};

}  // namespace lanework
