// Taking a processor from a thread that does not give it away: one that waits in a loop which reads memory, and calls
// nothing that would let the thread run which it waits for.
#pragma once

#include <cstdint>

namespace lanework_simt::engine {

struct Fiber;

/// A range of machine code.
struct CodeRange {
    std::uintptr_t begin = 0, end = 0;
    bool holds(std::uintptr_t pc) const { return pc >= begin && pc < end; }
};

/// A program's code around a kernel; empty when it is in one file with the engine, whose own code no other thread may
/// interrupt.
CodeRange code_apart_from_engine(const void* kernel);

/// Where a signal's handler was given `state` of: the instruction; 0 where that is not known.
std::uintptr_t interrupted_at(const void* state);

/// Of the registers and the stack of the fiber's thread, which was interrupted there; vectors are known by their lower
/// 16 bytes. 0 where that is not known.
std::uint64_t digest_of_interrupted(const void* state, const Fiber& fiber);

/// While it lives, the OS thread's kernels are interrupted now and then in the code of `range`; never with an empty
/// one.
class Preemption {
public:
    explicit Preemption(const CodeRange& range);
    ~Preemption();
    Preemption(const Preemption&) = delete;
    Preemption& operator=(const Preemption&) = delete;

    /// The threads of the last slices seem to wait: the slices become short until one does not.
    static void adapt(bool waiting);

private:
    bool armed_ = false;
};

}  // namespace lanework_simt::engine
