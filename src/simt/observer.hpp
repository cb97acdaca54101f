// What the device tells somebody who watches it: memory that comes and goes, work and waiting in streams, launches,
// blocks, and for every thread a tape of what it did. Nobody watches until set_observer; kernels then run on one OS
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lanework_simt/launch.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "src/simt/event.hpp"

namespace lanework_simt {

/// A thread's wait for a clock: readings at one place with nothing but jumps in between.
struct ClockWait {
    const void* place = nullptr;
    /// The first reading and the last, in clocks, how many there were, and the length of the tape at the last.
    long long first = 0, last = 0, readings = 0;
    std::size_t events = 0;
    /// What it waited before.
    long long earlier = 0;
};

/// Clocks that the threads of a launch waited for clocks: the block whose thread waited longest, and all blocks.
struct ClockWaits {
    long long longest = 0, of_all_blocks = 0;
};

/// What the threads of a launch printed: lines (calls) of threads, and of warps, whose threads print together; the most
/// of one warp.
struct Printed {
    std::uint64_t by_threads = 0, by_warps = 0, most = 0;
};

/// What a thread did since its tape was last read, in its order. Event i, code(i), happened at `addresses[i]`; paths
/// have no address.
struct Tape {
    /// The codes are this tape's as long as both threads do the same; null for a thread that went its own way, or
    /// first.
    const Tape* leader = nullptr;
    /// Its own codes, while it has no leader.
    EventCode* codes = nullptr;
    std::uint64_t* addresses = nullptr;
    std::size_t size = 0, capacity = 0;
    /// Events at the front that were read already.
    std::size_t read = 0;
    /// The thread cannot go on before others of its warp do: it left, or waits at a barrier or for lanes.
    bool waits = false;
    /// The atomic operation that comes next stands alone in a statement.
    bool old_value_unused = false;
    /// The scope of atomic operations is the block for now.
    bool block_scope = false;
    ClockWait clock_wait = {};
    std::uint64_t printed = 0;

    EventCode code(std::size_t event) const { return leader ? leader->codes[event] : codes[event]; }
};

/// A block that runs.
struct ObservedBlock {
    uint3 index;
    /// x fastest, from 0.
    std::uint64_t linear_index;
    unsigned threads;
    /// Its shared memory: dynamic first, then each __shared__ variable.
    const std::byte* shared;
    std::size_t shared_bytes;
    /// One per thread.
    Tape* tapes;
};

enum class Origin;

/// A copy or a fill that was done at its turn in a stream.
struct StreamCopy {
    enum class Way { upload, download, on_device, on_host, fill };
    Way way;
    std::size_t bytes;
    /// The host's side of it is not page-locked.
    bool pageable;
    const void* stream;
    /// On hardware the call returns when the copy is done.
    bool host_waits;
    /// The call names a stream: from page-locked memory it would return at once.
    bool asynchronous;
    /// Addresses that are read and written; null where there is none. Rows count with what lies between them.
    const void* from = nullptr;
    const void* to = nullptr;
    std::size_t span = 0;
    /// Managed pages are sent, and their contents stay what they are.
    bool prefetches = false;
};

/// Work of a library on the device (cuBLAS's, cuRAND's) that a function of the host did here, at its turn in a stream.
struct LibraryCall {
    /// The function's.
    const char* name;
    const void* stream;
    /// On hardware the call returns when the work is done.
    bool host_waits = false;
    /// What it read, and what it wrote or changed.
    std::vector<std::span<const std::byte>> read = {}, written = {};
};

/// How a launch ended.
struct LaunchEnd {
    /// What is wrong, in one sentence; empty for a launch that ended well.
    std::string_view error;
    /// Where in the source the threads were that it is about; line 0 where that is not known …
    Place place;
    /// … and where in the code; 0 where that is not known.
    std::uint64_t pc = 0;
    /// Threads waited for others that never came.
    bool never_met = false;
    /// Threads read what nobody was left to change.
    bool endless = false;
    /// More than its memory decided what it did, or saw what it did: a clock, a texture, the heap, its output.
    bool beyond_memory = false;
    /// Clocks of the GPU: threads read a clock until enough had passed.
    ClockWaits clock_waits = {};
    Printed printed = {};
};

/// A launch is watched, runs as if nobody watched, or is done: the observer has made memory what it would be.
enum class LaunchPlan { watch, run, done };

class Observer {
public:
    virtual ~Observer() = default;

