// What `lanework check` and `explain` say of programs that do not come to their end: Ctrl-C, a timeout, the time that a
// check was given, a process that leaves without a word.
#include <tuple>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

TEST(Check, LeavesNothingBehindWhereItIsInterrupted) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[0] = threadIdx.x + blockIdx.x; }",
                                      "kernel<<<2, 32>>>(data); std::printf(\"now\\n\"); std::fflush(stdout);\n"
                                      "    for (;;) cudaDeviceSynchronize();"));
    const Said run =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache\n"
              "'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
              wait_for("now", "out") + "kill -TERM $pid; wait $pid; echo $?; ls cache/lanework/programs/unfinished");
    EXPECT_EQ(run.out, "143\n") << run.err;
    EXPECT_TRUE(contains(run.err, "race") && contains(run.err, "a.cu: 1 finding: 1 error until it was interrupted"))
        << run.err;
}

TEST(Check, TellsWhatALaunchShowedThatIsInterrupted) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n    data[0] = threadIdx.x + blockIdx.x;\n"
                                      "    for (long i = 0; i < 1000000000000; ++i) atomicAdd(data + 1, 1);\n}",
                                      "std::printf(\"now\\n\"); std::fflush(stdout); kernel<<<1, 64>>>(data);"));
    for (const std::string signal : {"INT", "TERM"}) {
        // What a shell runs beside it ignores Ctrl-C.
        const Said run = shell("cd '" + folder.string() +
                               "'\nset -m\nenv --default-signal=INT '" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
                               wait_for("now", "out") + "sleep 2\nkill -" + signal + " -$pid\nwait $pid; rm out");
        EXPECT_TRUE(contains(run.err, "race") &&
                    contains(run.err, "a.cu: 1 finding: 1 warning until it was interrupted"))
            << signal << run.err;
        EXPECT_TRUE(contains(run.err, "interrupted in launch 1, of kernel, which began 1 of 1 blocks")) << run.err;
    }
}

/// A race in its first block, and hours of checking behind it.
const std::string kRacingForHours =
    "__global__ void kernel(int* data) {\n    data[0] = threadIdx.x + blockIdx.x;\n"
    "    for (long i = 0; i < 100000; ++i) atomicAdd(data + 1, 1);\n}";

TEST(Check, TellsItToWhoSendsTheSignalTwice) {
    const Folder folder;
    folder.write("a.cu", program_with(kRacingForHours,
                                      "std::printf(\"now\\n\"); std::fflush(stdout); kernel<<<20000, 64>>>(data);"));
    // As `timeout` does: to the command, and to its group, the command among that.
    for (int run = 0; run < 3; ++run) {
        const Said said =
            shell("cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
                  wait_for("now", "out") +
                  "sleep 1\nkill -TERM $pid\nsleep 0.01\nkill -TERM -$pid\nwait $pid; echo $?; rm out");
        EXPECT_EQ(said.out, "143\n") << said.err;
        EXPECT_TRUE(contains(said.err, "race") && contains(said.err, " until it was interrupted\n")) << said.err;
    }
}

TEST(Check, CallsNothingCleanOfALaunchThatDidNotComeToTell) {
    const Folder folder;
    // The second signal finds no handler, and leaves no time to tell anything.
    folder.write("a.cu", "#include <csignal>\n#include <thread>\n" +
                             program_with(kRacingForHours,
                                          "std::thread([] {\n"
                                          "        std::this_thread::sleep_for(std::chrono::seconds(1));\n"
                                          "        raise(SIGTERM);\n"
                                          "        std::signal(SIGTERM, SIG_DFL);\n"
                                          "        raise(SIGTERM);\n"
                                          "    }).detach();\n"
                                          "    kernel<<<20000, 64>>>(data);"));
    const Said run = in(folder, "check --json out.json a.cu");
    EXPECT_EQ(run.status, 143) << run.err;
    EXPECT_TRUE(contains(run.err,
                         "a.cu: no findings until it was interrupted; what the launch that ran then had shown "
                         "is not known"))
        << run.err;
    EXPECT_TRUE(contains(contents(folder / "out.json"), "\"untold\": true"));
}

