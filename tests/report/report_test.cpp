// A report as a page and as Markdown: what it says, and what no name can do to it.
#include "src/report/html/report.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "src/io/json.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/results/json.hpp"
#include "tests/report/explanation_sample.hpp"
#include "tests/report/sample.hpp"

namespace lanework {
namespace {

constexpr const char* kHostile = "</script><script>alert(1)</script><!-- data --> | `@all`";

Report sample_report() {
    Report report;
    report.title = "A report";
    report.sources.push_back({"results.json", {{{"cpu", "a processor"}}, {sample("naive", {0.004, 0.005, 0.006})}}});
    return report;
}

Json data_of(const Report& report) { return Json::parse(page_data(report)); }

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(ReportData, HasStatisticsInsteadOfSamples) {
    const Json result = data_of(sample_report())["results"][0];
    EXPECT_EQ(result["rung"], "naive");
    EXPECT_EQ(result["problem"], "1000x500");
    EXPECT_EQ(result["time"]["count"], 3);
    EXPECT_DOUBLE_EQ(result["time"]["median"].get<double>(), 0.005);
    EXPECT_DOUBLE_EQ(result["time"]["q1"].get<double>(), 0.0045);
    EXPECT_FALSE(result.contains("samples_s"));
    EXPECT_TRUE(result["hot"].is_null());
}

TEST(ReportData, FindsTheRoofsOfADeviceInItsLimits) {
    Report report = sample_report();
    Measurement memory = sample("streams", {0.01}), compute = sample("multiplies", {0.01});
    memory.work.flops = compute.work.flops = 2'000'000;
    memory.limit = Limit{Bound::memory, 0.001};
    compute.limit = Limit{Bound::compute, 0.004};
    report.sources[0].results.measurements = {memory, compute};
    const Json roofs = data_of(report)["roofs"];
    ASSERT_EQ(roofs.size(), 1u);
    EXPECT_DOUBLE_EQ(roofs[0]["bandwidth"].get<double>(), static_cast<double>(memory.work.bytes()) / 0.001);
    EXPECT_DOUBLE_EQ(roofs[0]["peak"].get<double>(), 5e8);
    EXPECT_EQ(roofs[0]["published"], false);
}

TEST(ReportData, TakesTheRoofsOfEstimatesFromPublishedFigures) {
    Report report = sample_report();
    Measurement& m = report.sources[0].results.measurements[0];
    m.cold_s.clear();
    m.work.flops = 1;
    EstimatedTime& estimate = m.estimate.emplace();
    estimate.gpu = gpus().front().title;
    estimate.low_s = estimate.limit_s = 1;
    estimate.time_s = 2;
    estimate.high_s = 4;
    const Json roofs = data_of(report)["roofs"];
    ASSERT_EQ(roofs.size(), 1u);
    EXPECT_DOUBLE_EQ(roofs[0]["bandwidth"].get<double>(), gpus().front().memory_bandwidth);
    EXPECT_EQ(roofs[0]["published"], true);
    EXPECT_EQ(data_of(report)["results"][0]["estimate"]["high_s"], 4);
}

TEST(ReportData, HasAnExplanationWithItsSourceAndPictures) {
    SourceText sources = known_sources();
    Report report = sample_report();
    report.explanations =
        explanations_in(explained_document(sample_explanation(), gpus().front(), sources, {}), sources);
    const Json explained = data_of(report)["explanations"][0];
    const Json& source = explained["sources"][kSampleFile];
    EXPECT_EQ(source["first"], 1);
    EXPECT_EQ(source["lines"].size(), 7u);
    EXPECT_EQ(explained["gpu"], gpus().front().title);
    ASSERT_EQ(explained["pictures"].size(), 3u);
    EXPECT_TRUE(explained["pictures"][0].get<std::string>().ends_with(".svg"));
    EXPECT_EQ(page_data(report).find("<svg"), std::string::npos) << "they are packed";
    EXPECT_GT(packed_pictures(report).size(), 1000u);
    EXPECT_NE(to_html(report).find(packed_pictures(report)), std::string::npos);
    EXPECT_EQ(packed_pictures(sample_report()), "");
    EXPECT_TRUE(explained["kernels"][0].contains("lines"));
    EXPECT_FALSE(explained["kernels"][0].contains("counters")) << "nothing on the page reads them";
    EXPECT_GT(explained["estimate"]["limit_s"].get<double>(), 0);
}

TEST(ReportData, SaysWhatChanged) {
    Report report = sample_report();
    report.before = NamedResults{"before.json", {{}, {sample("naive", {0.001, 0.001, 0.001})}}};
    const Json comparison = data_of(report)["comparison"];
    EXPECT_EQ(comparison["rows"][0]["change"], "slower");
    EXPECT_DOUBLE_EQ(comparison["rows"][0]["ratio"].get<double>(), 5);
    EXPECT_TRUE(data_of(sample_report())["comparison"].is_null());
}

TEST(ReportFile, IsAddedByWhatItHolds) {
    SourceText sources = known_sources();
    Report report;
    add_document(report, "a/results.json", to_json(sample_report().sources[0].results), sources);
    add_document(report, "timelines.json", R"({"schema":1,"timelines":[]})", sources);
    add_document(report, "devices.json", R"({"schema":1,"devices":[]})", sources);
    add_document(report, "explained.json", explained_document(sample_explanation(), gpus().front(), sources, {}),
                 sources);
    ASSERT_EQ(report.sources.size(), 2u);
    EXPECT_EQ(report.sources[0].name, "results.json");
    EXPECT_TRUE(report.sources[1].results.measurements[0].estimate.has_value());
    EXPECT_EQ(report.timelines.size(), 1u);
    EXPECT_EQ(report.surveys.size(), 1u);
    EXPECT_EQ(report.explanations.size(), 1u);
    EXPECT_THROW(add_document(report, "other.json", R"({"schema":1,"environment":{}})", sources), FileError);
    EXPECT_THROW(add_document(report, "broken.json", "{", sources), FileError);
}

TEST(ReportFile, BringsNoFileAlongThatLiesOutside) {
    TemporaryFolder root;
    root.write("secret.txt", "a secret\n");
    std::filesystem::create_directory(root.path() / "below");
    SourceText sources({root.path() / "below"});
    for (const std::string& name : std::vector<std::string>{"../secret.txt", (root / "secret.txt").string()}) {
        Explanation explanation = sample_explanation();
        for (PlacedSite& site : explanation.kernels[0].sites) site.place = {name, 1, 1, "f"};
        const std::string trusted = explained_document(explanation, gpus().front(), sources, {});
        EXPECT_NE(trusted.find("a secret"), std::string::npos);
        Report report;
        add_document(report, "explained.json", explanations_to_json({&explanation, 1}, gpus().front(), {}), sources);
        ASSERT_EQ(report.explanations.size(), 1u);
        EXPECT_EQ(page_data(report).find("a secret"), std::string::npos) << name;
    }
}

TEST(ReportPage, HoldsNamesOfUsersAsDataOnly) {
    Report report = sample_report();
    const std::string clean = to_html(report);
    report.title = report.sources[0].name = kHostile;
    Measurement& m = report.sources[0].results.measurements[0];
    m.rung = m.operation = m.reason = m.lesson = kHostile;
    report.sources[0].results.environment.push_back({kHostile, kHostile});
    const std::string page = to_html(report);
    EXPECT_EQ(count(page, "</script>"), count(clean, "</script>"));
    EXPECT_EQ(count(page, "<script"), count(clean, "<script"));
    const std::string_view opening = "id=\"data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
    EXPECT_EQ(data["results"][0]["rung"], kHostile);
}

TEST(ReportPage, ReplacesEveryMarkAndNamesNoOtherPlace) {
    const std::string page = to_html(sample_report());
    EXPECT_EQ(page.find("<!-- "), std::string::npos);
    EXPECT_EQ(page.find("src="), std::string::npos);
    EXPECT_EQ(page.find("<link"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(ReportMarkdown, BeginsWithWhatChangedAndFoldsTheRest) {
    Report report = sample_report();
    report.before = NamedResults{"before.json", {{}, {sample("naive", {0.001, 0.001, 0.001})}}};
    const std::string text = to_markdown(report);
    EXPECT_TRUE(text.starts_with("### A report\n\n**1 result compared: 1 slower**")) << text;
    EXPECT_LT(text.find("slower"), text.find("<details>"));
}

TEST(ReportMarkdown, HoldsNamesOfUsersAsText) {
    SourceText sources = known_sources();
    Explanation explanation = sample_explanation();
    explanation.findings[0].severity = Severity::error;
    explanation.findings[0].evidence = kHostile;
    Report report = sample_report();
    report.title = kHostile;
    report.explanations = explanations_in(explained_document(explanation, gpus().front(), sources, {}), sources);
    const std::string text = to_markdown(report);
    EXPECT_EQ(text.find("<script"), std::string::npos);
    EXPECT_EQ(text.find("@all"), std::string::npos);
    EXPECT_NE(text.find("1 kernel explained without a GPU: 2 findings, 1 of them an error"), std::string::npos) << text;
}

}  // namespace
}  // namespace lanework
