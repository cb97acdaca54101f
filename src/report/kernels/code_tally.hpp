// What a kernel's code is made of: its accesses by memory and width, its arithmetic, its barriers and branches. Counted
// as it stands: an instruction in a loop counts once.
#pragma once

#include <map>

#include "src/gpu/kernel_code.hpp"

namespace lanework {

enum class CodeMemory { global, shared, local, generic };

struct CodeAccess {
    CodeMemory memory;
    bool store;
    /// Of one thread.
    int bytes;

    auto operator<=>(const CodeAccess&) const = default;
};

struct CodeTally {
    int instructions = 0;
    std::map<CodeAccess, int> accesses;
    int atomics = 0;
    /// Copies from global to shared memory that pass no register (cp.async, bulk copies).
    int async_copies = 0;
    /// Fused multiply-adds of floating-point numbers, one or a pair of them.
    int fused = 0;
    /// Multiplications of matrices.
    int matrix = 0;
    /// Reciprocals, powers of two, sines… (MUFU).
    int special = 0;
    /// Of blocks; those of warps do not count.
    int barriers = 0;
    /// Jumps and calls.
    int branches = 0;
};

CodeTally tally(const KernelCode& kernel, CodeForm form);

/// "128 instructions: global loads 1 × 16 B, 1 × 2 B; global stores 1 × 16 B; 54 fused multiply-adds; 2 branches"
std::string summary(const CodeTally& tally);

}  // namespace lanework
