// What every command is given: how to draw, and where its exit status goes.
#pragma once

#include "src/cli/program_words.hpp"
#include "src/core/exit_status.hpp"
#include "src/draw/style.hpp"

namespace lanework {

/// One of the program's two outputs.
struct Output {
    bool terminal = false;
    Style style;
};

/// Thrown by Context::print where nobody reads the output any more: the program ends without a word, as others do.
struct ReaderGone : std::exception {
    const char* what() const noexcept override { return "nobody reads the output any more"; }
};

struct Context {
    /// auto, always or never; set by --color before a command runs.
    std::string color = "auto";
    Output out, err;
    int status = exit_status::good;
    /// Of a command that runs a program of the user's.
    ProgramWords program;

    /// Looks at the terminal, the environment and `color`.
    void detect_outputs();
    /// Data, to stdout.
    void print(std::string_view text) const;
    /// A line for people, to stderr, broken between words where a terminal is narrower; lost where that cannot be
    /// written.
    void hint(std::string_view text) const;
    /// Takes what is shown in the terminal's last line away.
    void clear_line() const;
};

}  // namespace lanework
