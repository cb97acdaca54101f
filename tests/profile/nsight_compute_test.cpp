// Finding ncu, calling it, and saying what stands in its way. A script stands in for it.
#include "src/profile/nsight_compute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "tests/profile/stand_in.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

class NsightCompute : public StandIns {
protected:
    // $log is the file that ncu would write to.
    fs::path stand_in(const fs::path& file, const std::string& script) const {
        return StandIns::stand_in(file, "log=\"$3\"\n" + script);
    }

    const std::vector<std::string> program_{"lanework", "profile", "--launch-once"};
    std::vector<std::string> told_;
    const NsightOptions options_{.keep = {}, .tell = [this](const std::string& text) { told_.push_back(text); }};
};

constexpr const char* kOneLaunch =
    "cat > \"$log\" <<END\n"
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"a.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\"\n"
    "\"0\",\"naive\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"5\"\n"
    "END\n"
    "echo 'what the program prints'";

TEST_F(NsightCompute, IsFoundOnPathFirst) {
    const fs::path on_path = stand_in("bin/ncu", ""), in_toolkit = stand_in("root/usr/local/cuda/bin/ncu", "");
    const std::string path = "/nowhere::" + (folder_ / "bin").string();
    EXPECT_EQ(find_ncu({.path = path, .root = folder_ / "root"}), on_path);
    EXPECT_EQ(find_ncu({.path = "", .root = folder_ / "root"}), in_toolkit);
}

TEST_F(NsightCompute, IsFoundInTheNewestOfItsOwnFolders) {
    stand_in("opt/nvidia/nsight-compute/2024.1.0/ncu", "");
    const fs::path newest = stand_in("opt/nvidia/nsight-compute/2025.3.1/ncu", "");
    EXPECT_EQ(find_ncu({.path = "", .root = folder_}), newest);
    EXPECT_EQ(find_ncu({.path = "", .root = folder_ / "opt"}), fs::path());
}

TEST_F(NsightCompute, LeavesTheClocksAlone) {
    const std::vector<std::string> metrics{"a.sum", "b.pct"};
    const auto words = ncu_command("/x/ncu", metrics, "/x/log", program_);
    const auto clock = std::ranges::find(words, "--clock-control");
    ASSERT_NE(clock, words.end());
    EXPECT_EQ(clock[1], "none");
    EXPECT_EQ(words[3], "/x/log");
    EXPECT_NE(std::ranges::find(words, "a.sum,b.pct"), words.end());
    EXPECT_TRUE(std::equal(program_.rbegin(), program_.rend(), words.rbegin()));
}

TEST_F(NsightCompute, IsReadFromItsLogWhateverTheProgramPrints) {
    const fs::path ncu = stand_in("ncu", kOneLaunch);
    const NsightTable table = profile_program(ncu, std::vector<std::string>{"a.sum"}, program_, options_);
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_EQ(table.rows.front().values.front(), 5);
    EXPECT_TRUE(told_.empty());
}

TEST_F(NsightCompute, IsCalledAgainWithoutMetricsThatItDoesNotHave) {
    const std::string script = std::string(
                                   "case \"$*\" in *gone.sum*) echo '==ERROR== Failed to find metric gone.sum' "
                                   "> \"$log\"; exit 1;; esac\n") +
                               kOneLaunch;
    const fs::path ncu = stand_in("ncu", script);
    const NsightTable table = profile_program(ncu, std::vector<std::string>{"a.sum", "gone.sum"}, program_, options_);
    EXPECT_EQ(table.rows.size(), 1u);
    ASSERT_EQ(told_.size(), 1u);
    EXPECT_NE(told_.front().find("gone.sum"), std::string::npos);
}

TEST_F(NsightCompute, NamesTheRemedyForMissingPermissions) {
    const fs::path ncu =
        stand_in("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > \"$log\"; exit 1");
    try {
        profile_program(ncu, std::vector<std::string>{"a.sum"}, program_, options_);
        FAIL() << "no exception";
    } catch (const UnavailableError& error) {
        EXPECT_NE(std::string(error.what()).find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
    }
}

TEST_F(NsightCompute, SaysWhatElseFailed) {
    EXPECT_EQ(ncu_failure("==PROF== x\n==ERROR== The application returned an error code (4).\n"),
              "Nsight Compute failed: The application returned an error code (4).");
    EXPECT_EQ(ncu_failure("==PROF== all is well\n"), "");
    EXPECT_THROW(profile_program(stand_in("ncu", "exit 3"), std::vector<std::string>{"a.sum"}, program_, options_),
                 UnavailableError);
    EXPECT_THROW(profile_program("/nowhere/ncu", std::vector<std::string>{"a.sum"}, program_, options_),
                 UnavailableError);
}

TEST_F(NsightCompute, TellsItsVersion) {
    const fs::path ncu = stand_in("ncu", "echo 'NVIDIA (R) Nsight Compute'; echo 'Version 2025.3.1.0 (build 36) (x)'");
    EXPECT_EQ(ncu_version(ncu), "2025.3.1.0");
}

}  // namespace
}  // namespace lanework
