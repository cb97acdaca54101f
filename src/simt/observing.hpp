// Recording what threads do for the observer: the tapes of a block, and the moments at which they are read.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "src/simt/flag.hpp"
#include "src/simt/host_touches.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt::engine {

struct Block;
class Worker;

/// The tapes of a block's threads. They grow as they are written, up to kMaxEvents each.
class Tapes {
public:
    static constexpr std::size_t kFirstEvents = 256, kMaxEvents = 16384;

    Tapes() = default;
    Tapes(const Tapes&) = delete;
    Tapes& operator=(const Tapes&) = delete;
    ~Tapes();

    Tape* all() { return tapes_.data(); }
    Tape& of(unsigned thread) { return tapes_[thread]; }
    /// Empty tapes for so many threads; those of a warp follow its first.
    void reset(unsigned threads);
    /// False when the tape is as long as it may get.
    static bool grow(Tape& tape);
    /// Drops what was read.
    static void drop_read(Tape& tape);

private:
    std::vector<Tape> tapes_;
};

/// True while an observer watches the launch that runs.
extern Flag observed __attribute__((visibility("hidden")));

/// That the launch which is watched runs on; null while there is none.
extern std::atomic<const Worker*> observed_worker __attribute__((visibility("hidden")));

/// Set by what reaches beyond a kernel's memory: see LaunchEnd.
extern std::atomic<bool> beyond_memory __attribute__((visibility("hidden")));
/// Notes it of the launch that runs.
inline void reach_beyond_memory() {
    if (observed) beyond_memory.store(true, std::memory_order_relaxed);
}

/// The launch that runs printed so far; a thread of it prints.
const Printed& printed();
/// Neither it nor the waits for clocks are those of an earlier launch any more.
void forget_prints_and_waits();
void note_print();

/// How long threads of the launch that runs have waited for clocks.
ClockWaits clock_waits();
/// A thread reads a clock at that place of its code.
void note_clock_read(long long clocks, const void* place);

/// The tape follows no leader whose next event is another one.
inline bool goes_with_leader(const Tape& tape, EventCode code) {
    return !tape.leader || (tape.size < tape.leader->size && tape.leader->codes[tape.size] == code);
}
/// Puts an event on a tape that goes with its leader and has room.
inline void put(Tape& tape, EventCode code, const volatile void* address) {
    if (!tape.leader) tape.codes[tape.size] = code;
    if (code.kind() != EventKind::path) tape.addresses[tape.size] = reinterpret_cast<std::uint64_t>(address);
    ++tape.size;
}
/// The same for one that has no room, after the others of the current thread's warp made some, or goes its own way.
void make_room_and_put(Tape& tape, EventCode code, const volatile void* address);

/// Puts an event on the tape of the current thread; where there is none, the host's touch is told. It calls nothing but
/// as its last step: every access of a watched kernel comes here.
inline void record(const void* pc, EventKind kind, unsigned log2_bytes, const volatile void* address) {
    Tape* const tape = context.tape;
    if (!tape) [[unlikely]]
        return see_host_access(address, kind == EventKind::store);
    const EventCode code(reinterpret_cast<std::uint64_t>(pc), kind, log2_bytes);
    if (tape->size == tape->capacity || !goes_with_leader(*tape, code)) [[unlikely]]
        return make_room_and_put(*tape, code, address);
    put(*tape, code, address);
}

/// While it lives, what runs is not the thread's but the observer's or ours: nothing is recorded, and no thread gives
/// way. A linker may have put instrumented copies of inline functions there, since one in each program does for all.
class Unwatched {
public:
    Unwatched() : tape_(std::exchange(context.tape, nullptr)) {}
    ~Unwatched() { context.tape = tape_; }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

private:
    Tape* tape_;
};
/// Whether a kernel's own code runs, in a thread that may give way to others. In a watched one it has a tape.
inline bool may_give_way() { return context.worker && (!observed || context.tape); }

/// A launch that is watched runs on this worker, and on the thread that calls; what the observer's own threads ask of
/// addresses is about these.
void begin_observed_launch(const Worker& worker);
void end_observed_launch();

void begin_observed(Block& block);
/// All threads of the block met or left: hands the tapes over and empties them.
void synchronize_observed(Block& block);
/// All blocks of a cooperative launch met: none of them has events before it that were not told.
void synchronize_observed_grid();
void end_observed(Block& block);
ObservedBlock observed_block(Block& block);

}  // namespace lanework_simt::engine
