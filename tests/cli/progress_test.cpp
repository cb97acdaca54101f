// The line that says how far a command is.
#include <gtest/gtest.h>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

// On a terminal of its own, which script(1) makes.
TEST(Progress, StandsOnATerminalsStandardErrorOnly) {
    const std::string words = "verify transpose/serial --device cpu --size 33x31";
    EXPECT_EQ(lanework_with(words).err, "");
    if (shell("command -v script").status != 0) return;
    const Said run = shell("script -qec '" LANEWORK_BINARY " " + words + " >/dev/null' /dev/null");
    EXPECT_TRUE(contains(run.out, "verifying transpose/serial on cpu, 33x31 int32")) << run.out;
    EXPECT_TRUE(contains(run.out, "\r\033[K")) << "it is taken away again";
}

}  // namespace
}  // namespace lanework
