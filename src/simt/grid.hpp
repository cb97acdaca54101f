// A grid that runs: the blocks that are left to hand out, and the first failure.
#pragma once

#include <algorithm>
#include <atomic>
#include <lanework_simt/error_codes.hpp>
#include <lanework_simt/launch.hpp>
#include <mutex>
#include <string>

namespace lanework_simt::engine {

/// A reproducible sequence of numbers (splitmix64, Steele, Lea and Flood 2014).
class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    /// A number below `bound`; bound > 0 and far below 2^32.
    unsigned below(unsigned bound) { return static_cast<unsigned>((next() >> 32) * bound >> 32); }

private:
    std::uint64_t state_;
};

/// Why a grid did not run to its end.
struct Failure {
    cudaError_t error = cudaSuccess;
    std::string detail;
    /// Where the threads were; line 0 where that is not known.
    Place place{};
    /// The last event of the thread that failed, where it was observed; else 0.
    std::uint64_t pc = 0;
    /// Threads waited for others that never came.
    bool never_met = false;
    /// Threads read what nobody is left to change.
    bool endless = false;
    /// A thread accessed an address where there is no memory.
    bool bad_access = false;
};

class Grid {
public:
    /// `seed` 0 hands out blocks in increasing order.
    Grid(const Launch& launch, std::uint64_t number, std::uint64_t seed);
    /// So many blocks of another grid, from `block` on in x.
    Grid(const Grid& whole, const uint3& block, unsigned count);

    const Launch& launch() const { return launch_; }
    /// Counts the launches of the process from 1.
    std::uint64_t number() const { return number_; }
    std::uint64_t seed() const { return seed_; }
    std::uint64_t blocks() const { return blocks_; }
    /// The OS threads that work for the grid.
    std::size_t workers() const { return workers_; }
    void set_workers(std::size_t count) {
        workers_ = count;
        standing_ = 0;
    }

    /// Hands out the blocks from the end so far up to another one; nobody may be taking any.
    void continue_to(std::uint64_t end) {
        next_ = handed_;
        end_ = handed_ = end;
    }
    bool has_block() const { return next_.load(std::memory_order_relaxed) < end_; }
    /// That have not begun.
    std::uint64_t blocks_left() const { return end_ - std::min(next_.load(std::memory_order_relaxed), end_); }
    /// Takes the next block; false when all are taken.
    bool take_block(uint3& index);
    /// Takes up to `count` blocks of the natural order at once; positions [first, first + the number returned).
    std::uint64_t take_blocks(std::uint64_t count, std::uint64_t& first);
    /// The block at a position of the natural order.
    uint3 block_at(std::uint64_t position) const;

    /// Counts a block in at the barrier of all blocks; the number of arrivals that it has to wait for.
    std::uint64_t arrive() {
        const std::uint64_t before = arrived_.fetch_add(1, std::memory_order_acq_rel);
        return (before / blocks_ + 1) * blocks_;
    }
    bool all_arrived(std::uint64_t arrivals) const { return arrived_.load(std::memory_order_acquire) >= arrivals; }

    /// One worker's threads begin to stand still, or go on (standstill.hpp).
    void stand(bool still) { standing_.fetch_add(still ? 1 : -1, std::memory_order_acq_rel); }
    bool all_stand() const { return standing_ == static_cast<int>(workers_); }

    /// Keeps the first failure of the grid. Thread-safe.
    void fail(Failure failure);
    bool failed() const { return failed_.load(std::memory_order_relaxed); }
    /// Only after failed().
    const Failure& failure() const { return failure_; }

private:
    Launch launch_;
    std::uint64_t number_, seed_, blocks_, end_;
    std::size_t workers_ = 1;
    /// Where continue_to() goes on.
    std::uint64_t handed_ = 0;
    std::uint64_t stride_ = 1,
                  offset_ = 0;  // of the order of blocks: position i is block (i·stride + offset) mod blocks
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> arrived_{0};
    std::atomic<int> standing_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    Failure failure_;
};

}  // namespace lanework_simt::engine
