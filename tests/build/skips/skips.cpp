// A test that runs, one that is skipped and one that is switched off.
#include <gtest/gtest.h>

TEST(Suite, Runs) { EXPECT_EQ(1 + 1, 2); }
TEST(Suite, Skips) { GTEST_SKIP() << "the words of GoogleTest"; }
TEST(Suite, DISABLED_IsOff) { FAIL(); }
