// One line on stderr that says what is being done, while it is being done.
#pragma once

#include "src/cli/context.hpp"

namespace lanework {

/// Shows nothing where stderr is no terminal. The line is gone when the object is.
class Progress {
public:
    explicit Progress(const Context& context) : context_(context) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    void show(std::string_view text);
    /// Called before anything is printed that might share the terminal.
    void clear();

private:
    const Context& context_;
    bool shown_ = false;
};

}  // namespace lanework
