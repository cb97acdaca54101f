// Opening shared libraries while the program runs.
#include "src/core/shared_library.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

TEST(SharedLibrary, OpensTheFirstNameThatIsThere) {
    constexpr const char* kNames[] = {"libthere-is-no-such-library.so.9", "libm.so.6"};
    const SharedLibrary library(kNames);
    ASSERT_TRUE(library);
    EXPECT_EQ(library.name(), "libm.so.6");
    EXPECT_EQ(library.reason(), "");
    const auto cosine = library.function<double (*)(double)>("cos");
    ASSERT_NE(cosine, nullptr);
    EXPECT_EQ(cosine(0.0), 1.0);
}

TEST(SharedLibrary, HasNoFunctionThatTheLibraryLacks) {
    constexpr const char* kNames[] = {"libm.so.6"};
    EXPECT_EQ(SharedLibrary(kNames).function<void (*)()>("there_is_no_such_function"), nullptr);
}

TEST(SharedLibrary, SaysWhyNoneCouldBeOpened) {
    constexpr const char* kNames[] = {"libthere-is-no-such-library.so.9"};
    const SharedLibrary library(kNames);
    EXPECT_FALSE(library);
    EXPECT_NE(library.reason().find("libthere-is-no-such-library.so.9"), std::string::npos);
    EXPECT_EQ(library.function<void (*)()>("cos"), nullptr);
}

}  // namespace
}  // namespace lanework
