// lanework image: from picture to picture, and what it says and leaves when that fails.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <lanework/device.hpp>

#include "tests/io/pictures.hpp"

namespace lanework::test {
namespace {

// The sum over the photograph's edges, computed once with OpenCV 4.6: its gray, its 16-bit derivatives.
constexpr std::uint64_t kSumOfEdges = 9676835;

struct Outcome {
    int status = -1;
    /// stdout and stderr together
    std::string text;
};

Outcome run_image(const std::string& words) {
    const std::string line = std::string(LANEWORK_BINARY) + " image " + words + " 2>&1";
    Outcome outcome;
    std::FILE* output = popen(line.c_str(), "r");
    char part[4096];
    while (const std::size_t count = std::fread(part, 1, sizeof part, output)) outcome.text.append(part, count);
    const int status = pclose(output);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

std::string photo() { return std::string(LANEWORK_SOURCE_DIR) + "/examples/data/astronaut.png"; }

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class ImageCommand : public ::testing::Test {
protected:
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
    void make(const std::string& name, int channels = 3) {
        write_image(folder_ / name, random_image(20, 31, channels));
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

    TemporaryFolder folder_;
};

TEST_F(ImageCommand, FindsTheEdgesOfAPhotograph) {
    const Outcome outcome = run_image("sobel " + photo() + " -o " + in("edges.png") + " --device cpu");
    EXPECT_EQ(outcome.status, 0) << outcome.text;
    const Image edges = read_image(folder_ / "edges.png");
    EXPECT_EQ(edges.channels, 1);
    ASSERT_EQ(edges.pixels.size(), 512U * 512U);
    std::uint64_t sum = 0;
    for (const std::uint8_t value : edges.pixels) sum += value;
    EXPECT_EQ(sum, kSumOfEdges);
}

TEST_F(ImageCommand, GivesTheSameBytesOnSimtAndCpu) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    make("a.png");
    for (const std::string what : {"gray", "gray --variant mean", "sobel", "sobel --variant magnitude"}) {
        EXPECT_EQ(run_image(what + " " + in("a.png") + " -o " + in("cpu.png") + " --device cpu").status, 0);
        EXPECT_EQ(run_image(what + " " + in("a.png") + " -o " + in("simt.png") + " --device simt").status, 0);
        EXPECT_EQ(contents(folder_ / "cpu.png"), contents(folder_ / "simt.png")) << what;
    }
}

TEST_F(ImageCommand, TakesGrayPicturesAsTheyAre) {
    make("gray.png", 1);
    EXPECT_EQ(run_image("gray " + in("gray.png") + " -o " + in("out.png") + " -d cpu").status, 0);
    EXPECT_EQ(read_image(folder_ / "out.png"), read_image(folder_ / "gray.png"));
    EXPECT_EQ(run_image("sobel " + in("gray.png") + " -o " + in("edges.png") + " -d cpu").status, 0);
}

TEST_F(ImageCommand, TakesFoldersAndSkipsWhatIsBad) {
    std::filesystem::create_directory(folder_ / "album");
    make("album/one.png");
    make("album/two.ppm");
    make("three.webp");
    write(folder_ / "album/cut.jpg", "\xFF\xD8\xFF");
    write(folder_ / "album/notes.txt", "not a picture");
    const Outcome outcome = run_image("sobel " + in("album") + " " + in("three.webp") + " " + in("missing.png") +
                                      " -o " + in("edges/") + " --device cpu");
    EXPECT_EQ(outcome.status, 1);
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

TEST_F(ImageCommand, LeavesNothingBehindABadInput) {
    for (const char* name : {"cmyk.jpg", "sixteen_bit.png", "zero_wide.png"}) {
        const Outcome outcome = run_image("gray " + fixture(name).string() + " -o " + in("new/out.png") + " -d cpu");
        EXPECT_EQ(outcome.status, 1) << name;
        EXPECT_EQ(lines(outcome.text), 1U) << outcome.text;
        EXPECT_TRUE(folder_.empty()) << name;
    }
}

TEST_F(ImageCommand, WorksOnASinglePixel) {
    write_image(folder_ / "a.png", random_image(1, 1, 3));
    for (const char* operation : {"gray", "sobel"})
        EXPECT_EQ(run_image(std::string(operation) + " " + in("a.png") + " -o " + in("out.png") + " -d cpu").status, 0);
    EXPECT_EQ(read_image(folder_ / "out.png"), (Image{1, 1, 1, {0}}));
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
    expect("-o " + in("a.png/out.png"), 1, "is not a folder");
    expect("-o /proc/out.png", 1, "cannot be written");
    expect(in("b.png") + " -o " + in("out.png"), 2, "several pictures need a folder");
    expect(in("c/a.png") + " -o " + in("out/"), 2, "two inputs would be written");
    expect("-o " + in("out.png") + " --variant bright", 2, "weighted");
    EXPECT_FALSE(exists("out"));
    EXPECT_FALSE(exists("out.png"));
}

}  // namespace
}  // namespace lanework::test
