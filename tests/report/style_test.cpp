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

TEST(BrokenLines, GoOnUnderTheirLastColumnOrSetIn) {
    const Style narrow{.width = 40};
    EXPECT_EQ(broken_lines("short\n  --size SIZE   lengths of the axes that are joined by x", narrow),
              "short\n"
              "  --size SIZE   lengths of the axes that\n"
              "                are joined by x\n");
    EXPECT_EQ(broken_lines("  a sentence that is longer than what fits a line", narrow),
              "  a sentence that is longer than what\n"
              "    fits a line\n");
    EXPECT_EQ(broken_lines("as it is, however long the line may be that nobody bounds", Style{}),
              "as it is, however long the line may be that nobody bounds\n");
}

TEST(Reflowed, JoinsProseThatWasBrokenForAnotherWidth) {
    const std::string prose =
        "This is a paragraph that somebody broke by hand, for a window that is much wider than most,\n"
        "and goes on here.\n\n  an example";
    EXPECT_EQ(reflowed(prose, Style{.width = 60}),
              "This is a paragraph that somebody broke by hand, for a\n"
              "window that is much wider than most, and goes on here.\n\n  an example\n");
    EXPECT_EQ(reflowed("A short line ends for a reason\nUsage: x", Style{.width = 60}),
              "A short line ends for a reason\nUsage: x\n");
    EXPECT_EQ(reflowed(prose, Style{}), prose) << "nothing is broken where nothing bounds a line";
}

TEST(ShortenAtWord, LeavesWholeWords) {
    EXPECT_EQ(shorten_at_word("reads take 8.0 passes per request", 30), "reads take 8.0 passes per …");
    EXPECT_EQ(shorten_at_word("a_word_that_is_longer_than_the_line_is", 20), "a_word_that_is_long…");
    EXPECT_EQ(shorten_at_word("it fits", 30), "it fits");
}

}  // namespace
}  // namespace lanework
