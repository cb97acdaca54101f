// What the program says to a mistake, and what it then leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

TEST(Usage, ShowsHelpToSomebodyWhoTypesNothing) {
    const Said run = lanework_with("");
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(contains(run.err, "lanework climb transpose")) << run.err;
}

TEST(Usage, PrintsHelpAndVersionAsData) {
    for (const char* words : {"--help", "climb --help", "verify -h", "image --help", "completion --help"}) {
        const Said run = lanework_with(words);
        EXPECT_EQ(run.status, 0) << words;
        EXPECT_EQ(run.err, "") << words;
        EXPECT_TRUE(contains(run.out, "lanework")) << words;
    }
    EXPECT_EQ(lanework_with("-V").out, lanework_with("--version").out);
    const Said version = lanework_with("--version");
    EXPECT_EQ(version.status, 0);
    EXPECT_TRUE(version.out.starts_with("lanework 0.")) << version.out;
}

TEST(Usage, HasExamplesInTheHelpOfEveryCommand) {
    for (const char* command :
         {"doctor", "devices", "list", "info", "index", "occupancy", "verify", "bench", "climb", "explain", "profile",
          "compare", "compute", "image", "compare-images", "neighbors", "particles", "completion", "help"})
        EXPECT_TRUE(contains(lanework_with(std::string(command) + " --help").out, std::string("  lanework ") + command))
            << command;
}

TEST(Usage, SuggestsTheNearestName) {
    expect_mistake("clim transpose", 2, "there is no command `clim`; did you mean `climb`?");
    expect_mistake("climb transpoze", 2, "there is no operation `transpoze`; did you mean `transpose`?");
    expect_mistake("climb transpose/seriall --device cpu", 2, "did you mean `transpose/serial`?");
    expect_mistake("climb transpose --devise cpu", 2, "there is no option `--devise`; did you mean `--device`?");
}

TEST(Usage, SuggestsOnlyWhatIsNearAndElseWhatThereIs) {
    expect_mistake("climb foo", 2, "there is no operation `foo`; there are: add, ");
    expect_mistake("climb transpose/foo", 2, "transpose has no rung `foo`; there are: ");
    expect_mistake("info transpose/foo", 2, "coalesced_read, ");
    expect_mistake("frobnicate", 2, "there is no command `frobnicate`\n");
    expect_mistake("transpose", 2, "say what to do with it, as in `lanework climb transpose`");
    expect_mistake("help clim", 2, "did you mean `climb`?");
}

TEST(Usage, SaysWhichDeviceARungIsForWhereTheCommandHasAChoice) {
    expect_mistake("verify transpose/serial --device simt", 2, "transpose/serial is a rung for cpu; add --device cpu");
    for (const char* command : {"explain", "profile"})
        expect_mistake(std::string(command) + " transpose/serial", 2,
                       "transpose/serial is a rung for cpu; this command takes those for simt: ");
}

TEST(Usage, TakesOptionsBeforeTheCommandAsBehindIt) {
    expect_mistake("--color purple list", 2, "--color: `purple` is not one of auto|always|never");
    EXPECT_EQ(lanework_with("--color never list").status, 0);
    EXPECT_EQ(lanework_with("--json list").out, lanework_with("list --json").out);
    EXPECT_EQ(lanework_with("--device cpu --size 9x7 verify transpose/serial").out,
              lanework_with("verify transpose/serial --device cpu --size 9x7").out);
    EXPECT_EQ(lanework_with("--cutoff 1.9 neighbors --help").out, lanework_with("neighbors --help").out);
    expect_mistake("--sizes 9 verify transpose", 2, "there is no option `--sizes`");
    expect_mistake("--colour never list", 2, "there is no option `--colour`");
}

TEST(Usage, ShowsTheHelpOfACommand) {
    EXPECT_EQ(lanework_with("help climb").out, lanework_with("climb --help").out);
    EXPECT_EQ(lanework_with("help").out, lanework_with("--help").out);
    expect_mistake("help climb transpose", 2, "`transpose` is one word too many");
    expect_mistake("help climb verify", 2, "`verify` is one word too many");
}

TEST(Usage, SaysInWordsWhatIsGivenTwiceOrNotAtAll) {
    expect_mistake("climb add --seed 1 --seed 2", 2, "--seed is given more than once");
    expect_mistake("climb add --json a.json --json b.json", 2, "--json is given more than once");
    expect_mistake("climb add --seed", 2, "--seed: its value is missing");
    expect_mistake("verify add --random -1", 2, "--random: `-1` is not a whole number from 0 to 2147483647");
    expect_mistake("explain add --schedules -1", 2, "--schedules: `-1` is not a whole number from 0 to 2147483647");
    EXPECT_EQ(lanework_with("verify add/serial --device cpu --size 9 --random 0 --schedules 0").status, 0);
}

TEST(Usage, RefusesAWordThatIsEmptyAsThatOfAVariableWhichIsNotSet) {
    expect_mistake("list --json \"\"", 2, "the value of --json is empty; is a variable of the shell not set?");
    expect_mistake("verify add/serial --device cpu --size \"\"", 2, "the value of --size is empty");
    expect_mistake("neighbors \"\" --cutoff 2", 2, "a word of the command is empty");
    expect_mistake("list --json=", 2, "--json: its value is missing");
    expect_mistake("climb transpose/", 2, "`transpose/` names no rung: write `transpose` for all of them, or one: ");
}

