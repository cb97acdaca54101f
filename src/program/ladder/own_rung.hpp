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
    static OwnRung& make(const OwnOperation& operation, const RungSource& source);
    OwnRung(const OwnRung&) = delete;
    OwnRung& operator=(const OwnRung&) = delete;

    /// Compiles it, where that was not done before; the library. Throws CompilationError when what is wrong was told.
    std::filesystem::path build(const Build& build, ProgramCache& cache) const;
    /// Loads the library: only then it can be launched. Throws UnavailableError.
    void load(const std::filesystem::path& library);

    const Rung& rung() const { return rung_; }
    const std::filesystem::path& file() const { return file_.path; }
    const BoundFunction& bound() const { return bound_; }

private:
    OwnRung(const OwnOperation& operation, const RungSource& source);
    void launch(const Problem& problem, const Buffers& buffers, void* stream) const;
    std::size_t workspace(const Problem& problem) const;

    const OwnOperation& operation_;
    KernelFile file_;
    BoundFunction bound_;
    std::string name_, climbs_from_, shown_file_;
    std::vector<Rung::Typed> types_;
    /// By the types of bound_.types.
    std::vector<Launcher> launchers_;
    void (*copy_in_place_)(void* to, const void* from, std::size_t bytes, void* stream) = nullptr;
    Rung rung_{};
};

}  // namespace lanework
