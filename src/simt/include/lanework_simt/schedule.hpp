// In which order the threads of a grid run, and on how many OS threads.
#pragma once

#include <cstdint>

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

/// From now on `tell` is given the sentence about a kernel that fails, and an address of its code, or 0.
void tell_failures(void (*tell)(const char* sentence, std::uint64_t pc));

/// From now on a barrier does not wait for threads that have left the kernel, as on a GPU; else that is an error.
void excuse_exited_threads();

}  // namespace lanework_simt
