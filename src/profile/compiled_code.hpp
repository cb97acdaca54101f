// The machine code of a CUDA file for a GPU that need not be here: compiled by nvcc with line tables, printed by
// nvdisasm, read, and kept in the user's cache folder for as long as none of the files that it was made from changes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/code.hpp"
#include "src/profile/disassembly.hpp"

namespace lanework {

struct CompiledMachineCode {
    MachineCode code;
    /// "nvcc … -cubin FILE", or where it was kept.
    std::string origin;
};

/// What is missing to make machine code, and what brings it, in one sentence; empty when nothing is.
std::string missing_for_machine_code(const CodeTools& tools);

/// Of a file relative to the project's folder, or anywhere. `cache` is a folder, empty for none. Throws
/// UnavailableError where a tool or the file is missing, CompilationError where nvcc refuses it.
CompiledMachineCode compile_machine_code(const std::string& file, int architecture, const CodeTools& tools,
                                         const std::filesystem::path& cache);

/// The files whose kernels a rung launches, as it names them: its own, and those that lines "// kernels: FILE" in it
/// name, whose kernels are the library's.
std::vector<std::string> files_with_kernels(const std::string& file, const CodeTools& tools);

struct CodeListing {
    /// As nvdisasm printed it.
    std::string text;
    /// As CompiledMachineCode::origin.
    std::string origin;
};

/// What a program's files are compiled with.
struct CodeWords {
    /// nvcc's.
    std::vector<std::string> words = {};
    /// The files call each other's device functions: they are linked (-rdc=true).
    bool relocatable = false;
};

/// Of a program's files, each by itself, or all of them linked. Throws what compile_machine_code throws.
std::vector<CodeListing> list_machine_code(std::span<const std::filesystem::path> sources, const CodeWords& words,
                                           int architecture, const CodeTools& tools,
                                           const std::filesystem::path& cache);

}  // namespace lanework
