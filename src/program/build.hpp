// Building programs for the simt device: translate, compile, link, with everything kept by its content.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/nvcc_options.hpp"
#include "src/program/program_cache.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {

/// How kernels are compiled.
enum class Instrumentation {
    none,      ///< as fast as the compiler can make them
    complete,  ///< every access and branch calls a hook of the library: what check and explain need
};

struct Build {
    Toolchain toolchain;
    Instrumentation instrumentation = Instrumentation::none;
    /// Code for this very processor: for programs that run where they are built, and are not kept.
    bool native = false;
    /// A library for this very process, which holds the device's functions itself: it is linked to none.
    bool for_this_process = false;
    /// Diagnostics of the compiler in colour.
    bool colour = false;
    /// Given what the compiler says, with paths as the user would write them.
    std::function<void(std::string_view)> tell;
    /// Given what is done next: "compiling a.cu", "linking app". What is in the cache takes no time and is not named.
    std::function<void(std::string_view)> tell_stage;
    /// Given each command before it runs, where they are asked for (-v).
    std::function<void(const std::vector<std::string>&)> tell_command;
};

/// One file, compiled.
struct CompiledFile {
    std::filesystem::path object;
    /// Names the object's content.
    std::string key;
    /// Every file that it was made of, the source first.
    std::vector<std::filesystem::path> read;
    /// It was there already.
    bool cached = false;
};

/// Compiles `source`, as `language` where that is not empty ("cu", "c++", "c"). Throws CompilationError when it does
/// not compile: what is wrong was told by then.
CompiledFile compile_file(const Build& build, ProgramCache& cache, const BuildRequest& request,
                          const std::filesystem::path& source, const std::string& language);

/// Compiles every source among the request's inputs and links all to an executable, or to a shared library: to
/// request.output, or without one to a file of the cache. `objects` gets what the sources were compiled to. Throws
/// CompilationError.
std::filesystem::path build_program(const Build& build, ProgramCache& cache, const BuildRequest& request,
                                    std::vector<std::filesystem::path>* objects = nullptr);

/// The folders of headers that a request names: -I, -isystem.
std::vector<std::filesystem::path> include_folders(const BuildRequest& request);

/// Whether a file of this name is compiled rather than linked.
bool is_source(std::string_view name, const std::string& language);

/// Copies a finished file over another, whole or not at all, with its permissions. Throws FileError.
void copy_into_place(const std::filesystem::path& finished, const std::filesystem::path& to);

/// The file as the preprocessor leaves it, to `output`. Throws CompilationError.
void preprocess_file(const Build& build, ProgramCache& cache, const BuildRequest& request,
                     const std::filesystem::path& source, const std::string& language,
                     const std::filesystem::path& output);

/// The command that compiles, without its files: what decides about an object besides the sources.
std::vector<std::string> compiler_options(const Build& build, const BuildRequest& request, const std::string& language);

}  // namespace lanework
