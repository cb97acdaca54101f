// Colours, columns and glyphs of text on a terminal.
#include "src/draw/style.hpp"

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
    {"÷", '/'}, {"−", '-'}, {"✓", '+'}, {"✗", '!'},  {"╵", '|'}, {"’", '\''}, {"░", ':'}, {"●", '*'}, {"╱", '/'}};

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

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    if (width == 0) return {std::string(text)};
    std::vector<std::string> lines(1);
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
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
