// lanework particles and lanework neighbors, from nothing to lists and pictures, and what they say to mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <lanework/device.hpp>

#include "tests/cli/run.hpp"
#include "tests/report/svg_well_formed.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

std::string in(const Folder& folder, const std::string& name) { return "'" + (folder / name).string() + "'"; }

/// What --json says; fails the test when the command does.
Json neighbors_json(const std::string& words) {
    const Said run = lanework_with("neighbors " + words + " --device cpu --json");
    EXPECT_EQ(run.status, 0) << words << "\n" << run.err;
    return run.status == 0 ? Json::parse(run.out) : Json();
}

void make(const std::string& words) {
    const Said run = lanework_with("particles " + words);
    ASSERT_EQ(run.status, 0) << words << "\n" << run.err;
    EXPECT_EQ(run.out, "");
}

TEST(NeighborsCommand, FindsTheKnownShellsOfCrystalsInEveryFormat) {
    const Folder folder;
    for (const char* name : {"diamond.xyz", "diamond.data"}) {
        make(std::string("diamond --cells 2 -o ") + in(folder, name));
        for (const auto& [cutoff, count] : {std::pair{"3", 28}, std::pair{"6", 158}, std::pair{"12", 1290}}) {
            const Json said = neighbors_json(in(folder, name) + " --cutoff " + cutoff);
            EXPECT_EQ(said["coordination"]["min"], count);
            EXPECT_EQ(said["coordination"]["max"], count);
            EXPECT_EQ(said["pairs"], 64 * count);
        }
    }
    make("cscl --cells 3,3,3 -o " + in(folder, "salt.xyz"));
    EXPECT_EQ(neighbors_json(in(folder, "salt.xyz") + " --cutoff 6")["coordination"]["min"], 26);
    const Json far = neighbors_json(in(folder, "salt.xyz") + " --cutoff 15 --half --dtype float32");
    EXPECT_EQ(far["coordination"]["min"], 410);
    EXPECT_EQ(far["pairs"], 54 * 410 / 2);
    EXPECT_NEAR(far["shortest"]["distance"].get<double>(), 4.119 * std::sqrt(3.0) / 2, 1e-5);
}

TEST(NeighborsCommand, GivesThreeNeighboursToEveryInnerAtomOfGraphene) {
    const Folder folder;
    make("graphene --rows 6 --cols 4 --pbc none -o " + in(folder, "flake.xyz"));
    const Said run = lanework_with("neighbors " + in(folder, "flake.xyz") + " --cutoff 1.9 --device cpu -o " +
                                   in(folder, "list.txt") + " --plot " + in(folder, "bonds.svg"));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "96, in 3 dimensions")) << run.out;
    std::istringstream atoms(contents(folder / "flake.xyz")), list(contents(folder / "list.txt"));
    std::string line, row;
    std::getline(atoms, line), std::getline(atoms, line);
    int inner = 0, pairs = 0;
    while (std::getline(atoms, line) && std::getline(list, row)) {
        std::string species;
        double x = 0, y = 0;
        int count = 0, index = 0, listed = 0;
        std::istringstream(line) >> species >> x >> y;
        std::istringstream words(row);
        words >> count;
        while (words >> index) ++listed;
        EXPECT_EQ(listed, count);
        pairs += count;
        if (x < 1.5 || x > 14 || y < 1.5 || y > 12.5) continue;
        EXPECT_EQ(count, 3) << line;
        ++inner;
    }
    EXPECT_GT(inner, 50);
    const std::string svg = contents(folder / "bonds.svg");
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_EQ(count_of("<line ", svg), pairs / 2);
}

TEST(NeighborsCommand, ReadsTheExampleOfTheRepository) {
    const std::string file = std::string(LANEWORK_SOURCE_DIR) + "/examples/data/graphene.xyz";
    const Folder folder;
    make("graphene --rows 8 --cols 5 --pbc none -o " + in(folder, "graphene.xyz"));
    EXPECT_EQ(contents(file), contents(folder / "graphene.xyz"));
    EXPECT_EQ(neighbors_json("'" + file + "' --cutoff 1.9")["coordination"]["max"], 3);
}

