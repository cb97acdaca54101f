// Every command ends with the statuses that docs/command-line.md gives, and with no other.
#include <gtest/gtest.h>

#include <lanework/device.hpp>
#include <lanework/image_file.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

/// What a command is told (in a folder with the files below), and how it ends.
struct Case {
    int status;
    std::string words;
};

// 3 is in tests/program, 4 needs a GPU that fails, 70 a fault of ours: tests/core has what errors map to.
const std::map<std::string, std::vector<Case>>& cases() {
    static const std::map<std::string, std::vector<Case>> all{
        {"doctor", {{0, ""}, {2, "--jsn"}, {2, "now"}, {6, "--json /proc/x.json"}}},
        {"devices", {{0, "-d cpu"}, {2, "-d gpu"}, {6, "-d cpu --json /proc/x.json"}, {77, "-d cuda:99"}}},
        {"list", {{0, ""}, {0, "add"}, {2, "ad"}, {6, "--json folder"}}},
        {"info",
         {{0, "add"},
          {2, "add/none"},
          {2, "add --sass"},
          {6, "add --json folder"},
          {77, "add/grid_stride --registers --arch 75"}}},
        {"index", {{0, "-d cpu"}, {2, "--grid 0"}, {6, "-d cpu --csv /proc/x.csv"}, {77, "-d cuda:99"}}},
        {"occupancy",
         {{0, "--threads 256"},
          {1, "--threads 2000"},
          {1, "--threads 1024 --regs 65"},
          {2, ""},
          {2, "--threads 0"},
          {6, "--threads 256 --svg folder"},
          {77, "transpose/padded_tile --arch 75"}}},
        {"verify",
         {{0, "add/serial -d cpu --size 9"},
          {2, "add --size 9x9"},
          {2, "add --random -1"},
          {6, "add/serial -d cpu --size 9 --md a.png/x.md"},
          {7, "add/serial -d cpu --size 2000000000"},
          {77, "add -d cuda:99 --size 9"}}},
        {"bench",
         {{0, "add/serial -d cpu --size 9 --max-time 0.01"},
          {2, "add --max-time 0"},
          {6, "add/serial -d cpu --size 9 --json /proc/x.json"},
          {7, "add/serial -d cpu --size 2000000000"},
          {77, "add -d cuda:99 --size 9"}}},
        {"climb",
         {{0, "add/serial -d cpu --size 9 --max-time 0.01"},
          {2, "foo"},
          {6, "add/serial -d cpu --size 9 --csv folder"},
          {7, "add/serial -d cpu --size 2000000000"},
          {77, "add -d cuda:99 --size 9"}}},
        {"explain",
         {{0, "add/coalesced --size 99"},
          {2, "add/serial"},
          {2, "add --gpu q"},
          {6, "add --pictures a.png"},
          {7, "add/coalesced --size 2000000000"}}},
        {"run", {{0, "good.cu"}, {2, ""}, {2, "good.cu -ptx"}, {6, "none.cu"}, {77, "good.cu -ccbin /none/g++"}}},
        {"check",
         {{0, "good.cu"},
          {1, "bad.cu"},
          {2, ""},
          {2, "good.cu -c"},
          {6, "good.cu --report folder"},
          {77, "good.cu -ccbin /none"}}},
        {"cc", {{0, "-M good.cu"}, {2, ""}, {2, "good.cu -fatbin"}, {6, "none.cu"}, {6, "-c good.cu -o /proc/x.o"}}},
        {"new",
         {{0, "made --in x:float[n] --out y:float[n]"},
          {2, ""},
          {2, "made --in x:float[n"},
          {6, "/proc/x --in x:float[n] --out y:float[n]"}}},
        {"judge", {{2, ""}, {6, "./none good.cu"}}},  // 0, 1, 3 and 5 are in tests/judge
        {"profile",
         {{0, "add/coalesced -d simt --size 99"},
          {2, ""},
          {2, "add/serial -d simt"},
          {2, "add --svg x.svg"},
          {6, "add -d simt --json folder"},
          {77, "pipeline --timeline -d cpu"}}},
        {"compare",
         {{0, "fast.json fast.json"},
          {1, "fast.json slow.json"},
          {2, "fast.json"},
          {6, "fast.json none.json"},
          {6, "a.png fast.json"}}},
        {"report",
         {{0, "fast.json -o page.html"},
          {1, "slow.json --before fast.json -o page.html"},
          {2, ""},
          {2, "fast.json --before fast.json -o fast.json"},
          {2, "fast.json --device cpu -o page.html"},
          {2, "fast.json --gpu t4 -o page.html"},
          {2, "fast.json --kernel k -o page.html"},
          {6, "none.json -o page.html"},
          {6, "fast.json -o /proc/page.html"}}},
        {"compute",
         {{0, "histogram a.txt --dtype uint8 --shape 12 -d cpu -o out.npy"},
          {2, "histogram a.txt -o out.npy"},
          {2, "histogram a.txt --dtype uint8 --shape 12 -o a.txt"},
          {6, "histogram a.txt --dtype uint8 --shape 13 -o out.npy"},
          {6, "histogram none.npy -o out.npy"},
          {6, "histogram a.txt --dtype uint8 --shape 12 -o /proc/out.npy"},
          {77, "histogram a.txt --dtype uint8 --shape 12 -d cuda:99 -o out.npy"}}},
        {"image",
         {{0, "gray a.png -d cpu -o out.png"},
          {2, "gray a.png"},
          {2, "gray a.png -o a.png"},
          {6, "gray none.png -d cpu -o out.png"},
          {6, "gray fast.json -d cpu -o out.png"},
          {6, "gray a.png -d cpu -o /proc/out.png"},
          {7, "tensor a.png --size 16000x16000 -d cpu -o t.npy"},
          {77, "gray a.png -d cuda:99 -o out.png"}}},
        {"compare-images",
         {{0, "a.png a.png"},
          {1, "a.png b.png"},
          {1, "a.png wide.png"},
          {2, "a.png"},
          {6, "a.png none.png"},
          {6, "a.png fast.json"}}},
        {"neighbors",
         {{0, "a.txt --cutoff 1 -d cpu"},
          {2, "a.txt"},
          {2, "a.txt --cutoff 1 -o a.txt"},
          {6, "none.txt --cutoff 1"},
          {6, "fast.json --format pdb --cutoff 1"},
          {6, "a.txt --cutoff 1 --plot a.png/x.svg"},
          {7, "crowd.txt --cutoff 700 --box 1,1,1 -d cpu"},
          {77, "a.txt --cutoff 1 -d cuda:99"}}},
        {"particles", {{0, "diamond -o -"}, {2, "gold -o -"}, {2, "diamond"}, {6, "diamond -o folder/"}}},
        {"completion", {{0, "bash"}, {2, "tcsh"}}},
        {"help", {{0, ""}, {0, "climb"}, {2, "clim"}}},
    };
    return all;
}

