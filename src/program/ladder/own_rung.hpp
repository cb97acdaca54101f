// A rung of a user's own: one .cu file, compiled, loaded and launched.
#pragma once

#include <filesystem>
#include <functional>
#include <lanework/rung.hpp>
#include <memory>
#include <string>
#include <vector>

#include "src/program/build.hpp"
#include "src/program/ladder/binding.hpp"
#include "src/program/ladder/own_operation.hpp"

namespace lanework {

/// Where a rung's code comes from.
struct RungSource {
    std::filesystem::path file;
    /// Empty for what the file itself says.
    std::string kernel;
    LaunchShapeText launch;
};

class OwnRung {
public:
    /// Reads the file and binds it; stays for the rest of the process. Throws FileError, UsageError.
    static OwnRung& make(const OwnOperation& operation, const RungSource& source, DeviceKind device = DeviceKind::simt);
    OwnRung(const OwnRung&) = delete;
    OwnRung& operator=(const OwnRung&) = delete;

    /// Compiles it, where that was not done before; the library: for simt by the build's compiler, for cuda by the nvcc
    /// on the path, for `architecture` ("native": this machine's GPUs). Throws CompilationError when what is wrong was
    /// told, UnavailableError where there is no nvcc.
    std::filesystem::path build(const Build& build, ProgramCache& cache,
                                const std::string& architecture = "native") const;
    /// Loads the library: only then it can be launched. Throws UnavailableError.
    void load(const std::filesystem::path& library);

    const Rung& rung() const { return rung_; }
    const std::filesystem::path& file() const { return file_.path; }
    const BoundFunction& bound() const { return bound_; }

private:
    OwnRung(const OwnOperation& operation, const RungSource& source, DeviceKind device);
    std::filesystem::path build_with_nvcc(const std::filesystem::path& launcher, const Build& build,
                                          ProgramCache& cache, const std::string& architecture) const;
    void check(int error) const;
    void launch(const Problem& problem, const Buffers& buffers, void* stream) const;
    std::size_t workspace(const Problem& problem) const;

    const OwnOperation& operation_;
    KernelFile file_;
    BoundFunction bound_;
    std::string name_, climbs_from_, shown_file_;
    std::vector<Rung::Typed> types_;
    /// By the types of bound_.types.
    std::vector<Launcher> launchers_;
    int (*copy_in_place_)(void* to, const void* from, unsigned long long bytes, void* stream) = nullptr;
    const char* (*error_text_)(int error) = nullptr;
    Rung rung_{};
};

}  // namespace lanework
