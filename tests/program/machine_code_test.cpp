// `explain` and `profile` of a program where a compiler of machine code is at hand: one that stands in and gives what
// was recorded, so that no toolkit is needed.
#include "src/io/json.hpp"
#include "tests/profile/stand_in.hpp"
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

constexpr const char* kProgram = LANEWORK_SOURCE_DIR "/tests/sass/recorded/variables.cu";
constexpr const char* kStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";

/// A toolkit of nvcc, whose words are kept, and nvdisasm.
class MachineCodeOfPrograms : public StandIns {
protected:
    MachineCodeOfPrograms() {
        stand_in("bin/nvcc", "echo \"$@\" >> " + words().string() +
                                 "\nwhile [ $# -gt 0 ]; do\n"
                                 "  case $1 in -o) : > \"$2\";; -MF) echo \"a.o: " +
                                 kProgram + "\" > \"$2\";; esac\n  shift\ndone");
        stand_in("bin/nvdisasm", "cat '" LANEWORK_SOURCE_DIR "/tests/sass/recorded/variables.sass'");
    }
    std::filesystem::path words() const { return folder_ / "words"; }
    Said run(const std::string& command) const {
        return shell("export CUDA_HOME='" + folder_.string() + "' XDG_CACHE_HOME='" + (folder_ / "cache").string() +
                     "'\nPATH='" + (folder_ / "bin").string() + "':$PATH\ncd '" + folder_.string() + "'\nlanework " +
                     command);
    }
    /// A counter of the program's only kernel.
    static Json counter(const std::string& json, const std::string& metric) {
        return Json::parse(json)["results"][0]["kernels"][0]["counters"][metric];
    }
};

TEST_F(MachineCodeOfPrograms, IsFollowedWithTheVariablesOfTheProgram) {
    const Said said = run(std::string("explain ") + kProgram + " --json a.json");
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_FALSE(contains(said.err, "as written")) << said.err;
    const std::string json = contents((folder_ / "a.json").string());
    EXPECT_EQ(Json::parse(json)["results"][0]["kernels"][0]["machine_code"]["reason"], "");
    // The host's compiler leaves out a variable that nobody reads; nvcc stores it, 4 bytes for each of 32 warps.
    EXPECT_EQ(counter(json, kStores)["value"], 64);
    EXPECT_EQ(counter(json, kStores)["trust"], "exact");
    const Said written = run(std::string("explain ") + kProgram + " --as-written --json a.json");
    ASSERT_EQ(written.status, 0) << written.err;
    EXPECT_EQ(counter(contents((folder_ / "a.json").string()), kStores)["value"], 32);
}

TEST_F(MachineCodeOfPrograms, IsCompiledAsTheProgramIsAndKept) {
    const std::string command = std::string("explain -O3 -DN=3 -arch=sm_80 -lm ") + kProgram + " --gpu h200 -- 5";
    ASSERT_EQ(run(command).status, 0);
    const std::string told = contents(words().string());
    EXPECT_TRUE(contains(told, "-O3 -DN=3 -lineinfo -arch=sm_90 -cubin " + std::string(kProgram))) << told;
    EXPECT_FALSE(contains(told, "sm_80")) << told;
    EXPECT_FALSE(contains(told, "-lm")) << told;
    ASSERT_EQ(run(command).status, 0);
    EXPECT_EQ(contents(words().string()), told) << "what was compiled once is found again";
}

TEST_F(MachineCodeOfPrograms, IsShownBesideItsLines) {
    const Said said = run(std::string("explain --sass ") + kProgram);
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_TRUE(contains(said.out, "Machine code of blur for sm_90")) << said.out;
    EXPECT_TRUE(contains(said.out, "REDG.E.ADD")) << said.out;
}

TEST_F(MachineCodeOfPrograms, IsWhatProfilePredicts) {
    const Said said = run(std::string("profile --device simt ") + kProgram + " --json a.json");
    ASSERT_EQ(said.status, 0) << said.err;
    const Json counters =
        Json::parse(contents((folder_ / "a.json").string()))["profiles"][0]["launches"][0]["counters"];
    Json predicted;
    for (const Json& each : counters)
        if (each["metric"] == kStores) predicted = each["predicted"];
    EXPECT_EQ(predicted, 64);
}

