// Timelines in characters, as pictures and as JSON.
#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "src/io/json.hpp"
#include "src/report/timeline/timeline.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

// Uploads 0–5 and 5–7 µs; in another stream a kernel 5–8.1 µs and a download 8.1–10 µs.
RungTimeline sample() {
    constexpr double kMicro = 1e-6;
    const auto span = [](Engine engine, const char* name, int stream, double begin, double end) {
        return Span{engine, name, stream, begin * kMicro, end * kMicro, 4096};
    };
    return {"pipeline",
            "two<streams>",
            "simt",
            "64 float32 pinned",
            {TimelineSource::modelled,
             "declared speeds",
             {span(Engine::upload, "pinned", 1, 0, 5), span(Engine::upload, "pinned", 1, 5, 7),
              span(Engine::kernel, "mean", 2, 5, 8.1), span(Engine::download, "pinned", 2, 8.1, 10)},
             {"A note."}}};
}

constexpr Style kNarrow{.width = 46};  // 16 columns fit, 20 are drawn

TEST(TimelineDrawing, HasARowForEachEngineAndEachStream) {
    const RungTimeline all[] = {sample()};
    EXPECT_EQ(draw_timeline(sample(), whole_view(all), kNarrow),
              "pipeline/two<streams>  64 float32 pinned on simt, modelled\n"
              "  upload    ██████████████······   7.00 µs   70.0%\n"
              "  kernel    ··········██████░···   3.10 µs   31.0%\n"
              "  download  ················████   1.90 µs   19.0%\n"
              "  stream 1  UUUUUUUUUUUUUU······\n"
              "  stream 2  ··········KKKKKKDDDD\n"
              "            ╵0 s      ╵5.00 µs\n"
              "  overlap efficiency 70.0%: upload works 7.00 µs of 10.0 µs\n"
              "  A note.\n");
}

TEST(TimelineDrawing, IsToldApartWithoutColourAndInAscii) {
    const RungTimeline all[] = {sample()};
    const std::string plain = draw_timeline(sample(), whole_view(all), kNarrow);
    EXPECT_EQ(to_ascii(plain).find('?'), std::string::npos) << to_ascii(plain);
    EXPECT_EQ(count_of("\033", plain), 0);
    Style colour = kNarrow;
    colour.colour = true;
    EXPECT_GT(count_of("\033[36m", draw_timeline(sample(), whole_view(all), colour)), 0);
}

TEST(TimelineDrawing, ShowsAPartOfTheTime) {
    const RungTimeline all[] = {sample()};
    const TimelineView view = parse_view("50-75", all);
    EXPECT_DOUBLE_EQ(view.from_s, 5e-6);
    EXPECT_DOUBLE_EQ(view.to_s, 7.5e-6);
    const std::string text = draw_timeline(sample(), view, kNarrow);
    EXPECT_EQ(count_of("stream 1  UUUUUUUUUUUUUUUU····", text), 1) << text;
    EXPECT_EQ(count_of("stream 2  KKKKKKKKKKKKKKKKKKKK", text), 1) << text;
    EXPECT_EQ(count_of("download  ····················", text), 1) << text;
    for (const char* wrong : {"", "10", "20-10", "0-101", "-5-10", "a-b", "10-20%"})
        EXPECT_THROW(parse_view(wrong, all), UsageError) << wrong;
}

TEST(TimelineDrawing, SharesTheScaleOfTheLongest) {
    RungTimeline twice = sample();
    for (Span& span : twice.timeline.spans) {
        span.begin_s *= 2;
        span.end_s *= 2;
    }
    const RungTimeline both[] = {sample(), twice};
    const std::string text = draw_timeline(sample(), whole_view(both), kNarrow);
    EXPECT_EQ(count_of("upload    ███████···", text), 1) << text;
    const std::string summary = draw_timeline_summary(both, {});
    EXPECT_EQ(count_of("20.0 µs", summary), 1) << summary;
    EXPECT_EQ(count_of("70.0%", summary), 2) << summary;
}

TEST(TimelineDrawing, MarksItsAxisAtRoundTimes) {
    EXPECT_EQ(axis_marks({0, 10}, 5), (std::vector<double>{0, 2, 4, 6, 8}));
    EXPECT_EQ(axis_marks({0, 10}, 4), (std::vector<double>{0, 5}));
    EXPECT_EQ(axis_marks({3, 9}, 6), (std::vector<double>{3, 4, 5, 6, 7, 8}));
    EXPECT_TRUE(axis_marks({0, 0}, 5).empty());
}

TEST(TimelineDrawing, SaysWhoseTimesTheyAre) {
    RungTimeline rung = sample();
    const std::string modelled = draw_timeline_legend({&rung, 1}, {});
    EXPECT_EQ(count_of("Modelled, not measured, from declared speeds.", modelled), 1) << modelled;
    rung.timeline.source = TimelineSource::recorded;
    rung.timeline.by = "CUPTI 13.0.1";
    EXPECT_EQ(count_of("Recorded by CUPTI 13.0.1.", draw_timeline_legend({&rung, 1}, {})), 1);
}

TEST(TimelineDrawing, OfNothingSaysSo) {
    RungTimeline rung = sample();
    rung.timeline.spans.clear();
    const std::string text = draw_timeline(rung, whole_view({&rung, 1}), kNarrow);
    EXPECT_EQ(count_of("nothing was handed to a stream", text), 1) << text;
    EXPECT_EQ(svg_fault(timelines_svg({&rung, 1}, whole_view({&rung, 1}))), "");
}

TEST(TimelineDrawing, IsAWellFormedPicture) {
    const RungTimeline both[] = {sample(), sample()};
    const std::string svg = timelines_svg(both, whole_view(both));
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_EQ(count_of("<title>", svg), 8) << "each piece of work says what it is";
    EXPECT_EQ(count_of("<title>kernel mean, 4.00 KiB, stream 2: 5.00 µs to 8.10 µs, 3.10 µs</title>", svg), 2);
    EXPECT_EQ(count_of("Modelled, not measured", svg), 1);
    EXPECT_EQ(count_of("overlap efficiency 70.0%", svg), 2);
}

TEST(TimelineDrawing, IsJsonForPrograms) {
    const RungTimeline rung = sample();
    const auto document = Json::parse(timelines_to_json({&rung, 1}, {}));
    EXPECT_EQ(document["schema"], 1);
    const auto& timeline = document["timelines"][0];
    EXPECT_EQ(timeline["source"], "modelled");
    EXPECT_EQ(timeline["critical_engine"], "upload");
    EXPECT_DOUBLE_EQ(timeline["overlap_efficiency"].get<double>(), 0.7);
    EXPECT_DOUBLE_EQ(timeline["engines"]["kernel"]["busy_s"].get<double>(), 3.1e-6);
    ASSERT_EQ(timeline["spans"].size(), 4U);
    EXPECT_EQ(timeline["spans"][2]["engine"], "kernel");
    EXPECT_EQ(timeline["spans"][2]["name"], "mean");
    EXPECT_EQ(timeline["spans"][2]["stream"], 2);
}

}  // namespace
}  // namespace lanework
