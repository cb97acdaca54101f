// Verification must catch every way in which a rung can be wrong, and name it.
#include "src/measure/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "tests/measure/doubles.hpp"

namespace lanework::testing {
namespace {

using ::testing::Test;

constexpr std::int64_t kCount = 100;

class Verify : public Test {
protected:
    Verification verify_with(IncrementEntry entry, std::int64_t count = kCount) {
        const Rung rung = rung_of(entry);
        return verify(device_, increment, rung, {extents(count)}, 1);
    }
    void expect_wrong(const IncrementEntry& entry, const std::string& part, std::int64_t count = kCount) {
        const Verification result = verify_with(entry, count);
        EXPECT_EQ(result.verdict, Verdict::wrong);
        EXPECT_NE(result.reason.find(part), std::string::npos) << result.reason;
    }
    ScriptedDevice device_;
};

void right(const IncrementArgs& a, Team) { increment_all(a); }

TEST_F(Verify, AcceptsARungThatIsRight) {
    const Verification result = verify_with({.launch = right});
    EXPECT_EQ(result.verdict, Verdict::ok) << result.reason;
    EXPECT_EQ(result.reason, "");
}

TEST_F(Verify, AcceptsAnEmptyProblem) { EXPECT_EQ(verify_with({.launch = right}, 0).verdict, Verdict::ok); }

TEST_F(Verify, NamesTheFirstElementThatDiffersAndHowManyDo) {
    const auto off_by_one = [](const IncrementArgs& a, Team) {
        increment_all(a);
        a.out[7] = 5;
        a.out[9] = 5;
    };
    expect_wrong({.launch = +off_by_one}, "out[7] is 5 where the reference has ");
    expect_wrong({.launch = +off_by_one}, "(2 of 100 elements differ)");
}

TEST_F(Verify, CatchesAnElementWrittenPastTheEnd) {
    const auto one_more = [](const IncrementArgs& a, Team) {
        increment_all(a);
        a.out[a.count] ^= 1;
    };
    expect_wrong({.launch = +one_more}, "out[100] was written, past the end of the 100 elements of `out`");
}

TEST_F(Verify, CatchesAByteWrittenDirectlyBehindAnUnalignedEnd) {
    const auto one_byte = [](const IncrementArgs& a, Team) {
        increment_all(a);
        reinterpret_cast<std::uint8_t*>(a.out + a.count)[0] ^= 1;
    };
    expect_wrong({.launch = +one_byte}, "out[3] was written, past the end", 3);
}

TEST_F(Verify, CatchesAnElementWrittenBeforeTheStart) {
    const auto one_before = [](const IncrementArgs& a, Team) {
        increment_all(a);
        a.out[-1] ^= 1;
    };
    expect_wrong({.launch = +one_before}, "out[-1] was written, before the start of `out`");
}

TEST_F(Verify, CatchesAnUnwrittenTail) {
    const auto whole_warps_only = [](const IncrementArgs& a, Team) {
        IncrementArgs part = a;
        part.count = a.count / 32 * 32;
        increment_all(part);
    };
    expect_wrong({.launch = +whole_warps_only}, "out[96] was left unwritten");
    expect_wrong({.launch = +whole_warps_only}, "(4 of 100 elements differ)");
}

TEST_F(Verify, CatchesAChangedInput) {
    const auto in_place = [](const IncrementArgs& a, Team) {
        increment_all(a);
        const_cast<std::int32_t*>(a.in)[12] ^= 1;
    };
    expect_wrong({.launch = +in_place}, "the input `in` was changed: in[12] is ");
}

TEST_F(Verify, CatchesACachedResult) {
    static std::map<const void*, std::vector<std::int32_t>> cache;
    cache.clear();
    const auto cached = [](const IncrementArgs& a, Team) {
        auto& result = cache[a.in];
        if (result.empty()) {
            increment_all(a);
            result.assign(a.out, a.out + a.count);
        }
        std::copy(result.begin(), result.end(), a.out);
    };
    expect_wrong({.launch = +cached}, "out[0] is ");
}

TEST_F(Verify, CatchesAResultThatDependsOnWhatLiesBehindTheInput) {
    const auto reads_on = [](const IncrementArgs& a, Team) {
        increment_all(a);
        a.out[a.count - 1] ^= a.in[a.count] & 1;
    };
    // Random guards: one of a few seeds shows it.
    int caught = 0;
    for (std::int64_t count = kCount; count < kCount + 8; ++count)
        caught += verify_with({.launch = +reads_on}, count).verdict == Verdict::wrong;
    EXPECT_GT(caught, 0);
}

TEST_F(Verify, CatchesAWriteBehindTheWorkspace) {
    const auto too_much = [](const IncrementArgs& a, Team) {
        increment_all(a);
        a.workspace[16] ^= std::byte{1};
    };
    const auto sixteen = [](const IncrementArgs&) -> std::size_t { return 16; };
    expect_wrong({.launch = +too_much, .workspace = +sixteen}, "workspace[16] was written, past the end");
}

TEST_F(Verify, TurnsADeviceErrorIntoAFailureAndRecoversTheDevice) {
    device_.error = "cudaErrorIllegalAddress: tested.cu:3";
    const Verification result = verify_with({.launch = right});
    EXPECT_EQ(result.verdict, Verdict::failed);
    EXPECT_EQ(result.reason, device_.error);
    EXPECT_EQ(device_.recoveries, 1);
}

TEST_F(Verify, PassesOnWhyARungRefuses) {
    const auto even_only = [](const Problem& p) -> std::string_view {
        return p.lengths<IncrementAxes>().count % 2 ? "computes even counts only" : "";
    };
    const Verification result = verify_with({.launch = right, .refuses = +even_only}, 3);
    EXPECT_EQ(result.verdict, Verdict::refused);
    EXPECT_EQ(result.reason, "computes even counts only");
}

TEST_F(Verify, RunsSmallProblemsUnderOtherSchedulesAndReturnsToTheNaturalOne) {
    device_.schedule_count = 1 << 20;
    EXPECT_EQ(verify_with({.launch = right}).verdict, Verdict::ok);
    ASSERT_EQ(device_.schedules_set.size(), 4U);
    EXPECT_NE(device_.schedules_set[0], 0U);
    EXPECT_EQ(device_.schedules_set[1], 0U);
    EXPECT_NE(device_.schedules_set[2], device_.schedules_set[0]);
    EXPECT_EQ(device_.schedules_set[3], 0U);
}

TEST_F(Verify, NamesTheScheduleUnderWhichAResultIsWrong) {
    static ScriptedDevice* device = nullptr;
    device = &device_;
    device_.schedule_count = 2;
    const auto racing = [](const IncrementArgs& a, Team) {
        increment_all(a);
        if (device->schedules_set.size() % 2 == 1) a.out[0] ^= 1;  // while a schedule is set
    };
    expect_wrong({.launch = +racing}, ", under schedule ");
    EXPECT_EQ(device_.schedules_set.back(), 0U);
}

// Right for the numbers that came first: of two seeds, the second shows it.
template <class Wrong>
void wrong_for_others(const IncrementArgs& a, std::optional<std::int32_t>& first, Wrong wrong) {
    increment_all(a);
    if (!first) first = a.in[0];
    if (a.in[0] != *first && wrong()) a.out[0] ^= 1;
}

TEST_F(Verify, ShowsTheSecondSeedUnderASchedule) {
    static ScriptedDevice* device = nullptr;
    static std::optional<std::int32_t> first;
    device = &device_;
    first.reset();
    device_.schedule_count = 2;
    const auto racing = [](const IncrementArgs& a, Team) {
        wrong_for_others(a, first, [] { return device->schedules_set.size() % 2 == 1; });
    };
    expect_wrong({.launch = +racing}, ", under schedule ");
}

TEST_F(Verify, NamesNoScheduleWhereTheNaturalOneShowsTheSame) {
    static std::optional<std::int32_t> first;
    first.reset();
    device_.schedule_count = 2;
    const auto wrong = [](const IncrementArgs& a, Team) { wrong_for_others(a, first, [] { return true; }); };
    const Verification result = verify_with({.launch = +wrong});
    EXPECT_EQ(result.verdict, Verdict::wrong);
    EXPECT_EQ(result.reason.find("schedule"), std::string::npos) << result.reason;
}

// What rungs keep from one launch to the next.
struct Spoiled final : Prepared {
    bool spoiled = false;
};
struct FirstNumber final : Prepared {
    std::optional<std::int32_t> first;
};
template <class Kept>
PreparedOwner prepare(const IncrementArgs&, Team) {
    return PreparedOwner(new Kept);
}

TEST_F(Verify, NamesTheScheduleThatSpoiledWhatTheRungKeeps) {
    static ScriptedDevice* device = nullptr;
    device = &device_;
    device_.schedule_count = 2;
    const auto racing = [](const IncrementArgs& a, Team) {
        bool& spoiled = static_cast<Spoiled*>(a.prepared)->spoiled;
        spoiled = spoiled || device->schedules_set.size() % 2 == 1;  // while a schedule is set
        increment_all(a);
        if (spoiled) a.out[0] ^= 1;
    };
    expect_wrong({.launch = +racing, .prepare = prepare<Spoiled>}, ", under schedule ");
}

TEST_F(Verify, NamesNoScheduleWhereWhatTheRungKeepsIsWrongInTheNaturalOrder) {
    device_.schedule_count = 2;
    const auto keeping = [](const IncrementArgs& a, Team) {
        wrong_for_others(a, static_cast<FirstNumber*>(a.prepared)->first, [] { return true; });
    };
    const Verification result = verify_with({.launch = +keeping, .prepare = prepare<FirstNumber>});
    EXPECT_EQ(result.verdict, Verdict::wrong);
    EXPECT_EQ(result.reason.find("schedule"), std::string::npos) << result.reason;
}

void fill_with_sevens(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    const auto [in] = b.arrays<std::int32_t>();
    std::fill_n(in, p.lengths<IncrementAxes>().count, 7);
}
constexpr Input kInputs[] = {
    {"sevens", "7", fill_with_sevens},
    {"nowhere", "7", fill_with_sevens, [](const Problem&) { return false; }},
};

class VerifyHardInputs : public Verify {
protected:
    VerifyHardInputs() {
        operation_ = increment;
        operation_.inputs = kInputs;
    }
    Verification verify_with(IncrementEntry entry, std::optional<InputIndex> input = {}, std::int64_t count = kCount) {
        const Rung rung = rung_of(entry);
        return verify(device_, operation_, rung, {extents(count)}, 1, nullptr, {}, input);
    }
    Operation operation_{};
};

void right_unless_seven(const IncrementArgs& a, Team) {
    increment_all(a);
    for (std::int64_t i = 0; i < a.count; ++i) a.out[i] += a.in[i] == 7;
}

TEST_F(VerifyHardInputs, CatchARungThatIsRightForRandomInputsOnly) {
    const Verification result = verify_with({.launch = right_unless_seven});
    EXPECT_EQ(result.verdict, Verdict::wrong);
    EXPECT_EQ(result.reason, "with sevens input 7: out[0] is 9 where the reference has 8 (100 of 100 elements differ)");
}

TEST_F(VerifyHardInputs, AreCountedWhereTheyAreDefined) { EXPECT_EQ(verify_with({.launch = right}).hard_inputs, 1); }

TEST_F(VerifyHardInputs, AreForSmallProblems) {
    EXPECT_EQ(verify_with({.launch = right}, {}, 1'000'000).hard_inputs, 0);
    EXPECT_EQ(verify_with({.launch = right_unless_seven}, 1, 1'000'000).verdict, Verdict::wrong) << "when it is named";
}

TEST_F(VerifyHardInputs, AreRunAloneWhenNamed) {
    EXPECT_EQ(verify_with({.launch = right_unless_seven}, kRandomInput).verdict, Verdict::ok);
    EXPECT_EQ(verify_with({.launch = right}, kRandomInput).hard_inputs, 0);
    EXPECT_EQ(verify_with({.launch = right}, 1).hard_inputs, 1);
}

// Rows of six elements, ten apart, that begin with the second element; what lies between them is nobody's.
constexpr Rows kRows{.begin = 1, .length = 6, .pitch = 10};

class VerifyRows : public Verify {
protected:
    VerifyRows() {
        operation_ = increment;
        operation_.buffers = [](const Problem& p) {
            std::vector<BufferSpec> specs = increment.buffers(p);
            specs[1].rows = kRows;
            return specs;
        };
    }
    Verification verify_with(IncrementEntry entry) {
        const Rung rung = rung_of(entry);
        return verify(device_, operation_, rung, {extents(kCount)}, 1);
    }
    static void increment_rows(const IncrementArgs& a) {
        for (std::int64_t i = 0; i < a.count; ++i)
            if (kRows.hold(static_cast<std::size_t>(i)))
                a.out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(a.in[i]) + 1);
    }
    Operation operation_{};
};

TEST_F(VerifyRows, AcceptsARungThatLeavesTheGapsAlone) {
    const auto rows = [](const IncrementArgs& a, Team) { increment_rows(a); };
    EXPECT_EQ(verify_with({.launch = +rows}).reason, "");
}

TEST_F(VerifyRows, CatchesAWriteBetweenRows) {
    const auto one_more = [](const IncrementArgs& a, Team) {
        increment_rows(a);
        a.out[17] ^= 1;
    };
    EXPECT_EQ(verify_with({.launch = +one_more}).reason, "out[17] was written, which lies between the rows of `out`");
}

TEST_F(VerifyRows, StillComparesTheRows) {
    const auto wrong = [](const IncrementArgs& a, Team) {
        increment_rows(a);
        a.out[16] ^= 1;
    };
    EXPECT_EQ(verify_with({.launch = +wrong}).reason.substr(0, 11), "out[16] is ");
}

}  // namespace
}  // namespace lanework::testing
