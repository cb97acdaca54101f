// Simt rungs, as clang++ compiles them, compute what the reference says. The registry of this program holds those rungs
// alone and leaves out the other ladders; the rest of it is built by g++.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <span>
#include <string>
#include <string_view>

#include "src/measure/verify.hpp"

namespace lanework {
namespace {

/// Bytes plus arithmetic operations of the problems that are verified here: large ones say nothing more of a compiler.
constexpr std::uint64_t kAffordable = std::uint64_t{1} << 19;

bool affordable(const Operation& operation, const Problem& problem) {
    const Work work = operation.work(problem);
    return work.bytes() + work.flops <= kAffordable;
}

std::vector<Problem> problems_of(const Operation& operation, const Rung& rung) {
    std::vector<Problem> problems;
    for (const Rung::Typed& typed : rung.types) {
        for (const Extents& extents : operation.verified) {
            for (std::size_t variant = 0; variant < std::max<std::size_t>(operation.variants.size(), 1); ++variant) {
                problems.push_back({extents, typed.dtype, static_cast<std::uint8_t>(variant)});
            }
        }
    }
    return problems;
}

class ClangRung : public testing::TestWithParam<const Rung*> {};

TEST_P(ClangRung, ComputesWhatTheReferenceSays) {
    const Rung& rung = *GetParam();
    const Operation& operation = find_operation(rung.operation);
    const auto device = open_device("simt");
    const std::vector<Problem> problems = problems_of(operation, rung);
    if (std::ranges::none_of(problems, [&](const Problem& problem) { return refusal(rung, problem).empty(); }))
        GTEST_SKIP() << "simt computes none of its verified problems";
    int verified = 0;
    for (const Problem& problem : problems) {
        if (!affordable(operation, problem) || !refusal(rung, problem).empty()) continue;
        const Verification verification = verify(*device, operation, rung, problem, 1);
        EXPECT_EQ(verification.verdict, Verdict::ok)
            << format_extents(operation, problem) << " " << name_of(problem.dtype) << ": " << verification.reason;
        ++verified;
    }
    EXPECT_GT(verified, 0) << "no problem of " << operation.name << " is small enough";
}

INSTANTIATE_TEST_SUITE_P(Simt, ClangRung, testing::ValuesIn(rungs().begin(), rungs().end()), [](const auto& rung) {
    return std::string(rung.param->operation) + "_" + std::string(rung.param->name);
});

std::string message_of(const auto& call) {
    try {
        call();
    } catch (const UnavailableError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(LaddersThatABuildLeavesOut, AreNamedWithTheCommandThatBuildsThem) {
    constexpr std::array kinds{DeviceKind::simt, DeviceKind::cuda, DeviceKind::cpu};
    EXPECT_EQ(message_of([] { find_operation("gray"); }), "this build leaves out gray; `make` builds every operation");
    EXPECT_NO_THROW(require_ladder(find_operation("transpose"), kinds));

    const Operation& sobel = find_operation("sobel");  // has the rungs of processors
    EXPECT_NO_THROW(require_ladder(sobel, kinds));
    EXPECT_EQ(message_of([&] { require_ladder(sobel, std::span(kinds).first(2)); }),
              "this build leaves out the rungs of sobel for simt and cuda; `make` builds all of them");
    EXPECT_EQ(message_of([&] { find_rung(sobel, "naive", DeviceKind::simt); }),
              "this build leaves out the rungs of sobel for simt; `make` builds all of them");
}

}  // namespace
}  // namespace lanework
