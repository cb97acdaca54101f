// What the program's exit status tells scripts: one meaning each, the same for every command.
#pragma once

#include <exception>
#include <span>
#include <string_view>

namespace lanework {

namespace exit_status {
enum Value : int {
    good = 0,
    wrong = 1,
    usage = 2,
    compilation = 3,
    device = 4,
    time_out = 5,
    file = 6,
    memory = 7,
    internal = 70,
    unavailable = 77,
    interrupted = 130,
};
}

struct ExitMeaning {
    int status;
    std::string_view meaning;
};
/// All of them, ascending: what --help and docs/exit-statuses.md say.
std::span<const ExitMeaning> exit_meanings();

/// How the reason of a refusal begins that is for lack of memory, which says nothing about who was refused.
inline constexpr std::string_view kTooLittleMemory = "too little memory: ";

/// The status that an error ends the program with.
int exit_status_of(const std::exception& error);

}  // namespace lanework
