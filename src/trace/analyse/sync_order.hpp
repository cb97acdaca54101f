// What orders the accesses of different threads: barriers, meetings of warps, and atomic operations with fences.
//
// Stamps count these events as they are told. Blocks that ran at the same time may be told in another order than they
// ran, so that an atomic operation is known to lie between two stamps; where that leaves two orders, both are possible.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/marks.hpp"

namespace lanework {

/// What lanes of a warp know of each other: the last meeting of all of them, and by lane, of each other lane, the last
/// stamp before which everything it did is known.
struct WarpClock {
    using Known = std::array<std::array<Stamp, kLanes>, kLanes>;

    Stamp all = 0;
    std::unique_ptr<Known> known;
};

/// A fence of a thread, with what its block and its warp had passed then; none where `stamp` is 0.
struct FenceClock {
    Stamp stamp = 0, barrier = 0, warp = 0;
    /// It orders nothing for threads of other blocks.
    bool block_scope = false;
};

/// A thread's last fence, its atomic operations since, and the order of the one that follows.
struct ThreadClock {
    static constexpr std::size_t kRecent = 4;

    FenceClock fence, next;
    std::array<std::uint64_t, kRecent> recent{};
    std::array<Stamp, kRecent> recent_until{};
    std::array<bool, kRecent> recent_block_scope{};
    std::size_t atomics = 0;
    /// The index of the last one.
    std::size_t last = 0;
};

/// A block that runs.
struct BlockClock {
    std::uint64_t block = 0;
    /// Counts places for blocks that run at the same time from 0.
    std::size_t slot = 0;
    Stamp begin = 0;
    /// Of the last barrier of the whole block, or `begin`.
    Stamp barrier = 0;
    /// Some of its threads met without the others; what that orders is not known.
    bool partial_barriers = false;
    /// A thread of it passed a fence.
    bool fenced = false;
    std::vector<WarpClock> warps;
    std::vector<ThreadClock> threads;
};

/// An access as far as its order goes.
struct Moment {
    ThreadId thread;
    Stamp stamp;
    /// The last barrier of the block and the last meeting of the whole warp before it.
    Stamp barrier, warp;
};

class SyncOrder {
public:
    void launch_begins(const LaunchShape& shape);
    void block_begins(std::uint64_t block);
    void block_ends(std::uint64_t block);
    /// What is told from here on is about this block.
    BlockClock& enter(std::uint64_t block) { return current_->block == block ? *current_ : switch_to(block); }

    void barrier(std::uint64_t block);
    void meeting(const Meeting& meeting);
    /// A fence, or the order of the lanes' next atomic operation (a release) or of their last one (an acquire).
    void fence(const Meeting& fence);
    void atomic(const Request& request);

    /// Whether the block began and did not end.
    bool runs(std::uint64_t block) const { return running_.contains(block); }
    Stamp now() const { return now_; }
    /// When the launch began.
    Stamp launch() const { return launch_; }
    /// Too much happened for stamps to count: nothing can be said any more until the next launch.
    bool exhausted() const { return now_ == kLast; }
    /// Counts from 1 again; no mark may be left.
    void restart() { now_ = 0; }
    /// Stamps from this one on belong to the block that was entered last.
    Stamp stretch() const { return stretches_.back().first; }
    /// The block that this stamp of the current launch belongs to.
    std::uint64_t block_of(Stamp stamp) const {
        return stamp >= stretch() ? stretches_.back().block : block_of_earlier(stamp);
    }
    /// Whether a thread of the block knows what another thread of it did at that stamp.
    bool knows(const BlockClock& clock, unsigned thread, unsigned other, Stamp stamp) const;
    Moment moment(const BlockClock& clock, unsigned thread) const;

    /// At the end of the launch: whether atomic operations and fences may order `first` before `second`; `any_scope`
    /// asks whether they would if every scope were the device.
    bool may_precede(const Moment& first, const Moment& second, bool any_scope = false);
    /// Fences and atomic operations are not all told any more: every order that they can make counts as possible.
    void doubt_order();
    bool has_releases() const { return !releases_.empty(); }

private:
    static constexpr Stamp kLast = ~Stamp{0};

    /// A fence, and an atomic operation after it that ran at or after `from`.
    struct Release {
        unsigned thread;
        std::uint64_t location;
        FenceClock fence;
        Stamp from;
        /// For the threads of the block alone, by its own scope or the atomic operation's.
        bool block_scope;
    };
    /// An atomic operation that was told at `until`, and ran before; and a fence after it.
    struct Acquire {
        ThreadId thread;
        std::uint64_t location;
        Stamp fence;
        Stamp until;
        bool block_scope;
    };
    /// Stamps from `first` on belong to this block, up to the next entry.
    struct Stretch {
        Stamp first;
        std::uint64_t block;
    };

    std::uint64_t block_of_earlier(Stamp stamp) const;
    BlockClock& switch_to(std::uint64_t block);
    Stamp advance();
    void release(const BlockClock& clock, unsigned thread, const FenceClock& fence, std::uint64_t location,
                 bool block_scope);
    void acquire(const BlockClock& clock, unsigned thread, bool block_scope);
    void acquire(const BlockClock& clock, unsigned thread, std::size_t recent, bool block_scope);
    bool covers(const Release& release, unsigned thread, Stamp after) const;
    static bool reaches(const Acquire& acquire, const Moment& moment);

    LaunchShape shape_;
    Stamp now_ = 0, launch_ = 0;
    std::vector<Stretch> stretches_;
    std::unordered_map<std::uint64_t, std::unique_ptr<BlockClock>> running_;
    std::vector<std::unique_ptr<BlockClock>> free_;
    std::size_t slots_ = 0;
    BlockClock nobody_{.block = ~std::uint64_t{0}, .warps = {}, .threads = {}};
    BlockClock* current_ = &nobody_;

    std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by block
    std::unordered_map<std::uint64_t, std::vector<Acquire>> acquires_;  // by location
    std::size_t kept_ = 0;
    std::size_t steps_left_ = 0;
};

}  // namespace lanework
