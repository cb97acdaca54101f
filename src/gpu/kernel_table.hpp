// The list that the build generates from what ptxas said of each rung's kernels.
#pragma once

#include <span>

namespace lanework::generated {

/// As KernelRecord, with the name as the linker sees it.
struct CompiledKernel {
    const char* operation;
    const char* rung;
    int capability;
    const char* symbol;
    int registers_per_thread, stack_bytes, spill_store_bytes, spill_load_bytes, static_shared_bytes, constant_bytes,
        barriers;
};

/// Rung by rung, each in the order of its file.
extern const std::span<const CompiledKernel> kernels;

}  // namespace lanework::generated
