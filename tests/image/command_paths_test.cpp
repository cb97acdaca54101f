// lanework image: which files it takes and writes, what it refuses to write, and what it leaves when that fails.
#include <cstdlib>

#include "tests/image/command_fixture.hpp"

namespace lanework::test {
namespace {

TEST_F(ImageCommand, TakesFoldersAndSkipsWhatIsBad) {
    std::filesystem::create_directory(folder_ / "album");
    make("album/one.png");
    make("album/two.ppm");
    make("three.webp");
    write(folder_ / "album/cut.jpg", "\xFF\xD8\xFF");
    write(folder_ / "album/notes.txt", "not a picture");
    const Outcome outcome = run_image("sobel " + in("album") + " " + in("three.webp") + " " + in("missing.png") +
                                      " -o " + in("edges/") + " --device cpu");
    EXPECT_EQ(outcome.status, 6);
    EXPECT_NE(outcome.text.find("cut.jpg: a"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("missing.png: there is no such file"), std::string::npos) << outcome.text;
    EXPECT_EQ(lines(outcome.text), 5U) << outcome.text;
    for (const char* name : {"edges/one.png", "edges/two.ppm", "edges/three.webp"}) {
        EXPECT_TRUE(exists(name)) << name;
        EXPECT_EQ(reading_error(folder_ / name), "");
    }
    EXPECT_FALSE(exists("edges/cut.jpg"));
    EXPECT_FALSE(exists("edges/notes.txt"));
}

TEST_F(ImageCommand, FindsWhatAPatternNames) {
    for (const char* name : {"a1.png", "a2.png", "b.png"}) make(name);
    EXPECT_EQ(run_image("gray '" + in("a*.png") + "' -o " + in("out/") + " -d cpu").status, 0);
    EXPECT_EQ(files_of(folder_ / "out").size(), 2U);
    const Outcome none = run_image("gray '" + in("z*.png") + "' -o " + in("none/") + " -d cpu");
    EXPECT_EQ(none.status, 6);
    EXPECT_NE(none.text.find("no file is named like this"), std::string::npos) << none.text;
    EXPECT_FALSE(exists("none"));
}

TEST_F(ImageCommand, LeavesNothingBehindABadInput) {
    for (const char* name : {"cmyk.jpg", "sixteen_bit.png", "zero_wide.png"}) {
        const Outcome outcome = run_image("gray " + fixture(name).string() + " -o " + in("new/out.png") + " -d cpu");
        EXPECT_EQ(outcome.status, 6) << name;
        EXPECT_EQ(lines(outcome.text), 1U) << outcome.text;
        EXPECT_TRUE(folder_.empty()) << name;
    }
}

TEST_F(ImageCommand, NeverOverwritesAnInput) {
    make("a.png");
    const std::string before = contents(folder_ / "a.png");
    std::filesystem::create_symlink("a.png", folder_ / "link.png");
    for (const std::string& output : {in("a.png"), in("./a.png"), in("link.png"), in("")}) {
        const Outcome outcome = run_image("gray " + in("a.png") + " -o " + output + " -d cpu");
        EXPECT_EQ(outcome.status, 2) << output;
        EXPECT_NE(outcome.text.find("would be overwritten"), std::string::npos) << outcome.text;
        EXPECT_EQ(contents(folder_ / "a.png"), before);
    }
}

TEST_F(ImageCommand, WritesIntoAFolderInsideOfTheInputsAsOftenAsOneLikes) {
    std::filesystem::create_directory(folder_ / "album");
    make("album/a.png");
    make("album/b.png");
    const std::string before = contents(folder_ / "album/a.png");
    for (const std::string& inputs : {in("album"), "'" + in("album/*") + "'", in("album")}) {
        const Outcome outcome = run_image("blur " + inputs + " -o " + in("album/out/") + " -d cpu");
        EXPECT_EQ(outcome.status, 0) << outcome.text;
        EXPECT_EQ(files_of(folder_ / "album/out").size(), 2U) << inputs;
        EXPECT_EQ(contents(folder_ / "album/a.png"), before);
    }
    EXPECT_EQ(run_image("blur " + in("album/a.png") + " -o " + in("once.png") + " -d cpu").status, 0);
    EXPECT_EQ(contents(folder_ / "album/out/a.png"), contents(folder_ / "once.png")) << "it was blurred once each time";
    const Outcome onto_themselves = run_image("blur " + in("album") + " -o " + in("album/") + " -d cpu");
    EXPECT_EQ(onto_themselves.status, 2);
    EXPECT_EQ(contents(folder_ / "album/a.png"), before);
}

TEST_F(ImageCommand, SaysWhatIsWrongWithAnOutput) {
    make("a.png");
    make("b.png");
    std::filesystem::create_directory(folder_ / "c");
    make("c/a.png");
    const auto expect = [&](const std::string& words, int status, const std::string& what) {
        const Outcome outcome = run_image("gray " + in("a.png") + " " + words);
        EXPECT_EQ(outcome.status, status) << outcome.text;
        EXPECT_NE(outcome.text.find(what), std::string::npos) << outcome.text;
    };
    expect("", 2, "-o PATH is missing");
    expect("-o " + in("out.xyz"), 2, "must end in .png");
    expect("-o " + in("a.png/out.png"), 6, "is not a folder");
    expect("-o /proc/out.png", 6, "cannot be written");
    expect(in("b.png") + " -o " + in("out.png"), 2, "several pictures need a folder");
    expect(in("c/a.png") + " -o " + in("out/"), 2, "two inputs would be written");
    expect("-o " + in("out.png") + " --variant bright", 2, "weighted");
    expect("-o " + in("out.png") + " --size 5x5", 2, "gray takes no --size");
    expect("-o -", 2, "video goes from the standard input to the standard output");
    EXPECT_FALSE(exists("out"));
    EXPECT_FALSE(exists("out.png"));
}

TEST_F(ImageCommand, LeavesNothingHalfWrittenWhenItIsInterrupted) {
    std::filesystem::create_directory(folder_ / "album");
    for (int i = 0; i < 40; ++i)
        std::filesystem::create_symlink(photo(), folder_ / ("album/" + std::to_string(i) + ".png"));
    for (const char* seconds : {"0.2", "0.5", "0.8"}) {
        const std::string line = "timeout -s INT " + std::string(seconds) + " " LANEWORK_BINARY " image resize " +
                                 in("album") + " -o " + in("out/") + " --scale 0.5 -d cpu -j 8 2>/dev/null";
        const int status = std::system(line.c_str());
        static_cast<void>(status);  // whether it was done by then
        if (!exists("out")) continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
            EXPECT_EQ(entry.path().extension(), ".png") << entry.path();
            EXPECT_EQ(reading_error(entry.path()), "");
        }
    }
}

}  // namespace
}  // namespace lanework::test
