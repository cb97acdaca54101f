// Each kind of error ends the program with the status that is documented for it.
#include "src/core/exit_status.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <lanework/device.hpp>
#include <lanework/memory_error.hpp>
#include <lanework/neighbors.hpp>
#include <new>
#include <set>
#include <sstream>

#include "python/native/errors.hpp"
#include "src/core/compilation_error.hpp"

namespace lanework {
namespace {

TEST(ExitStatus, IsThatOfTheKindOfError) {
    EXPECT_EQ(exit_status_of(UsageError("")), 2);
    EXPECT_EQ(exit_status_of(CompilationError("")), 3);
    EXPECT_EQ(exit_status_of(DeviceError("")), 4);
    EXPECT_EQ(exit_status_of(FileError("")), 6);
    EXPECT_EQ(exit_status_of(std::filesystem::filesystem_error("", std::error_code())), 6);
    EXPECT_EQ(exit_status_of(MemoryError("")), 7);
    EXPECT_EQ(exit_status_of(NeighborMemoryError(1, 2, 1)), 7);
    EXPECT_EQ(exit_status_of(std::bad_alloc()), 7);
    EXPECT_EQ(exit_status_of(UnavailableError("")), 77);
    EXPECT_EQ(exit_status_of(std::runtime_error("")), 70) << "nothing that nobody thought of is a wrong result";
}

TEST(ExitStatus, OfTooLittleMemoryIsOfOneTypeOfError) {
    EXPECT_THROW(throw NeighborMemoryError(1, 2, 1), MemoryError);
    EXPECT_THROW(open_device("cpu")->allocate(std::size_t{1} << 60), MemoryError);
}

TEST(ErrorsForPython, AreMemoryErrorsOfAllThatLackMemory) {
    EXPECT_EQ(native::kind_of(MemoryError("")), lanework_memory);
    EXPECT_EQ(native::kind_of(NeighborMemoryError(1, 2, 1)), lanework_memory);
    EXPECT_EQ(native::kind_of(std::bad_alloc()), lanework_memory);
    EXPECT_STREQ(native::words_of(std::bad_alloc()), "out of memory");
    EXPECT_EQ(native::kind_of(UsageError("")), lanework_usage);
    EXPECT_EQ(native::kind_of(UnavailableError("")), lanework_failure);
}

TEST(ExitStatus, HasOneMeaningWhichTheDocumentationHasToo) {
    std::ostringstream page;
    page << std::ifstream(LANEWORK_SOURCE_DIR "/docs/command-line.md").rdbuf();
    std::set<int> seen;
    for (const ExitMeaning& each : exit_meanings()) {
        EXPECT_TRUE(seen.insert(each.status).second) << each.status;
        const std::string row = "| " + std::to_string(each.status) + " | " + std::string(each.meaning) + " |";
        EXPECT_NE(page.str().find(row), std::string::npos) << "docs/command-line.md lacks\n" << row;
    }
}

}  // namespace
}  // namespace lanework
