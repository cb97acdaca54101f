// What a program is asked to watch about itself. The request reaches it in one environment variable, so that any
// program that is linked to the simt device's library can be watched, whoever built it and however it is started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/draw/style.hpp"

namespace lanework {

/// The variable. Its first line is "check" or "explain", every further one NAME=VALUE.
inline constexpr const char* kWatchVariable = "LANEWORK_WATCH";

struct WatchSettings {
    enum class Task { check, explain };
    Task task = Task::check;
    /// Where findings are appended as they are found, one JSON object a line; empty for the standard error at the end.
    std::string findings;
    /// Where the explanation goes: as text, as JSON, as pictures in a folder. Without all of them: the standard error.
    std::string text, json, pictures;
    /// Where it goes as what pages show: JSON with the text of the source and pictures in it; counts as asked for, too.
    std::string page;
    /// The kernel to explain, as its launch spells it without template arguments; empty for every kernel.
    std::string kernel;
    /// Which launch of each kernel to explain, counted from 1.
    std::uint64_t launch = 1;
    /// A check follows what begins within so many seconds of the program's start; 0: everything.
    std::uint64_t seconds = 0;
    /// Say on the standard error how far a check is, behind so many seconds and then ever more seldom; 0: never.
    std::uint64_t progress = 0;
    /// Look for memory that is never freed.
    bool leaks = false;
    /// The seed of the schedule; 0 for the natural order.
    std::uint64_t schedule = 0;
    /// What nvdisasm printed of the machine code of the program's files, to be followed: a file for each.
    std::vector<std::string> code;
    /// The text is the machine code beside its lines.
    bool sass = false;
    /// The GPU to stand for; empty for the default.
    std::string gpu;
    Style style;
};

std::string to_text(const WatchSettings& settings);
/// Throws UsageError that names what is wrong with the variable.
WatchSettings read_watch_settings(std::string_view text);

}  // namespace lanework
