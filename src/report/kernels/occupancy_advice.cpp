// What would keep more warps on a multiprocessor, computed by trying it.
#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/report/kernels/occupancy.hpp"

namespace lanework {
namespace {

void advise_threads(const Capability& sm, const KernelResources& kernel, std::vector<std::string>& advice) {
    const int idle = (sm.warp_size - kernel.threads_per_block % sm.warp_size) % sm.warp_size;
    if (idle > 0)
        advice.push_back(
            fmt::format("{} threads cost {} warps, and {} lanes of the last one do nothing: use a multiple of {}.",
                        kernel.threads_per_block, occupancy(sm, kernel).warps_per_block, idle, sm.warp_size));
    if (kernel.threads_per_block < kSensibleThreads)
        advice.push_back(fmt::format("Blocks of at least {} threads are a better start; 128 to 256 suit most kernels.",
                                     kSensibleThreads));
}

void advise_resources(const Capability& sm, const KernelResources& kernel, std::vector<std::string>& advice) {
    const auto more = one_more_block(sm, kernel);
    if (!more) return;
    const bool registers = more->registers_per_thread < kernel.registers_per_thread;
    const bool shared = more->shared < kernel.shared();
    std::string needed;
    if (registers)
        needed = fmt::format("{} registers per thread instead of {}", more->registers_per_thread,
                             kernel.registers_per_thread);
    if (shared)
        needed += fmt::format("{}{} bytes of shared memory per block instead of {}", registers ? " and " : "",
                              more->shared, kernel.shared());
    advice.push_back(fmt::format("{} make room for {} blocks: {} warps, {}{}.", needed, more->then.blocks,
                                 more->then.warps, format_percent(more->then.fraction),
                                 registers ? fmt::format("; __launch_bounds__({}, {}) asks the compiler for it",
                                                         kernel.threads_per_block, more->then.blocks)
                                           : ""));
}

void advise_block_size(const Capability& sm, const KernelResources& kernel, std::vector<std::string>& advice) {
    const int better = better_block_size(sm, kernel);
    if (better == kernel.threads_per_block) return;
    KernelResources resized = kernel;
    resized.threads_per_block = better;
    const Occupancy then = occupancy(sm, resized);
    advice.push_back(fmt::format("{} threads per block keep {} warps, {}{}.", better, then.warps,
                                 format_percent(then.fraction),
                                 kernel.shared() > 0 ? ", if a block's shared memory stays as it is" : ""));
}

}  // namespace

std::vector<std::string> occupancy_advice(const Capability& sm, const OccupancyCase& kernel) {
    std::vector<std::string> advice;
    advise_threads(sm, kernel.resources, advice);
    advise_resources(sm, kernel.resources, advice);
    advise_block_size(sm, kernel.resources, advice);
    const bool possible = occupancy(sm, kernel.resources).impossible == Impossible::no;
    if (possible && kernel.resources.shared() > sm.shared_per_block_default)
        advice.push_back(fmt::format(
            "More than {} of shared memory must be dynamic, and be asked for: cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, {}).",
            format_bytes(static_cast<std::uint64_t>(sm.shared_per_block_default)), kernel.resources.dynamic_shared));
    if (kernel.record && kernel.record->spill_store_bytes > 0)
        advice.push_back(
            "Registers are spilled to local memory: fewer values alive at a time, or a looser "
            "__launch_bounds__, may be worth more than occupancy.");
    return advice;
}

}  // namespace lanework
