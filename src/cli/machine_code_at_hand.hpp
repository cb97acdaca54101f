// The machine code of what is explained or profiled, where its compiler and its reader are at hand: rungs' and
// programs'.
#pragma once

#include <string>
#include <vector>

#include "src/cli/context.hpp"
#include "src/gpu/gpus.hpp"
#include "src/gpu/sass/code.hpp"
#include "src/program/program_cache.hpp"

namespace lanework {

struct Rung;
class Progress;

/// Looks for machine code for one GPU. What stands against it is told once, and then what is written is counted.
class MachineCodeAtHand {
public:
    /// Where it is `required`, what stands against it is thrown instead: UnavailableError, CompilationError.
    MachineCodeAtHand(const Context& context, const Gpu& gpu, bool required);

    /// Of a rung's files; none where it cannot be had. `progress` may be drawn on.
    std::vector<MachineCode> of(const Rung& rung, Progress& progress);
    /// Of the CUDA files among the command line's program: files that hold what nvdisasm printed of each, in the cache.
    std::vector<std::string> of_program(const ProgramCache& cache);

private:
    template <class Make>
    auto tried(Progress& progress, Make make) -> decltype(make());

    const Context& context_;
    const Gpu& gpu_;
    bool required_;
    /// The last reason that was told.
    std::string told_;
};

}  // namespace lanework
