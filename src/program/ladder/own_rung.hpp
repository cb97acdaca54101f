// A rung of a user's own: one .cu file, or one of C++ for the processor, compiled, loaded and launched.
#pragma once

#include <filesystem>
#include <functional>
#include <lanework/error.hpp>
#include <lanework/rung.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/program/build.hpp"
#include "src/program/ladder/binding.hpp"
#include "src/program/ladder/build_words.hpp"
#include "src/program/ladder/own_operation.hpp"
#include "src/program/ladder/tuning.hpp"

namespace lanework {

/// Where a rung's code comes from.
struct RungSource {
    std::filesystem::path file;
    /// Empty for what the file itself says.
    std::string kernel;
    LaunchShapeText launch;
    /// More that it is built with, as nvcc is told; paths are those from the folder that we are in.
    std::vector<std::string> build = {};
    /// Other values for its constants and lengths, and what the rung with them climbs from.
    Tunings tunings = {};
    std::string climbs_from = {};
    /// What a user would call instead of a kernel of their own.
    bool library = false;
};

/// Values of a launch, its tuning applied, and the text of the file with the other values. Throws UsageError for a name
/// that the file has not.
struct TunedSource {
    LaunchShapeText launch;
    SourceTexts texts;
};
TunedSource tuned(const KernelFile& file, const RungSource& source);
/// The value of a constant or a length as the file has it; nothing where that is no number. Throws UsageError for a
/// name that the file has not.
std::optional<std::int64_t> value_as_it_stands(const KernelFile& file, const RungSource& source,
                                               const std::string& name);

/// Those of "block", "grid" and "shared" that the file or the command line states.
std::vector<std::string> stated_lengths(const KernelFile& file, const RungSource& source);

/// A launch that no device would make: a length that is no whole number, more threads or memory than there are.
class RefusedLaunch : public DeviceError {
public:
    using DeviceError::DeviceError;
};

/// Host code of a rung let an exception out.
class ThrownByRung : public DeviceError {
public:
    using DeviceError::DeviceError;
};

/// Files for nvcc, and the words that they are compiled with; `relocatable`: and linked.
struct NvccSources {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> words;
    bool relocatable = false;
};

class OwnRung {
public:
    /// Reads the file and binds it; stays for the rest of the process. Throws FileError, UsageError.
    static OwnRung& make(const OwnOperation& operation, const RungSource& source, DeviceKind device = DeviceKind::simt);
    OwnRung(const OwnRung&) = delete;
    OwnRung& operator=(const OwnRung&) = delete;

    /// Compiles it, where that was not done before; the library: for simt by the build's compiler, for cuda by the nvcc
    /// on the path, for `architecture` ("native": this machine's GPUs). Throws CompilationError when what is wrong was
    /// told, UnavailableError where there is no nvcc. `objects` gets what its sources were compiled to for simt.
    std::filesystem::path build(const Build& build, ProgramCache& cache, const std::string& architecture = "native",
                                std::vector<std::filesystem::path>* objects = nullptr) const;
    /// What nvcc compiles for it: the file that launches it, which includes its own, and the other CUDA files that it
    /// is built with.
    NvccSources nvcc_sources(ProgramCache& cache) const;
    /// Loads the library: only then it can be launched. Throws UnavailableError.
    void load(const std::filesystem::path& library);

    const Rung& rung() const { return rung_; }
    const std::filesystem::path& file() const { return file_.path; }
    const BoundFunction& bound() const { return bound_; }
    const OwnOperation& operation() const { return operation_; }
    const RungSource& source() const { return source_; }
    /// What it is built with besides its file: what the operation says, the file's first comment, and the command line.
    const BuildWords& build_words() const { return build_words_; }
    /// What the file itself says.
    const BuildWords& own_build_words() const { return own_build_words_; }

private:
    OwnRung(const OwnOperation& operation, const RungSource& source, DeviceKind device);
    /// Of a kernel: blocks and threads along each axis (on the processor the first is the number of threads), and
    /// bytes.
    struct LaunchShape {
        unsigned lengths[6] = {1, 1, 1, 1, 1, 1};
        unsigned long long shared = 0;
        std::string text() const;
    };
    /// Throws RefusedLaunch for a length that is none.
    LaunchShape shape_of(const NamedValues& known) const;
    void launch(const Problem& problem, const Buffers& buffers, void* stream) const;
    /// Written to the cache; `file` holds the kernel.
    std::filesystem::path launcher_file(const KernelFile& file, DeviceKind device, ProgramCache& cache) const;
    /// The rung's file; with constants of its own a copy that has them.
    KernelFile file_for_nvcc(const ProgramCache& cache) const;
    std::size_t workspace(const Problem& problem) const;

    const OwnOperation& operation_;
    RungSource source_;
    KernelFile file_;
    /// The file with other constants.
    SourceTexts texts_;
    BoundFunction bound_;
    BuildWords build_words_, own_build_words_;
    std::string name_, climbs_from_, shown_file_;
    std::vector<Rung::Typed> types_;
    /// By the types of bound_.types.
    std::vector<Launcher> launchers_;
    int (*copy_in_place_)(void* to, const void* from, unsigned long long bytes, void* stream) = nullptr;
    const char* (*error_text_)(int error) = nullptr;
    Rung rung_{};
};

}  // namespace lanework
