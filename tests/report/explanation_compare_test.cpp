// Explanations side by side.
#include "src/report/explain/explanation_compare.hpp"

#include <gtest/gtest.h>

#include "tests/report/explanation_sample.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

using Row = std::vector<std::string>;

const Capability& hopper() { return *find_capability(90); }

Row row_of(const Table& table, const std::string& first) {
    for (const Row& row : table.rows)
        if (row.front() == first) return row;
    return {};
}

TEST(ExplanationComparison, ShowsCountersBeforeAndAfter) {
    const Table table = counter_changes(sample_explanation(), mended_explanation(), hopper());
    EXPECT_EQ(row_of(table, "memory_l1_wavefronts_shared"),
              (Row{"memory_l1_wavefronts_shared", "384", "192", "×0.5", "as written"}));
    EXPECT_EQ(row_of(table, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"),
              (Row{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "96", "0", "×0", "as written"}));
    EXPECT_EQ(row_of(table, "memory_l2_theoretical_sectors_global"),
              (Row{"memory_l2_theoretical_sectors_global", "768", "768", "same", "as written"}));
    EXPECT_FALSE(row_of(table, "launch__block_size").empty());
}

TEST(ExplanationComparison, AddsLaunchesAndThenLeavesOutWhatIsOfOne) {
    Explanation twice = sample_explanation();
    twice.kernels.push_back(twice.kernels.front());
    const Table table = counter_changes(sample_explanation(), twice, hopper());
    EXPECT_EQ(row_of(table, "memory_l1_wavefronts_shared")[3], "×2");
    EXPECT_TRUE(row_of(table, "launch__block_size").empty());
}

TEST(ExplanationComparison, HasNoRatioToNothing) {
    const Table table = counter_changes(mended_explanation(), sample_explanation(), hopper());
    EXPECT_EQ(row_of(table, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"),
              (Row{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "0", "96", "", "as written"}));
}

TEST(ExplanationComparison, MatchesFindingsByRule) {
    const Explanation before = sample_explanation();
    Explanation after = sample_explanation();
    after.findings.pop_back();
    after.findings.push_back(after.findings.front());
    after.findings.back().rule = Rule::excessive_sectors;
    const auto pairs = finding_changes(before, after);
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[0].change, FindingChange::appeared);
    EXPECT_EQ(pairs[0].after, &after.findings[1]);
    EXPECT_EQ(pairs[1].change, FindingChange::stayed);
    EXPECT_EQ(pairs[1].before, &before.findings[0]);
    EXPECT_EQ(pairs[2].change, FindingChange::gone);
    EXPECT_EQ(pairs[2].before, &before.findings[1]);
}

TEST(ExplanationComparison, ShowsTheLinesThatChanged) {
    SourceText text = known_sources();
    const Table table = line_changes(sample_explanation(), mended_explanation(), text);
    EXPECT_EQ(table.rows, (std::vector<Row>{{" ", "4", "4", "st shared", "96", "2 → 1", "wavefronts",
                                             "tile[threadIdx.y][threadIdx.x] = in[place()];"},
                                            {" ", "6", "6", "ld shared", "96", "2 → 1", "wavefronts",
                                             "out[turned()] = tile[threadIdx.x][threadIdx.y];"}}));
    EXPECT_TRUE(line_changes(sample_explanation(), sample_explanation(), text).rows.empty());
}

TEST(ExplanationComparison, MatchesLinesByTheirTextAndShowsAddedAndRemovedOnes) {
    const auto root = sample_sources();
    std::ofstream(root / "other.cu") << "// moved down by two lines\n\n\n\n\n"
                                        "    tile[threadIdx.y][threadIdx.x] = in[place()];\n"
                                        "    out[column()] = tile[0][0];\n";
    Explanation after = sample_explanation();
    after.file = "other.cu";
    for (PlacedSite& placed : after.kernels.front().sites) {
        placed.place.file = "other.cu";
        placed.place.line = placed.place.line == kStagingLine ? 6 : 7;
    }
    SourceText text({root});
    EXPECT_EQ(line_changes(sample_explanation(), after, text).rows,
              (std::vector<Row>{{"−", "6", "", "ld shared", "96", "2", "wavefronts",
                                 "out[turned()] = tile[threadIdx.x][threadIdx.y];"},
                                {"", "", "", "st global", "96", "4", "sectors", ""},
                                {"+", "", "7", "ld shared", "96", "2", "wavefronts", "out[column()] = tile[0][0];"},
                                {"", "", "", "st global", "96", "4", "sectors", ""}}));
}

TEST(ExplanationComparison, MatchesTheLinesBelowOneThatWasAdded) {
    Explanation after = sample_explanation();
    after.kernels.front().sites.push_back(global_site(EventKind::load, 3, 5));
    SourceText text = known_sources();
    EXPECT_EQ(line_changes(sample_explanation(), after, text).rows,
              (std::vector<Row>{
                  {"+", "", "3", "ld global", "96", "4", "sectors", "__shared__ int tile[kTile][kTile + 1];"}}));
}

TEST(ExplanationComparison, ShowsAnAccessThatALineNoLongerMakes) {
    Explanation after = sample_explanation();
    auto& sites = after.kernels.front().sites;
    sites.erase(sites.begin() + 2);  // the line that writes reads a register now
    SourceText text = known_sources();
    EXPECT_EQ(line_changes(sample_explanation(), after, text).rows,
              (std::vector<Row>{{" ", "6", "6", "ld shared", "96 → -", "2 → -", "wavefronts",
                                 "out[turned()] = tile[threadIdx.x][threadIdx.y];"}}));
}

TEST(ExplanationComparison, IsDrawnWhole) {
    SourceText text = known_sources();
    const std::string drawn = draw_comparison(sample_explanation(), mended_explanation(), hopper(), text, {});
    EXPECT_TRUE(
        drawn.starts_with("transpose/padded_tile_16 64x48 int32 → transpose/padded_tile 64x48 int32\n\n"
                          "gone   bank_conflict  ops/transpose/padded_tile_16.cu:4:36\n"
                          "       stores take 2 wavefronts per request, where 1 would do\n"))
        << drawn;
    EXPECT_EQ(to_ascii(drawn).find('?'), std::string::npos);
    const std::string same = draw_comparison(mended_explanation(), mended_explanation(), hopper(), text, {});
    EXPECT_EQ(count_of("Neither has findings.\n", same), 1);
    EXPECT_EQ(count_of("Every line counts the same.\n", same), 1);
}

}  // namespace
}  // namespace lanework
