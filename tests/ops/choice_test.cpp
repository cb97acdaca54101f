// The chooser: which rung computes what nobody chose a rung for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <lanework/registry.hpp>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "src/io/json.hpp"

namespace lanework {
namespace {

Problem problem_of(std::string_view size, DType dtype = DType::uint8) {
    return parse_problem(find_operation("resize"), size, dtype);
}

std::string_view chosen_for(std::string_view size, DType dtype = DType::uint8) {
    return chosen_rung(find_operation("resize"), DeviceKind::simt, problem_of(size, dtype)).name;
}

TEST(Choice, TakesTheRungThatIsForTheseArguments) {
    EXPECT_EQ(chosen_for("1080x1920x540x960"), "wide_halves");
    EXPECT_EQ(chosen_for("540x960x1080x1920"), "wide_doubles");
    EXPECT_EQ(chosen_for("1080x1920x720x1280"), "wide_thirds");
    EXPECT_EQ(chosen_for("1080x1920x360x640"), "picked_pixels");
    EXPECT_EQ(chosen_for("480x640x224x224"), "lone_pixels");
    EXPECT_EQ(chosen_for("1080x1920x1000x1700"), "copied_tile");
}

TEST(Choice, TakesTheTopOfTheLadderWhereNoneIs) {
    EXPECT_EQ(chosen_for("1080x1917x540x959"), "word_pairs");
    EXPECT_EQ(chosen_for("1080x1920x540x960", DType::float32), "word_pairs");
}

TEST(Choice, StagesTheRowsOfSeveralImagesWhoseColumnsShareSectors) {
    const Operation& tensor = find_operation("tensor");
    const auto chosen = [&](std::string_view size) {
        return chosen_rung(tensor, DeviceKind::simt, parse_problem(tensor, size, DType::float32)).name;
    };
    EXPECT_EQ(chosen("1080x1920x640x640x3x64"), "staged_rows");
    EXPECT_EQ(chosen("1080x1920x640x640"), "column_taps");
    EXPECT_EQ(chosen("1080x1920x64x64x3x64"), "column_taps");
}

double median(std::vector<double> samples) {
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
}

/// By the results of the operation, whose sizes are said by these axes. Returns how many files have the rung that is
/// chosen: others are older than it.
int expect_fastest_choice(std::string_view name, const std::vector<const char*>& axes, double most) {
    const Operation& operation = find_operation(name);
    int measured = 0;
    for (const auto& file : std::filesystem::directory_iterator(LANEWORK_SOURCE_DIR "/results/h200")) {
        if (!file.path().filename().string().starts_with(name)) continue;
        std::ifstream text(file.path());
        const auto results = Json::parse(std::string(std::istreambuf_iterator<char>(text), {})).at("results");
        Problem problem;
        double best = 0, chosen = 0;
        for (const auto& result : results) {
            if (result.at("verdict") != "ok" || result.at("library").get<bool>()) continue;
            problem.dtype = parse_dtype(operation, result.at("dtype").get<std::string>());
            std::string size;
            for (const char* axis : axes)
                size += (size.empty() ? "" : "x") + std::to_string(result.at("problem").at(axis).get<int>());
            problem = parse_problem(operation, size, problem.dtype);
            problem.variant = parse_variant(operation, result.at("problem").at("variant").get<std::string>());
            const double seconds = median(result.at("samples_s").get<std::vector<double>>());
            best = best == 0 ? seconds : std::min(best, seconds);
            if (chosen_rung(operation, DeviceKind::simt, problem).name == result.at("rung").get<std::string>())
                chosen = seconds;
        }
        if (chosen == 0) continue;
        EXPECT_LE(chosen, most * best) << file.path();
        ++measured;
    }
    return measured;
}

TEST(Choice, IsTheFastestRungThatWasMeasured) {
    // 5% is what two runs of one rung differ by at times of microseconds.
    EXPECT_GE(expect_fastest_choice("resize", {"height", "width", "out_height", "out_width"}, 1.05), 16);
    EXPECT_GE(expect_fastest_choice("reduce", {"n"}, 1.01), 2);
}

TEST(Choice, IsNeverARungThatShowsAnError) {
    for (const Operation* operation : operations())
        for (const DeviceKind kind : kDeviceKinds)
            for (const Rung* rung : rungs_by_choice(*operation, kind, nullptr))
                EXPECT_TRUE(rung->deviation == 0 || preference(*operation, *rung))
                    << operation->name << "/" << rung->name;
}

TEST(Choice, AddsInOneBlockWhatItReadsAtOneGo) {
    const Operation& reduce = find_operation("reduce");
    const auto chosen = [&](const char* size, DType dtype) {
        return chosen_rung(reduce, DeviceKind::simt, parse_problem(reduce, size, dtype)).name;
    };
    EXPECT_EQ(chosen("0", DType::float32), "one_block");
    EXPECT_EQ(chosen("32768", DType::float32), "one_block");
    EXPECT_EQ(chosen("32769", DType::float32), "chained");
    EXPECT_EQ(chosen("16384", DType::float64), "one_block");
    EXPECT_EQ(chosen("16385", DType::float64), "chained");
    EXPECT_EQ(chosen("268435456", DType::float32), "chained");
}

/// Medians of what was measured of an operation in these files, of each size: seconds of each rung that is no
/// library's.
using SecondsBySize = std::map<std::string, std::map<std::string, double>>;
Json results_file(std::string_view path) {
    std::ifstream text(LANEWORK_SOURCE_DIR "/results/" + std::string(path));
    return Json::parse(std::string(std::istreambuf_iterator<char>(text), {}));
}
void add_measured(SecondsBySize& seconds, const Json& results, std::string_view operation = "matmul") {
    for (const auto& result : results) {
        if (result.at("library").get<bool>()) continue;
        std::string size;
        for (const auto& axis : find_operation(operation).axes)
            size += (size.empty() ? "" : "x") + std::to_string(result.at("problem").at(std::string(axis)).get<int>());
        const auto samples = result.at("samples_s").get<std::vector<double>>();
        if (!samples.empty()) seconds[size][result.at("rung").get<std::string>()] = median(samples);
    }
}
SecondsBySize measured_by_size(std::initializer_list<std::string> files, std::string_view operation = "matmul") {
    SecondsBySize seconds;
    for (const std::string& file : files) add_measured(seconds, results_file(file).at("results"), operation);
    return seconds;
}
/// Of a row of what was measured of 60 shapes on an H100.
SecondsBySize measured_of_row(std::string_view name) {
    SecondsBySize seconds;
    const Json limit = results_file("h100/limit.json");
    for (const auto& row : limit.at("rows"))
        if (row.at("name").get<std::string>() == name) add_measured(seconds, row.at("results"));
    EXPECT_GE(seconds.size(), 60u) << name;
    return seconds;
}
/// Sizes that were measured again on an H100, since `split_sums` is another kernel: in bfloat16, which float16 is like.
void measure_again(SecondsBySize& seconds) {
    const SecondsBySize again = measured_of_row("matmul bfloat16, 60 shapes");
    for (auto& [size, rungs] : seconds)
        if (const auto found = again.find(size); found != again.end()) rungs = found->second;
}

/// Sizes that were measured again with a rung that was not there before.
void take_later(SecondsBySize& seconds, const SecondsBySize& later) {
    EXPECT_GE(later.size(), 18u);
    for (const auto& [size, rungs] : later) seconds[size] = rungs;
}

// Whatever this machine's devices can run: the arguments alone count.
bool fits(const Operation& operation, const Rung& rung, const Problem& problem) {
    const Rung::Typed* const typed = rung.typed(problem.dtype);
    const std::vector<void*> nowhere(operation.buffers(problem).size());
    return typed && typed->fits(rung.entry, problem, {nowhere});
}

/// The rung that is preferred, one that needs a GPU, too: the choice is asked, not whether this machine can follow it.
std::string preferred_for(std::string_view name, std::string_view size, DType dtype, std::string_view variant = {}) {
    const Operation& operation = find_operation(name);
    Problem problem = parse_problem(operation, size, dtype);
    if (!variant.empty()) problem.variant = parse_variant(operation, variant);
    const auto order = rungs_by_choice(operation, DeviceKind::simt, &problem);
    const auto first = std::ranges::find_if(order, [&](const Rung* rung) { return fits(operation, *rung, problem); });
    return first == order.end() ? "no rung" : std::string((*first)->name);
}
std::string preferred_for_product(std::string_view size, DType dtype, std::string_view variant) {
    return preferred_for("matmul", size, dtype, variant);
}

void expect_the_fastest(const SecondsBySize& seconds, DType dtype, std::string_view variant = "nn",
                        std::string_view operation = "matmul") {
    for (const auto& [size, rungs] : seconds) {
        const std::string preferred = preferred_for(operation, size, dtype, variant);
        const auto chosen = rungs.find(preferred);
        ASSERT_NE(chosen, rungs.end()) << size << ": " << preferred << " was not measured";
        const auto best = std::ranges::min_element(rungs, {}, [](const auto& each) { return each.second; });
        EXPECT_LE(chosen->second, 1.15 * best->second) << size << ": " << chosen->first << ", and " << best->first;
    }
}

/// Of products of int32: form, what was measured of all rungs on an H100, and later of two of them on an H200.
constexpr std::tuple<const char*, const char*, const char*> kOfIntegers[] = {
    {"nn", "h100/matmul-int32-by-size.json", "h200/matmul-int32-by-size.json"},
    {"nt", "h100/matmul-int32-by-columns-by-size.json", "h200/matmul-int32-by-size-by-columns.json"}};

TEST(Choice, OfMatmulIsAboutTheFastestRungThatWasMeasuredAtEachSize) {
    auto floats = measured_by_size({"h100/matmul-float32-by-size.json"});
    for (auto& [size, rungs] : measured_of_row("matmul float32, 60 shapes"))
        for (const auto& [rung, time] : rungs) floats[size][rung] = time;
    EXPECT_GE(floats.size(), 70u);
    take_later(floats, measured_by_size({"h200/matmul-vector-float32.json"}));
    expect_the_fastest(floats, DType::float32);
    auto halves = measured_by_size({"h200/matmul-bfloat16-by-size.json", "h200/matmul-bfloat16-tiny.json"});
    measure_again(halves);
    EXPECT_GE(halves.size(), 28u);
    expect_the_fastest(halves, DType::bfloat16);
    auto others = measured_by_size({"h200/matmul-float16-by-size.json"});
    measure_again(others);
    expect_the_fastest(others, DType::float16);
    auto of_16_bits = measured_of_row("matmul bfloat16, 60 shapes");
    take_later(of_16_bits, measured_by_size({"h200/matmul-vector-bfloat16.json"}));
    expect_the_fastest(of_16_bits, DType::bfloat16);
    of_16_bits = measured_of_row("matmul bfloat16, 60 shapes, b by columns");
    take_later(of_16_bits, measured_by_size({"h200/matmul-vector-bfloat16-by-columns.json"}));
    expect_the_fastest(of_16_bits, DType::bfloat16, "nt");
    auto by_columns = measured_of_row("matmul float32, 60 shapes, b by columns");
    take_later(by_columns, measured_by_size({"h200/matmul-vector-float32-by-columns.json"}));
    expect_the_fastest(by_columns, DType::float32, "nt");
    for (const auto& [form, earlier, later] : kOfIntegers) {
        SecondsBySize integers = measured_by_size({earlier});
        std::erase_if(integers, [&, &form = form](const auto& size) {  // the next test's
            return preferred_for_product(size.first, DType::int32, form) == "register_banks";
        });
        EXPECT_GE(integers.size(), 10u);
        expect_the_fastest(integers, DType::int32, form);
    }
}
TEST(Choice, OfIntegersIsAboutTheFasterOfTheTwoThatWereMeasuredLater) {
    int compared = 0;
    for (const auto& [form, earlier, later] : kOfIntegers) {
        const SecondsBySize before = measured_by_size({earlier});
        for (auto [size, rungs] : measured_by_size({later})) {
            // skinny was timed on an H100 alone: it computes there as fast.
            if (const auto other = before.find(size); other != before.end() && other->second.contains("skinny"))
                rungs["skinny"] = other->second.at("skinny");
            const auto chosen = rungs.find(preferred_for_product(size, DType::int32, form));
            if (chosen == rungs.end()) continue;  // skinny, of a size that was not timed with it
            for (const auto& [rung, seconds] : rungs) EXPECT_LE(chosen->second, 1.05 * seconds) << size << ' ' << rung;
            ++compared;
        }
    }
    EXPECT_GE(compared, 18);
}

TEST(Choice, OfTransposeIsAboutTheFastestRungThatWasMeasuredWhereRowsBeginAnywhere) {
    for (const auto& [dtype, name] : {std::pair{DType::uint8, "uint8"},
                                      {DType::uint16, "uint16"},
                                      {DType::int32, "int32"},
                                      {DType::uint64, "uint64"}}) {
        auto measured = measured_by_size({"h100/transpose-ragged-" + std::string(name) + ".json"}, "transpose");
        EXPECT_GE(measured.size(), 8u);
        std::erase_if(measured, [&, type = dtype](const auto& each) {  // those are in other files
            return preferred_for("transpose", each.first, type) == "small_tile";
        });
        EXPECT_GE(measured.size(), 6u);
        expect_the_fastest(measured, dtype, {}, "transpose");
        EXPECT_EQ(preferred_for("transpose", "16384x16384", dtype), "vectorized");  // which begins at boundaries
        EXPECT_EQ(preferred_for("transpose", "4200001x31", dtype), "joined_rows");
        EXPECT_NE(preferred_for("transpose", "4200001x129", dtype), "joined_rows");
        EXPECT_EQ(preferred_for("transpose", "1x1000", dtype), "joined_rows");
    }
}

TEST(Choice, OfTransposeIsAboutTheFastestRungThatWasMeasuredWhereMatricesAreNarrowOrSmall) {
    for (const auto& [dtype, name] : {std::pair{DType::uint8, "narrow-uint8"},
                                      {DType::uint16, "narrow-uint16"},
                                      {DType::int32, "narrow-int32"},
                                      {DType::uint64, "narrow-uint64"},
                                      {DType::uint8, "small-uint8"},
                                      {DType::uint16, "small-uint16"}}) {
        const auto measured = measured_by_size({"h100/transpose-" + std::string(name) + ".json"}, "transpose");
        EXPECT_GE(measured.size(), 12u) << name;
        expect_the_fastest(measured, dtype, {}, "transpose");
    }
}

TEST(Choice, OfBatchesIsAboutTheFastestRungThatWasMeasuredOfVectors) {
    for (const auto& [dtype, of_dtype] : {std::pair{DType::float32, ""}, {DType::bfloat16, "-bfloat16"}})
        for (const auto& [name, variant] : {std::pair{"", "nn"}, {"-by-columns", "nt"}}) {
            const std::string file = "h200/batched-matmul-vector" + std::string(of_dtype) + name + ".json";
            const auto measured = measured_by_size({file}, "batched_matmul");
            EXPECT_GE(measured.size(), 10u);
            expect_the_fastest(measured, dtype, variant, "batched_matmul");
            // Sums beyond what was measured: of many products alone.
            EXPECT_EQ(preferred_for("batched_matmul", "4x1x4096x512", dtype, variant), "matrix_vector");
            EXPECT_NE(preferred_for("batched_matmul", "4x1x16384x512", dtype, variant), "matrix_vector");
            EXPECT_EQ(preferred_for("batched_matmul", "64x1x16384x512", dtype, variant), "matrix_vector");
        }
}

TEST(Choice, OfSmallProductsOf16BitsIsTheFasterRungWhereverRowsStart) {
    for (const auto& [name, variant] : {std::pair{"", "nn"}, {"-by-columns", "nt"}}) {
        const auto measured = measured_by_size({"h200/matmul-bfloat16-split-sums" + std::string(name) + ".json"});
        EXPECT_GE(measured.size(), 27u);
        expect_the_fastest(measured, DType::bfloat16, variant);
    }
    // `persistent` where one wave of its tiles takes long sums whose rows do not start on whole lines: not where there
    // are more tiles than multiprocessors, nor of shorter sums, nor where A's rows and B's columns start on lines.
    for (const auto& [size, by_rows, by_columns] : {std::tuple{"1800x1800x1800", "persistent", "persistent"},
                                                    {"1704x1800x2304", "persistent", "persistent"},
                                                    {"1704x1800x2408", "split_sums", "split_sums"},
                                                    {"1800x1792x1800", "split_sums", "split_sums"},
                                                    {"1800x1856x1800", "persistent", "split_sums"},
                                                    {"1792x1856x1792", "split_sums", "split_sums"},
                                                    {"1400x1400x1400", "split_sums", "split_sums"}}) {
        EXPECT_EQ(preferred_for_product(size, DType::bfloat16, "nn"), by_rows) << size;
        EXPECT_EQ(preferred_for_product(size, DType::bfloat16, "nt"), by_columns) << size;
    }
}

TEST(Choice, OfFloatsByColumnsIsARungThatReadsThemSo) {
    for (const auto& [size, right] : {std::pair{"1x1x1", "split_on_arrival"},
                                      {"1x4096x4096", "matrix_vector"},
                                      {"4096x4096x1", "matrix_vector"},
                                      {"4x1001x1001", "skinny"},
                                      {"64x4096x4096", "split_on_arrival"},
                                      {"4096x16x4096", "double_buffered"},
                                      {"4096x4096x4096", "split_on_arrival"}})
        EXPECT_EQ(preferred_for_product(size, DType::float32, "nt"), right) << size;
}

TEST(Choice, OfIntegersIsSkinnyWhereResultsAreFew) {
    for (const auto& [size, rows, columns] : {std::tuple{"127x4096x2048", true, true},
                                              {"2048x4096x127", true, true},
                                              {"8192x1023x128", false, true},
                                              {"128x1000x8193", false, false},
                                              {"32x4096x65536", true, true},
                                              {"768x512x768", true, true},
                                              {"769x512x768", true, false},
                                              {"1024x1024x1025", false, false},
                                              {"64x127x4096", false, false},
                                              {"128x128x128", false, false}}) {
        EXPECT_EQ(preferred_for_product(size, DType::int32, "nn") == "skinny", rows) << size;
        EXPECT_EQ(preferred_for_product(size, DType::int32, "nt") == "skinny", columns) << size;
    }
}

TEST(Choice, OfIntegersIsTheRungThatSharesWorkOutWhereThereIsEnough) {
    for (const auto& [size, shares] : {std::pair{"1024x1024x1024", true},
                                       {"2500x300x2500", true},
                                       {"4096x64x4096", true},
                                       {"128x4096x8193", true},
                                       {"1536x456x1536", true},
                                       {"1536x448x1536", false},
                                       {"127x8193x4096", false},
                                       {"8192x16x8192", false}})
        for (const char* form : {"nn", "nt"})
            EXPECT_EQ(preferred_for_product(size, DType::int32, form) == "register_banks", shares) << size;
}

// Else no verification would ever launch its kernel.
TEST(Choice, HasSeveralVerifiedProblemsForEveryRungThatIsForSpecialArguments) {
    int special = 0;
    for (const Rung* rung : rungs()) {
        if (rung->only.empty()) continue;
        ++special;
        const Operation& operation = find_operation(rung->operation);
        // Instructions that this processor does not have.
        if (rung->device == DeviceKind::cpu && rung->refuses && !rung->refuses(Problem{}).empty()) continue;
        int computed = 0;
        for (const Extents& extent : operation.verified)
            for (const DType dtype : kDTypes)
                if (operation.has(dtype) && fits(operation, *rung, {.extent = extent, .dtype = dtype})) ++computed;
        EXPECT_GE(computed, 3) << rung->operation << '/' << rung->name;
    }
    EXPECT_GE(special, 6);
}

TEST(Choice, NamesRungsThatAreThere) {
    for (const Operation* operation : operations())
        for (const auto& [name, where] : operation->choice) {
            bool found = false;
            for (const Rung* rung : rungs()) found |= rung->operation == operation->name && rung->name == name;
            EXPECT_TRUE(found) << operation->name << '/' << name;
        }
}

TEST(Choice, SaysOfARefusedRungWhatItIsFor) {
    const Operation& resize = find_operation("resize");
    EXPECT_EQ(refusal(find_rung(resize, "wide_halves", DeviceKind::simt), problem_of("100x100x30x30")),
              "computes only one image of bytes that becomes exactly half as high and wide, rows at whole vectors");
}

}  // namespace
}  // namespace lanework
