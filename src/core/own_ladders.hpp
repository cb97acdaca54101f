// Ladders that are no part of this build: what the program has loaded of those that a user wrote.
#pragma once

#include <lanework/operation.hpp>
#include <string>
#include <string_view>

namespace lanework {

class Device;

/// Puts the rung on the operation's ladder; both stay for the rest of the process. The operation is found by its
/// address alone: its name may be that of one of ours. Not while another thread asks the registry.
void adopt_rung(const Operation& operation, const Rung& rung);

/// Where a rung runs that has a process of its own beside the device that is given: a function of Python. Its arrays
/// are that device's.
using OwnDevice = Device& (*)(const void* entry, Device& given);
void adopt_device(const Rung& rung, OwnDevice device);
/// That device; `given` for every other rung.
Device& device_of(const Rung& rung, Device& given);

/// Says in one line what is wrong with the outputs (host addresses of all arrays), or nothing. For operations where
/// several answers are right. `entry` is the operation's.
using OwnComparison = std::string (*)(const void* entry, const Problem& problem, const Buffers& arrays);
void adopt_comparison(const Operation& operation, OwnComparison comparison);
/// Null where only the reference's answer is right, within the tolerance.
OwnComparison own_comparison(const Operation& operation);

/// The input of a ladder of one's own that makes cancellation seen: random values on a large offset. No bound holds for
/// what every right kernel loses there: errors are remarked upon, and are no failure.
inline constexpr std::string_view kOffsetInput = "offset";
inline bool only_remarked(const Operation& operation, InputIndex input) {
    return operation.name_of_input(input) == kOffsetInput;
}

}  // namespace lanework
