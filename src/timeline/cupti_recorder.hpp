// Records what GPUs do, through CUPTI. It exists in builds with CUPTI's header and works where the library is found.
#pragma once

#include <string>
#include <vector>

#include "src/timeline/activity.hpp"

namespace lanework {

/// Records from its construction to its end; one at a time. What is launched while it lives must be waited for before
/// it is taken.
class CuptiRecorder {
public:
    /// Throws UnavailableError that says what to install or to allow.
    CuptiRecorder();
    CuptiRecorder(const CuptiRecorder&) = delete;
    CuptiRecorder& operator=(const CuptiRecorder&) = delete;
    ~CuptiRecorder();

    /// By the clock of the records, in nanoseconds.
    std::uint64_t now() const;
    /// Kernels, copies and fills since the last call, those that a graph launched too.
    std::vector<Activity> take();
    /// The calls of CUDA's runtime that the host made since the last call of this.
    std::vector<HostActivity> take_calls();
    /// Records that CUPTI had no room for since the construction.
    std::size_t dropped() const;
    /// "CUPTI 13.0.1".
    std::string version() const;
};

}  // namespace lanework
