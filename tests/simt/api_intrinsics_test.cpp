// Every intrinsic with one right answer gives, bit for bit, what a GPU gave for the same 4096 inputs.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "tests/simt/api_intrinsics_probes.hpp"

namespace {

LANEWORK_INTRINSIC_PROBES(LANEWORK_INTRINSIC_PROBE)

const std::map<std::string, probes::Bits> kRecorded = {
#include "tests/simt/api_intrinsics_recorded.inc"
};

template <class Probe>
probes::Bits digest_here() {
    const auto outputs = std::make_unique<probes::Bits[]>(probes::kInputs);
    for (int i = 0; i < probes::kInputs; ++i) outputs[i] = Probe::at(probes::Inputs(i));
    return probes::digest(outputs.get());
}

TEST(Intrinsics, AnswerBitForBitAsAnH200Did) {
    int checked = 0;
#define LANEWORK_CHECK(name, ...)                                         \
    ASSERT_EQ(kRecorded.count(#name), 1u) << #name " was not recorded";   \
    EXPECT_EQ(kRecorded.at(#name), digest_here<probe_##name>()) << #name; \
    ++checked;
    LANEWORK_INTRINSIC_PROBES(LANEWORK_CHECK)
    EXPECT_EQ(std::size_t(checked), kRecorded.size());
}

}  // namespace
