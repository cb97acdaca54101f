// Explanations as people and programs read them.
#include "src/report/explain/explanation.hpp"
#include "src/io/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation_metrics.hpp"
#include "src/report/explain/explanation_pictures.hpp"
#include "src/report/explain/finding_json.hpp"
#include "src/report/explain/whole_explanation.hpp"
#include "src/report/results/json.hpp"
#include "src/report/results/results.hpp"
#include "src/trace/analyse/time_model.hpp"
#include "tests/report/explanation_sample.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

const Capability& hopper() { return *find_capability(90); }

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
        end = std::min(text.find('\n', start), text.size());
        widest = std::max(widest, display_width(std::string_view(text).substr(start, end - start)));
    }
    return widest;
}

TEST(ExplanationHeading, NamesRungProblemAndLaunch) {
    EXPECT_EQ(draw_heading(sample_explanation(), {}),
              "transpose/padded_tile_16 64x48 int32\n"
              "Padding a tile narrower than a warp leaves 2-way bank conflicts, on write and on read.\n"
              "\n"
              "padded_tile_16  grid 12, block 16x16, 1088 bytes of shared memory per block  "
              "ops/transpose/padded_tile_16.cu:26\n");
}

TEST(ExplanationHeading, NumbersSeveralLaunchesAndShowsFailures) {
    Explanation explanation = sample_explanation();
    explanation.kernels.push_back(explanation.kernels.front());
    explanation.kernels.back().error = "too many threads";
    const std::string text = draw_heading(explanation, {});
    EXPECT_EQ(count_of("\nlaunch 1: padded_tile_16", text), 1);
    EXPECT_EQ(count_of("\nlaunch 2: padded_tile_16", text), 1);
    EXPECT_EQ(count_of("\n  failed: too many threads\n", text), 1);
    for (int i = 0; i < 8; ++i) explanation.kernels.push_back(explanation.kernels.front());
    EXPECT_EQ(count_of("\n… and 6 more launches\n", draw_heading(explanation, {})), 1);
}

TEST(ExplanationFindings, HaveEvidenceRemedyAndThePictureOfTheWorstRequest) {
    const std::string text = draw_findings(sample_explanation(), {});
    EXPECT_TRUE(text.starts_with(
        "2 findings: 2 warnings\n"
        "\n"
        "[1] warning  bank_conflict  ops/transpose/padded_tile_16.cu:4:36 in padded_tile_16\n"
        "    stores take 2 wavefronts per request, where 1 would do\n"
        "    → Make the tile as wide as a warp, 32x33 words, so that a row and a column spread over all banks.\n"
        "    2 wavefronts, where 1 would do: lanes 0 and 31 want words 0 and 32, both in bank 0; rows of 16 lanes are "
        "17 "
        "words apart\n"
        "      bank      0       8       16      24\n"
        "      pass  1   ████████████████·███████████████  lanes 0–30\n"
        "      pass  2   █·······························  lane 31\n"
        "\n"
        "[2] warning  bank_conflict  ops/transpose/padded_tile_16.cu:6:50 in padded_tile_16\n"))
        << text;
}

TEST(ExplanationFindings, TakeALineEachWithTheRemedyOfTheFirst) {
    EXPECT_EQ(draw_finding_lines(sample_explanation(), {}),
              "2 findings: 2 warnings; --verbose shows all that is known of each\n"
              "[1] warning bank_conflict, line 4: stores take 2 wavefronts per request, where 1 would do\n"
              "    → Make the tile as wide as a warp, 32x33 words, so that a row and a column spread over all banks.\n"
              "[2] warning bank_conflict, line 6: loads take 2 wavefronts per request, where 1 would do\n");
    const std::string narrow = draw_finding_lines(sample_explanation(), {.width = 60});
    EXPECT_LE(widest_line(narrow), 60u) << narrow;
    EXPECT_EQ(count_of("[2] warning bank_conflict, line 6: loads take 2 wavefronts …\n", narrow), 1) << narrow;
}

TEST(ExplanationFindings, ThatSayTheSameOfSeveralLinesShareOne) {
    Explanation explanation = sample_explanation();
    Finding further = explanation.findings[0];
    further.place.line = 9;
    explanation.findings.insert(explanation.findings.begin() + 1, further);
    explanation.findings[0].gain = 0.41;
    const std::string text = draw_finding_lines(explanation, {});
    EXPECT_EQ(count_of("[1-2] warning bank_conflict, lines 4, 9, saves 41%: stores take 2 wavefronts", text), 1)
        << text;
    EXPECT_EQ(count_of("[3] warning bank_conflict, line 6: loads take 2", text), 1) << text;
    explanation.findings[0].severity = explanation.findings[1].severity = Severity::error;
    EXPECT_EQ(count_of("[2] error bank_conflict, line 9: ", draw_finding_lines(explanation, {})), 1) << "not errors";
    explanation.findings[0].time_s = 100e-6;
    explanation.findings[0].time_without_s = 59e-6;
    EXPECT_EQ(
        count_of("without it about 59.0 µs instead of 100 µs (saves 41%, modelled)", draw_findings(explanation, {})),
        1);
}

