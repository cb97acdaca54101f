// The machine code of kernels with the source lines that it comes from, read from what `nvdisasm -gi -hex` prints of a
// cubin: no toolkit and no GPU is needed to read it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// A line of a source file, as the compiler names it; line 0 is unknown.
struct CodeLine {
    std::string file;
    int line = 0;

    auto operator<=>(const CodeLine&) const = default;
};

/// Where an instruction comes from: its own line first, then the line that calls the function that it was inlined from,
/// and so on to the kernel's own. Empty where the compiler recorded none.
using CodePlace = std::vector<CodeLine>;

struct MachineInstruction {
    /// In bytes from the start of the kernel's section.
    std::uint32_t address = 0;
    /// "@!P1", or empty: the predicate that decides which lanes it is executed for.
    std::string guard;
    /// "LDS.128": the operation and its modifiers.
    std::string name;
    /// "R4, [R6+0x10]"
    std::string operands;
    /// Index into the kernel's places.
    std::uint32_t place = 0;
    /// It saves a register to the stack or fetches one back.
    bool spill = false;
    /// Clocks until the warp's next instruction may be issued, as the compiler says in the instruction's own bits;
    /// 0 where the disassembly is without them (nvdisasm -hex).
    std::uint8_t stall = 0;

    /// "@!P1 LDS.128 R4, [R6+0x10]"
    std::string text() const;
};

/// A parameter of a kernel: where in its block of parameters it lies.
struct MachineParameter {
    std::uint32_t offset = 0, bytes = 0;
};

/// A variable, and where in its section it, or its address, lies.
struct MachineSymbol {
    std::string name;
    std::uint32_t offset = 0, bytes = 0;
};

/// A kernel for one real architecture.
struct MachineKernel {
    /// As the linker sees it.
    std::string symbol;
    /// "sm_90"
    std::string target;
    /// In the order of their addresses, with those of the functions that it calls, without the padding at the end.
    std::vector<MachineInstruction> instructions;
    /// The first is the empty place.
    std::vector<CodePlace> places;
    /// Addresses by name, ".L_x_3".
    std::map<std::string, std::uint32_t, std::less<>> labels;
    /// Constant bank 2: the kernel's own, where the compiler puts its tables of places to jump to.
    std::vector<std::byte> tables;
    /// In their order.
    std::vector<MachineParameter> parameters;
    /// Where in constant bank 0 the parameters begin.
    std::uint32_t parameter_base = 0;
    std::uint32_t registers = 0;
    /// Of each thread: arrays that are indexed at run time, and spilled registers.
    std::uint32_t stack_bytes = 0;
    /// With what the system reserves at the front: addresses of shared memory count from there.
    std::uint32_t shared_bytes = 0;

    const CodePlace& place_of(const MachineInstruction& instruction) const { return places[instruction.place]; }
};

/// Variables that lie behind each other, and what they begin as.
struct MachineData {
    std::vector<MachineSymbol> variables;
    std::vector<std::byte> bytes;
};

struct MachineCode {
    std::vector<MachineKernel> kernels;
    /// __constant__ variables: constant bank 3, one for all kernels.
    MachineData constants;
    /// __device__ variables.
    MachineData globals;
    /// Those whose addresses constant bank 4 holds, and where in it.
    std::vector<MachineSymbol> addresses;
};

/// What is static where linked code is asked for has its unit in front:
/// "__nv_static_25__799f30e2_4_s_cu_109353b2__Z1fv" is "_Z1fv".
std::string without_unit(const std::string& symbol);

/// Reads what nvdisasm printed. Throws nothing: what it does not know, it leaves out.
MachineCode read_machine_code(std::string_view disassembly);

}  // namespace lanework
