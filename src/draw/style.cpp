// Colours, columns and glyphs of text on a terminal.
#include "src/draw/style.hpp"

#include <algorithm>
#include <cstdint>

namespace lanework {
namespace {

constexpr char kEscape = '\033';

struct Glyph {
    std::string_view utf8;
    char ascii;
};
// Each stands for one column, so that tables stay aligned.
constexpr Glyph kGlyphs[] = {
    {"×", 'x'}, {"µ", 'u'}, {"±", '~'}, {"ᵀ", '\''}, {"→", '>'}, {"…", '.'},  {"·", '-'}, {"–", '-'}, {"—", '-'},
    {"─", '-'}, {"┃", '|'}, {"▏", ' '}, {"▎", ' '},  {"▍", ' '}, {"▌", '#'},  {"▋", '#'}, {"▊", '#'}, {"▉", '#'},
    {"█", '#'}, {"│", '|'}, {"└", '`'}, {"├", '|'},  {"Σ", 'S'}, {"≤", '<'},  {"≥", '>'}, {"√", 'V'}, {"∈", 'e'},
    {"÷", '/'}, {"−", '-'}, {"✓", '+'}, {"✗", '!'},  {"╵", '|'}, {"’", '\''}, {"░", ':'}, {"●", '*'}, {"╱", '/'},
    {"▁", '_'}, {"▂", '_'}, {"▃", '-'}, {"▄", '-'},  {"▅", '='}, {"▆", '='},  {"▇", '#'}};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

// The end of the code point or escape sequence that starts at `at`.
std::size_t next(std::string_view text, std::size_t at) {
    if (text[at] == kEscape) {
        while (at < text.size() && text[at] != 'm' && text[at] != 'K') ++at;
        return at < text.size() ? at + 1 : at;
    }
    for (++at; at < text.size() && continues(text[at]);) ++at;
    return at;
}

// Combining diacritical marks, U+0300 to U+036F, are drawn over the letter before them.
bool combines(std::string_view glyph) {
    if (glyph.size() != 2) return false;
    const auto lead = static_cast<unsigned char>(glyph[0]), trail = static_cast<unsigned char>(glyph[1]);
    return lead == 0xCC || (lead == 0xCD && trail < 0xB0);
}

std::size_t columns_of(std::string_view glyph) { return glyph.front() == kEscape || combines(glyph) ? 0 : 1; }

std::string_view code_of(Ink ink) {
    switch (ink) {
        case Ink::plain: return "";
        case Ink::dim: return "2";
        case Ink::bold: return "1";
        case Ink::accent: return "36";
        case Ink::good: return "32";
        case Ink::fair: return "33";
        case Ink::poor: return "38;5;208";
        case Ink::bad: return "31";
    }
    return "";
}

char ascii_of(std::string_view glyph) {
    if (glyph.size() == 1) return glyph.front();
    for (const Glyph& known : kGlyphs)
        if (known.utf8 == glyph) return known.ascii;
    return '?';
}

// Whether the space stands between a figure and its unit, or behind a sign of comparison.
bool belongs_together(std::string_view text, std::size_t space) {
    constexpr std::string_view units[] = {"ns",   "µs",   "ms",      "s",       "B",      "kB",   "MB",
                                          "GB",   "TB",   "KiB",     "MiB",     "GiB",    "kB/s", "MB/s",
                                          "GB/s", "TB/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"};
    if (text.substr(0, space).ends_with("≥")) return true;
    if (space == 0 || text[space - 1] < '0' || text[space - 1] > '9') return false;
    std::string_view next = text.substr(space + 1);
    next = next.substr(0, next.find(' '));
    while (!next.empty() && (next.back() == ',' || next.back() == '.' || next.back() == ':' || next.back() == ';'))
        next.remove_suffix(1);
    return std::ranges::find(units, next) != std::end(units);
}

// Where the last column of a line begins that leaves room for some words: behind the first gap of two spaces or more
// that is not the line's own indentation. 0 for none.
std::size_t last_column(std::string_view line, std::size_t width) {
    constexpr std::size_t kLeast = 24;
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", first);
    if (gap == line.npos) return 0;
    const std::size_t column = std::min(line.find_first_not_of(' ', gap), line.size());
    return display_width(line.substr(0, column)) + kLeast <= width ? column : 0;
}

}  // namespace

std::string paint(const Style& style, Ink ink, std::string_view text) {
    if (!style.colour || ink == Ink::plain || text.empty()) return std::string(text);
    std::string painted = "\033[";
    painted.append(code_of(ink)).append("m").append(text).append("\033[0m");
    return painted;
}

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = next(text, at);
        columns += columns_of(text.substr(at, end - at));
    }
    return columns;
}

