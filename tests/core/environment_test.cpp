// What a results file says of the libraries that were measured against.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>

namespace lanework {
namespace {

TEST(Environment, NamesTheLibraryThatARungFoundAndTheKernelsItChose) {
    const Operation& matmul = find_operation("matmul");
    const Problem problem = parse_problem(matmul, "8x8x8", DType::float32);
    const Rung& openblas = find_rung(matmul, "openblas", DeviceKind::cpu);
    if (const std::string reason = refusal(openblas, problem); !reason.empty()) GTEST_SKIP() << reason;
    const auto facts = environment();
    const auto fact = std::find_if(facts.begin(), facts.end(), [](const Fact& f) { return f.name == "openblas"; });
    ASSERT_NE(fact, facts.end());
    EXPECT_NE(fact->value.find("kernels ("), std::string::npos) << fact->value;
    const Measurement m = describe(matmul, openblas, "cpu", problem, 1);
    EXPECT_TRUE(m.library);
    EXPECT_NE(m.lesson.find(fact->value), std::string::npos) << m.lesson;
}

TEST(Environment, LoadsNoLibraryOfGpusWhereThereIsNone) {
    if (availability(DeviceKind::cuda).count > 0) GTEST_SKIP() << "there is a GPU";
    const auto facts = environment();
    for (const Rung* rung : rungs()) {
        if (rung->device != DeviceKind::cuda || !rung->about) continue;
        EXPECT_TRUE(std::ranges::none_of(facts, [&](const Fact& fact) { return fact.name == rung->name; }))
            << rung->name;
    }
}

}  // namespace
}  // namespace lanework
