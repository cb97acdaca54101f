// Where output goes: two that would harm each other are refused before the work, and every kind of place works or says
// why it does not.
#include <gtest/gtest.h>

#include "tests/cli/run.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

class Outputs : public ::testing::Test {
protected:
    Outputs() { std::ofstream(folder_ / "a.txt") << "0 0 0\n1 0 0\n"; }
    Said run(const std::string& words) { return shell("cd '" + folder_.string() + "'; lanework " + words); }
    void expect(const std::string& words, int status, const std::string& message) {
        const Said said = run(words);
        EXPECT_EQ(said.status, status) << words << "\n" << said.out << said.err;
        EXPECT_TRUE(contains(said.err, message)) << words << "\n" << said.err;
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
    std::string in(const std::string& name) const { return contents(folder_ / name); }

    const std::string bench_ = "bench add/serial -d cpu --size 9 --max-time 0.01 ";
    Folder folder_;
};

TEST_F(Outputs, ThatAreOneFileAreRefusedBeforeTheWork) {
    std::filesystem::create_directory(folder_ / "d");
    std::filesystem::create_symlink("r", folder_ / "link");
    std::filesystem::create_symlink("d", folder_ / "way");
    for (const char* pair : {"--json r --csv r", "--json r --md ./r", "--csv d/../r --json r", "--json r --csv link",
                             "--json d/r --md way/r", "--json new/r --csv new/./r"})
        expect(bench_ + pair, 2, "are one file; give each a file of its own");
    expect("neighbors a.txt --cutoff 2 -d cpu -o n.txt --json n.txt", 2,
           "--output n.txt and --json n.txt are one file");
    expect("neighbors a.txt --cutoff 2 -d cpu --plot p.svg -o p.svg", 2, "one file");
    expect("occupancy --threads 32 --svg x --json x", 2, "one file");
    expect(bench_ + "--json --csv -", 2, "--json and --csv cannot both go to the standard output");
    expect(bench_ + "--json /dev/stdout --csv", 2, "cannot both go to the standard output");
    expect(bench_ + "--json r >r", 2, "the standard output goes to this file already");
    EXPECT_FALSE(exists("d/r") || exists("new") || exists("n.txt") || exists("p.svg") || exists("x"));
}

TEST_F(Outputs, NeverReplaceAnInput) {
    ASSERT_EQ(run(bench_ + "--json before").status, 0);
    std::filesystem::create_symlink("before", folder_ / "link");
    const std::string before = in("before"), atoms = in("a.txt");
    expect("compare before before --json before", 2, "is an input and would be overwritten");
    expect("compare link before --csv ./before", 2, "is an input and would be overwritten");
    expect("neighbors a.txt --cutoff 2 -d cpu --json a.txt", 2, "is an input and would be overwritten");
    expect("neighbors a.txt --cutoff 2 -d cpu -o ./a.txt", 2, "is an input and would be overwritten");
    EXPECT_EQ(in("before"), before);
    EXPECT_EQ(in("a.txt"), atoms);
}

TEST_F(Outputs, NeverReplaceAPictureOfAFolderOrAProgram) {
    for (const char* folder : {"a", "b"}) {
        std::filesystem::create_directory(folder_ / folder);
        std::ofstream(folder_ / folder / "p.pgm") << "P5\n1 1\n255\nx";
    }
    const std::string picture = in("b/p.pgm");
    for (const char* json : {"b/p.pgm", "a/../b/p.pgm"})
        expect("compare-images a b --json " + std::string(json), 2, "is an input and would be overwritten");
    EXPECT_EQ(in("b/p.pgm"), picture);
    EXPECT_EQ(run("compare-images a b --json b/r.json").status, 0);
    EXPECT_EQ(run("compare-images a b --json b/r.json").status, 0) << "what an earlier run wrote there is no picture";

    const std::string program = "#include <cuda_runtime.h>\nint main() {}\n";
    std::ofstream(folder_ / "p.cu") << program;
    expect("check p.cu --report ./p.cu", 2, "is an input and would be overwritten");
    expect("check p.cu --json=p.cu", 2, "is an input and would be overwritten");
    EXPECT_EQ(in("p.cu"), program);
}

TEST_F(Outputs, MayBeNamedWithoutAnExtension) {
    EXPECT_EQ(run(bench_ + "--json results").status, 0);
    EXPECT_EQ(Json::parse(in("results"))["results"].size(), 1u);
    std::filesystem::create_directory(folder_ / "folder");
    expect(bench_ + "--json folder", 6, "folder: is a folder; name a file in it");
    expect("verify -d cpu --json add", 2, "`add` is an operation: write it before --json, or name the file ./add");
    expect("verify -d cpu --json add/serial", 2, "`add/serial` is a rung");
    EXPECT_EQ(run(bench_ + "--json ./add").status, 0);
    EXPECT_TRUE(exists("add"));
}

TEST_F(Outputs, GoStraightToDevicesAndPipes) {
    EXPECT_EQ(run(bench_ + "--json /dev/null --csv /dev/null").status, 0);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_EQ(run(bench_ + "--json >(cat >piped); wait $!").status, 0);
    EXPECT_EQ(Json::parse(in("piped"))["schema"], 1);
    EXPECT_EQ(run(bench_ + "--json /dev/fd/3 3>third").status, 0);
    EXPECT_EQ(Json::parse(in("third"))["schema"], 1);
    EXPECT_EQ(Json::parse(run(bench_ + "--json /dev/stdout").out)["schema"], 1);
    expect(bench_ + "--json <(cat)", 6, "is open for reading only");
    expect(bench_ + "--json /dev/fd/9", 6, "Bad file descriptor");
    expect(bench_ + "--json /dev/full", 6, "/dev/full: cannot be written: No space left on device");
    EXPECT_TRUE(contains(run(bench_ + "--json /dev/full").out, "add/serial"))
        << "what people read is shown all the same";
}

TEST_F(Outputs, GetTheirFoldersMadeEverywhere) {
    ASSERT_EQ(run(bench_ + "--json a/1/r.json --csv a/2/r.csv --md a/3/r.md").status, 0);
    ASSERT_EQ(run("compare a/1/r.json a/1/r.json --csv b/1/c.csv").status, 0);
    ASSERT_EQ(run("neighbors a.txt --cutoff 2 -d cpu -o c/1/n.npz --plot c/2/p.svg --json c/3/n.json").status, 0);
    ASSERT_EQ(run("occupancy --threads 32 --svg d/1/o.svg").status, 0);
    ASSERT_EQ(run("particles diamond -o e/1/d.xyz").status, 0);
    for (const char* name : {"a/1/r.json", "a/2/r.csv", "a/3/r.md", "b/1/c.csv", "c/1/n.npz", "c/2/p.svg", "c/3/n.json",
                             "d/1/o.svg", "e/1/d.xyz"})
        EXPECT_TRUE(exists(name)) << name;
    for (const char* words : {"occupancy --threads 32 --svg a.txt/o.svg", "particles diamond -o a.txt/d.xyz",
                              "list --json a.txt/l.json", "explain add --pictures a.txt"})
        expect(words, 6, "a.txt");
}

// A ladder that takes long, behind one that does not: the line of its rung says that the first is finished.
constexpr const char* kClimb = "climb gray/simd matmul/serial -d cpu --max-time 1 ";

TEST_F(Outputs, HoldWhatWasFinishedWhenSomebodyPressesCtrlC) {
    for (const char* signal : {"INT", "TERM"}) {
        const Said said =
            shell("cd '" + folder_.string() + "'; env --default-signal=INT '" LANEWORK_BINARY "' " + kClimb +
                  "--json r.json --csv r.csv >out." + signal + " & pid=$!\n" +
                  wait_for("simd", std::string("out.") + signal) + "kill -" + signal + " $pid; wait $pid");
        EXPECT_EQ(said.status, std::string(signal) == "INT" ? 130 : 143) << said.err;
        EXPECT_TRUE(contains(said.err, "interrupted, 1 of 2 finished; what was finished is in r.json and r.csv"))
            << said.err;
        const Json results = Json::parse(in("r.json"));
        ASSERT_EQ(results["results"].size(), 1u);
        EXPECT_EQ(results["results"][0]["rung"], "simd");
        EXPECT_EQ(results["environment"]["interrupted"], "1 of 2");
        EXPECT_TRUE(contains(in("r.csv"), "simd"));
    }
}

TEST_F(Outputs, HoldWhatWasFinishedWhenNobodyReadsTheTable) {
    const Said said = run(bench_ + "--json r.json | true; exit ${PIPESTATUS[0]}");
    EXPECT_TRUE(said.status == 141 || said.status == 0) << said.status << said.err;
    EXPECT_EQ(said.err, "");
    EXPECT_EQ(Json::parse(in("r.json"))["results"].size(), 1u);
    const Said list = run("list | head -1; exit ${PIPESTATUS[0]}");
    EXPECT_TRUE(list.status == 141 || list.status == 0) << list.status;
    EXPECT_EQ(list.err, "");
}

}  // namespace
}  // namespace lanework