TEST(ExplanationFindings, SayWhichTimeTheySaveAPartOfWhereThereAreTwo) {
    Explanation explanation = sample_explanation();
    Finding& kernel = explanation.findings[0];
    kernel.gain = 0.41;
    EXPECT_EQ(count_of("saves 41%:", draw_finding_lines(explanation, {})), 1);
    Finding program = kernel;
    program.rule = Rule::page_faults;
    program.of_streams = true;
    program.gain = 0.14;
    program.time_s = 1e-3;
    explanation.findings.push_back(program);
    const std::string text = draw_finding_lines(explanation, {});
    EXPECT_EQ(count_of("saves 41% of the kernels' time:", text), 1) << text;
    EXPECT_EQ(count_of("saves 14% of all work:", text), 1) << text;
    EXPECT_EQ(count_of("(saves 14% of all work, modelled)", draw_findings(explanation, {})), 1);
    EXPECT_EQ(finding_json(explanation.findings[0]).at("gain_of"), "kernels");
    EXPECT_EQ(finding_json(program).at("gain_of"), "streams");
    EXPECT_EQ(finding_json(program).at("time_s"), 1e-3);
    EXPECT_EQ(finding_json(explanation.findings[1]).at("gain_of"), nullptr);
}

TEST(ExplanationVerdict, GivesTheBandAndItsShareOfTheLimit) {
    const Gpu& gpu = gpus().front();
    const Explanation explanation = sample_explanation();
    const EstimatedTime time = estimated_time(explanation, gpu);
    EXPECT_DOUBLE_EQ(time.limit_s, roofline_limit(explanation.work, DType::int32, gpu).seconds);
    EXPECT_EQ(verdict(explanation, gpu), "On an " + std::string(gpu.title) + ": " + format_estimate(time) +
                                             " estimated, " + format_share_of_limit(time) + " of the limit of " +
                                             format_seconds(time.limit_s) + ", bound by " + time.bound);
    SourceText sources = known_sources();
    const std::string whole = draw_whole(explanation, gpu, sources, {});
    EXPECT_EQ(whole.find(verdict(explanation, gpu)), whole.find('\n') + 1) << "it is the second line";
    EXPECT_EQ(count_of(format_estimate_short(time), draw_ladder(std::vector{explanation}, gpu, {})), 1)
        << "the same everywhere";
}

TEST(ExplanationRoofline, IsOfTheProblemThatIsTimed) {
    const Gpu& gpu = gpus().front();
    Explanation slice = sample_explanation();
    slice.work.flops = slice.work.bytes();
    slice.timed = Work{.bytes_read = 1228800, .bytes_written = 1228800, .flops = 16 * 2457600};
    slice.timed_size = "6400x48";
    const Estimate guess = estimate(slice, gpu);
    const RooflineChart chart = roofline_of(slice, guess, gpu);
    EXPECT_EQ(chart.title().find("Roofline of transpose/padded_tile_16 6400x48 int32 on "), 0u) << chart.title();
    ASSERT_EQ(chart.points.size(), 2u);
    EXPECT_DOUBLE_EQ(*chart.points[0].rate, 16 * 2457600 / guess.time_s) << "the larger problem's, as the time is";
    EXPECT_DOUBLE_EQ(chart.points[1].intensity, 16);
    const Explanation whole = [&] {
        Explanation traced = slice;
        traced.timed.reset();
        return traced;
    }();
    const Roofline before = estimate(whole, gpu).roofline;
    EXPECT_DOUBLE_EQ(chart.points[0].intensity / 16, before.traced_intensity / before.intensity)
        << "the rung moves as much more than it has to as its slice does";
}

TEST(ExplanationFindings, SayWhenThereAreNone) {
    EXPECT_EQ(draw_finding_lines(mended_explanation(), {}), "no findings\n");
    EXPECT_EQ(draw_findings(mended_explanation(), {}), "no findings\n");
    EXPECT_EQ(why(mended_explanation()), "");
}

