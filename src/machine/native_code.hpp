// Which of the code in a program a GPU runs: machine code that was made for it, machine code of an older GPU of its
// generation, or PTX, which the driver has to compile first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// Code of one architecture, as it was compiled into a program.
struct CompiledCode {
    int number = 0;             ///< 90 for 9.0
    char restriction = '\0';    ///< 'a': this capability alone; 'f': its family; else none
    bool machine_code = false;  ///< a cubin, sm_90
    bool ptx = false;           ///< compute_90
};

/// Reads CMake's words for architectures, joined by semicolons or commas: "75-virtual,90,100a-real". What it does not
/// understand ("native") is left out.
std::vector<CompiledCode> parse_compiled_code(std::string_view architectures);

enum class CodeKind { exact, same_generation, ptx, none };
struct ChosenCode {
    CodeKind kind = CodeKind::none;
    /// What runs, or is compiled; nothing for `none`.
    CompiledCode code = {};
};

/// What the driver chooses for a compute capability (CUDA C++ Programming Guide, "Compilation with NVCC": binary and
/// PTX compatibility).
ChosenCode choose_code(const std::vector<CompiledCode>& compiled, int capability);

/// What that means at the start of the program, and the remedy where it costs something. `cache_off`: the driver was
/// told not to keep what it compiles (CUDA_CACHE_DISABLE).
std::string describe_code(const ChosenCode& chosen, int capability, bool cache_off);

}  // namespace lanework
