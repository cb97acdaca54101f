// Without machine code of a GPU, the code that this processor executes says how much a kernel computes: its arithmetic
// is the source's. What it does beside that is left out: moves between registers and the stack, calls of the hooks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace lanework {

/// What code comes to on a GPU.
struct CodeOnGpu {
    /// Instructions of its arithmetic, and those of them that multiply integers: their pipe takes half as many.
    double instructions = 0, multiplications = 0;
    /// Accesses to an array on the stack at a place that is computed.
    double indexed_on_stack = 0;
};

/// What the arithmetic of this code comes to, in instructions of a GPU: an addition is one, a division many. Loads and
/// stores are not counted, nor is what `emulates` says of: whether the instruction at an offset into the code is a part
/// of what a GPU has a single instruction for. `called` is what a call comes to that leads to this offset. 0 on
/// processors other than x86-64.
CodeOnGpu code_on_gpu(std::span<const std::uint8_t> code, const std::function<bool(std::size_t)>& emulates,
                      const std::function<double(std::int64_t)>& called);
inline double gpu_instructions(std::span<const std::uint8_t> code, const std::function<bool(std::size_t)>& emulates,
                               const std::function<double(std::int64_t)>& called) {
    return code_on_gpu(code, emulates, called).instructions;
}

/// What a call of this code comes to: of the mathematical library's a few instructions or one, of all other nothing.
double gpu_instructions_of_function(std::uint64_t code);

}  // namespace lanework