TEST(Check, EndsAProgramThatCannotTellAndAtOnceWhereItIsAskedTwice) {
    const Folder folder;
    // Its kernel stands still in a handler of its own.
    folder.write("a.cu", "#include <pthread.h>\n#include <unistd.h>\n#include <csignal>\n#include <thread>\n" +
                             program_with(kRacingForHours,
                                          "std::signal(SIGUSR1, [](int) { for (;;) pause(); });\n"
                                          "    std::thread([launching = pthread_self()] {\n"
                                          "        std::this_thread::sleep_for(std::chrono::seconds(1));\n"
                                          "        pthread_kill(launching, SIGUSR1);\n"
                                          "        std::this_thread::sleep_for(std::chrono::milliseconds(100));\n"
                                          "        std::printf(\"now %d\\n\", getpid()); std::fflush(stdout);\n"
                                          "    }).detach();\n"
                                          "    kernel<<<20000, 64>>>(data);"));
    const auto interrupted = [&](const std::string& again) {
        return shell(
            "cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
            wait_for("now", "out") + "read now program < out; rm out\nkill -TERM -$pid\n" + again +
            "wait $pid; echo $?; sleep 0.2; grep -qs '^State:.[^ZX]' /proc/$program/status && echo still there");
    };
    const Said once = interrupted("");
    EXPECT_TRUE(contains(once.err,
                         "a.cu: no findings; the program was ended before it could say how far it came; what "
                         "the launch that ran then had shown is not known"))
        << once.err;
    EXPECT_TRUE(once.out.starts_with("143\n") && !contains(once.out, "still there")) << once.out;
    const Said twice = interrupted("sleep 0.5\nkill -TERM -$pid\n");
    EXPECT_TRUE(twice.out.starts_with("143\n") && !contains(twice.out, "still there")) << twice.out;
    EXPECT_FALSE(contains(twice.err, "a.cu: ")) << twice.err;
}

TEST(Check, OfAProgramThatIsInterruptedSaysWhatItFoundAndHowItEnded) {
    const Folder folder;
    // In the second run it waits for the signal, which it alone gets.
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[0] = threadIdx.x + blockIdx.x; }",
                                      "kernel<<<2, 32>>>(data); cudaDeviceSynchronize();\n"
                                      "    if (std::fopen(argv[1], \"r\")) raise(SIGINT);\n"
                                      "    std::fclose(std::fopen(argv[1], \"w\"));"));
    const std::string head = "cd '" + folder.string() + "'; sed -i '1i #include <csignal>' a.cu; ";
    const Said later = shell(head + "lanework check --schedules 9 a.cu -- been");
    EXPECT_EQ(later.status, 130) << later.err;
    EXPECT_TRUE(contains(later.err, "1 error in 1 launch of 1 kernel, until a further schedule was interrupted"))
        << later.err;
    const Said first = in(folder, "check --schedules 9 --json out.json a.cu -- been");
    EXPECT_EQ(first.status, 130) << first.err;
    EXPECT_TRUE(contains(first.err, "a.cu: 1 finding: 1 error until it was interrupted")) << first.err;
    EXPECT_TRUE(contains(contents(folder / "out.json"), "\"interrupted\": true"));
}

/// Seconds of checking in the first launch, and a race in the second.
const std::string kLong =
    "__global__ void slow(int* data) {\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i < 200; ++i) sum += data[threadIdx.x + i & 63];\n"
    "    if (sum == -1) data[0] = sum;\n"
    "}\n"
    "__global__ void racing(int* data) { data[0] = threadIdx.x + blockIdx.x; }";

TEST(Check, SaysWhatItHadNoTimeForAndCallsNothingOfItClean) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "slow<<<20000, 64>>>(data); racing<<<2, 32>>>(data);"));
    const Said run = in(folder, "check --seconds 1 --json out.json a.cu");
    EXPECT_EQ(run.status, 5) << run.err;
    EXPECT_EQ(run.out, "cudaSuccess\n") << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 2 launches of 2 kernels; its time was over: ") &&
                contains(run.err, " of the 20000 blocks of a launch of slow, 1 further launch ran unchecked"))
        << run.err;
    const std::string json = contents(folder / "out.json");
    EXPECT_TRUE(contains(json, "\"of\": 20000") && contains(json, "\"launches\": 1")) << json;
}

TEST(Check, TellsWhatItFoundBeforeItsTimeWasOver) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "racing<<<2, 32>>>(data); slow<<<20000, 64>>>(data);"));
    const Said run = in(folder, "check --seconds 1 a.cu");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: 1 finding: 1 error in 2 launches of 2 kernels; its time was over: "))
        << run.err;
}

TEST(Check, ThatIsInterruptedBehindItsTimeSaysSo) {
    const Folder folder;
    // When the signal comes no block runs any more that anybody follows.
    folder.write("a.cu",
                 program_with(kLong, "std::printf(\"now\\n\"); std::fflush(stdout); slow<<<1 << 30, 64>>>(data);"));
    const Said run =
        shell("cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check --seconds 1 a.cu > out & pid=$!\n" +
              wait_for("now", "out") + "sleep 3\nkill -TERM -$pid\nwait $pid");
    EXPECT_TRUE(contains(run.err, "interrupted in launch 1, of slow, which began ") &&
                contains(run.err, " until it was interrupted; its time was over: "))
        << run.err;
}

