// Text on a terminal: columns, wrapping, glyphs.
#include "src/draw/style.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

TEST(DisplayWidth, CountsGlyphsNotBytes) {
    EXPECT_EQ(display_width("abc"), 3u);
    EXPECT_EQ(display_width("12 µs"), 5u);
    EXPECT_EQ(display_width("██▌┃"), 4u);
}

TEST(DisplayWidth, LeavesOutColoursAndCombiningMarks) {
    EXPECT_EQ(display_width("\033[38;5;208mred\033[0m"), 3u);
    EXPECT_EQ(display_width("e\u0301"), 1u);
}

TEST(Shorten, EndsInAnEllipsisWithinTheWidth) {
    EXPECT_EQ(shorten("padded_tile", 11), "padded_tile");
    EXPECT_EQ(shorten("padded_tile", 6), "padde…");
    EXPECT_EQ(shorten("µµµµ", 3), "µµ…");
    EXPECT_EQ(shorten("abc", 0), "");
}

TEST(Wrap, BreaksBetweenWords) {
    EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrap("one two three", 0), (std::vector<std::string>{"one two three"}));
    EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
}

TEST(Wrap, GivesAWordThatIsTooLongALineOfItsOwn) {
    EXPECT_EQ(wrap("a extraordinary b", 5), (std::vector<std::string>{"a", "extraordinary", "b"}));
}

TEST(Paint, ChangesNothingWithoutColour) {
    EXPECT_EQ(paint(Style{}, Ink::bad, "wrong"), "wrong");
    EXPECT_EQ(paint(Style{.colour = true}, Ink::bad, "wrong"), "\033[31mwrong\033[0m");
}

TEST(ToAscii, KeepsTheWidthOfEveryGlyph) {
    EXPECT_EQ(to_ascii("1.2 µs ± 3 ×"), "1.2 us ~ 3 x");
    EXPECT_EQ(to_ascii("██▌ ┃"), "### |");
    EXPECT_EQ(to_ascii("\033[1m┃\033[0m"), "\033[1m|\033[0m");
    EXPECT_EQ(to_ascii("漢"), "?");
    for (const char* text : {"B[cols×rows] = A[rows×cols]ᵀ", "→ … · – — ─ ┃ │ └ ├ Σ ≤ ≥ √ ÷ −"})
        EXPECT_EQ(display_width(to_ascii(text)), display_width(text)) << text;
}

}  // namespace
}  // namespace lanework