TEST(Usage, RefusesASizeThatIsNone) {
    expect_mistake("verify transpose --size 12xy --device cpu", 2, "`y`");
    expect_mistake("verify transpose --input nan --device cpu", 2, "there are: random, ascending, zeros");
    expect_mistake("verify reduce --input nan --dtype int32 --device cpu", 2,
                   "nothing selected defines the input `nan`");
    expect_mistake("verify transpose --size 12 --device cpu", 2, "too few axes");
    expect_mistake("verify transpose --size 1x2x3 --device cpu", 2, "too many axes");
    expect_mistake("verify transpose --size -1x2 --device cpu", 2, "not a length");
}

TEST(Usage, RefusesASizeThatOverflows) {
    expect_mistake("bench transpose --size 99999999999x99999999999 --device cpu", 2, "overflow");
    expect_mistake("bench transpose --size 99999999999999999999999x1 --device cpu", 2, "beyond 64 bits");
}

TEST(Usage, RefusesWhatIsNoDeviceNoTypeNoVariantNoNumber) {
    expect_mistake("climb transpose --device gpu", 2,
                   "there is no device `gpu`; there are: cuda, cuda:N, simt, simt:GPU, cpu and all");
    expect_mistake("climb transpose --device cpu,cpu", 2, "named twice");
    expect_mistake("climb transpose --device cpu --dtype int31", 2, "there is no type `int31`");
    expect_mistake("climb transpose --device cpu --dtype float64", 2, "it computes int32");
    expect_mistake("climb transpose --device cpu --variant mean", 2, "no variants");
    expect_mistake("climb transpose --seed abc", 2, "`abc` is not a whole number");
    expect_mistake("climb transpose --seed -1", 2, "`-1` is not a whole number");
    expect_mistake("bench transpose --max-time 0", 2, "`0` is not a time");
    expect_mistake("bench transpose --max-time nan", 2, "`nan` is not a time");
    expect_mistake("bench transpose --min-samples 0", 2, "`0` is not a whole number above 0");
    expect_mistake("bench transpose --min-samples 99999999999", 2, "is not a whole number from 1 to 2147483647");
    expect_mistake("climb transpose --color red", 2, "`red` is not one of auto|always|never");
}

TEST(Usage, RefusesAnEmptySelection) {
    expect_mistake("climb", 2, "OP[/RUNG]");
    expect_mistake("bench", 2, "OP[/RUNG]");
    expect_mistake("verify transpose index --device cpu --dtype float64", 2, "the selection is empty");
}

TEST(Usage, RefusesOneWordTooMany) { expect_mistake("info transpose add", 2, "`add` is one word too many"); }

TEST(Usage, FindsOutBeforeTheWorkThatAnOutputCannotBeWritten) {
    expect_mistake("climb transpose --device cpu --json /proc/none/results.json", 6, "/proc/none");
    const Folder folder;
    expect_mistake("bench transpose --device cpu --csv " + folder.string(), 6, "is a folder");
    EXPECT_TRUE(folder.empty());
}

TEST(Usage, ChecksTheDimensionsOfALaunch) {
    expect_mistake("index --grid 0", 2, "--grid `0` is not one to three whole numbers");
    expect_mistake("index --grid 2.5", 2, "--grid `2.5` is not one to three whole numbers from 1 to 2147483647");
    expect_mistake("index --grid 1,2,3,4", 2, "--grid `1,2,3,4`");
    expect_mistake("index --block 2,,2", 2, "--block `2,,2`");
    expect_mistake("index --block 99999999999", 2, "--block `99999999999`");
    expect_mistake("index --block 32,33", 2, "a block holds at most 1024 threads");
    expect_mistake("index --grid 2000000 --block 1", 2, "more than 1000000 threads");
    expect_mistake("index --device cpu,simt", 2, "several devices");
}

TEST(Usage, SaysThatNothingHereCanRunIt) {
    if (availability(DeviceKind::cuda).count > 0) GTEST_SKIP() << "there is a GPU";
    const Said run = lanework_with("verify transpose --device cuda");
    EXPECT_EQ(run.status, 77) << run.err;
    EXPECT_TRUE(contains(run.out, "refused")) << run.out;
    EXPECT_TRUE(contains(run.out, availability(DeviceKind::cuda).reason)) << run.out;
    expect_mistake("index --device cuda", 77, availability(DeviceKind::cuda).reason);
}

TEST(Usage, NamesFileAndPlaceOfWhatIsNotAResultsFile) {
    const Folder folder;
    const std::string bad = (folder / "bad.json").string();
    std::ofstream(bad) << "{\"schema\": 1, oops}";
    expect_mistake("compare " + bad + " " + bad, 6, bad + ":1:15: this is not JSON");
    expect_mistake("compare /nowhere/a.json /nowhere/b.json", 6, "/nowhere/a.json: there is no such file");
    expect_mistake("compare a b --threshold 5", 2, "threshold `5`");
}

}  // namespace
}  // namespace lanework
