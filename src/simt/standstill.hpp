// Finding out that threads wait for ever: those that still run read, again and again, what nobody is left to change.
//
// With memory as it is, a thread's registers and stack decide all that it will do: once it is in a state in which it
// was before, it goes in a circle until another thread writes. Where every thread of a grid goes in a circle and memory
// does not change, none leaves its circle. Nothing is proven where others may write, or tell a thread the time: more
// threads of the host, a clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/simt/block.hpp"
#include "src/simt/grid.hpp"

namespace lanework_simt::engine {

/// What a worker knows of its threads' waits. It asks for nothing before they have only waited for a second.
class Standstill {
public:
    /// A grid begins.
    void reset(Grid& grid);
    /// The worker has no block left: it stands in nobody's way.
    void leave() { publish(true); }

    /// To be called after every kLook times that a thread of the worker let others run since one began or ended, with
    /// their number and that of the threads that can run. True where the grid stands still for good.
    bool stands(std::size_t idle, std::size_t runnable, const std::vector<Block*>& residents, std::size_t shared_bytes);
    static constexpr std::size_t kLook = 256;
    /// Whether saw() is to be called: with a digest of the state of each thread that lets others run.
    bool watching() const { return watching_; }
    void saw(Fiber& fiber, std::uint64_t state);
    /// Whether threads have only waited for so long that somebody should hear of it; once in a process.
    bool to_tell() const;
    /// For which no thread of the worker has begun or ended.
    long seconds() const;

private:
    using Clock = std::chrono::steady_clock;

    void open(std::uint64_t memory);
    void publish(bool stands);

    Grid* grid_ = nullptr;
    bool watching_ = false, published_ = false;
    std::size_t expected_ = 0;
    Clock::time_point since_{}, next_{};
    /// A window of time in which memory did not change and no clock was read; the threads that were seen in it, and
    /// those of them that came back to a state.
    std::uint64_t window_ = 0, memory_ = 0, clocks_ = 0;
    std::size_t seen_ = 0, returned_ = 0;
    /// Looks at which nothing had changed, and at which the same was true for all workers.
    unsigned alike_ = 0, together_ = 0;
};

/// Continues a digest with so many bytes.
std::uint64_t digest_of(const void* from, std::size_t bytes, std::uint64_t before);

/// Threads of the process that work for grids, the one that launches included.
extern std::atomic<std::size_t> working_threads;
/// Whether the process has threads beside those: the host's. Reads a folder of the system's.
bool has_host_threads();
/// Reads of a clock by kernels.
extern std::atomic<std::uint64_t> clock_reads;
void count_clock_read();

/// "`flag`", "byte 12 of the block's shared memory"; `in` is the kernel's code. Empty for an address that nobody knows.
std::string describe_address(const volatile void* address, const Block& block, const void* in);
/// Whether the host can write there.
bool is_of_host(const volatile void* address);

}  // namespace lanework_simt::engine
