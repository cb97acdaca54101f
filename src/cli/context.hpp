// What every command is given: how to draw, and where its exit status goes.
#pragma once

#include "src/report/style.hpp"

namespace lanework {

/// Exit statuses, as documented for scripts.
namespace exit_status {
inline constexpr int good = 0, wrong = 1, usage = 2, device = 4, unavailable = 77;
}

/// One of the program's two outputs.
struct Output {
    bool terminal = false;
    Style style;
};

struct Context {
    /// auto, always or never; set by --color before a command runs.
    std::string color = "auto";
    Output out, err;
    int status = exit_status::good;

    /// Looks at the terminal, the environment and `color`.
    void detect_outputs();
    /// Data, to stdout.
    void print(std::string_view text) const;
    /// One line for people, to stderr.
    void hint(std::string_view text) const;
};

}  // namespace lanework