TEST(Check, CallsNothingCleanOfAProcessThatEndsWithoutAWord) {
    const Folder folder;
    folder.write("gone.cu", "#include <unistd.h>\n" + program_with(kLong, "slow<<<20000, 64>>>(data); _exit(0);"));
    const Said gone = in(folder, "check --seconds 1 gone.cu");
    EXPECT_EQ(gone.status, 5) << gone.err;
    EXPECT_TRUE(contains(gone.err, "its time was over: what a process launched that was ended ran unchecked"))
        << gone.err;
    folder.write("child.cu", "#include <sys/wait.h>\n#include <unistd.h>\n" +
                                 program_with(kLong,
                                              "if (fork() == 0) { sleep(2); racing<<<2, 32>>>(data); _exit(0); }\n"
                                              "    wait(nullptr);"));
    EXPECT_EQ(in(folder, "check --seconds 1 child.cu").status, 5);
}

TEST(Check, SaysHowFarItIsWhereSomebodyWaits) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "slow<<<20000, 64>>>(data);"));
    const Said run = shell("cd '" + folder.string() +
                           "'; lanework cc --observable a.cu -o a && LANEWORK_WATCH=$(printf "
                           "'check\nprogress=1\nseconds=2') ./a");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "s: launch 1, of slow, has checked ") && contains(run.err, " of 20000 blocks\n"))
        << run.err;
}

TEST(Check, ThatHasTimeEnoughSaysNothingOfIt) {
    const Folder folder;
    folder.write("a.cu", program_with(kClean));
    const Said run = in(folder, "check --seconds 3600 a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 1 launch of 1 kernel") && !contains(run.err, "unchecked"))
        << run.err;
}

/// A program whose first kernel ends, and what ends the program before its second one.
std::string ended_by(const std::string& what) {
    return "#include <csignal>\n#include <cstdlib>\n" +
           program_with(
               "__global__ void first(int* data) { data[threadIdx.x] = 1; }\n"
               "__global__ void second(int* data) { data[threadIdx.x] = 2; }",
               "first<<<1, 32>>>(data); cudaDeviceSynchronize(); " + what + "\n    second<<<1, 16>>>(data);");
}

TEST(Explain, OfAProgramThatIsInterruptedShowsTheLaunchesThatHadEnded) {
    for (const auto& [what, status, why] :
         {std::tuple("raise(SIGINT);", 130, "it was interrupted"),
          std::tuple("raise(SIGTERM);", 143, "it was interrupted"),
          std::tuple("std::_Exit(5);", 5, "it ended before its end, with status 5"),
          std::tuple("std::abort();", 134, "it ended before its end, with status 134")}) {
        const Folder folder;
        folder.write("a.cu", ended_by(what));
        const Said run = in(folder, "explain a.cu --json out.json");
        EXPECT_EQ(run.status, status) << what << run.err;
        EXPECT_TRUE(contains(run.err, std::string("a.cu: ") + why + "; what follows")) << run.err;
        EXPECT_TRUE(contains(run.out, "first  grid 1, block 32") && !contains(run.out, "block 16")) << run.out;
        EXPECT_TRUE(contains(contents(folder / "out.json"), "\"first\"")) << what;
    }
    const Folder folder;
    folder.write("a.cu", ended_by("raise(SIGINT);"));
    const Said none = in(folder, "explain a.cu --kernel second");
    EXPECT_EQ(none.status, 130);
    EXPECT_TRUE(contains(none.err, "it was interrupted, and no launch that was to be explained had ended")) << none.err;
    EXPECT_EQ(none.out, "");
}

TEST(Explain, IsInterruptedWithItsProgram) {
    const Folder folder;
    folder.write("a.cu", ended_by("std::printf(\"now\\n\"); std::fflush(stdout); for (;;) cudaDeviceSynchronize();"));
    const Said run = shell("cd '" + folder.string() +
                           "'; export XDG_CACHE_HOME=$PWD/cache\n"
                           "'" LANEWORK_BINARY "' explain a.cu > out & pid=$!\n" +
                           wait_for("now", "out") + "kill -TERM $pid; wait $pid; echo $?");
    EXPECT_EQ(run.out, "143\n") << run.err;
    EXPECT_TRUE(contains(contents(folder / "out"), "first  grid 1, block 32")) << run.err;
}

}  // namespace
}  // namespace lanework
