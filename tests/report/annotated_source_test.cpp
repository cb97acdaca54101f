// Counters beside the lines that cause them.
#include "src/report/explain/annotated_source.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/report/explanation_sample.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

SourceText no_sources() { return SourceText({"/nowhere"}); }

std::string annotated(const Explanation& explanation, SourceText sources, const Style& style = {}) {
    const std::string text = draw_annotated_source(explanation, sources, style);
    const auto start = text.find("\n\n");  // after the legend
    return start == std::string::npos ? text : text.substr(start + 2);
}

TEST(AnnotatedSource, PutsCountersBesideTheLinesThatCauseThem) {
    EXPECT_EQ(
        annotated(sample_explanation(), known_sources()),
        "ops/transpose/padded_tile_16.cu\n"
        "      line  access     requests  each  ideal  lanes  source\n"
        "[1]      4  ld global        96     4      4     32      tile[threadIdx.y][threadIdx.x] = in[place()];\n"
        "            st shared        96     2      1     32\n"
        "         5                                               __syncthreads();\n"
        "[2]      6  ld shared        96     2      1     32      out[turned()] = tile[threadIdx.x][threadIdx.y];\n"
        "            st global        96     4      4     32\n");
}

TEST(AnnotatedSource, PrintsPlacesWhereThereIsNoText) {
    EXPECT_EQ(annotated(sample_explanation(), no_sources()),
              "ops/transpose/padded_tile_16.cu  (its text is not here)\n"
              "      line  access     requests  each  ideal  lanes  source\n"
              "[1]      4  ld global        96     4      4     32\n"
              "            st shared        96     2      1     32\n"
              "[2]      6  ld shared        96     2      1     32\n"
              "            st global        96     4      4     32\n");
}

TEST(AnnotatedSource, AddsLaunchesAndSitesOfALineUp) {
    Explanation explanation = sample_explanation();
    explanation.kernels.push_back(explanation.kernels.front());
    explanation.kernels.front().sites.push_back(explanation.kernels.front().sites.front());
    const auto lines = lines_of(explanation.kernels, explanation.file);
    ASSERT_EQ(lines.size(), 2u);
    ASSERT_EQ(lines[0].accesses.size(), 2u);
    EXPECT_EQ(lines[0].accesses[0].requests(), 3u * 96);
    EXPECT_EQ(lines[0].accesses[0].cost(), 3u * 384);
    EXPECT_EQ(lines[0].accesses[1].cost(), 2u * 192);
}

TEST(AnnotatedSource, ShowsTheRungsFileFirstAndUnknownCodeLast) {
    Explanation explanation = sample_explanation();
    auto& sites = explanation.kernels.front().sites;
    sites.push_back(sites.front());
    sites.back().place.file = "a.hpp";
    sites.push_back(sites.front());
    sites.back().place = {};
    const auto lines = lines_of(explanation.kernels, explanation.file);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].file, kSampleFile);
    EXPECT_EQ(lines[2].file, "a.hpp");
    EXPECT_EQ(lines[3].line, 0);
    EXPECT_EQ(count_of("Code of which no line is known\n", annotated(explanation, known_sources())), 1);
}

TEST(AnnotatedSource, LeavesOutBranchesThatDoNotDiverge) {
    Explanation explanation = sample_explanation();
    PlacedSite branch = sample_site(EventKind::path, Space::unknown, 90, 1);
    branch.site.branch = {.entries = 96, .lanes = 3072, .branches = 96, .divergent = 0};
    explanation.kernels.front().sites.push_back(branch);
    EXPECT_EQ(lines_of(explanation.kernels, explanation.file).size(), 2u);
}

TEST(AnnotatedSource, LeavesOutLongStretchesWithoutCounters) {
    Explanation explanation = sample_explanation();
    for (PlacedSite& placed : explanation.kernels.front().sites)
        if (placed.place.line == kWritingLine) placed.place.line = 40;
    const std::filesystem::path root = sample_sources();
    std::ofstream file(root / kSampleFile);
    for (int line = 1; line <= 50; ++line) file << "line " << line << "\n";
    file.close();
    const std::string text = annotated(explanation, SourceText({root}));
    EXPECT_EQ(count_of("…\n", text), 1) << text;
    EXPECT_EQ(count_of("line 40\n", text), 1) << text;
    EXPECT_EQ(count_of("line 20\n", text), 0) << text;
}

TEST(AnnotatedSource, ShowsBranchesThatDivergeAndAtomicsOnOneAddress) {
    Explanation explanation = sample_explanation();
    PlacedSite branch = sample_site(EventKind::path, Space::unknown, 5, 1);
    branch.site.branch = {.entries = 96, .lanes = 1536, .branches = 96, .divergent = 24};
    PlacedSite atomic = sample_site(EventKind::reduction, Space::global, 5, 9);
    atomic.site.global = {.requests = 10, .sectors = 10, .ideal_sectors = 10, .distinct_addresses = 20, .lanes = 320};
    explanation.kernels.front().sites.push_back(branch);
    explanation.kernels.front().sites.push_back(atomic);
    const std::string text = annotated(explanation, known_sources());
    EXPECT_EQ(count_of("red global         10      1      1     32      __syncthreads();\n"
                       "              addresses                2     32\n"
                       "            branch             96  25.0%     0%     16\n",
                       text),
              1)
        << text;
}

TEST(AnnotatedSource, ColoursExcessByHowBadItIs) {
    EXPECT_EQ(ink_of_excess(1), Ink::good);
    EXPECT_EQ(ink_of_excess(1.5), Ink::fair);
    EXPECT_EQ(ink_of_excess(2), Ink::poor);
    EXPECT_EQ(ink_of_excess(32), Ink::bad);
    EXPECT_EQ(count_of("\033[38;5;208m   2\033[0m", annotated(sample_explanation(), known_sources(), {.colour = true})),
              2);
}

}  // namespace
}  // namespace lanework