TEST(ExplanationFindings, AreCountedBySeverity) {
    Explanation explanation = sample_explanation();
    explanation.findings[0].severity = Severity::error;
    explanation.findings.push_back(explanation.findings[1]);
    explanation.findings.push_back({.rule = Rule::block_size,
                                    .severity = Severity::advice,
                                    .place = {},
                                    .evidence = "e",
                                    .remedy = "",
                                    .weight = 0,
                                    .other = {}});
    EXPECT_EQ(count_findings(explanation), "4 findings: 1 error, 2 warnings, 1 advice");
    EXPECT_EQ(why(explanation), "bank_conflict: stores take 2 wavefronts per request, where 1 would do");
}

TEST(ExplanationFindings, NameBothPlacesOfARace) {
    Explanation explanation = sample_explanation();
    explanation.findings.resize(1);
    explanation.findings[0].rule = Rule::race;
    explanation.findings[0].other = {kSampleFile, 6, 50, "padded_tile_16"};
    EXPECT_EQ(count_of("    the other: ops/transpose/padded_tile_16.cu:6:50\n", draw_findings(explanation, {})), 1);
}

TEST(Explanation, FitsTheWidthOfTheTerminal) {
    for (const int width : {80, 100, 120, 160}) {
        SourceText sources = known_sources();
        EXPECT_LE(widest_line(draw(sample_explanation(), hopper(), sources, {.colour = true, .width = width})),
                  static_cast<std::size_t>(width));
    }
}

TEST(Explanation, FitsTerminalsWithoutUnicode) {
    SourceText sources = known_sources();
    const std::string text = to_ascii(draw(sample_explanation(), hopper(), sources, {}));
    EXPECT_EQ(text.find('?'), std::string::npos) << text;
}

TEST(ExplanationCounters, AreNsightComputesWithTheirTrust) {
    const std::string text = draw_counters(sample_explanation(), hopper(), {});
    for (const char* row : {
             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum            global load sectors                 384  "
             "as written\n",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum  shared store bank conflicts          96  "
             "as written\n",
             "dram__bytes_read.sum                                      bytes read from memory          12288 B  "
             "modelled\n",
             "Not known without a GPU: ",
         })
        EXPECT_EQ(count_of(row, text), 1) << row << text;
    EXPECT_EQ(count_of("_op_atom", text), 0) << "there are no atomics";
    EXPECT_EQ(count_of("meaning", draw_counters(sample_explanation(), hopper(), {.width = 100})), 0);
}

TEST(ExplanationCounters, ShowAZeroBesideOtherFiguresOfTheSame) {
    EXPECT_EQ(
        count_of("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum  shared store bank conflicts           0",
                 draw_counters(mended_explanation(), hopper(), {})),
        1);
}

TEST(ExplanationCounters, HaveAColumnForEachLaunch) {
    Explanation explanation = sample_explanation();
    explanation.kernels.push_back(explanation.kernels.front());
    explanation.kernels.back().sites.resize(1);
    const std::string text = draw_counters(explanation, hopper(), {});
    EXPECT_EQ(count_of("launch 1  launch 2  trust", text), 1);
    EXPECT_EQ(count_of("shared store requests                 96         0  as written", text), 1) << text;
    explanation.kernels.clear();
    EXPECT_EQ(draw_counters(explanation, hopper(), {}), "no kernel was launched\n");
}

TEST(ExplanationCounters, OfAllLaunchesAreAdded) {
    Explanation explanation = sample_explanation();
    explanation.kernels.push_back(explanation.kernels.front());
    const MetricInputs total = total_inputs(explanation, hopper());
    EXPECT_EQ(total.counters.global_loads.requests, 192u);
    EXPECT_EQ(total.footprint_read, 2u * 12288);
}

TEST(ExplanationPictures, AreOneForEachFindingAndPlace) {
    Explanation explanation = sample_explanation();
    explanation.findings.push_back(explanation.findings.front());
    const auto pictures = pictures_of(explanation);
    ASSERT_EQ(pictures.size(), 2u);
    EXPECT_EQ(pictures[0].file, "transpose-padded_tile_16-banks-line-4-36.svg");
    EXPECT_EQ(svg_fault(pictures[0].svg), "");
    EXPECT_TRUE(pictures_of(mended_explanation()).empty());
}

TEST(ExplanationPictures, ShowTheWorstRequestOfThePlace) {
    Explanation explanation = sample_explanation();
    auto& sites = explanation.kernels.front().sites;
    sites.push_back(sites[1]);
    for (unsigned lane = 0; lane < 32; ++lane) sites.back().example->address[lane] = 128 * lane;
    const ExampleRequest* worst = example_at(explanation, sites[1].place, Space::shared);
    EXPECT_EQ(worst, &*sites.back().example);
    EXPECT_EQ(example_at(explanation, sites[1].place, Space::global), nullptr);
}

