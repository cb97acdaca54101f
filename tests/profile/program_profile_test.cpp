// A program's launches, explained and counted: which belong together.
#include "src/profile/program_profile.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lanework {
namespace {

constexpr const char* kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";

std::string launch(const std::string& kernel, int blocks, int loads) {
    return R"({"kernel": ")" + kernel + R"(", "grid": [)" + std::to_string(blocks) + R"(, 1, 1], "block": [64, 1, 1],
               "counters": {")" +
           kLoads + R"(": {"value": )" + std::to_string(loads) + R"(, "unit": "", "trust": "exact"}}})";
}

std::string explanation(const std::string& launches) { return R"({"results": [{"kernels": [)" + launches + "]}]}"; }

/// Of the loads alone: what was predicted and what was counted, and the kernel.
struct Loads {
    std::string kernel;
    std::optional<double> predicted, hardware;
    bool operator==(const Loads&) const = default;
};

std::vector<Loads> loads_of(const RungProfile& profile) {
    std::vector<Loads> loads;
    for (const CounterComparison& each : profile.counters)
        if (each.metric->name == kLoads) loads.push_back({each.kernel, each.predicted, each.hardware});
    return loads;
}

TEST(ProgramProfile, PutsALaunchBesideTheHardwaresOfItsKernelAndSizes) {
    const std::string explained =
        explanation(launch("a::scale<float, 2>", 4, 10) + "," + launch("sum", 2, 20) + "," + launch("sum", 8, 30));
    const NsightTable table{{"other", kLoads},
                            {{"sum", {8, 1, 1}, {64, 1, 1}, "", {1.0, 31.0}},
                             {"fill", {1, 1, 1}, {64, 1, 1}, "", {1.0, 5.0}},
                             {"scale", {4, 1, 1}, {64, 1, 1}, "", {1.0, 11.0}}}};
    const RungProfile profile = program_profile("mine.cu", explained, table);
    const std::vector<Loads> wanted{{"a::scale<float, 2>", 10, 11}, {"sum", 20, {}}, {"sum", 30, 31}, {"fill", {}, 5}};
    EXPECT_EQ(loads_of(profile), wanted);
    EXPECT_EQ(profile.counters.front().trust, Trust::unavailable) << "of what the explanation does not have";
    const std::string text = draw(profile, Style{});
    EXPECT_EQ(text.substr(0, 8), "mine.cu\n");
    EXPECT_NE(text.find("-9.1%"), text.npos) << text;  // 10 where the hardware has 11
}

TEST(ProgramProfile, AsksForOneLaunchOfEachKernelOrOfOne) {
    EXPECT_EQ(counted_launches("", 1), ":::1");
    EXPECT_EQ(counted_launches("a::scale<float>", 3), "::scale:3");
}

}  // namespace
}  // namespace lanework
