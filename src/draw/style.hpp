// How text is drawn on a terminal: colour, width, and the glyphs that it can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// Decided once from the terminal, the environment and --color; the default suits a file or a pipe.
struct Style {
    bool colour = false;
    bool bars = false;
    bool unicode = true;
    /// Columns; 0 when nothing bounds a line.
    int width = 0;
    /// All that is known, not a line of each (--verbose).
    bool verbose = false;
};

enum class Ink { plain, dim, bold, accent, good, fair, poor, bad };

/// The text in an ink, or as it is where the style has no colour.
std::string paint(const Style& style, Ink ink, std::string_view text);

/// Columns that UTF-8 text takes: code points, less combining marks and escape sequences.
std::size_t display_width(std::string_view text);

/// Fills up with spaces to `width` columns; text that is wider is left as it is.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// At most `width` columns, the last of them an ellipsis where something was cut. For text without escape sequences.
std::string shorten(std::string_view text, std::size_t width);

/// The same cut behind a word where one ends nearby.
std::string shorten_at_word(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken between words; a longer word has a line of its own. 0: one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// The text broken between words at the style's width, each line in the ink and ended.
std::string paragraph(const Style& style, Ink ink, std::string_view text);

/// Each line of the text, ended; one that is wider than the style goes on below, under its last column of a table, or
/// set in as it is and by two more.
std::string broken_lines(std::string_view text, const Style& style);

/// The same of text that was broken for another width: lines of prose at the margin are joined and broken anew.
std::string reflowed(std::string_view text, const Style& style);

/// The text in glyphs that every terminal has, each of the same width as the one it stands for.
std::string to_ascii(std::string_view text);

}  // namespace lanework