    virtual void memory_allocated(const void* /*base*/, std::size_t /*bytes*/, Origin) {}
    virtual void memory_released(const void* /*base*/, std::size_t /*bytes*/, Origin) {}
    /// The host wrote or filled device memory.
    virtual void memory_written(const void* /*base*/, std::size_t /*bytes*/) {}
    /// The host is about to change device memory by what it holds: bytes that nobody wrote stay unwritten.
    virtual void memory_changed(const void* /*base*/, std::size_t /*bytes*/) {}
    /// The host asked to free what it cannot, or to read or write memory that is not all there; nothing was done.
    virtual void free_refused(const void* /*pointer*/) {}
    virtual void copy_refused(const void* /*pointer*/, std::size_t /*bytes*/, bool /*writes*/) {}
    virtual void symbol_refused(const void* /*symbol*/, std::size_t /*bytes*/) {}

    /// Managed memory is advised to be read mostly, or no longer: who reads it gets a copy, and others keep theirs.
    virtual void read_mostly(const void* /*base*/, std::size_t /*bytes*/, bool /*is*/) {}

    /// This thread is about to fork the process, and has, in each of the two: the child has no other thread.
    virtual void fork_begins() {}
    virtual void fork_ends(bool /*in_child*/) {}

    virtual void copied(const StreamCopy&) {}
    virtual void library_called(const LibraryCall&) {}
    virtual void event_recorded(const void* /*event*/, const void* /*stream*/) {}
    virtual void stream_waits_for_event(const void* /*stream*/, const void* /*event*/) {}
    /// The host waits until all of a stream's work is done, what an event stands for, or everything.
    virtual void host_waits_for_stream(const void* /*stream*/) {}
    virtual void host_waits_for_event(const void* /*event*/) {}
    virtual void host_waits_for_device() {}
    /// The host may know that work of a stream is done without having waited: it asked, or gave the stream a function
    /// of its own.
    virtual void host_may_know() {}
    /// A graph is launched on the stream. What happens until its end belongs to its last step; `lane` is the stream
    /// that the step was captured from, `after` are the numbers of earlier steps that it comes after.
    virtual void graph_begins(const void* /*stream*/) {}
    virtual void graph_step(const void* /*lane*/, std::span<const std::size_t> /*after*/) {}
    virtual void graph_ends() {}

    /// What becomes of a launch. `natural`: blocks and threads come in the natural order, so that its code, its
    /// arguments and memory decide what it does.
    virtual LaunchPlan plan(const Launch&, bool /*natural*/) { return LaunchPlan::watch; }
    virtual void launch_begins(const Launch&) {}
    /// One that the device cannot run, and why.
    virtual void launch_refused(const Launch&, std::string_view /*reason*/) {}
    virtual void launch_ends(const LaunchEnd&) {}
    virtual void block_begins(const ObservedBlock&) {}
    /// All of the block's threads met at a barrier or left: every event before it is on the tapes. The tapes are
    /// empty afterwards.
    virtual void block_synchronized(const ObservedBlock&) {}
    virtual void block_ends(const ObservedBlock&) {}
    /// All blocks of the grid met: each told that its threads did, and none went on yet.
    virtual void grid_synchronized() {}
    /// The tapes of a warp are as long as they may get: what can be read should be, up to where `read` says then.
    virtual void warp_filled(const ObservedBlock&, unsigned /*warp*/) {}
    /// An index was outside of its array (-fsanitize=bounds), in code that `pc` returns to.
    virtual void index_out_of_bounds(const ObservedBlock&, unsigned /*thread*/, std::uint64_t /*pc*/,
                                     long long /*index*/) {}
};

/// The shared memory that every block has room for, in bytes.
inline constexpr std::size_t kSharedArenaBytes = 228 * 1024;
/// The memory of threads' stacks, or of thread-local variables, that the address lies among; empty when it is in none.
/// While a kernel runs.
std::span<const std::byte> thread_stacks(const void* address);
/// Whether the address is a variable of the program or of a library that it has loaded: in device code, one that was
/// declared `__device__`.
bool is_program_data(const void* address);

/// Null for nobody. Not while a kernel runs. The caller keeps it alive.
void set_observer(Observer* observer);
Observer* observer();

}  // namespace lanework_simt
