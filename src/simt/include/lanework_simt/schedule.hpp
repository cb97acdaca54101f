// In which order the threads of a grid run, and on how many OS threads.
#pragma once

#include <cstdint>
#include <lanework_simt/place.hpp>
#include <lanework_simt/vector_types.hpp>
#include <optional>

namespace lanework_simt {

/// Follows a schedule from the next launch on. 0 is the natural order: blocks and threads start in increasing order and
/// a thread runs until it waits. Any other seed starts blocks, warps and lanes in an order drawn from it, keeps several
/// blocks resident, interrupts threads between their accesses, fills shared memory with a pattern, and runs on one OS
/// thread, so that a hidden race becomes a wrong answer that comes again with the same seed and the same launches.
void set_schedule(std::uint64_t seed);
std::uint64_t schedule();

/// OS threads that run blocks; LANEWORK_SIMT_THREADS or else all of the machine's at first. Counts below 1 are 1.
void set_worker_count(int count);
int worker_count();

/// From now on `tell` is given the sentence about a kernel that fails, an address of its code, or 0, and whether it
/// accessed an address where there is no memory.
void tell_failures(void (*tell)(const char* sentence, std::uint64_t pc, bool bad_access));
/// The sentence and the address of a kernel whose threads have only waited for long, which may still end; once in a
/// process.
void tell_long_waits(void (*tell)(const char* sentence, std::uint64_t pc));

/// Whether the program has launched a kernel; a signal handler may ask, too.
bool has_launched();

/// What a signal interrupted.
struct Interrupted {
    /// Its name, and where it was launched.
    const char* kernel = "";
    Place launched{};
    /// Whether the OS thread that was interrupted ran a block of it, and which one.
    bool in_block = false;
    uint3 block{};
    /// Whether it ran that thread; where threads run as plain loops, it is not known.
    bool in_thread = false;
    uint3 thread{};
    /// Behind the last instruction of the program's own that is known of it; 0 where none is.
    std::uint64_t pc = 0;
};
/// For a handler of signals, with the state that it was given; nothing where no kernel runs.
std::optional<Interrupted> interrupted_kernel(const void* state);

/// From now on a barrier does not wait for threads that have left the kernel, as on a GPU; else that is an error.
void excuse_exited_threads();

}  // namespace lanework_simt
