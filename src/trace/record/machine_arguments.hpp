// The parameters of a kernel's machine code from the arguments of a traced launch: converted as the call converts them,
// and laid out as the code reads them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/gpu/sass/code.hpp"

namespace lanework_simt {
struct Launch;
}

namespace lanework {

/// An argument, kept: its bytes, and its type's name as C++ spells it.
struct KeptArgument {
    std::vector<std::byte> bytes;
    std::string type;
};
std::vector<KeptArgument> keep_arguments(const lanework_simt::Launch& launch);

/// The types of a kernel's parameters, from its symbol: "float const*", "int".
std::vector<std::string> parameter_types(const std::string& symbol);

struct LaidOutParameters {
    std::vector<std::byte> bytes;
    /// Why they cannot be made, in one sentence; else empty.
    std::string error;
};
LaidOutParameters lay_out(const MachineKernel& kernel, const std::vector<KeptArgument>& arguments);

}  // namespace lanework