TEST_F(MachineCodeOfPrograms, IsLeftOutWithAReasonWhereItCannotBeHad) {
    stand_in("bin/nvcc", "echo 'a.cu(3): error: no such thing' >&2\nexit 1");
    const Said said = run(std::string("explain ") + kProgram + " --json a.json");
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_TRUE(contains(said.err, "counted as written: nvcc does not compile")) << said.err;
    EXPECT_TRUE(contains(said.err, "no such thing")) << said.err;
    EXPECT_EQ(counter(contents((folder_ / "a.json").string()), kStores)["trust"], "as written");
    EXPECT_EQ(run(std::string("explain --sass ") + kProgram).status, 3) << "it was asked for";
    ASSERT_EQ(run(std::string("cc --observable -o built ") + kProgram).status, 0);
    const Said built = run("explain ./built");
    EXPECT_TRUE(contains(built.err, "machine code is compiled from a program's files, and none is named")) << built.err;
}

TEST_F(MachineCodeOfPrograms, IsDoubtedBehindALaunchThatWasPutInPlace) {
    stand_in("bin/nvdisasm", "cat '" LANEWORK_SOURCE_DIR "/tests/sass/recorded/kernels.sass'");
    // The product rounds, and the second one is equal to the first and not run; `numbers` compares what it left.
    std::ofstream(folder_ / "again.cu") << R"(#include ")" LANEWORK_SOURCE_DIR R"(/tests/sass/recorded/kernels.cu"
        int main(int argc, char**) {
            constexpr int kBytes = 1600 * sizeof(float);
            float host[1600], *left, *right, *out;
            double* results;
            for (float** each : {&left, &right, &out}) {
                for (int i = 0; i < 1600; ++i) host[i] = each == &left ? 1234.567f + i : 3456.789f - i;
                cudaMalloc(each, kBytes);
                cudaMemcpy(*each, host, kBytes, cudaMemcpyHostToDevice);
            }
            cudaMalloc(&results, 32 * 8 * sizeof(double));
            for (int i = 0; i < argc; ++i) tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left, right, out, 40);
            numbers<<<1, 32>>>(out, right, results, 32);
            cudaDeviceSynchronize();
        })";
    const auto divergent = [this](const std::string& arguments) {
        const Said said = run("explain again.cu --json a.json" + arguments);
        EXPECT_EQ(said.status, 0) << said.err;
        const Json kernel = Json::parse(contents((folder_ / "a.json").string()))["results"][0]["kernels"][1];
        EXPECT_EQ(kernel["machine_code"]["symbol"], "numbers");
        return kernel["counters"]["smsp__sass_branch_targets_threads_divergent.sum"];
    };
    EXPECT_EQ(divergent("")["trust"], "exact");
    const Json doubted = divergent(" -- again");
    EXPECT_EQ(doubted["trust"], "modelled");
    EXPECT_TRUE(contains(doubted["why"].get<std::string>(), "earlier launches left")) << doubted;
}

TEST_F(MachineCodeOfPrograms, SaysWhyWhereACounterIsNotExact) {
    for (const std::string& words : {std::string(kProgram), kProgram + std::string(" --as-written"),
                                     std::string("reduce/grid_sync --size 1000 --as-written")}) {
        const Said said = run("explain " + words + " --json a.json");
        ASSERT_EQ(said.status, 0) << words << said.err;
        int not_exact = 0;
        const Json results = Json::parse(contents((folder_ / "a.json").string()))["results"];
        for (const Json& kernel : results[0]["kernels"])
            for (const auto& [metric, counter] : kernel["counters"].items()) {
                if (counter["trust"] == "exact") continue;
                ++not_exact;
                EXPECT_FALSE(counter.value("why", "").empty()) << metric << " of " << words;
            }
        EXPECT_GT(not_exact, 0) << words;
    }
}

TEST_F(MachineCodeOfPrograms, IsNotBelievedWithOtherValuesOfItsVariables) {
    std::string text = contents(LANEWORK_SOURCE_DIR "/tests/sass/recorded/variables.sass");
    const auto name = text.find("\ntaps:");
    ASSERT_NE(name, text.npos);
    text.replace(name, 6, "\nelsewhere:");  // a variable that the program has not, and that begins as zero
    for (auto at = text.find("taps"); at != text.npos; at = text.find("taps", at + 1)) text.replace(at, 4, "none");
    std::ofstream(folder_ / "other.sass") << text;
    stand_in("bin/nvdisasm", "cat '" + (folder_ / "other.sass").string() + "'");
    const Said said = run(std::string("explain ") + kProgram + " --json a.json");
    ASSERT_EQ(said.status, 0) << said.err;
    const std::string json = contents((folder_ / "a.json").string());
    EXPECT_TRUE(contains(Json::parse(json)["results"][0]["kernels"][0]["machine_code"]["reason"].get<std::string>(),
                         "leaves other results"));
    EXPECT_EQ(counter(json, kStores)["trust"], "as written");
}

}  // namespace
}  // namespace lanework
