// Rewrites one line of the terminal.
#include "src/cli/progress.hpp"

#include <cstdio>

namespace lanework {

void Progress::show(std::string_view text) {
    if (!context_.err.terminal) return;
    const auto width = static_cast<std::size_t>(context_.err.style.width);
    const std::string line = paint(context_.err.style, Ink::dim, shorten(text, width > 1 ? width - 1 : 1));
    std::fputs(("\r\033[K" + (context_.err.style.unicode ? line : to_ascii(line))).c_str(), stderr);
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace lanework
