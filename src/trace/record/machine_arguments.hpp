// The parameters of a kernel's machine code from the arguments of a traced launch: converted as the call converts them,
// and laid out as the code reads them.
#pragma once

#include <cstddef>
#include <string>
#include <typeinfo>
#include <vector>

#include "src/gpu/sass/code.hpp"

namespace lanework_simt {
struct Launch;
}

namespace lanework {

/// A class that an argument's type is derived from, and where in the argument it lies.
struct KeptBase {
    std::string type;
    std::size_t offset = 0;
};
/// Those of a class, and those that they are derived from, but for virtual ones. Kernels take none of these.
std::vector<KeptBase> bases_of(const std::type_info& type);

/// An argument, kept: its bytes, and its type's name as C++ spells it.
struct KeptArgument {
    std::vector<std::byte> bytes;
    std::string type;
    std::vector<KeptBase> bases = {};
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
