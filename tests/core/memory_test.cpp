// How much memory is said to be free, by files as machines and containers have them.
#include "src/core/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "src/core/host.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Files of a machine with 16 GiB free.
class AvailableMemory : public testing::Test {
protected:
    AvailableMemory() {
        files.write("proc/meminfo",
                    "MemTotal:       33554432 kB\nMemFree:         1048576 kB\n"
                    "MemAvailable:   16777216 kB\nBuffers:               0 kB\n");
    }
    void write(const std::string& name, std::uint64_t value) const { files.write(name, std::to_string(value) + "\n"); }
    /// A group of version 2.
    void group(const std::string& path, const std::string& limit, std::uint64_t used) const {
        files.write("sys/fs/cgroup/" + path + "/memory.max", limit + "\n");
        write("sys/fs/cgroup/" + path + "/memory.current", used);
    }
    std::uint64_t available(const MemoryLimits& limits = {}) const { return available_memory(files.path(), limits); }

    TemporaryFolder files;
};

TEST_F(AvailableMemory, IsWhatTheMachineHasFreeWhereNothingElseLimitsIt) {
    EXPECT_EQ(available(), 16 * kGiB);
    files.write("proc/self/cgroup", "0::/\n");
    EXPECT_EQ(available(), 16 * kGiB);
}

TEST_F(AvailableMemory, IsThatOfTheMachineWhereTheKernelDoesNotSayWhatIsFree) {
    files.write("proc/meminfo", "MemTotal: 1 kB\n");
    EXPECT_EQ(available(), physical_memory_bytes());
}

TEST_F(AvailableMemory, IsTheLeastThatAnyGroupAboveTheProcessLeaves) {
    files.write("proc/self/cgroup", "0::/jobs/one\n");
    group("jobs/one", "max", 3 * kGiB);
    EXPECT_EQ(available(), 16 * kGiB);
    group("jobs", std::to_string(8 * kGiB), 3 * kGiB);
    EXPECT_EQ(available(), 5 * kGiB);
    group("jobs/one", std::to_string(4 * kGiB), 3 * kGiB);
    EXPECT_EQ(available(), 1 * kGiB);
    group("jobs/two", std::to_string(1), 1);  // somebody else's
    EXPECT_EQ(available(), 1 * kGiB);
    group("jobs/one", std::to_string(2 * kGiB), 3 * kGiB);  // lowered below what is in use
    EXPECT_EQ(available(), 0U);
}

TEST_F(AvailableMemory, CountsPagesOfFilesThatNobodyUsesAsFree) {
    files.write("proc/self/cgroup", "0::/job\n");
    group("job", std::to_string(4 * kGiB), 3 * kGiB);
    files.write("sys/fs/cgroup/job/memory.stat", "anon 1073741824\nfile 2147483648\ninactive_file 1073741824\n");
    EXPECT_EQ(available(), 2 * kGiB);
}

TEST_F(AvailableMemory, IsThatOfAContainerThatSeesItsGroupAsTheTopmost) {
    files.write("proc/self/cgroup", "0::/docker/4f2a\n");
    group(".", std::to_string(2 * kGiB), kGiB / 2);
    EXPECT_EQ(available(), 3 * kGiB / 2);
}

TEST_F(AvailableMemory, KnowsGroupsOfTheFirstVersion) {
    files.write("proc/self/cgroup", "9:name=systemd:/\n5:devices:/\n4:cpu,memory:/docker/4f2a\n0::/\n");
    const std::string top = "sys/fs/cgroup/memory/", group = top + "docker/4f2a/";
    write(top + "memory.limit_in_bytes", 9223372036854771712ULL);  // what it calls none
    write(top + "memory.usage_in_bytes", 20 * kGiB);
    EXPECT_EQ(available(), 16 * kGiB);
    write(group + "memory.limit_in_bytes", 6 * kGiB);
    write(group + "memory.usage_in_bytes", 2 * kGiB);
    EXPECT_EQ(available(), 4 * kGiB);
    files.write(group + "memory.stat", "inactive_file 0\ntotal_inactive_file 536870912\n");
    EXPECT_EQ(available(), 9 * kGiB / 2);
}

TEST_F(AvailableMemory, IsWhatResourceLimitsLeaveOfWhatTheProcessHas) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    files.write("proc/self/statm", "1000 300 20 10 0 400 0\n");
    EXPECT_EQ(available({.address_space = kGiB}), kGiB - 1000 * page);
    EXPECT_EQ(available({.data = kGiB}), kGiB - 400 * page);
    EXPECT_EQ(available({.address_space = 999 * page}), 0U);
}

TEST(AvailableMemoryOfThisProcess, IsMoreThanNothingAndNoMoreThanTheMachineHas) {
    EXPECT_GT(available_memory(), 0U);
    EXPECT_LE(available_memory(), physical_memory_bytes());
}

}  // namespace
}  // namespace lanework