constexpr const char* kResults =
    R"({"schema":1,"environment":{},"results":[{"operation":"add","rung":"serial","device":"cpu",
"dtype":"float32","problem":{"n":9,"seed":1},"verdict":"ok","reason":"","samples_s":[SECONDS,SECONDS,SECONDS],
"work":{"bytes":108,"flops":9},"limit":null,"library":false,"hot_samples_s":[],"climbs_from":"","lesson":"",
"bytes_written":36}]})";

std::string results_of(const std::string& seconds) {
    std::string text = kResults;
    for (auto at = text.find("SECONDS"); at != text.npos; at = text.find("SECONDS")) text.replace(at, 7, seconds);
    return text;
}

class ExitStatuses : public ::testing::TestWithParam<std::string> {
protected:
    ExitStatuses() {
        std::filesystem::create_directory(folder_ / "folder");
        std::ofstream(folder_ / "a.txt") << "0 0 0\n1 0 0\n";
        std::ofstream crowd(folder_ / "crowd.txt");  // their list needs more memory than any machine has
        for (int i = 0; i < 100; ++i) crowd << 0.01 * i << " 0 0\n";
        crowd.close();
        std::ofstream(folder_ / "good.cu") << "int main() {}\n";
        std::ofstream(folder_ / "bad.cu") << "__global__ void k(int* p) { p[9] = 1; }\n"
                                             "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); }\n";
        std::ofstream(folder_ / "fast.json") << results_of("1");
        std::ofstream(folder_ / "slow.json") << results_of("2");
        write_image(folder_ / "a.png", {1, 2, 1, {1, 2}});
        write_image(folder_ / "b.png", {1, 2, 1, {1, 9}});
        write_image(folder_ / "wide.png", {1, 3, 1, {1, 2, 3}});
    }
    /// With 3 GB of address space, so that what is too large is so on every machine.
    Said run(const std::string& words, const std::string& how = "") {
        return shell("ulimit -v 3000000; cd '" + folder_.string() + "'; lanework " + words + how);
    }

    Folder folder_;
};

TEST_P(ExitStatuses, AreThoseOfTheTable) {
    for (const Case& each : cases().at(GetParam())) {
        const Said said = run(GetParam() + " " + each.words);
        EXPECT_EQ(said.status, each.status) << GetParam() << " " << each.words << "\n" << said.out << said.err;
        const auto lines = std::count(said.err.begin(), said.err.end(), '\n');
        EXPECT_TRUE(each.status <= 1 || each.status == 77 || lines <= 2) << each.words << "\n" << said.err;
    }
}

TEST_P(ExitStatuses, SayThatAFullDiskTakesNoOutput) {
    const std::string words = cases().at(GetParam()).front().words;
    // These leave the standard output to a program of the user's, or use none.
    const bool silent = std::set<std::string>{"check", "compute", "image", "report", "run"}.contains(GetParam());
    const Said said = run(GetParam() + " " + words, silent ? " </dev/null" : " >/dev/full");
    EXPECT_EQ(said.status, silent ? 0 : 6) << said.err;
    EXPECT_TRUE(said.status == 0 || contains(said.err, "No space left on device")) << said.err;
    const Said closed = run(GetParam() + " " + words, " >&-");
    EXPECT_EQ(closed.status, silent ? 0 : 6) << GetParam() << closed.err;
    EXPECT_EQ(run(GetParam() + " --none", " 2>/dev/full").status, 2) << "what cannot be told changes no status";
}

INSTANTIATE_TEST_SUITE_P(Every, ExitStatuses,
                         ::testing::Values("doctor", "devices", "list", "info", "index", "occupancy", "verify", "bench",
                                           "climb", "explain", "run", "check", "cc", "profile", "compare", "report",
                                           "compute", "image", "compare-images", "neighbors", "particles", "completion",
                                           "help"),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(ExitStatusTable, CoversEveryCommand) {
    const std::string help = lanework_with("--help").out;
    std::istringstream lines(help.substr(0, help.find("Exit status:")));
    std::size_t commands = 0;
    for (std::string line; std::getline(lines, line);) {
        const bool names_one = line.starts_with("  ") && line[2] != ' ' && line[2] != '-';
        if (!names_one) continue;
        EXPECT_TRUE(cases().contains(line.substr(2, line.find(' ', 2) - 2))) << line;
        ++commands;
    }
    EXPECT_EQ(commands, cases().size()) << help;
}

}  // namespace
}  // namespace lanework