std::string pad_right(std::string_view text, std::size_t width) {
    const std::size_t taken = display_width(text);
    return std::string(text) + std::string(width > taken ? width - taken : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
    const std::size_t taken = display_width(text);
    return std::string(width > taken ? width - taken : 0, ' ') + std::string(text);
}

std::string shorten(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string(text);
    if (width == 0) return {};
    std::size_t at = 0;
    for (std::size_t columns = 0; columns + 1 < width; ++columns) at = next(text, at);
    return std::string(text.substr(0, at)) + "…";
}

std::string shorten_at_word(std::string_view text, std::size_t width) {
    constexpr std::size_t kNear = 12;
    if (display_width(text) <= width || width <= kNear) return shorten(text, width);
    std::string cut = shorten(text, width);
    cut.resize(cut.size() - std::string_view("…").size());
    const std::size_t space = cut.rfind(' ');
    if (space == cut.npos || display_width(std::string_view(cut).substr(space)) > kNear) return shorten(text, width);
    return cut.substr(0, cut.find_last_not_of(" ,;:", space) + 1) + " …";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    if (width == 0) return {std::string(text)};
    std::vector<std::string> lines(1);
    std::size_t columns = 0;
    while (!text.empty()) {
        std::size_t space = text.find(' ');
        while (space != text.npos && belongs_together(text, space)) space = text.find(' ', space + 1);
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        const std::size_t needed = display_width(word);
        if (columns > 0 && columns + 1 + needed > width) {
            lines.emplace_back();
            columns = 0;
        } else if (columns > 0) {
            lines.back() += ' ';
            ++columns;
        }
        lines.back() += word;
        columns += needed;
    }
    return lines;
}

std::string paragraph(const Style& style, Ink ink, std::string_view text) {
    std::string result;
    for (const std::string& line : wrap(text, static_cast<std::size_t>(style.width)))
        result += paint(style, ink, line) + "\n";
    return result;
}

std::string reflowed(std::string_view text, const Style& style) {
    constexpr std::size_t kProse = 88;  // a shorter line ends for a reason
    if (style.width == 0) return std::string(text);
    std::string joined;
    bool prose = false;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const bool at_margin = !line.empty() && line.front() != ' ';
        if (prose && at_margin) joined.back() = ' ';
        joined.append(line).append("\n");
        prose = at_margin && display_width(line) >= kProse;
    }
    joined.pop_back();
    std::string result;
    for (std::size_t at = 0, end = 0; at <= joined.size(); at = end + 1) {
        end = std::min(joined.find('\n', at), joined.size());
        const std::string_view line = std::string_view(joined).substr(at, end - at);
        result += line.starts_with(' ') ? broken_lines(line, style) : paragraph(style, Ink::plain, line);
    }
    return result;
}

std::string broken_lines(std::string_view text, const Style& style) {
    constexpr std::size_t kFurther = 2;
    const auto width = static_cast<std::size_t>(style.width);
    std::string result;
    for (std::size_t at = 0, end = 0; at <= text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (width == 0 || display_width(line) <= width) {
            result.append(line).append("\n");
            continue;
        }
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t column = last_column(line, width);
        const std::string_view head = line.substr(0, column == 0 ? indent : column);
        const std::size_t taken = column == 0 ? indent + kFurther : display_width(head);
        std::string set_in(head);
        for (const std::string& part : wrap(line.substr(head.size()), width > taken ? width - taken : 1)) {
            result.append(set_in).append(part).append("\n");
            set_in.assign(taken, ' ');
        }
    }
    return result;
}

std::string to_ascii(std::string_view text) {
    std::string ascii;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = next(text, at);
        const std::string_view glyph = text.substr(at, end - at);
        if (glyph.front() == kEscape)
            ascii += glyph;
        else if (!combines(glyph))
            ascii += ascii_of(glyph);
    }
    return ascii;
}

}  // namespace lanework
