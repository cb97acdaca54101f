// Places in the source of calls that this file makes. It is compiled as kernels are: optimised, with -g1.
#include <gtest/gtest.h>

#include <exception>
#include <functional>

#include "src/trace/record/source_lines.hpp"

namespace lanework {
namespace {

// Stands for a hook: where does it return to?
[[gnu::noinline]] std::uint64_t hook() {
    const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    asm volatile("");
    return pc;
}

constexpr int kInlinedLine = __LINE__ + 2;
[[gnu::always_inline]] inline std::uint64_t inlined() {
    const std::uint64_t pc = hook();
    asm volatile("");
    return pc;
}

// The same, called by one of the device's own functions.
[[gnu::noinline]] std::uint64_t hook_of(std::uint64_t) {
    const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    asm volatile("");
    return pc;
}

constexpr int kAroundBuiltinLine = __LINE__ + 3;
[[gnu::always_inline]] inline std::uint64_t around_builtin() {
    std::uint64_t pc = 0;
    lanework_simt::atomic_update::update(&pc, hook_of);
    return pc;
}

SourcePlace place_of(std::uint64_t pc) {
    SourceLines lines;
    SourcePlace place = lines.find(pc);
    EXPECT_TRUE(lines.available()) << lines.reason();
    return place;
}

TEST(SourceLines, KnowTheDevicesOwnCodeFromTheKernels) {
    SourceLines lines;
    EXPECT_TRUE(lines.emulates(around_builtin()));
    EXPECT_FALSE(lines.emulates(inlined()));
    EXPECT_FALSE(lines.emulates(1)) << "nobody's";
}

TEST(SourceLines, NamesFileLineColumnAndFunctionOfACall) {
    const std::uint64_t pc = hook();
    const int line = __LINE__ - 1;
    const SourcePlace place = place_of(pc);
    EXPECT_EQ(place.file, "tests/trace/source_lines_test.cu");
    EXPECT_EQ(place.line, line);
    EXPECT_GE(place.column, 30);  // at "hook" for Clang, at its parenthesis for GCC
    EXPECT_LE(place.column, 34);
    EXPECT_EQ(place.function, "TestBody");
}

TEST(SourceLines, NamesTheInnermostFunctionThatWasInlined) {
    const SourcePlace place = place_of(inlined());
    EXPECT_EQ(place.line, kInlinedLine);
    EXPECT_EQ(place.function, "inlined");
}

TEST(SourceLines, NamesTheLineThatUsesAFunctionOfTheDevice) {
    const SourcePlace place = place_of(around_builtin());
    EXPECT_EQ(place.file, "tests/trace/source_lines_test.cu");
    EXPECT_EQ(place.line, kAroundBuiltinLine);
    EXPECT_EQ(place.function, "around_builtin");
}

#ifndef __clang__  // whose -g1 does not say that a function is artificial
[[gnu::always_inline, gnu::artificial]] inline std::uint64_t builtin() { return hook(); }
[[gnu::always_inline, gnu::artificial]] inline std::uint64_t builtin_of_builtin() { return builtin(); }

TEST(SourceLines, NamesTheLineThatUsesArtificialFunctions) {
    const std::uint64_t pc = builtin_of_builtin();
    const int line = __LINE__ - 1;
    const SourcePlace place = place_of(pc);
    EXPECT_EQ(place.line, line);
    EXPECT_GE(place.column, 30);
    EXPECT_LE(place.column, 48);
    EXPECT_EQ(place.function, "TestBody");
}
#endif

TEST(SourceLines, NamesTheLineThatUsesTheSystemsHeaders) {
    const std::uint64_t pc = std::invoke(hook);  // the call itself lies in <functional>
    const int line = __LINE__ - 1;
    const SourcePlace place = place_of(pc);
    EXPECT_EQ(place.file, "tests/trace/source_lines_test.cu");
    EXPECT_EQ(place.line, line);
}

TEST(SourceLines, TellsTwoCallsOfOneLineApartByColumn) {
    const std::uint64_t pcs[] = {hook(), hook()};
    const SourcePlace first = place_of(pcs[0]), second = place_of(pcs[1]);
    EXPECT_EQ(first.line, second.line);
    EXPECT_LT(first.column, second.column);
}

TEST(SourceLines, SaysWhyAnAddressHasNoLine) {
    SourceLines lines;
    EXPECT_TRUE(lines.available());
    EXPECT_EQ(lines.find(0x10), SourcePlace{});
    EXPECT_FALSE(lines.available());
    EXPECT_EQ(lines.reason(), "no file that this process loaded holds the kernel's code");
}

TEST(SourceLines, SaysWhichFileHasNoDebuggingInformation) {
    SourceLines lines;
    const SourcePlace place = lines.find(reinterpret_cast<std::uint64_t>(&std::terminate) + 1);
    if (place.line != 0 || lines.reason().find("recorded no line") != std::string::npos)
        GTEST_SKIP() << "this machine has some debugging information of the C++ library";
    EXPECT_NE(lines.reason().find("stdc++"), std::string::npos) << lines.reason();
    EXPECT_NE(lines.reason().find("has no debugging information"), std::string::npos) << lines.reason();
}

TEST(SourceLines, KeepsWhatItFound) {
    SourceLines lines;
    const std::uint64_t pc = hook();
    const SourcePlace* first = &lines.find(pc);
    for (std::uint64_t other = pc; other < pc + 1000; ++other) lines.find(other);
    EXPECT_EQ(&lines.find(pc), first);
}

TEST(ProjectFile, IsRelativeToTheProjectAndNormal) {
    EXPECT_EQ(project_file(LANEWORK_SOURCE_DIR "/ops/../ops/add/./coalesced.cu"), "ops/add/coalesced.cu");
    EXPECT_EQ(project_file("/elsewhere/kernel.cu"), "/elsewhere/kernel.cu");
}

TEST(Plumbing, IsTheDevicesAndTheSystemsHeaders) {
    EXPECT_TRUE(is_plumbing("src/simt/include/lanework_simt/atomics.hpp"));
    EXPECT_TRUE(is_plumbing("/opt/lanework/include/lanework_simt/atomics.hpp"));
    EXPECT_TRUE(is_plumbing("/usr/include/c++/12/bits/invoke.h"));
    EXPECT_FALSE(is_plumbing("ops/reduce/warp_fold.hpp"));
}

}  // namespace
}  // namespace lanework
