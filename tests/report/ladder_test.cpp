// The picture of a climb at several widths, with and without colour.
#include "src/report/results/ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/sample.hpp"

namespace lanework {
namespace {

constexpr Style kPlain{};
constexpr Style kNarrow{.colour = true, .bars = true, .unicode = true, .width = 80};
constexpr Style kBroad{.colour = true, .bars = true, .unicode = true, .width = 120};

LadderFrame frame() {
    LadderFrame frame;
    frame.operation = "transpose";
    frame.summary = "B[cols×rows] = A[rows×cols]ᵀ";
    frame.problem = "1000x500 int32";
    frame.device = "cpu";
    frame.device_name = "A Processor With A Rather Long Name That Fills The Line, Second Edition @ 2.40GHz";
    frame.work = {.bytes_read = 2'000'000, .bytes_written = 2'000'000, .flops = 0};
    frame.limit = Limit{Bound::memory, 1e-3};
    frame.rungs = {"naive", "shared_tile_dynamic", "peer"};
    frame.library = library("peer", {1.25e-3});
    frame.note = "A note that is long enough to need a second line on a terminal that is eighty columns wide.";
    return frame;
}

Measurement tiled() {
    Measurement m = sample("shared_tile_dynamic", {1.9e-3, 2e-3, 2.1e-3}, "naive");
    m.lesson = "Stage a tile in shared memory: both sides of the copy coalesce, and what is read twice is read once.";
    return m;
}

std::string whole(const LadderView& view) {
    const std::vector<Measurement> all{sample("naive", {4e-3}), tiled(), library("peer", {1.25e-3})};
    return view.heading() + view.rung(all[0], nullptr) + view.rung(all[1], &all[0]) + view.rung(all[2], nullptr) +
           view.rung(failing("racy", Verdict::wrong, std::string(30, 'x') + " is a reason of many words that wraps"),
                     nullptr) +
           view.closing(all);
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
        end = std::min(text.find('\n', start), text.size());
        widest = std::max(widest, display_width(std::string_view(text).substr(start, end - start)));
    }
    return widest;
}

TEST(Ladder, ShowsTheErrorOfARungThatMayHaveOne) {
    Measurement m = tiled();
    m.error = 0.000123;
    const LadderView view(frame(), kPlain);
    EXPECT_NE(view.rung(m, nullptr).find("error 0.00012 of the largest result"), std::string::npos);
    EXPECT_EQ(view.rung(tiled(), nullptr).find("error"), std::string::npos);
}

TEST(Bar, FillsInEighthsOfACell) {
    EXPECT_EQ(draw_bar(kPlain, 0, {}, 4), "    ");
    EXPECT_EQ(draw_bar(kPlain, 0.5, {}, 4), "██  ");
    EXPECT_EQ(draw_bar(kPlain, 0.53, {}, 4), "██▏ ");
    EXPECT_EQ(draw_bar(kPlain, 1, {}, 4), "████");
    EXPECT_EQ(draw_bar(kPlain, 0.0001, {}, 4), "▏   ") << "a rung that ran shows something";
    EXPECT_EQ(draw_bar(kPlain, 7, {}, 4), "████");
}

TEST(Bar, CarriesTheMarkOfTheLibrary) {
    EXPECT_EQ(draw_bar(kPlain, 0.25, 0.75, 4), "█  ┃");
    EXPECT_EQ(draw_bar(kPlain, 1, 0.5, 4), "██┃█");
    EXPECT_EQ(draw_bar(kPlain, 0.5, 1, 4), "██ ┃");
    EXPECT_EQ(draw_bar(kPlain, 0, 0, 4), "┃   ");
    for (const double fraction : {0.0, 0.1, 0.33, 0.5, 0.99, 1.0})
        for (const double mark : {0.0, 0.1, 0.33, 0.5, 0.99, 1.0})
            for (const std::size_t columns : {1u, 8u, 31u})
                EXPECT_EQ(display_width(draw_bar(kBroad, fraction, mark, columns)), columns) << fraction << " " << mark;
}

TEST(Ladder, FitsTheWidthOfTheTerminal) {
    EXPECT_LE(widest_line(whole(LadderView(frame(), kNarrow))), 80u);
    EXPECT_LE(widest_line(whole(LadderView(frame(), kBroad))), 120u);
    EXPECT_GT(widest_line(whole(LadderView(frame(), kBroad))), 100u) << "the room is used";
}

TEST(Ladder, HasNoEscapesAndNoBarsInAFile) {
    const std::string text = whole(LadderView(frame(), kPlain));
    EXPECT_EQ(text.find('\033'), std::string::npos);
    EXPECT_EQ(text.find("█"), std::string::npos);
    EXPECT_EQ(text.find("┃"), std::string::npos);
    EXPECT_NE(text.find("shared_tile_dynamic   2.00 ms ± 100 µs  2.00 GB/s   50.0%    ×2.00  Stage a tile in"),
              std::string::npos)
        << text;
}

TEST(Ladder, NamesTheLimitAndWhereItComesFrom) {
    EXPECT_NE(LadderView(frame(), kPlain).heading().find("limit 1.00 ms: 4.00 MB at 4.00 GB/s, measured\n"),
              std::string::npos);
    LadderFrame computing = frame();
    computing.work.flops = 2'000'000'000;
    computing.limit = Limit{Bound::compute, 1e-3};
    EXPECT_NE(LadderView(computing, kPlain).heading().find("limit 1.00 ms: 2.00 GFLOP at 2.00 TFLOP/s, measured\n"),
              std::string::npos);
}

TEST(Ladder, ShowsTheReasonOfARungThatIsNotOk) {
    const LadderView view(frame(), kPlain);
    EXPECT_EQ(view.rung(failing("racy", Verdict::wrong, "out[3] is 1, not 2"), nullptr),
              "  racy                 ✗ wrong: out[3] is 1, not 2\n");
    const Measurement naive = failing("naive", Verdict::refused, "no GPU was found");
    EXPECT_EQ(view.rung(naive, nullptr), "") << "told behind the others";
    EXPECT_EQ(view.refused(std::span(&naive, 1)), "  naive                – refused: no GPU was found\n");
}

TEST(Ladder, TellsRungsThatWereRefusedAlikeInOneLine) {
    const std::vector<Measurement> all{sample("naive", {4e-3}),
                                       failing("wgmma", Verdict::refused, "computes float16 only, not int32"),
                                       failing("racy", Verdict::refused, "too large"),
                                       failing("persistent", Verdict::refused, "computes float16 only, not int32")};
    EXPECT_EQ(LadderView(frame(), kPlain).refused(all),
              "  2 rungs              – refused: computes float16 only: wgmma, persistent\n"
              "  racy                 – refused: too large\n");
    EXPECT_EQ(LadderView(frame(), kPlain).refused(std::span(all).first(1)), "");
    EXPECT_LE(widest_line(LadderView(frame(), kNarrow).refused(all)), 80u);
}

TEST(Ladder, ClosesWithTheBestRung) {
    const std::vector<Measurement> all{sample("naive", {4e-3}), tiled(), failing("racy", Verdict::wrong, "w"),
                                       library("peer", {1e-3})};
    const LadderView view(frame(), kPlain);
    EXPECT_EQ(view.closing(all),
              "\nbest: shared_tile_dynamic, 2.00 ms, 50.0% of the limit, ×2.00 the speed of naive, ×0.50 that of the "
              "library peer\n");
    EXPECT_EQ(view.closing(std::span(all).subspan(2, 1)), "\nno rung of this ladder could be timed\n");
}

LadderFrame estimated_frame() {
    LadderFrame estimated = frame();
    estimated.estimated_for = "NVIDIA H200 SXM";
    estimated.library.reset();
    return estimated;
}

Measurement estimated_rung() {
    Measurement m = tiled();
    m.cold_s.clear();
    m.estimate = EstimatedTime{"NVIDIA H200 SXM", 4e-3, 2e-3, 8e-3, "shared memory", 1e-3, 8.0, 31.5, {}};
    return m;
}

TEST(Ladder, ShowsEstimatesWhereNothingWasMeasured) {
    const LadderView view(estimated_frame(), kPlain);
    EXPECT_NE(view.heading().find("limit 1.00 ms: 4.00 MB at 4.00 GB/s, published\n"), std::string::npos);
    EXPECT_EQ(view.heading().find("gain"), std::string::npos);
    EXPECT_NE(view.rung(estimated_rung(), nullptr)
                  .find("shared_tile_dynamic   4.0 ms (2.0–8.0)       25%      8.0   31.5           –  Stage"),
              std::string::npos)
        << view.rung(estimated_rung(), nullptr);
    Measurement large = estimated_rung();
    large.estimate.reset();
    EXPECT_NE(view.rung(large, nullptr).find("verified; too large to trace here"), std::string::npos);
    const std::string closing = view.closing(std::vector{estimated_rung()});
    EXPECT_EQ(closing.find("best"), std::string::npos);
    EXPECT_NE(closing.find("`lanework explain transpose/shared_tile_dynamic`"), std::string::npos);
    EXPECT_NE(closing.find("Sectors and lanes per request"), std::string::npos);
    LadderFrame own = estimated_frame();
    own.named = "./mine";
    EXPECT_NE(LadderView(own, kPlain).closing(std::vector{estimated_rung()}).find("`lanework explain ./mine/shared"),
              std::string::npos);
    EXPECT_EQ(view.closing(std::vector{failing("racy", Verdict::wrong, "x")}),
              "\nno rung of this ladder computes this\n")
        << "columns that hold nothing are not explained";
}

TEST(Ladder, FitsEstimatesIntoTheTerminal) {
    for (const Style& style : {kNarrow, kBroad}) {
        const LadderView view(estimated_frame(), style);
        const std::string text = view.heading() + view.rung(estimated_rung(), nullptr) + view.closing({});
        EXPECT_LE(widest_line(text), static_cast<std::size_t>(style.width)) << text;
        EXPECT_EQ(text.find("█"), std::string::npos) << text;
    }
}

TEST(Ladder, TellsWhenTheLimitFellWhileItWasClimbed) {
    std::vector<Measurement> all{sample("naive", {4e-3})};
    all[0].limit->seconds = 0.8e-3;
    EXPECT_NE(LadderView(frame(), kPlain).closing(all).find("the limit is 800 µs, not 1.00 ms"), std::string::npos);
}

}  // namespace
}  // namespace lanework
