// The good ladder stays silent: no rung of this build shows an error, of whatever type and variant, and on whatever
// schedule.
#include <gtest/gtest.h>

#include <lanework/registry.hpp>

#include <algorithm>

#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

/// Drawn schedules, of the first type and variant alone: the others differ in what they compute rather than in what
/// orders their accesses.
constexpr std::uint64_t kSchedules = LANEWORK_SCHEDULES;
/// Bytes plus arithmetic operations of a problem that is traced once, and of one that is traced under every schedule:
/// what orders accesses shows in a few blocks.
constexpr std::uint64_t kAffordable = std::uint64_t{1} << 17, kAffordableOften = std::uint64_t{1} << 14;

/// The largest problems that can be afforded say most: one of each type and variant.
std::vector<Problem> problems_of(const Operation& operation, const Rung& rung, std::uint64_t affordable) {
    std::vector<Problem> problems;
    for (const Rung::Typed& typed : rung.types) {
        for (std::size_t variant = 0; variant < std::max<std::size_t>(operation.variants.size(), 1); ++variant) {
            std::uint64_t most = 0;
            Problem chosen;
            for (const Extents& extents : operation.verified) {
                const Problem problem{extents, typed.dtype, static_cast<std::uint8_t>(variant)};
                const Work work = operation.work(problem);
                const std::uint64_t cost = work.bytes() + work.flops;
                if (cost <= most || cost > affordable || !refusal(rung, problem).empty()) continue;
                most = cost;
                chosen = problem;
            }
            if (most > 0) problems.push_back(chosen);
        }
    }
    return problems;
}

std::vector<const Rung*> simt_rungs() {
    std::vector<const Rung*> found;
    for (const Rung* rung : rungs())
        if (rung->device == DeviceKind::simt) found.push_back(rung);
    return found;
}

class GoodRung : public testing::TestWithParam<const Rung*> {};

void expect_no_error(const Rung& rung, const Problem& problem, std::uint64_t schedule) {
    const Operation& operation = find_operation(rung.operation);
    for (const Finding& finding : explain(operation, rung, problem, 1, {.schedule = schedule}).findings) {
        EXPECT_FALSE(finding.error()) << name_of(finding.rule) << " at " << finding.place.file << ":"
                                      << finding.place.line << " under schedule " << schedule << ": "
                                      << finding.evidence;
    }
}

TEST_P(GoodRung, ShowsNoErrorUnderAnySchedule) {
    const Rung& rung = *GetParam();
    const std::vector<Problem> problems = problems_of(find_operation(rung.operation), rung, kAffordable);
    const std::vector<Problem> small = problems_of(find_operation(rung.operation), rung, kAffordableOften);
    if (problems.empty())
        GTEST_SKIP() << "simt computes none of its verified problems that is small enough to be traced";
#ifdef __clang__
    if (rung.name == "interleaved_global")
        GTEST_SKIP() << "clang reads the padding of the candidates by itself, and nobody writes it";
#endif
    for (const Problem& problem : problems) expect_no_error(rung, problem, 0);
    for (std::uint64_t schedule = 1; schedule <= kSchedules; ++schedule)
        expect_no_error(rung, small.empty() ? problems.front() : small.front(), schedule);
}

// Blocks read a little more than their own part, except at the ends of the matrix.
TEST(NarrowTransposes, ReadNothingOutsideOfTheirMatrices) {
    const Operation& transpose = find_operation("transpose");
    const Rung& rung = find_rung(transpose, "joined_rows", DeviceKind::simt);
    for (const Rung::Typed& typed : rung.types)
        for (const Extents& shape : {extents(1, 1003), extents(1003, 1), extents(3, 6144), extents(9, 1024),
                                     extents(1023, 3), extents(1023, 6), extents(1024, 16)})
            expect_no_error(rung, {shape, typed.dtype}, 0);
}

INSTANTIATE_TEST_SUITE_P(Simt, GoodRung, testing::ValuesIn(simt_rungs()), [](const auto& rung) {
    return std::string(rung.param->operation) + "_" + std::string(rung.param->name);
});

}  // namespace
}  // namespace lanework
