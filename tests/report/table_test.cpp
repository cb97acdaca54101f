// Tables in their three forms.
#include "src/draw/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/report/results/facts.hpp"

namespace lanework {
namespace {

const Table kTable{{{"rung"}, {"time", Align::right}, {"note"}},
                   {{"naive", "12 µs", "a note of several words"}, {"shared_tile", "1 µs", ""}}};

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        widest = std::max(widest, display_width(std::string_view(text).substr(start, end - start)));
        start = end + 1;
    }
    return widest;
}

TEST(Table, AlignsColumnsByWhatTheyShow) {
    EXPECT_EQ(draw(kTable, Style{}),
              "rung          time  note\n"
              "naive        12 µs  a note of several words\n"
              "shared_tile   1 µs\n");
}

TEST(Table, WrapsTheLastColumnToTheWidth) {
    Table table = kTable;
    table.rows[0][2] = "one two three four five six seven eight nine ten";
    const std::string drawn = draw(table, Style{.width = 48});
    EXPECT_LE(widest_line(drawn), 48u);
    EXPECT_EQ(drawn,
              "rung          time  note\n"
              "naive        12 µs  one two three four five six\n"
              "                    seven eight nine ten\n"
              "shared_tile   1 µs\n");
}

const Table kTimes{{{"rung"}, {"device"}, {"time of a run", Align::right}, {"why", Align::left, true}},
                   {{"naive", "simt", "1.23 ms", "int x = threadIdx.x; // the first of many words"},
                    {"shared_tile", "simt", "0.9 ms", "short"}}};

TEST(Table, SaysOnceWhatEveryRowSaysAlikeAndCutsWhatMayBeCut) {
    EXPECT_EQ(draw(kTimes, Style{.width = 50}),
              "device simt\n"
              "rung         time of a run  why\n"
              "naive              1.23 ms  int x = threadIdx.x …\n"
              "shared_tile         0.9 ms  short\n");
}

TEST(Table, BreaksTitlesBetweenWordsAndNeverAFigure) {
    EXPECT_EQ(draw(kTimes, Style{.width = 39}),
              "device simt\n"
              "              time of\n"
              "rung            a run  why\n"
              "naive         1.23 ms  int x = …\n"
              "shared_tile    0.9 ms  short\n");
}

TEST(Table, PutsEachRowOnLinesOfItsOwnWhereColumnsDoNotFit) {
    Table table = kTimes;
    table.rows[1][1] = "cpu";
    EXPECT_EQ(draw(table, Style{.width = 30}),
              "naive\n"
              "  device simt\n"
              "  time of a run 1.23 ms\n"
              "  why int x = threadIdx.x;\n"
              "    // the first of many words\n"
              "shared_tile\n"
              "  device cpu\n"
              "  time of a run 0.9 ms\n"
              "  why short\n");
}

TEST(Table, IsNeverWiderThanTheTerminal) {
    for (int width = 24; width < 100; ++width)
        EXPECT_LE(widest_line(draw(kTimes, Style{.width = width})), static_cast<std::size_t>(width));
}

TEST(Table, DrawsItsHeadersWhenItHasNoRows) { EXPECT_EQ(draw({{{"rung"}, {"time"}}, {}}, Style{}), "rung  time\n"); }

TEST(Table, EscapesBarsInMarkdown) {
    EXPECT_EQ(to_markdown({{{"a"}, {"b", Align::right}}, {{"x|y", "1\n2"}}}),
              "| a | b |\n"
              "|---|--:|\n"
              "| x\\|y | 1 2 |\n");
}

TEST(Table, QuotesInCsvOnlyWhatNeedsIt) {
    EXPECT_EQ(to_csv({{{"a"}, {"b"}}, {{"x,y", "say \"hi\""}, {"plain", "two\nlines"}}}),
              "a,b\n"
              "\"x,y\",\"say \"\"hi\"\"\"\n"
              "plain,\"two\nlines\"\n");
}

TEST(Facts, StandInTwoColumnsUnderTheirTitle) {
    const std::vector<Section> sections{{"cpu", {{"name", "Some Processor"}, {"threads", "2"}}, {}},
                                        {"simt", {{"note", "one two three four five six seven"}}, {}}};
    EXPECT_EQ(draw(sections, Style{.width = 36}),
              "cpu\n"
              "  name     Some Processor\n"
              "  threads  2\n"
              "\n"
              "simt\n"
              "  note     one two three four five\n"
              "           six seven\n");
}

TEST(Facts, KeepNumbersAsNumbersInJson) {
    const std::vector<Section> sections{{"cpu", {{"name", "x"}}, {{"copy_bytes_per_s", 2.5e9}}}};
    EXPECT_EQ(
        sections_to_json("devices", sections),
        "{\n \"schema\": 1,\n \"devices\": [\n  {\n   \"title\": \"cpu\",\n   \"facts\": {\n"
        "    \"name\": \"x\"\n   },\n   \"figures\": {\n    \"copy_bytes_per_s\": 2500000000.0\n   }\n  }\n ]\n}\n");
}

}  // namespace
}  // namespace lanework
