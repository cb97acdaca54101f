// One line on stderr that says what is being done, how much of it is done, and how long the rest will take.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "src/cli/context.hpp"

namespace lanework {

/// Shows nothing where stderr is no terminal. The line is drawn anew while it stands there, so that its seconds go on;
/// it is gone when the object is.
class Progress {
public:
    /// Of work in `steps` steps; 0 where nobody knows how many.
    explicit Progress(const Context& context, std::size_t steps = 0);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// What is being done from now on.
    void show(std::string_view text);
    /// One more step is done.
    void step();
    /// Called before anything is printed that might share the terminal.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    void draw() const;
    void erase();
    void redraw();

    const Context& context_;
    const std::size_t steps_;
    std::mutex mutex_;
    std::condition_variable ends_;
    std::size_t done_ = 0;
    std::string text_;
    Clock::time_point began_ = Clock::now(), text_began_ = began_;
    bool shown_ = false, over_ = false;
    std::thread redrawing_;
};

}  // namespace lanework
