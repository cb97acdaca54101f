// Verification catches every kernel under tests/wrong, with the verdict and for the reason that the kernel's first
// two lines announce:
//   // expect: wrong — what is wrong with it
//   // says: a part of the reason that verify() gives
#include <gtest/gtest.h>

#include <fstream>
#include <lanework/registry.hpp>

#include "src/measure/verify.hpp"

namespace lanework {

extern const std::span<const Rung* const> wrong_rungs;

namespace {

struct Expectation {
    std::string verdict, reason;
};

std::string after(const std::string& line, const std::string& head) {
    return line.starts_with(head) ? line.substr(head.size()) : "";
}

Expectation expectation(const Rung& rung) {
    std::ifstream file(std::string(LANEWORK_SOURCE_DIR "/") + std::string(rung.file));
    std::string expect, says;
    std::getline(file, expect);
    std::getline(file, says);
    const std::string verdict = after(expect, "// expect: ");
    return {verdict.substr(0, verdict.find(' ')), after(says, "// says: ")};
}

/// The first verdict that is not ok among the problems and types that every good rung passes.
Verification first_objection(Device& device, const Operation& operation, const Rung& rung) {
    for (const Rung::Typed& typed : rung.types) {
        if (!rung.typed(typed.dtype)) continue;
        for (const Extents& extents : operation.verified) {
            const Verification verification = verify(device, operation, rung, Problem{extents, typed.dtype}, 1);
            if (verification.verdict != Verdict::ok) return verification;
        }
    }
    return {};
}

/// The other half of catching: the device computes, and verification is silent about a rung that is right.
void expect_right_rung_passes(Device& device, const Operation& operation) {
    const Problem problem{operation.verified[operation.verified.size() / 2], operation.default_dtype()};
    const Rung& rung = top_rung(operation, DeviceKind::simt, problem);
    const Verification verification = verify(device, operation, rung, problem, 1);
    EXPECT_EQ(verification.verdict, Verdict::ok) << rung.name << ": " << verification.reason;
}

class WrongRung : public testing::TestWithParam<const Rung*> {};

TEST_P(WrongRung, IsCaught) {
    const Rung& rung = *GetParam();
    const Expectation expected = expectation(rung);
    ASSERT_TRUE(expected.verdict == "wrong" || expected.verdict == "failed")
        << rung.file << " must open with `// expect: wrong — …` or `// expect: failed — …`";
    ASSERT_FALSE(expected.reason.empty()) << rung.file << " must go on with `// says: …`";

    // One device for all of them: what a wrong kernel does to it must not be blamed on the next.
    static const auto device = open_device("simt");
    const Verification found = first_objection(*device, find_operation(rung.operation), rung);
    EXPECT_EQ(name_of(found.verdict), expected.verdict) << found.reason;
    EXPECT_NE(found.reason.find(expected.reason), std::string::npos)
        << "the reason was: " << found.reason << "\nexpected in it: " << expected.reason;
    EXPECT_EQ(found.reason.find('\n'), std::string::npos) << "a reason is one line";
    expect_right_rung_passes(*device, find_operation(rung.operation));
}

INSTANTIATE_TEST_SUITE_P(Simt, WrongRung, testing::ValuesIn(wrong_rungs.begin(), wrong_rungs.end()),
                         [](const auto& rung) {
                             return std::string(rung.param->operation) + "_" + std::string(rung.param->name);
                         });

}  // namespace
}  // namespace lanework
