// What `check` and `explain` of a program have in common: building it to be watched, running it, ending with it.
#pragma once

#include <string>
#include <vector>

#include "src/cli/context.hpp"
#include "src/program/build.hpp"
#include "src/program/watched_run.hpp"

namespace lanework {

class Progress;

inline constexpr const char* kDevicesHelp = "GPUs that the program sees: equal ones, peers of each other (1)";

/// What the command line's program is built with; what the compiler says goes to the standard error.
Build describe_build(const Context& context, const BuildRequest& request, Instrumentation instrumentation);

inline constexpr const char* kCallHelp =
    "Run these statements in place of main: 'scale<<<4, 256>>>(random(1024), 2)'. Arrays are zeros(N), ones(N), "
    "arange(N), full(N, VALUE), random(N) or random(N, LOW, HIGH), load(FILE.npy), and empty(N); what they hold then "
    "is printed";

inline constexpr const char* kCallNeedsAFile = "--call calls what a CUDA file holds: name the file";

/// Puts a program that runs `statements` in place of the first CUDA file of the command line; nothing where they are
/// empty. The cache outlives its build. Throws UsageError where no CUDA file is named.
void call_in_place_of_main(Context& context, const ProgramCache& cache, const std::string& statements);

/// How many files the request compiles: the steps of a build's Progress.
std::size_t count_sources(const BuildRequest& request);
/// Shows what the build does, and how many files are compiled. The progress outlives the build.
void show_stages(Build& build, Progress& progress);

/// A program that is there already, or one that is built from the command line's files. Throws UsageError where they
/// name none, or ask for something else than a program.
std::filesystem::path find_or_build(const Context& context, ProgramCache& cache, Instrumentation instrumentation);

/// The same, instrumented. An interrupt removes what is unfinished.
std::filesystem::path build_to_watch(const Context& context, ProgramCache& cache);

/// The files among the command line's that may hold kernels; none of a program that is there already.
std::vector<std::filesystem::path> cuda_files_of_program(const Context& context);

/// What the program is called in reports: the first file that the command line names.
std::string program_title(const Context& context);

/// Runs `run` of the command line's program and then `report`, also when a signal ends them: the program gets it first.
/// Says so where that takes long, and shows how many of the further schedules are done. The caller has filled in
/// settings and schedules; the cache is the one that the program was built in.
WatchedOutcome watch_program(const Context& context, const ProgramCache& cache, WatchedRun run,
                             const std::function<void(const WatchedOutcome&, const WatchedRun&)>& report);

/// Says that nothing could be seen, where that is so: throws UnavailableError.
void require_instrumented(const Context& context, const WatchedOutcome& outcome);
/// The same, and where the program launched nothing of what the settings ask for.
void require_explained(const Context& context, const WatchedOutcome& outcome, const WatchSettings& settings);

}  // namespace lanework
