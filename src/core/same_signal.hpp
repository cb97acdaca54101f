// Telling a signal that is sent twice from two signals. What is here may be called by signal handlers.
#pragma once

#include <cstdint>
#include <ctime>

namespace lanework {

/// Milliseconds within which a further signal is the first one, sent twice: `timeout` sends it to a program and to that
/// program's group. Nobody presses Ctrl-C so fast.
inline constexpr std::int64_t kSameSignal = 100;

/// Milliseconds, from an unknown start; never 0.
inline std::int64_t signal_clock() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
}

}  // namespace lanework
