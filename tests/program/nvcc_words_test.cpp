// Words of nvcc's command line, sorted by what they are about.
#include <gtest/gtest.h>

#include "src/program/nvcc_options.hpp"
#include "src/program/watch_settings.hpp"

namespace lanework {
namespace {

using Words = std::vector<std::string>;

TEST(NvccWords, AboutKernelsAreWithoutFilesLinkingAndGpus) {
    const Words all{"a.cu",
                    "-I",
                    "inc",
                    "-DN=3",
                    "-O2",
                    "-std=c++17",
                    "-lcublas",
                    "-L",
                    "lib",
                    "-arch",
                    "sm_80",
                    "-gencode=x",
                    "-o",
                    "app",
                    "-Xcompiler",
                    "-fopenmp",
                    "-Xlinker",
                    "-s",
                    "--maxrregcount=32",
                    "-use_fast_math",
                    "-G",
                    "b.o",
                    "-rdc=true",
                    "-lineinfo",
                    "-MD",
                    "-MF",
                    "a.d"};
    EXPECT_EQ(words_about_kernels(all), (Words{"-I", "inc", "-DN=3", "-O2", "-std=c++17", "-Xcompiler", "-fopenmp",
                                               "--maxrregcount=32", "-use_fast_math", "-G", "-rdc=true"}));
    EXPECT_EQ(words_about_kernels(Words{"-I"}), Words{"-I"}) << "a value that is missing is not made up";
    EXPECT_TRUE(words_about_kernels(Words{}).empty());
}

TEST(WatchSettings, AreTheSameBehindTheVariable) {
    WatchSettings settings;
    settings.task = WatchSettings::Task::explain;
    settings.code = {"/tmp/a b.sass", "/tmp/c.sass"};
    settings.sass = true;
    settings.kernel = "blur";
    const WatchSettings read = read_watch_settings(to_text(settings));
    EXPECT_EQ(read.task, WatchSettings::Task::explain);
    EXPECT_EQ(read.code, settings.code);
    EXPECT_TRUE(read.sass);
    EXPECT_EQ(read.kernel, "blur");
    EXPECT_FALSE(read_watch_settings("check").sass);
}

}  // namespace
}  // namespace lanework
