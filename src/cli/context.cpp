// Decides how to draw on stdout and stderr, and writes to them.
#include "src/cli/context.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>

#include "src/core/printed.hpp"

namespace lanework {
namespace {

// Where nothing says how wide a line may be although bars are wanted.
constexpr int kAssumedWidth = 100;

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

int terminal_width(int file) {
    if (const int columns = std::atoi(std::string(variable("COLUMNS")).c_str()); columns > 0) return columns;
    winsize size{};
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kAssumedWidth;
}

// No locale at all is what a bare container has, and its terminal shows UTF-8 all the same; one that is set is obeyed.
bool shows_unicode() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string_view locale = variable(name);
        if (locale.empty()) continue;
        return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos ||
               locale.find("utf-8") != locale.npos;
    }
    return variable("TERM") != "linux" && variable("TERM") != "dumb";
}

Output detect(int file, std::string_view color) {
    Output output;
    output.terminal = isatty(file) != 0;
    const bool capable = output.terminal && variable("TERM") != "dumb";
    output.style.colour = color == "always" || (color == "auto" && capable && variable("NO_COLOR").empty());
    output.style.bars = color == "always" || capable;
    output.style.unicode = shows_unicode() || !(output.terminal || color == "always");
    output.style.width = output.terminal || color == "always" ? terminal_width(file) : 0;
    return output;
}

bool write(std::FILE* file, std::string_view text, const Style& style) {
    const std::string shown = style.unicode ? std::string(text) : to_ascii(text);
    return std::fwrite(shown.data(), 1, shown.size(), file) == shown.size() && std::fflush(file) == 0;
}

}  // namespace

void Context::detect_outputs() {
    out = detect(STDOUT_FILENO, color);
    err = detect(STDERR_FILENO, color);
}

void Context::print(std::string_view text) const {
    errno = 0;
    if (write(results_output(), text, out.style)) return;
    if (errno == EPIPE) throw ReaderGone();
    throw FileError(std::string("the standard output cannot be written: ") + std::strerror(errno));
}

void Context::hint(std::string_view text) const { write(stderr, broken_lines(text, err.style), err.style); }

void Context::clear_line() const {
    if (err.terminal) write(stderr, "\r\033[K", err.style);
}

}  // namespace lanework
