// Rewrites one line of the terminal.
#include "src/cli/progress.hpp"

#include <cstdio>

#include "src/report/results/pace.hpp"

namespace lanework {
namespace {

constexpr auto kBetweenDrawings = std::chrono::milliseconds(500);

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Progress::Progress(const Context& context, std::size_t steps) : context_(context), steps_(steps) {}

Progress::~Progress() {
    {
        const std::lock_guard lock(mutex_);
        erase();
        over_ = true;
    }
    ends_.notify_all();
    if (redrawing_.joinable()) redrawing_.join();
}

void Progress::show(std::string_view text) {
    if (!context_.err.terminal) return;
    const std::lock_guard lock(mutex_);
    if (text != text_) text_began_ = Clock::now();
    text_ = text;
    shown_ = true;
    draw();
    if (!redrawing_.joinable()) redrawing_ = std::thread([this] { redraw(); });
}

void Progress::step() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (shown_) draw();
}

void Progress::clear() {
    const std::lock_guard lock(mutex_);
    erase();
}

void Progress::draw() const {
    const auto width = static_cast<std::size_t>(context_.err.style.width);
    const std::string text = progress_text(done_, steps_, seconds_since(began_), text_, seconds_since(text_began_));
    const std::string line = paint(context_.err.style, Ink::dim, shorten(text, width > 1 ? width - 1 : 1));
    std::fputs(("\r\033[K" + (context_.err.style.unicode ? line : to_ascii(line))).c_str(), stderr);
    std::fflush(stderr);
}

void Progress::erase() {
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

void Progress::redraw() {
    std::unique_lock lock(mutex_);
    while (!ends_.wait_for(lock, kBetweenDrawings, [this] { return over_; }))
        if (shown_) draw();
}

}  // namespace lanework
