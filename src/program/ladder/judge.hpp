// Judging a rung that is not trusted: it runs in a cell, what is right stays with the judge.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/measure/references.hpp"
#include "src/program/ladder/judged_run.hpp"

namespace lanework {

/// What is wrong with a rung; each has a wrong kernel in the tests that is judged so.
enum class Fault {
    none,
    does_not_compile,
    wrong_result,
    left_unwritten,  ///< an output's element
    low_precision,   ///< errors as a narrower type makes
    kept_result,     ///< of an earlier call with other inputs
    kept_memory,     ///< right at first, wrong with the same inputs again; or device memory is not given back
    skipped_work,    ///< right in every size that is verified, wrong in one that is timed
    changed_input,
    out_of_bounds,
    foreign_memory,  ///< memory of nobody's, or of the harness
    uninitialised,   ///< the answer depends on memory that nobody wrote
    race,
    other_stream,
    computed_by_host,  ///< an output was written by no kernel
    evades_watch,      ///< code that nobody can watch, or that stops the watch
    forbidden_call,    ///< of the system: files, network, processes, threads
    crash,
    hang,
    exit,
    failed_launch,
    other_finding,
};
/// "low_precision", as in JSON.
std::string_view name_of(Fault fault);

/// The first element that is not as it should be.
struct FirstDifference {
    std::string array, found, right;
    std::size_t index = 0, differing = 0, count = 0;
};

struct Judgement {
    Fault fault = Fault::none;
    /// One line; empty for a rung that is right.
    std::string reason;
    /// "64x257 float32, random input", where it showed.
    std::string where;
    std::optional<FirstDifference> difference;
    /// The result of schema 1 of a traced run in the first size that is timed: counters, findings, kernels; null where
    /// there is none.
    std::string explanation;
    /// Of that run, on the GPU that simt stands for: the time with its band, and what takes longest. Of a rung that is
    /// right.
    double seconds = 0, low_seconds = 0, high_seconds = 0;
    std::string bound, timed_size;
    Confinement confinement;
    std::uint64_t seed = 0;
    std::size_t problems = 0, inputs = 0, schedules = 0, runs = 0;
    /// Of the launch that had most, in all sizes.
    std::uint64_t most_blocks = 0;
    /// Its grid depends on the size, and every size that was tried made one block: blocks were never told apart.
    bool one_block = false;
    /// What must be said beside a verdict, a line each: outputs of which nothing could be shown.
    std::vector<std::string> remarks;
    /// The largest error of what is right, over the largest right element.
    std::optional<double> error;
    double compile_seconds = 0, judge_seconds = 0;
};

struct JudgeOptions {
    std::uint64_t seed = 1;
    /// For all runs together, and for one.
    double seconds = 60, seconds_of_run = 10;
    std::size_t memory_bytes = std::size_t{4} << 30;
    int schedules = 2;
};

/// Compiles and judges. No other thread may run. Throws what the operation's own files throw; what is wrong with the
/// rung is a fault.
Judgement judge(OwnOperation& operation, const RungSource& source, const Build& build, const JudgeOptions& options);

}  // namespace lanework
