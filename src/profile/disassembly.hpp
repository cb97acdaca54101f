// Getting the code of a rung's kernels: out of this program by cuobjdump, or by compiling the rung's file with nvcc.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/kernel_code.hpp"

namespace lanework {

/// What is at hand; an empty path is a thing that is not there.
struct CodeTools {
    std::filesystem::path cuobjdump = {}, nvcc = {}, nvdisasm = {};
    /// What the kernels were linked into.
    std::filesystem::path binary = {};
    /// The project's folder.
    std::filesystem::path sources = {};
};

/// Those of this machine; the sources are those that this program was built from, where they still are.
CodeTools find_code_tools();

struct CodeRequest {
    CodeForm form = CodeForm::sass;
    /// Symbols of the kernels in the binary; none when it holds none of this rung.
    std::vector<std::string> symbols = {};
    /// The rung's file, relative to the project's folder: "ops/gelu/vectorized.cu".
    std::string file = {};
    /// 90; nothing for what the binary holds.
    std::optional<int> architecture = {};
    /// Of a file that is compiled anew, only the kernels of this name; empty for all of them.
    std::string kernel = {};
};

struct Disassembly {
    std::vector<KernelCode> kernels;
    /// "code from this program", or the compiler's command line.
    std::string origin;
};

/// From the binary where it holds this form for this architecture, else compiled anew. Throws UnavailableError that
/// says which program is missing and what brings it, or what the compiler said.
Disassembly disassemble(const CodeRequest& request, const CodeTools& tools);

/// The command lines, for tests and messages.
std::vector<std::string> cuobjdump_command(const CodeRequest& request, const CodeTools& tools);
std::vector<std::string> nvcc_command(const CodeRequest& request, const CodeTools& tools,
                                      const std::filesystem::path& output);

}  // namespace lanework
