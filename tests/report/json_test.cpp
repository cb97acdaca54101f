// Results files: their exact form, and reading them back.
#include "src/report/results/json.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "tests/report/sample.hpp"

namespace lanework {
namespace {

std::string error_of(std::string_view json) {
    try {
        parse_results(json, "old.json");
    } catch (const FileError& error) {
        return error.what();
    }
    return "no error";
}

std::string with_result(const std::string& member, const std::string& replacement) {
    std::string json = to_json({{{"cpu", "x"}}, {sample("naive", {2e-3})}});
    json.replace(json.find(member), member.size(), replacement);
    return json;
}

TEST(Json, HasTheNamesAndTheOrderOfSchemaOne) {
    Measurement m = sample("tiled", {0.002, 0.004}, "naive");
    m.hot_s = {0.001};
    m.variant = "mean";
    m.lesson = "Stage it.";
    m.why = "bank_conflict: 2-way";
    EXPECT_EQ(
        to_json({{{"lanework", "0.1.0"}, {"cpu", "Some \"CPU\""}}, {m}}),
        R"({"schema": 1,
 "environment": {"lanework":"0.1.0","cpu":"Some \"CPU\""},
 "results": [
  {"operation":"transpose","rung":"tiled","device":"cpu","dtype":"int32",)"
        R"("problem":{"rows":1000,"cols":500,"variant":"mean","seed":7},"verdict":"ok","reason":"",)"
        R"("samples_s":[0.002,0.004],"work":{"bytes":4000000,"flops":0,"operations":0},)"
        R"("limit":{"bound":"memory","seconds":0.001,"fraction":0.3333333333333333},"library":false,)"
        R"("counters":{},"findings":[],"hot_samples_s":[0.001],"bytes_written":2000000,)"
        R"("climbs_from":"naive","lesson":"Stage it.","why":"bank_conflict: 2-way","error":null,"hard_inputs":0,"estimate":null}]}
)");
}

TEST(Json, KeepsAnEstimateBesideMeasuredTimes) {
    Measurement m = sample("tiled", {});
    m.estimate = EstimatedTime{"NVIDIA H200 SXM", 3e-6, 1.5e-6, 12e-6, "L2", 1e-6, 4.25, 32, {}};
    const std::string json = to_json({{}, {m}});
    EXPECT_NE(
        json.find(
            R"("estimate":{"gpu":"NVIDIA H200 SXM","time_s":3e-06,"low_s":1.5e-06,"high_s":1.2e-05,"bound":"L2","limit_s":1e-06,)"
            R"("sectors_per_request":4.25,"lanes_per_request":32.0,"wavefronts_per_request":null})"),
        std::string::npos)
        << json;
    const EstimatedTime read = *parse_results(json, "x.json").measurements[0].estimate;
    EXPECT_EQ(read.gpu, "NVIDIA H200 SXM");
    EXPECT_EQ(read.time_s, 3e-6);
    EXPECT_EQ(read.high_s, 12e-6);
    EXPECT_EQ(read.sectors_per_request, 4.25);
    EXPECT_FALSE(read.wavefronts_per_request);
}

TEST(Json, SaysThatThereIsNoLimit) {
    Measurement m = failing("racy", Verdict::wrong, "out[0] is 1, not 2");
    EXPECT_NE(to_json({{}, {m}}).find(R"("limit":{"bound":"memory","seconds":0.001,"fraction":null})"),
              std::string::npos);
    m.limit.reset();
    EXPECT_NE(to_json({{}, {m}}).find(R"("limit":null)"), std::string::npos);
}

TEST(Json, IsJsonEvenWhenANameIsNotUtf8) {
    EXPECT_NO_THROW(parse_results(to_json({{{"cpu", "\xff\xfe"}}, {}}), "x.json"));
}

TEST(Json, ReadsBackWhatItWrote) {
    Measurement m = sample("tiled", {0.1 + 0.2, 1e-9}, "naive");
    m.hot_s = {3e-7};
    m.variant = "mean";
    m.lesson = "Stage it.";
    m.why = "few_blocks: 1 of 132";
    m.limit->bound = Bound::compute;
    m.work.flops = 1'000'000'000'000ull;
    m.work.operations = 20'000;
    const std::string json = to_json({{{"cpu", "x"}}, {m, failing("racy", Verdict::refused, "no GPU")}});
    const Results read = parse_results(json, "x.json");
    ASSERT_EQ(read.measurements.size(), 2u);
    EXPECT_EQ(read.measurements[0].cold_s, m.cold_s);
    EXPECT_EQ(read.measurements[0].hot_s, m.hot_s);
    EXPECT_EQ(read.measurements[0].axes, m.axes);
    EXPECT_EQ(read.measurements[0].problem, m.problem);
    EXPECT_EQ(read.measurements[0].work.bytes_written, 2'000'000u);
    EXPECT_EQ(read.measurements[0].work.operations, 20'000u);
    EXPECT_EQ(read.measurements[1].verdict, Verdict::refused);
    EXPECT_EQ(to_json(read), json);
}

TEST(Json, SkipsMembersThatItDoesNotKnow) {
    const Results read =
        parse_results(with_result(R"("library":)", R"("new_in_a_later_version":[1,2],"library":)"), "x");
    EXPECT_EQ(read.measurements.size(), 1u);
}

TEST(Json, NamesLineAndColumnOfWhatIsNotJson) {
    EXPECT_EQ(error_of("{\"schema\": 1,\n  \"environment\": oops}"), "old.json:2:18: this is not JSON");
    EXPECT_EQ(error_of("{\"schema\": 1,"), "old.json:1:14: this is not JSON: it ends too early");
    EXPECT_EQ(error_of(""), "old.json:1:1: this is not JSON: it ends too early");
    EXPECT_EQ(error_of("{\"schema\": 1e999}"), "old.json: a number is too large for 64 bits");
}

TEST(Json, NamesThePathOfWhatIsNotAsItShouldBe) {
    EXPECT_EQ(error_of("[]"), "old.json: the document must be an object");
    EXPECT_EQ(error_of("{}"), "old.json: schema is missing");
    EXPECT_EQ(error_of(R"({"schema":2})"), "old.json: schema 2 is not known; this version reads schema 1");
    EXPECT_EQ(error_of(R"({"schema":1,"environment":{},"results":{}})"), "old.json: results must be a list");
    EXPECT_EQ(error_of(with_result(R"("rung":"naive",)", "")), "old.json: results[0].rung is missing");
    EXPECT_EQ(error_of(with_result("[0.002]", R"(["fast"])")),
              "old.json: results[0].samples_s must be a list of times of 0 or more");
    EXPECT_EQ(error_of(with_result("[0.002]", "[-1]")),
              "old.json: results[0].samples_s must be a list of times of 0 or more");
    EXPECT_EQ(
        error_of(with_result(R"("int32")", R"("int31")")),
        "old.json: results[0].dtype must be one of uint8, int8, int16, uint16, int32, uint32, int64, uint64, float16, "
        "bfloat16, float8_e4m3, tfloat32, float32, float64");
    EXPECT_EQ(error_of(with_result("1000", "-1")),
              "old.json: results[0].problem.rows must be a whole number of 0 or more");
}

TEST(Json, NamesAFileThatCannotBeRead) {
    EXPECT_THROW(read_results("/nowhere/results.json"), FileError);
    EXPECT_THROW(read_results("/"), FileError);
}

}  // namespace
}  // namespace lanework
