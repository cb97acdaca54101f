// What a GPU's recorder reports, in nanoseconds of its own clock.
#pragma once

#include <span>

#include "src/timeline/timeline.hpp"

namespace lanework {

struct Activity {
    Engine engine = Engine::kernel;
    /// A kernel's may be mangled.
    std::string name;
    int stream = 0;
    /// 0 where the recorder could not tell.
    std::uint64_t begin_ns = 0, end_ns = 0;
    std::uint64_t bytes = 0;
};

/// A call of the host, by the same clock.
struct HostActivity {
    std::string name;  ///< "cudaStreamSynchronize_v3020"
    std::uint64_t begin_ns = 0, end_ns = 0;

    /// Whether it only waits.
    bool waits() const { return name.find("Synchronize") != std::string::npos; }
};

/// Those without times are left out, and a note says how many.
Timeline timeline_of(std::span<const Activity> activities, std::string by);
/// The same with what the host did.
Timeline timeline_of(std::span<const Activity> activities, std::span<const HostActivity> calls, std::string by);

}  // namespace lanework
