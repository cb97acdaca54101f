// Executes the machine code of a kernel on this processor, warp by warp, as a GPU of its architecture does: with its
// predicates, its convergence barriers and the widths of its accesses. What a kernel's counters are is then counted,
// not modelled; and the results in memory tell whether the execution was right.
//
// It stands on what NVIDIA's documents and tools say of SASS and on what kernels compute; an instruction or a form of
// one that it does not know ends the execution with its name, and nothing is said of that kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/code.hpp"
#include "src/gpu/sass/doubtful_memory.hpp"
#include "src/gpu/sass/unordered_words.hpp"

namespace lanework {

/// What is asked for: the memory spaces of accesses.
enum class MachineSpace : std::uint8_t { global, shared, local, constant };
enum class MachineAccessKind : std::uint8_t { load, store, atomic, reduction };

/// One execution of one instruction that accesses memory, by the lanes that it is executed for.
struct MachineAccess {
    /// Index of the instruction in its kernel.
    std::uint32_t instruction;
    MachineSpace space;
    MachineAccessKind kind;
    /// Of one lane.
    unsigned bytes;
    /// Bit l is set when lane l takes part; never 0.
    std::uint32_t lanes;
    /// By lane; in shared memory counted from the start of the block's, else as the kernel addresses it.
    const std::array<std::uint64_t, 32>& address;
    std::uint64_t block;
    unsigned warp;
};

/// What one lane asks of the texture unit.
struct MachineFetch {
    /// The texture object, of which machine code has the low word alone.
    std::uint32_t object;
    /// An element by its index; or what is found at a place of so many coordinates, or in a direction from a cube's
    /// centre.
    enum class Shape : std::uint8_t { element, plane, solid, cube } shape;
    /// Of an element its index, else the layer.
    std::int32_t index;
    std::array<float, 3> at;
};
/// What it gives.
struct MachineTexel {
    /// Up to four numbers: floats, or integers that were widened.
    std::array<std::uint32_t, 4> words{};
    /// They are between those of several elements: floats that a GPU may round otherwise.
    bool blended = false;
};

/// Memory that was allocated as a whole.
struct MachineArray {
    std::uint64_t base = 0, bytes = 0;
};

/// Where constant bank 4 has the function that prints (vprintf): the driver's own, whose code no tool shows.
inline constexpr std::uint64_t kPrintingFunction = std::uint64_t{0x7c} << 56;

/// What a kernel's code needs of the world around it.
class MachineWorld {
public:
    virtual ~MachineWorld() = default;
    /// The memory from a global address on, as far as it is known to reach; empty for an address that is none.
    virtual std::span<std::byte> global(std::uint64_t address) = 0;
    /// All of what is allocated with it.
    virtual MachineArray array(std::uint64_t address) { return {address, global(address).size()}; }
    /// Whether a load finds something there though it is no memory of the kernel's: what lies next to it.
    virtual bool beside_memory(std::uint64_t) { return false; }
    /// False where the texture is not known, or what it holds.
    virtual bool fetch(const MachineFetch&, MachineTexel&) { return false; }
    /// Of accesses to global and shared memory and to a thread's own, in the order of each warp.
    virtual void accessed(const MachineAccess&) {}
};

/// What a run may do otherwise than this processor does by itself, drawn by lot.
struct MachineVariation {
    /// 0: nothing is varied.
    std::uint64_t seed = 0;
    /// So many of 8 products are rounded before they are added, as a compiler has it that does not fuse them.
    unsigned unfused = 0;
    /// Comparisons of what is in doubt come out otherwise for some lanes.
    bool turns_doubts = false;
    /// Numbers that are loaded and in doubt have other last places.
    bool shakes_doubts = false;
    /// Functions that a GPU approximates have other last places.
    bool functions = true;
    /// All warps that are there have turns of one instruction, as on a GPU that has many of them under way.
    bool in_step = false;
};

struct MachineLaunch {
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::size_t dynamic_shared = 0;
    /// As they lie in the kernel's block of parameters.
    std::vector<std::byte> parameters = {};
    /// Constant bank 3: __constant__ variables.
    std::span<const std::byte> constants = {};
    /// Constant bank 4: the addresses of __device__ variables.
    std::span<const std::byte> addresses = {};
    /// The addresses of variables that instructions name themselves.
    std::map<std::string, std::uint64_t, std::less<>> symbols = {};
    /// Warp instructions that may be executed; 0 for any number.
    std::uint64_t limit = 0;
    /// What a GPU does that its documents do not say to the last bit: the order of warps and blocks, how long each has
    /// its turn, and the last places of functions that it approximates.
    MachineVariation variation = {};
    /// What a GPU may hold otherwise; it is followed, and becomes what it is after the launch. Null: nothing is.
    DoubtfulMemory* doubtful = nullptr;
    /// The parameters are in doubt, too.
    bool doubtful_parameters = false;
    /// Where doubts are followed: words that are in doubt whenever they are loaded. Null: none.
    const UnorderedWords* unordered = nullptr;
    /// Takes the words that are accessed in no order; null: nobody looks for them.
    UnorderedWords* unordered_found = nullptr;
};

/// How often an instruction was executed.
struct MachineCount {
    /// By a warp, or a part of one; also where its predicate is false for all lanes.
    std::uint64_t executed = 0;
    /// The lanes that were there, and of these the ones that the predicate lets take part.
    std::uint64_t lanes = 0, lanes_on = 0;
    /// Of branches: executions whose lanes went to different places, and the places beyond the first that they went to.
    std::uint64_t divergent = 0, parted = 0;
    /// Of matches of any lanes: groups of lanes that hold the same, summed over the executions.
    std::uint64_t matched = 0;
    /// Where memory is accessed: executions for which values in doubt said where.
    std::uint64_t doubtful_places = 0;
};

/// What values decided that are in doubt.
struct MachineDoubts {
    /// Where memory is accessed.
    bool places = false;
    /// What is executed.
    bool course = false;
    /// Which way a quotient takes, if a GPU rounded so much otherwise that its numbers had quite other exponents.
    bool quotients = false;
};

struct MachineRun {
    /// By instruction.
    std::vector<MachineCount> counts;
    /// Why it ended before the kernel did, in one sentence; empty for a run to the end.
    std::string error;
    /// Warp instructions, and those of the warp that had most.
    std::uint64_t executed = 0, longest_warp = 0;
    MachineDoubts doubts = {};
    /// It called the function that prints, which does nothing here: what that one executes and accesses is not counted.
    bool prints = false;

    bool complete() const { return error.empty(); }
};

MachineRun execute(const MachineKernel& kernel, const MachineLaunch& launch, MachineWorld& world);

}  // namespace lanework