TEST(NeighborsCommand, SaysTheSameOnSimtAndCpu) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    const Folder folder;
    make("gas --atoms 300 --box 18,20,22,80,95,110 --pbc xz --seed 4 -o " + in(folder, "gas.xyz"));
    for (const char* device : {"cpu", "simt"}) {
        const Said run = lanework_with("neighbors " + in(folder, "gas.xyz") + " --cutoff 5 --dtype float32 --shifts " +
                                       "--vectors --distances -o " + in(folder, std::string(device) + ".npz") +
                                       " --device " + device);
        ASSERT_EQ(run.status, 0) << run.err;
    }
    EXPECT_EQ(contents(folder / "cpu.npz"), contents(folder / "simt.npz"));
}

TEST(NeighborsCommand, WritesTheNumberOfNeighboursBesideEachAtom) {
    const Folder folder;
    make("fcc --cells 2,2,2 -o " + in(folder, "a.xyz"));
    ASSERT_EQ(
        lanework_with("neighbors " + in(folder, "a.xyz") + " --cutoff 3 --half --device cpu -o " + in(folder, "b.xyz"))
            .status,
        0);
    const std::string text = contents(folder / "b.xyz");
    EXPECT_TRUE(contains(text, "Properties=species:S:1:pos:R:3:coordination:I:1 pbc=\"T T T\"")) << text;
    EXPECT_TRUE(contains(text, "Cu 0 0 0 12\n")) << text;
}

TEST(NeighborsCommand, ReadsTheStandardInputAndPointsInAPlane) {
    const Said run =
        shell("printf '0 0\\n1 0\\n9.5 0\\n' | lanework neighbors - --cutoff 1.1 --box 10,10 --device cpu --json");
    ASSERT_EQ(run.status, 0) << run.err;
    const Json said = Json::parse(run.out);
    EXPECT_EQ(said["file"], "the standard input");
    EXPECT_EQ(said["dimensions"], 2);
    EXPECT_EQ(said["pairs"], 4);
    const Said piped = shell("lanework particles gas --atoms 50 -o - | lanework neighbors - --cutoff 3 --device cpu");
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_TRUE(contains(piped.out, "50, in 3 dimensions")) << piped.out;
}

TEST(NeighborsCommand, WritesTheListToTheStandardOutputAndToPipes) {
    // Not in a pipeline, where $! would not be the reader of the list.
    const std::string command = "lanework neighbors - --cutoff 1.1 --device cpu <<< $'0 0\\n1 0\\n9.5 0' -o ";
    const std::string expected = "1 1\n1 0\n0\n";
    for (const char* output :
         {"-", "/dev/stdout", ">(cat >&2); wait $!", "/dev/fd/3 3>&1 >&2", "/dev/stdout --json /dev/null"}) {
        const Said run = shell(command + output);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_TRUE(run.out == expected || contains(run.err, expected)) << output << "\n" << run.out << run.err;
    }
    EXPECT_EQ(shell(command + "/dev/null").status, 0);
    EXPECT_EQ(shell(command + "- --shifts").status, 2) << "arrays belong into an .npz";
    EXPECT_EQ(shell(command + "- --json").status, 2) << "both would go to the standard output";
}

TEST(NeighborsCommand, TakesTheBoxAndItsPeriodicityFromTheCommandLine) {
    const Folder folder;
    std::ofstream(folder / "a.txt") << "0 0 0\n";
    const auto pairs = [&](const std::string& words) {
        return neighbors_json(in(folder, "a.txt") + " --cutoff 2.1 " + words)["pairs"].get<int>();
    };
    EXPECT_EQ(pairs(""), 0);
    EXPECT_EQ(pairs("--box 2,2,2"), 6);
    EXPECT_EQ(pairs("--box 2,2,2 --pbc xz"), 4);
    EXPECT_EQ(pairs("--box 2,2,2 --pbc none"), 0);
    EXPECT_EQ(pairs("--box 2,2,2,90,90,60"), 8);
    EXPECT_EQ(pairs("--box 2,0,0,0,2,0,0,0,3"), 4);
}

TEST(NeighborsCommand, DrawsPngPictures) {
    const Folder folder;
    make("diamond --cells 2,2,2 -o " + in(folder, "a.xyz"));
    for (const char* axis : {"x", "y", "z"})
        EXPECT_EQ(lanework_with("neighbors " + in(folder, "a.xyz") + " --cutoff 1.6 --device cpu --view " + axis +
                                " --plot " + in(folder, std::string(axis) + ".png"))
                      .status,
                  0);
    EXPECT_TRUE(contents(folder / "x.png").starts_with("\x89PNG"));
}

