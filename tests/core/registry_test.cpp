// Finding operations, rungs and problems by what a user types.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

namespace lanework {
namespace {

template <class Call>
std::string message_of(Call call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Registry, SuggestsTheNearestOperation) {
    EXPECT_EQ(message_of([] { find_operation("transpos"); }),
              "there is no operation `transpos`; did you mean `transpose`?");
}

TEST(Registry, ListsAllOperationsWhenNoneIsNear) {
    const std::string message = message_of([] { find_operation("zzzzzzzzz"); });
    EXPECT_NE(message.find("there are: "), std::string::npos) << message;
    EXPECT_NE(message.find("transpose"), std::string::npos) << message;
}

TEST(Registry, SaysInOneLineWhatHasSeveral) {
    const std::string message = message_of([] { find_operation("zzz\nzzz\x1b[31m"); });
    EXPECT_TRUE(message.starts_with("there is no operation `zzz\\x0azzz\\x1b[31m`")) << message;
    EXPECT_THROW(parse_problem(find_operation("transpose"), "1x\n", DType::int32), UsageError);
}

TEST(Registry, SuggestsTheNearestRung) {
    const Operation& transpose = find_operation("transpose");
    EXPECT_EQ(message_of([&] { find_rung(transpose, "serail", DeviceKind::cpu); }),
              "transpose has no rung `serail` on cpu; did you mean `serial`?");
}

TEST(Registry, SuggestsOnlyWhatIsNear) {
    const std::string_view names[] = {"fma", "climb", "transpose"};
    EXPECT_EQ(nearest_name("foo", names), "");
    EXPECT_EQ(nearest_name("xy", names), "");
    EXPECT_EQ(nearest_name("fam", names), "fma") << "two letters that changed places are one mistake";
    EXPECT_EQ(nearest_name("clmib", names), "climb");
    EXPECT_EQ(nearest_name("TRANSPOSE", names), "transpose");
    EXPECT_EQ(nearest_name("trasnpoes", names), "transpose");
}

TEST(Registry, SuggestsTheShortestNameThatContainsAPart) {
    const std::string_view names[] = {"padded_tile_16", "padded_tile", "vectorized"};
    EXPECT_EQ(nearest_name("padded", names), "padded_tile");
    EXPECT_EQ(nearest_name("pa", names), "");
}

TEST(Registry, EveryRungBelongsToAnOperationAndClimbsFromARungOfItsLadder) {
    for (const Rung* rung : rungs()) {
        const Operation& operation = find_operation(rung->operation);
        EXPECT_FALSE(rung->lesson.empty() && !rung->library) << rung->file;
        EXPECT_NE(rung->file.find(rung->name), std::string_view::npos) << rung->file;
        if (!rung->climbs_from.empty()) {
            EXPECT_NO_THROW(find_rung(operation, rung->climbs_from, rung->device)) << rung->file;
        }
    }
}

TEST(Registry, ALadderStartsAtItsFootAndEndsWithLibraries) {
    for (const Operation* operation : operations())
        for (const DeviceKind kind : kDeviceKinds) {
            const auto rungs = ladder(*operation, kind);
            for (std::size_t i = 0; i < rungs.size(); ++i) {
                const auto below = std::find_if(rungs.begin(), rungs.begin() + static_cast<std::ptrdiff_t>(i),
                                                [&](const Rung* r) { return r->name == rungs[i]->climbs_from; });
                if (!rungs[i]->climbs_from.empty()) {
                    EXPECT_NE(below, rungs.begin() + static_cast<std::ptrdiff_t>(i)) << rungs[i]->file;
                }
                if (i > 0 && rungs[i - 1]->library) {
                    EXPECT_TRUE(rungs[i]->library) << rungs[i]->file;
                }
            }
        }
}

TEST(ParseProblem, LeavesOutLastAxesThatAreAsUsual) {
    static constexpr std::string_view kAxes[] = {"height", "width", "channels", "margin"};
    static constexpr std::int64_t kUsual[] = {3, 0};
    static constexpr Extents kTimed[] = {extents(4, 5, 3, 0)};
    Operation picture = find_operation("transpose");
    picture.axes = kAxes;
    picture.usual = kUsual;
    picture.timed.cpu = kTimed;
    EXPECT_EQ(parse_problem(picture, "4x5", DType::int32).extent, extents(4, 5, 3, 0));
    EXPECT_EQ(parse_problem(picture, "4x5x1", DType::int32).extent, extents(4, 5, 1, 0));
    EXPECT_EQ(parse_problem(picture, "4x5x3x2", DType::int32).extent, extents(4, 5, 3, 2));
    EXPECT_THROW(parse_problem(picture, "4", DType::int32), UsageError);
    EXPECT_THROW(parse_problem(picture, "4x5x3x2x1", DType::int32), UsageError);
    for (const std::string size : {"4x5", "4x5x1", "4x5x3x2", "4x5x1x2"})
        EXPECT_EQ(format_extents(picture, parse_problem(picture, size, DType::int32)), size);
}

TEST(ParseProblem, ReadsTheAxesInOrder) {
    const Problem problem = parse_problem(find_operation("matmul"), "100x50x113", DType::int32);
    EXPECT_EQ(problem.extent[0], 100);
    EXPECT_EQ(problem.extent[1], 50);
    EXPECT_EQ(problem.extent[2], 113);
    EXPECT_EQ(format_extents(find_operation("matmul"), problem), "100x50x113");
}

TEST(ParseProblem, RefusesWhatIsNotASize) {
    const Operation& transpose = find_operation("transpose");
    for (const char* size : {"", "x", "10", "10x", "x10", "10x10x10", "-1x5", "1e3x5", "10 x 10", "0x10x"})
        EXPECT_THROW(parse_problem(transpose, size, DType::int32), UsageError) << size;
}

TEST(ParseProblem, RefusesSizesThatOverflow) {
    const Operation& transpose = find_operation("transpose");
    for (const char* size : {"99999999999999999999x1", "4294967296x4294967296", "9223372036854775807x2"})
        EXPECT_THROW(parse_problem(transpose, size, DType::int32), UsageError) << size;
    // Eighteen numbers of a thread: few enough threads, and too many numbers.
    const Operation& coordinates = find_operation("coordinates");
    EXPECT_THROW(parse_problem(coordinates, "4096x1024x512x16x16x4", DType::uint64), UsageError);
    EXPECT_EQ(parse_problem(coordinates, "4096x16x1x16x16x8", DType::uint64).extent[5], 8);
}

TEST(ParseDtype, ListsTheTypesOfTheOperation) {
    EXPECT_EQ(parse_dtype(find_operation("reduce"), "float32"), DType::float32);
    EXPECT_EQ(message_of([] { parse_dtype(find_operation("transpose"), "float32"); }),
              "transpose is not defined for `float32`; it computes int32, uint8, uint16, uint64");
}

TEST(OpenDevice, SaysWhichDevicesThereAre) {
    EXPECT_THROW(open_device("gpu"), UsageError);
    EXPECT_THROW(open_device("cuda:x"), UsageError);
    EXPECT_THROW(open_device("cpu:1"), UnavailableError);
    EXPECT_EQ(open_device("cpu")->info().id, "cpu");
}

TEST(Tolerance, IsWidenedByADeviationInTheUnitThatItHas) {
    Rung ours{}, library{};
    ours.deviation = library.deviation = 2;
    library.library = true;
    // Of an operation that is right to the bit, so many of the output's own unit.
    EXPECT_EQ(tolerance_of(ours, {}).absolute, 2);
    EXPECT_EQ(tolerance_of(ours, {}).of_magnitude, 0);
    // Of sums that err by a share of their magnitudes, such a share.
    EXPECT_EQ(tolerance_of(ours, {.of_magnitude = 1e-6}).absolute, 0);
    EXPECT_EQ(tolerance_of(ours, {.of_magnitude = 1e-6}).of_magnitude, 2);
    EXPECT_EQ(tolerance_of(library, {.of_magnitude = 1e-6}).absolute, 2);
    EXPECT_EQ(tolerance_of(ours, {.absolute = 3}).absolute, 3) << "what the operation allows stays";
}

}  // namespace
}  // namespace lanework
