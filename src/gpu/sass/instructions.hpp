// What instructions of machine code are, told by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/gpu/sass/code.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework {

/// A jump, a call or a return: what a warp's lanes may part at.
bool is_branch(const MachineInstruction& instruction);

/// The address that a BRA leads to; nothing for another instruction, and for a place that is not known.
std::optional<std::uint64_t> branch_target(const MachineKernel& kernel, const MachineInstruction& instruction);

/// The index of the first instruction at an address or behind it.
std::size_t instruction_at(const MachineKernel& kernel, std::uint64_t address);

/// By instruction: the indices of those that a warp may go on with, by a BRA or by going on. Where a jump to a place
/// from a table, a call and a return lead is left out.
std::vector<std::vector<std::size_t>> ways_through(const MachineKernel& kernel);

/// Registers that one operand of the instruction stands for, side by side.
unsigned width_of(const MachineInstruction& instruction, const MachineOperand& operand);

/// By instruction: whether it loads or exchanges, in a loop, what other threads may write meanwhile (LDG.STRONG.GPU,
/// ATOMS.CAS), so that how often it is executed depends on time.
std::vector<bool> waiting_instructions(const MachineKernel& kernel);

/// Of those, by instruction: whether the loop does nothing but ask. It changes nothing and takes nothing along from one
/// turn to the next, so that it ends by what others write, or by the time, alone.
std::vector<bool> idle_instructions(const MachineKernel& kernel);

/// By instruction: whether it swaps words of global memory in a loop that tries again as long as it failed.
std::vector<bool> retried_swaps(const MachineKernel& kernel);

/// By instruction: whether it is the first to need what loads of global memory and textures before it bring, so that a
/// warp waits for them there. Loads that it issued in between are on their way together.
std::vector<bool> waits_for_loads(const MachineKernel& kernel);

/// By instruction: whether it stores to shared memory what loads of global memory brought, as it is: a copy that goes
/// through registers. Writers are looked for in the order of the code.
std::vector<bool> copies_by_registers(const MachineKernel& kernel);

/// Whether it sets a predicate by comparing fractions.
bool compares_fractions(const MachineInstruction& instruction);
/// Whether a comparison of fractions decides about a jump or an access to memory.
bool steers_by_fractions(const MachineKernel& kernel);

/// By instruction: whether it is a step of a division or a reciprocal that nvcc wrote out, which comes out rounded to
/// nearest: its products are never rounded by themselves.
std::vector<bool> steps_of_quotients(const MachineKernel& kernel);
/// Whether it computes what a GPU may round otherwise than this processor: functions that it approximates (MUFU), what
/// the texture unit blends, and sums of fractions in the order in which threads come.
bool rounds_its_own_way(const MachineKernel& kernel);

/// By instruction: whether it accesses memory at an address that comes from what atomic operations returned, such as a
/// place in a list that threads draw from a counter, or under a guard that does: which thread gets which depends on
/// their order. Values are followed along every way through the code, but not through global memory; what a jump by
/// such a value decides is not.
std::vector<bool> drawn_accesses(const MachineKernel& kernel);

/// What says where a kernel may write to global memory, whatever its launch is: along every way through the code.
struct StoredThrough {
    /// By parameter.
    std::vector<bool> parameters;
    /// Addresses of __device__ variables; pointers that are loaded from memory.
    bool variables = false, memory = false;
};
StoredThrough stored_through(const MachineKernel& kernel);

/// Whether it may bring its threads into an order of its own: by a fence beside atomic operations, or beside words that
/// it waits for.
bool orders_by_hand(const MachineKernel& kernel);

/// The part of an SM that executes it.
enum class Pipe : std::uint8_t {
    integer,
    single,
    half,
    double_precision,
    special,
    matrix,
    memory,
    uniform,
    control,
    other
};
inline constexpr std::size_t kPipes = 10;
std::string_view name_of(Pipe pipe);
Pipe pipe_of(const MachineInstruction& instruction);

}  // namespace lanework