TEST(NeighborsCommand, SaysWhatIsWrongAndLeavesNothing) {
    const Folder folder;
    std::ofstream(folder / "a.txt") << "0 0 0\n1 0 0\n";
    std::ofstream(folder / "bad.txt") << "0 0 0\n1 nan 0\n";
    const std::string a = "neighbors " + in(folder, "a.txt"), out = " -o " + in(folder, "out/list.txt");
    const auto expect = [&](const std::string& words, int status, const std::string& message) {
        expect_mistake(words + out + " --device cpu", status, message);
        EXPECT_FALSE(std::filesystem::exists(folder / "out")) << words;
    };
    expect(a, 2, "--cutoff LENGTH is missing");
    for (const char* cutoff : {"0", "-1", "nan", "inf", "x", "1e400"})
        expect(a + " --cutoff " + cutoff, 2, "is not a finite number above 0");
    expect("neighbors " + in(folder, "bad.txt") + " --cutoff 1", 6,
           "bad.txt:2: expected y as a finite number, found `nan`");
    expect("neighbors " + in(folder, "none.xyz") + " --cutoff 1", 6, "there is no such file");
    expect(a + " --cutoff 1 --box 1,0,0,2,0,0,0,0,1", 2, "not linearly independent");
    expect(a + " --cutoff 1 --box 1,1", 2, "has 2 numbers");
    expect(a + " --cutoff 1 --pbc x", 2, "direction x is periodic, but it has no box vector; give --box");
    expect(a + " --cutoff 1 --pbc q", 2, "--pbc takes letters of xyz");
    expect(a + " --cutoff 1 --frame 2", 6, "expected frame 2");
    expect(a + " --cutoff 1 --format cif", 2, "`cif` is not one of");
    expect(a + " --cutoff 1 --shifts", 2, "holds no shifts, vectors or distances; write a .npz");
    expect(a + " --cutoff 1 --plot " + in(folder, "a.gif"), 2, "must end in .svg or .png");
    expect(a + " --cutoff 100 --box 1,1,1 --memory 1", 7, "the list has at least 16");
    std::ofstream crowd(folder / "crowd.txt");  // their list needs more memory than any machine has
    for (int i = 0; i < 100; ++i) crowd << 0.01 * i << " 0 0\n";
    crowd.close();
    expect("neighbors " + in(folder, "crowd.txt") + " --cutoff 700 --box 1,1,1", 7, "the list has at least 143");
    std::ofstream(folder / "flat.xyz") << "1\nLattice=\"1 0 0 2 0 0 0 0 1\"\nC 0 0 0\n";
    const std::string flat = "neighbors " + in(folder, "flat.xyz") + " --cutoff 0.5";
    expect(flat, 6, "flat.xyz:2: expected periodic box vectors that are linearly independent, found (1, 0, 0), (2, 0");
    EXPECT_EQ(lanework_with(flat + " --box 1,1,1 --device cpu").status, 0);
    EXPECT_EQ(lanework_with(flat + " --pbc xz --device cpu").status, 0);
    for (const char* array : {"--shifts", "--vectors", "--distances"})
        expect_mistake(a + " --cutoff 1 --device cpu " + array, 2,
                       std::string("neighbors: ") + array + " goes into an .npz: add -o FILE.npz");
    expect_mistake(a + " --cutoff 1 -o " + in(folder, "list.csv"), 2, "must end in .txt, .npz, .xyz or .extxyz");
    expect_mistake(a + " --cutoff 1 -o " + in(folder, "a.txt"), 2, "would be overwritten");
    expect_mistake(a + " --cutoff 1 -o /proc/list.txt", 6, "cannot be written");
    EXPECT_EQ(contents(folder / "a.txt"), "0 0 0\n1 0 0\n");
}

