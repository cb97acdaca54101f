// Verification: a rung's outputs against the operation's reference, with everything around them watched.
#pragma once

#include <lanework/device.hpp>
#include <lanework/measurement.hpp>

#include "src/measure/references.hpp"

namespace lanework {

struct Verification {
    Verdict verdict = Verdict::ok;
    /// One line: which output, where, what was expected and what was found; or why it was refused or failed. Of a rung
    /// that is right: what is to be remarked upon, cancellation say.
    std::string reason;
    /// Runs whose inputs were not random.
    int hard_inputs = 0;
    /// The largest error of all runs, where the tolerance allows one: the largest difference over the largest right
    /// element.
    std::optional<double> error = {};
};

/// Which schedules a small problem is verified under, besides the natural one, on devices that follow schedules.
struct Schedules {
    /// So many, drawn from the seed.
    int drawn = 2;
    /// Instead of those this one, if it is not 0: the one that a reason names.
    std::uint64_t exactly = 0;
};

/// Runs the rung on fresh random inputs, twice with different seeds on the same buffers (once where the problem is
/// beyond 2^32 bytes and arithmetic operations, and on a device whose schedule can be chosen where it is listed and not
/// small), where the problem is small on other inputs that the operation defines for it (on every one where no listed
/// problem that is small is larger, in turn elsewhere; `input`: on this one alone), and on devices whose schedule can
/// be chosen also in interleaved ones where the problem is small, the second seed in these alone. Wrong are: an output
/// that differs from the reference beyond the tolerance, an element left unwritten (outputs are poisoned), an input or
/// anything around a buffer changed (guard bands), a result that depends on what lies around an input or on an earlier
/// run. Throws nothing for a failing rung: a device's error is the verdict `failed` with its text, and the device is
/// recovered. `references` is kept by a caller that verifies several rungs on the same problem, so that the reference
/// is computed once; null for one of its own.
Verification verify(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                    std::uint64_t seed, References* references = nullptr, const Schedules& schedules = {},
                    std::optional<InputIndex> input = {});

/// What is remarked of a rung that is off with an input that is for remarks (only_remarked()): `wrong` is what was
/// found, `error` how far off it is. Nothing where a right kernel may be as far off.
std::string remark_on(const Expected& expected, const std::string& wrong, std::optional<double> error);

/// The random fillings that verify() uses where the device affords both, that of the given seed first; of another input
/// than random values, that one.
std::vector<Filling> verified_fillings(const Operation& operation, const Problem& problem, const Filling& filling);

/// Calls `attempt`, which runs a rung in memory of its own, and turns its failure into a verdict: DeviceError is
/// `failed` (the device is recovered after the attempt's memory was released); UnavailableError and lack of memory,
/// whose reason begins with kTooLittleMemory, are `refused`.
Verification guarded_attempt(Device& device, const std::function<Verification()>& attempt);

}  // namespace lanework