Json parsed(const Explanation& explanation) {
    return Json::parse(explanations_to_json({&explanation, 1}, gpus().front(), std::vector<Fact>{{"lanework", "0"}}));
}

TEST(ExplanationJson, IsAResultWithCountersAndFindings) {
    const auto json = parsed(sample_explanation());
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["environment"]["lanework"], "0");
    const auto& result = json["results"][0];
    EXPECT_EQ(result["rung"], "padded_tile_16");
    EXPECT_EQ(result["problem"]["rows"], 64);
    EXPECT_EQ(result["verdict"], "ok");
    const auto& sectors = result["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"];
    EXPECT_EQ(sectors["value"], 384);
    EXPECT_EQ(sectors["unit"], "sector");
    EXPECT_EQ(sectors["trust"], "as written");
    EXPECT_EQ(sectors["why"],
              "The compiler may join, drop or move accesses; with the machine code at hand the figure is exact.");
    EXPECT_EQ(result["counters"]["launch__grid_size"].dump(), R"({"value":12,"unit":"","trust":"exact"})");
    EXPECT_TRUE(result["counters"]["gpu__time_duration.sum"]["value"].is_null());
    EXPECT_EQ(result["counters"]["gpu__time_duration.sum"]["trust"], "unavailable");
    ASSERT_EQ(result["findings"].size(), 2u);
    EXPECT_EQ(result["findings"][0]["rule"], "bank_conflict");
    EXPECT_EQ(result["findings"][0]["severity"], "warning");
    EXPECT_EQ(result["findings"][0]["place"]["line"], 4);
    EXPECT_TRUE(result["findings"][0]["other_place"].is_null());
}

TEST(ExplanationJson, HasTheEstimateWithItsBandAndBound) {
    const auto estimate = parsed(sample_explanation())["results"][0]["estimate"];
    EXPECT_EQ(estimate["gpu"], gpus().front().title);
    EXPECT_GT(estimate["low_s"].get<double>(), 0);
    EXPECT_GE(estimate["high_s"].get<double>(), estimate["low_s"].get<double>());
    EXPECT_FALSE(estimate["bound"].get<std::string>().empty());
    Explanation failed = sample_explanation();
    failed.kernels.front().error = "too many threads";
    EXPECT_TRUE(parsed(failed)["results"][0]["estimate"].is_null());
}

TEST(ExplanationJson, HasADurationForEachLaunch) {
    Explanation explanation = sample_explanation();
    explanation.kernels.push_back(explanation.kernels.front());
    const auto result = parsed(explanation)["results"][0];
    double sum = 0;
    for (const auto& kernel : result["kernels"]) {
        const auto& estimate = kernel["estimate"];
        EXPECT_EQ(estimate["trust"], "modelled");
        EXPECT_FALSE(estimate["bound"].get<std::string>().empty());
        sum += estimate["time_s"].get<double>();
    }
    const TimeParameters parameters;  // what comes before a launch is no part of its duration
    const Gpu& gpu = gpus().front();
    const double asking = result["estimate"]["demands"][0]["blocks"].get<double>() / gpu.sms;
    ASSERT_LT(asking, 1);
    const double accesses = parameters.lone_access + asking * parameters.lone_access_of_all;
    EXPECT_NEAR(sum - 2 * (gpu.lone_launch + accesses) + parameters.first_launch + parameters.further_launch,
                result["estimate"]["time_s"].get<double>(), 1e-12);
    explanation.kernels.back().error = "too many threads";
    EXPECT_TRUE(parsed(explanation)["results"][0]["kernels"][0]["estimate"].is_null());
}

TEST(ExplanationJson, HasTheCountersOfEachLaunchAndLine) {
    const auto result = parsed(sample_explanation())["results"][0];
    ASSERT_EQ(result["kernels"].size(), 1u);
    EXPECT_EQ(result["kernels"][0]["block"].dump(), "[16,16,1]");
    const auto& line = result["kernels"][0]["lines"][1];
    EXPECT_EQ(line["line"], 6);
    EXPECT_EQ(line["accesses"][0]["access"], "ld shared");
    EXPECT_EQ(line["accesses"][0]["cost"], 192);
    EXPECT_EQ(line["accesses"][0]["ideal"], 96);
}

TEST(ExplanationJson, IsAResultsFile) {
    Explanation explanation = sample_explanation();
    explanation.kernels.front().error = "too many threads";
    const Results results =
        parse_results(explanations_to_json({&explanation, 1}, gpus().front(), {}), "explained.json");
    ASSERT_EQ(results.measurements.size(), 1u);
    EXPECT_EQ(results.measurements[0].verdict, Verdict::failed);
    EXPECT_EQ(results.measurements[0].reason, "too many threads");
}

}  // namespace
}  // namespace lanework