TEST(NeighborsCommand, TimesTheListItsAllocationAndItsCopiesEachByItself) {
    const Folder folder;
    make("cscl --cells 3,3,3 -o " + in(folder, "salt.xyz"));
    const auto timed = [&](const std::string& words) {
        const Said run = lanework_with("neighbors " + in(folder, "salt.xyz") + " --cutoff 6 --time " + words);
        EXPECT_EQ(run.status, 0) << words << "\n" << run.err;
        return run.out;
    };
    const auto parts = [](const Json& said) {
        std::vector<std::string> names;
        for (const Json& time : said["times"]) {
            names.push_back(time["what"].get<std::string>() + ", " + time["clock"].get<std::string>() + ", " +
                            time["caches"].get<std::string>());
            EXPECT_GE(time["samples_s"].size(), 3U);
            for (const Json& seconds : time["samples_s"]) EXPECT_GT(seconds.get<double>(), 0);
        }
        return names;
    };
    const std::vector<std::string> list = {"list, device, cold", "list, device, hot"};
    std::vector<std::string> cpu = list, simt = list;
    cpu.insert(cpu.end(), {"list with allocation, host, hot"});
    simt.insert(simt.end(), {"copy in, host, hot", "copy out, host, hot", "list with allocation, host, hot",
                             "host to host, host, hot"});
    const Json on_cpu = Json::parse(timed("--device cpu --shifts --json"));
    EXPECT_EQ(on_cpu["pairs"], 54 * 26);
    EXPECT_EQ(on_cpu["arrays"], (std::vector<std::string>{"indices", "shifts"}));
    EXPECT_TRUE(on_cpu["environment"].contains("lanework"));
    EXPECT_EQ(parts(on_cpu), cpu);
    const std::string drawn = timed("--device cpu");
    for (const char* part : {"list, caches cold", "list, caches hot", "list with allocation"})
        EXPECT_TRUE(contains(drawn, part)) << drawn;
    EXPECT_FALSE(neighbors_json(in(folder, "salt.xyz") + " --cutoff 6").contains("times"));
    if (availability(DeviceKind::simt).count == 0) return;
    EXPECT_EQ(parts(Json::parse(timed("--device simt --dtype float32 --json"))), simt);
}

TEST(NeighborsCommand, SaysWhatTakesLessMemoryInItsOwnWords) {
    const Folder folder;
    make("gas --atoms 200 --box 1,1,1 -o " + in(folder, "gas.xyz"));
    const std::string within =
        "ulimit -v 3000000; lanework neighbors " + in(folder, "gas.xyz") + " --cutoff 20 --device cpu";
    const Said refused = shell(within);
    EXPECT_EQ(refused.status, 7) << refused.err;
    EXPECT_TRUE(contains(refused.err, "the list has at least 11")) << refused.err;
    const Said failed = shell(within + " --memory 100000");
    EXPECT_EQ(failed.status, 7) << failed.err;
    EXPECT_EQ(failed.err, "lanework: out of memory: choose a smaller --cutoff\n");
}

TEST(NeighborsCommand, SaysWhyItCannotUseAGpuThatIsNotThere) {
    if (availability(DeviceKind::cuda).count > 0) GTEST_SKIP() << "there is a GPU here";
    const Folder folder;
    std::ofstream(folder / "a.txt") << "0 0 0\n";
    expect_mistake("neighbors " + in(folder, "a.txt") + " --cutoff 1 --device cuda", 77, "");
}

TEST(ParticlesCommand, RefusesWhatItCannotMake) {
    expect_mistake("particles graphite -o a.xyz", 2, "`graphite` is not one of");
    expect_mistake("particles graphene", 2, "-o FILE is missing");
    expect_mistake("particles graphene --cells 2,2,2 -o a.xyz", 2, "--cells is not for graphene; it takes --rows");
    expect_mistake("particles gas -o a.pdb", 2, "must end in .xyz");
    expect_mistake("particles diamond --cells 2,x -o a.xyz", 2, "--cells `2,x`");
    expect_mistake("particles diamond --cells 2,3 -o a.xyz", 2, "--cells `2,3` is not a whole number from 1 to");
    expect_mistake("particles diamond --cells 2.5 -o a.xyz", 2, "for all edges, or three joined by commas");
    expect_mistake("particles gas --atoms 100000000000 -o a.xyz", 2, "is not a whole number from 1 to 100000000");
    expect_mistake("particles diamond --noise -1 -o a.xyz", 2, "`-1` is not a finite number from 0 on");
    expect_mistake("particles diamond -o /proc/a.xyz", 6, "cannot be written");
    expect_mistake("particles diamond --cells 99999,99999,99999 -o a.xyz", 2, "more than 100000000 atoms");
}

}  // namespace
}  // namespace lanework
