// Recording what threads do for the observer: the tapes of a block, and the moments at which they are read.
#pragma once

#include <memory>
#include <vector>

#include "src/simt/observer.hpp"

namespace lanework_simt::engine {

struct Block;

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
extern bool observed __attribute__((visibility("hidden")));

/// Lets the others of the current thread's warp go on until its tape has room.
void make_room(Tape& tape);
/// Gives the tape codes of its own.
void leave_leader(Tape& tape);

/// Puts an event on the tape of the current thread; nothing where there is none.
inline void record(const void* pc, EventKind kind, unsigned log2_bytes, const volatile void* address) {
    Tape* const tape = context.tape;
    if (!tape) return;
    if (tape->size == tape->capacity) [[unlikely]]
        make_room(*tape);
    const EventCode code(reinterpret_cast<std::uint64_t>(pc), kind, log2_bytes);
    const std::size_t event = tape->size;
    if (tape->leader && (event >= tape->leader->size || tape->leader->codes[event] != code)) [[unlikely]]
        leave_leader(*tape);
    if (!tape->leader) tape->codes[event] = code;
    if (kind != EventKind::path) tape->addresses[event] = reinterpret_cast<std::uint64_t>(address);
    ++tape->size;
}

void begin_observed(Block& block);
/// All threads of the block met or left: hands the tapes over and empties them.
void synchronize_observed(Block& block);
/// All blocks of a cooperative launch met: none of them has events before it that were not told.
void synchronize_observed_grid();
void end_observed(Block& block);
ObservedBlock observed_block(Block& block);

}  // namespace lanework_simt::engine
