// Every kernel under tests/wrong is caught, as the comments at its start announce: by verification, with a verdict and
// for a reason, and by the trace, with a finding and its line.
//   // expect: wrong — what is wrong with it
//   // says: a part of the reason that verify() gives
//   // finding: race at line 14
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <lanework/registry.hpp>

#include "src/measure/verify.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {

extern const std::span<const Rung* const> wrong_rungs;

namespace {

struct ExpectedFinding {
    std::string rule;
    int line = 0;  // 0: of the whole kernel
};

struct Expectation {
    std::string verdict, reason;  // empty where verification may pass
    std::vector<ExpectedFinding> findings;
};

/// Bytes plus arithmetic operations of the problems that are traced: the large ones show nothing more.
constexpr std::uint64_t kAffordable = std::uint64_t{1} << 20;

std::string after(const std::string& line, const std::string& head) {
    return line.starts_with(head) ? line.substr(head.size()) : "";
}

/// "race at line 14"
ExpectedFinding read_finding(const std::string& text) {
    const std::string between = " at line ";
    const std::size_t end = text.find(between);
    if (end == std::string::npos) return {text, 0};
    return {text.substr(0, end), std::stoi(text.substr(end + between.size()))};
}

Expectation expectation(const Rung& rung) {
    std::ifstream file(std::string(LANEWORK_SOURCE_DIR "/") + std::string(rung.file));
    Expectation expected;
    for (std::string line; std::getline(file, line) && line.starts_with("//");) {
        if (const std::string verdict = after(line, "// expect: "); !verdict.empty())
            expected.verdict = verdict.substr(0, verdict.find(' '));
        if (const std::string reason = after(line, "// says: "); !reason.empty()) expected.reason = reason;
        if (const std::string finding = after(line, "// finding: "); !finding.empty())
            expected.findings.push_back(read_finding(finding));
    }
    return expected;
}

/// The problems, types and forms that every good rung passes, those of the first form first.
std::vector<Problem> problems_of(const Operation& operation, const Rung& rung) {
    std::vector<Problem> problems;
    const std::size_t variants = std::max<std::size_t>(1, operation.variants.size());
    for (std::size_t variant = 0; variant < variants; ++variant)
        for (const Rung::Typed& typed : rung.types) {
            if (!rung.typed(typed.dtype)) continue;
            for (const Extents& extents : operation.verified)
                problems.push_back({extents, typed.dtype, static_cast<std::uint8_t>(variant)});
        }
    std::erase_if(problems, [&](const Problem& problem) {
        return (operation.exists && !operation.exists(problem)) || !refusal(rung, problem).empty();
    });
    return problems;
}

/// The first verdict that is not ok.
Verification first_objection(Device& device, const Operation& operation, const Rung& rung) {
    for (const Problem& problem : problems_of(operation, rung)) {
        const Verification verification = verify(device, operation, rung, problem, 1);
        if (verification.verdict != Verdict::ok) return verification;
    }
    return {};
}

/// The other half of catching: the device computes, and verification is silent about a rung that is right.
void expect_right_rung_passes(Device& device, const Operation& operation) {
    const Problem problem{operation.verified[operation.verified.size() / 2], operation.default_dtype()};
    const Rung& rung = chosen_rung(operation, DeviceKind::simt, problem);
    const Verification verification = verify(device, operation, rung, problem, 1);
    EXPECT_EQ(verification.verdict, Verdict::ok) << rung.name << ": " << verification.reason;
}

void expect_verification_objects(const Operation& operation, const Rung& rung, const Expectation& expected) {
    ASSERT_TRUE(expected.verdict == "wrong" || expected.verdict == "failed")
        << rung.file << " must say `// expect: wrong — …` or `// expect: failed — …`";
    ASSERT_FALSE(expected.reason.empty()) << rung.file << " must go on with `// says: …`";

    const auto device = open_device("simt");
    const Verification found = first_objection(*device, operation, rung);
    EXPECT_EQ(name_of(found.verdict), expected.verdict) << found.reason;
    EXPECT_NE(found.reason.find(expected.reason), std::string::npos)
        << "the reason was: " << found.reason << "\nexpected in it: " << expected.reason;
    EXPECT_EQ(found.reason.find('\n'), std::string::npos) << "a reason is one line";
    expect_right_rung_passes(*device, operation);
}

bool is_about(const Finding& finding, const ExpectedFinding& expected, const Rung& rung) {
    if (name_of(finding.rule) != expected.rule) return false;
    return expected.line == 0 || finding.is_at(rung.file, expected.line);
}

std::string to_text(const Finding& finding) {
    return std::string(name_of(finding.rule)) + " at " + finding.place.file + ":" + std::to_string(finding.place.line) +
           ": " + finding.evidence + "\n";
}

/// The trace of one of the problems shows the finding.
void expect_trace_finds(const Operation& operation, const Rung& rung, const ExpectedFinding& expected) {
    std::string others;
    for (const Problem& problem : problems_of(operation, rung)) {
        const Work work = operation.work(problem);
        if (work.bytes() + work.flops > kAffordable) continue;
        for (const Finding& finding : explain(operation, rung, problem, 1).findings) {
            if (is_about(finding, expected, rung)) return;
            others += to_text(finding);
        }
    }
    ADD_FAILURE() << "no trace of it shows " << expected.rule << " at line " << expected.line << "; found:\n" << others;
}

class WrongRung : public testing::TestWithParam<const Rung*> {};

TEST_P(WrongRung, IsCaught) {
    const Rung& rung = *GetParam();
    const Operation& operation = find_operation(rung.operation);
#ifdef __clang__
    if (rung.name == "misaligned_vectors") GTEST_SKIP() << "clang takes the vectors apart that are misaligned";
    if (rung.name == "turns_until_it_is_back") GTEST_SKIP() << "clang's code of the loop does not show its finding";
#endif
    const Expectation expected = expectation(rung);
    ASSERT_TRUE(!expected.verdict.empty() || !expected.findings.empty())
        << rung.file << " must say how it is caught: `// expect: …` or `// finding: …`";
    if (!expected.verdict.empty()) expect_verification_objects(operation, rung, expected);
    for (const ExpectedFinding& finding : expected.findings) expect_trace_finds(operation, rung, finding);
}

INSTANTIATE_TEST_SUITE_P(Simt, WrongRung, testing::ValuesIn(wrong_rungs.begin(), wrong_rungs.end()),
                         [](const auto& rung) {
                             return std::string(rung.param->operation) + "_" + std::string(rung.param->name);
                         });

}  // namespace
}  // namespace lanework
