// Choosing an OpenBLAS and its kernels.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/peers/openblas_library.hpp"
#include "src/peers/openblas_trials.hpp"
#include "src/peers/peer_files.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

TEST(OpenBlasTrials, TakeTheFirstOfThoseThatAreAsGoodAsTheFastest) {
    EXPECT_EQ(best_of({{"", "Haswell", "1", 240}, {"SKYLAKEX", "SkylakeX", "1", 459}}).asked, "SKYLAKEX");
    EXPECT_EQ(best_of({{"", "SkylakeX", "1", 458}, {"SKYLAKEX", "SkylakeX", "1", 459}}).asked, "");
    EXPECT_EQ(best_of({{"", "", "", 0}}).asked, "");
}

TEST(OpenBlasTrials, KnowTheNewerVersion) {
    EXPECT_TRUE(is_older("OpenBLAS 0.3.9", "OpenBLAS 0.3.21"));
    EXPECT_TRUE(is_older("OpenBLAS 0.3.21", "OpenBLAS 0.3.34.481.3"));
    EXPECT_FALSE(is_older("OpenBLAS 0.3.34", "OpenBLAS 0.3.9"));
}

TEST(OpenBlasTrials, ALibraryThatIsNoneHasNoVersion) {
    EXPECT_EQ(try_openblas("/nowhere/libopenblas.so.0", "", false).version, "");
    EXPECT_EQ(try_openblas("libc.so.6", "HASWELL", true).version, "");
}

TEST(OpenBlasTrials, AreNotRememberedWhereOneWasKeptFromTheProcessor) {
    const fs::path library = fs::temp_directory_path() / ("lanework_pipe." + std::to_string(::getpid()));
    ASSERT_EQ(::mkfifo(library.c_str(), 0600), 0);
    const OpenBlasTrial waits = try_openblas(library.string(), "", false);  // for somebody who writes into it
    fs::remove(library);
    EXPECT_TRUE(waits.late);
    EXPECT_FALSE(tell_for_good({{}, waits}));
    EXPECT_FALSE(try_openblas("/nowhere/libopenblas.so.0", "", false).late);
    EXPECT_TRUE(tell_for_good({{}, {}}));
}

TEST(PeerFiles, AreThoseOfPythonsPackagesToo) {
    const fs::path folder = fs::temp_directory_path() / ("lanework_peers." + std::to_string(::getpid()));
    const fs::path file = folder / "numpy.libs" / "libscipy_openblas64_-1234.so";
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "no library";
    ::setenv("PYTHONPATH", ("/nowhere:" + folder.string()).c_str(), 1);
    auto found = openblas_files();
    EXPECT_EQ(found.front(), "libopenblas.so.0");
    EXPECT_NE(std::find(found.begin(), found.end(), file.string()), found.end());
    ::unsetenv("PYTHONPATH");
    ::setenv("LANEWORK_OPENBLAS", "/mine/libopenblas.so", 1);
    EXPECT_EQ(openblas_files(), std::vector<std::string>{"/mine/libopenblas.so"});
    ::unsetenv("LANEWORK_OPENBLAS");
    fs::remove_all(folder);
}

TEST(OpenBlasLibrary, UsesTheKernelsItIsToldToThoughAnotherCopyHasChosenItsOwn) {
    if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "this processor has no AVX-512";
    const OpenBlasTrial wider = try_openblas("libopenblas.so.0", "SKYLAKEX", false);
    if (wider.core != "SkylakeX") GTEST_SKIP() << "no OpenBLAS here has kernels for AVX-512 and runs them";
    ::setenv("OPENBLAS_CORETYPE", "HASWELL", 1);
    ASSERT_NE(dlopen("libopenblas.so.0", RTLD_NOW | RTLD_GLOBAL), nullptr);  // as a library that the program links does
    ::unsetenv("OPENBLAS_CORETYPE");
    const OpenBlasLibrary library("libopenblas.so.0", "SKYLAKEX");
    ASSERT_EQ(library.reason(), "");
    EXPECT_EQ(library.core(), "SkylakeX");
    EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9, 10, 11, 12};
    float c[4] = {};
    library.sgemm(a, b, c, 2, 3, 2, 1);
    EXPECT_EQ(c[0], 58);
    EXPECT_EQ(c[1], 64);
    EXPECT_EQ(c[2], 139);
    EXPECT_EQ(c[3], 154);
}

}  // namespace
}  // namespace lanework
