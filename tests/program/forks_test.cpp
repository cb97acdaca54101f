// Programs that fork: every process of them is watched, and what each launches is counted.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

const std::string kKernels =
    "#include <csignal>\n#include <sys/wait.h>\n#include <unistd.h>\n"
    "__global__ void good(int* data) { data[blockIdx.x * 32 + threadIdx.x] += 1; }\n"
    "__global__ void first(int* data) { data[0] += threadIdx.x; }\n"
    "__global__ void second(int* data) { data[1] += threadIdx.x; }\n"
    // One process does `what` and ends as `ends` says; the other one waits for it.
    "#define IN_CHILD(what, ends) if (fork() == 0) { what; cudaDeviceSynchronize(); ends; } else wait(nullptr)\n";

Said checked(const std::string& body, const std::string& options = "") {
    const Folder folder;
    folder.write("a.cu", program_with(kKernels, body));
    return in(folder, "check a.cu " + options);
}

TEST(Forks, ChildrenThatAloneLaunchAreCounted) {
    for (const std::string ends : {"_exit(0)", "std::exit(0)", "raise(SIGKILL)"}) {
        const Said clean = checked("IN_CHILD((good<<<2, 32>>>(data)), " + ends + ");");
        EXPECT_EQ(clean.status, 0) << clean.err;
        EXPECT_TRUE(contains(clean.err, "a.cu: no findings in 1 launch of 1 kernel")) << ends << '\n' << clean.err;
    }
    const Said wrong = checked("IN_CHILD((first<<<1, 32>>>(data)), _exit(0));");
    EXPECT_EQ(wrong.status, 1) << wrong.err;
    EXPECT_TRUE(contains(wrong.err, "a.cu: 1 finding: 1 error in 1 launch of 1 kernel")) << wrong.err;
}

TEST(Forks, AProgramThatForksAndLaunchesNothingSaysSo) {
    const Said run = checked("IN_CHILD((void)0, _exit(0));");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings; it launched no kernel")) << run.err;
}

TEST(Forks, KernelsOfSeveralProcessesAreCountedOnceAndLaunchesOfEach) {
    const Said run = checked(
        "good<<<1, 32>>>(data); cudaDeviceSynchronize();\n"
        "    for (int i = 0; i < 2; ++i) IN_CHILD((good<<<2, 32>>>(data), good<<<1, 16>>>(data)), _exit(0));\n"
        "    good<<<1, 8>>>(data);",
        "--json out.json; cat out.json");
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 6 launches of 1 kernel")) << run.err;
    EXPECT_TRUE(contains(run.out, "\"launches\": 6") && contains(run.out, "\"kernels\": 1")) << run.out;
}

TEST(Forks, WhatAChildShowedIsKeptWhereItsParentShowsMoreLater) {
    const Said run = checked("IN_CHILD((first<<<1, 32>>>(data)), _exit(0));\n    second<<<1, 32>>>(data);");
    EXPECT_TRUE(contains(run.err, "a.cu: 2 findings: 2 errors in 2 launches of 2 kernels")) << run.err;
    EXPECT_TRUE(contains(run.err, " in first") && contains(run.err, " in second")) << run.err;
}

TEST(Forks, AChildsLaunchIsExplained) {
    const Folder folder;
    folder.write("a.cu", program_with(kKernels, "IN_CHILD((good<<<2, 32>>>(data)), _exit(0));"));
    const Said run = in(folder, "explain --as-written a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "good  grid 2, block 32")) << run.out << run.err;
    EXPECT_FALSE(contains(run.err, "left out")) << run.err;
    folder.write("b.cu",
                 program_with(kKernels, "IN_CHILD((good<<<2, 32>>>(data)), _exit(0));\n    first<<<1, 32>>>(data);"));
    const Said both = in(folder, "explain --as-written b.cu");
    EXPECT_TRUE(contains(both.out, "first  grid 1, block 32")) << both.out;
    EXPECT_TRUE(
        contains(both.err, "b.cu: launches of one process are explained; 1 of others, which it forked, is left out"))
        << both.err;
    // What ends last has nothing new to explain.
    folder.write("c.cu",
                 program_with(kKernels + "int* all;\nvoid at_end() { IN_CHILD((good<<<2, 32>>>(all)), _exit(0)); }",
                              "all = data; std::atexit(at_end); good<<<2, 32>>>(data);"));
    const Said later = in(folder, "explain --as-written c.cu");
    EXPECT_TRUE(contains(later.out, "good  grid 2, block 32") && !contains(later.err, "left out")) << later.err;
    const Said none = in(folder, "explain --as-written a.cu --kernel first");
    EXPECT_TRUE(contains(none.err, "has no launch 1 of first to explain; it launched 1 kernel 1 time")) << none.err;
}

TEST(Forks, WhatAChildHadNoTimeForIsCounted) {
    const Said run = checked("IN_CHILD((sleep(2), good<<<2, 32>>>(data)), _exit(0));", "--seconds 1");
    EXPECT_EQ(run.status, 5) << run.err;
    EXPECT_TRUE(contains(run.err, " in 1 launch of 1 kernel; its time was over: 1 launch ran unchecked")) << run.err;
}

}  // namespace
}  // namespace lanework
