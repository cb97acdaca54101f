// The line that says how far a command is.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

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

TEST(Progress, SaysWhatTakesLongAndHowMuchIsDone) {
    if (shell("command -v script").status != 0) return;
    const Folder folder;
    const std::string at = folder.path().string();
    std::ofstream(folder / "a.cu") << "#include <cstdio>\nvoid b();\nint main() { b(); std::puts(\"it ran\"); }\n";
    std::ofstream(folder / "b.cu") << "__global__ void k(int* x) { *x = 1; }\nvoid b() { int* x; cudaMalloc(&x, 4); "
                                      "k<<<1, 1>>>(x); cudaDeviceSynchronize(); }\n";
    std::ofstream(folder / "x.raw") << "0123456789abcdef";
    constexpr std::pair<const char*, const char*> kCases[] = {
        {"doctor", ": asking the driver"},
        {"run a.cu b.cu", "0 of 2: compiling a.cu"},
        {"check a.cu b.cu --schedules 2", "0 of 2: schedule 1"},
        {"explain a.cu b.cu", "linking a"},
        {"cc a.cu b.cu -o app", "1 of 2"},
        {"compute add x.raw x.raw --dtype float32 --shape 4 --shape 4 -o y.npy", "computing 4 by add/"},
        {"report transpose --device simt --size 33x31 --md r.md", "1 of 11"},
        {"profile pipeline/one_stream pipeline/graph --timeline --device simt", "1 of 2"},
    };
    for (const auto& [words, says] : kCases) {
        const std::string in = "cd '" + at + "'; ",
                          cache = "XDG_CACHE_HOME='" + at + "/" + std::to_string(says[0]) + words[0] +
                                  "' LANEWORK_CACHE_MIB=256 ";  // too small to precompile a header for
        const Said run = shell(in + "script -qec '" + cache + LANEWORK_BINARY " " + words + " >/dev/null' /dev/null");
        EXPECT_TRUE(contains(run.out, says)) << words << "\n" << run.out;
        EXPECT_TRUE(contains(run.out, "\r\033[K")) << words << ": it is not taken away";
        const Said silent = shell(in + cache + LANEWORK_BINARY " " + words);
        EXPECT_FALSE(contains(silent.out + silent.err, says)) << words << "\n" << silent.out << silent.err;
        EXPECT_FALSE(contains(silent.out + silent.err, "\033")) << words;
    }
}

}  // namespace
}  // namespace lanework
