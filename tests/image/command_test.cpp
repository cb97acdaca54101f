// lanework image: from picture to picture and from video to video, and what it says and leaves when that fails.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lanework/device.hpp>
#include <map>

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

Outcome run(const std::string& line) {
    Outcome outcome;
    std::FILE* output = popen(line.c_str(), "r");
    char part[4096];
    while (const std::size_t count = std::fread(part, 1, sizeof part, output)) outcome.text.append(part, count);
    const int status = pclose(output);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

Outcome run_image(const std::string& words) { return run(std::string(LANEWORK_BINARY) + " image " + words + " 2>&1"); }
/// The same where the words say where stdout goes.
Outcome run_video(const std::string& words) { return run(LANEWORK_BINARY " image 2>&1 " + words); }

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
    expect("-o " + in("out.png") + " --size 5x5", 2, "image gray takes no --size");
    expect("-o -", 2, "video goes from the standard input to the standard output");
    EXPECT_FALSE(exists("out"));
    EXPECT_FALSE(exists("out.png"));
}

/// The bytes of all files of a folder, by name.
std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files[entry.path().filename().string()] = contents(entry.path());
    return files;
}

TEST_F(ImageCommand, GivesTheSameFilesAndWordsForAnyNumberOfJobs) {
    std::filesystem::create_directory(folder_ / "album");
    for (int i = 0; i < 30; ++i)
        write_image(folder_ / ("album/" + std::to_string(i) + ".png"),
                    random_image(3 + 40 * (i % 3), 17 + i, 3 + i % 2));
    write(folder_ / "album/15.png", "no picture");
    for (const std::string what : {"sobel", "resize --width 20", "letterbox --size 24x16", "tensor --size 8x8"}) {
        std::map<std::string, std::string> first;
        std::string words;
        for (const char* jobs : {"1", "2", "7"}) {
            const Outcome outcome =
                run_image(what + " " + in("album") + " -o " + in("out/") + " -d cpu --jobs " + std::string(jobs));
            EXPECT_EQ(outcome.status, 1) << outcome.text;
            EXPECT_NE(outcome.text.find("15.png: not a picture"), std::string::npos) << outcome.text;
            const auto files = files_of(folder_ / "out");
            EXPECT_EQ(files.size(), 29U);
            if (first.empty()) first = files;
            EXPECT_EQ(files, first) << what << " with " << jobs;
            std::filesystem::remove_all(folder_ / "out");
        }
    }
}

TEST_F(ImageCommand, TellsOfPicturesInTheirOrder) {
    std::string inputs;
    for (const char* name : {"large.png", "bad.png", "small.png"}) inputs += " " + in(name);
    write_image(folder_ / "large.png", random_image(900, 900, 3));
    write(folder_ / "bad.png", "no picture");
    make("small.png");
    const Outcome outcome = run_image("sobel" + inputs + " -o " + in("out/") + " -d cpu -j 3");
    EXPECT_EQ(outcome.status, 1);
    const auto large = outcome.text.find("large.png: 900×900, sobel on cpu"), bad = outcome.text.find("bad.png: not a"),
               small = outcome.text.find("small.png: 31×20");
    EXPECT_LT(large, bad) << outcome.text;
    EXPECT_LT(bad, small) << outcome.text;
    EXPECT_NE(small, std::string::npos) << outcome.text;
}

TEST_F(ImageCommand, KeepsAlphaAndColours) {
    make("a.png", 4);
    make("b.png", 3);
    make("c.png", 1);
    for (const char* what : {"blur", "resize --scale 0.5", "letterbox --size 9x9", "warp --rotate 10"})
        for (const auto& [name, channels] : {std::pair{"a.png", 4}, {"b.png", 3}, {"c.png", 1}}) {
            const Outcome outcome = run_image(std::string(what) + " " + in(name) + " -o " + in("out.png") + " -d cpu");
            ASSERT_EQ(outcome.status, 0) << outcome.text;
            EXPECT_EQ(read_image(folder_ / "out.png", Alpha::keep).channels, channels) << what << " " << name;
        }
    EXPECT_EQ(run_image("resize " + in("a.png") + " -o " + in("out.jpg") + " --width 5 -d cpu").status, 0);
    const Image jpeg = read_image(folder_ / "out.jpg", Alpha::keep);
    EXPECT_EQ(jpeg.channels, 3);
    EXPECT_EQ(jpeg.width, 5);
    EXPECT_EQ(jpeg.height, 3);
}

TEST_F(ImageCommand, PadsGrayPicturesWithColours) {
    make("gray.png", 1);
    EXPECT_EQ(
        run_image("letterbox " + in("gray.png") + " -o " + in("out.png") + " --size 40x80 --pad 1,2,3 -d cpu").status,
        0);
    const Image image = read_image(folder_ / "out.png");
    ASSERT_EQ(image.channels, 3);
    EXPECT_EQ(std::vector<std::uint8_t>(image.pixels.begin(), image.pixels.begin() + 3),
              (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST_F(ImageCommand, FindsWhatAPatternNames) {
    for (const char* name : {"a1.png", "a2.png", "b.png"}) make(name);
    EXPECT_EQ(run_image("gray '" + in("a*.png") + "' -o " + in("out/") + " -d cpu").status, 0);
    EXPECT_EQ(files_of(folder_ / "out").size(), 2U);
    const Outcome none = run_image("gray '" + in("z*.png") + "' -o " + in("none/") + " -d cpu");
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.text.find("no file is named like this"), std::string::npos) << none.text;
    EXPECT_FALSE(exists("none"));
}

/// The header of a .npy file and the floats behind it.
std::pair<std::string, std::vector<float>> array_in(const std::filesystem::path& path) {
    const std::string bytes = contents(path);
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    std::vector<float> values((bytes.size() - header) / sizeof(float));
    std::memcpy(values.data(), &bytes[header], values.size() * sizeof(float));
    return {bytes.substr(10, header - 10), values};
}

TEST_F(ImageCommand, MakesTensorsOfEachPictureOrOfAll) {
    for (int i = 0; i < 3; ++i)
        write_image(folder_ / (std::to_string(i) + ".png"), {1, 1, 3, {static_cast<std::uint8_t>(51 * i), 102, 255}});
    const std::string what = "tensor '" + in("[0-2].png") + "' " + in("missing.png") + " --size 2x1 -d cpu -o ";
    const Outcome batch = run_image(what + in("all.npy"));
    EXPECT_EQ(batch.status, 1) << batch.text;
    EXPECT_NE(batch.text.find("missing.png: there is no such file"), std::string::npos) << batch.text;
    EXPECT_NE(batch.text.find("all.npy: tensor on cpu: 3 pictures"), std::string::npos) << batch.text;
    const auto [header, values] = array_in(folder_ / "all.npy");
    EXPECT_NE(header.find("'<f4'"), std::string::npos) << header;
    EXPECT_NE(header.find("(3, 3, 1, 2, )"), std::string::npos) << header;
    ASSERT_EQ(values.size(), 18U);
    // The pixel in the left column or the right, as it is centred; pad 114 beside it.
    const auto near = [&](std::size_t at, float value) { return std::abs(values[at] - value) < 1e-6F; };
    for (std::size_t i = 0; i < 3; ++i) {
        const float red = 0.2F * static_cast<float>(i);
        EXPECT_TRUE(near(6 * i, red) || near(6 * i + 1, red)) << i;
        EXPECT_TRUE(near(6 * i + 4, 1) || near(6 * i + 5, 1)) << i;
    }
    EXPECT_EQ(run_image(what + in("each/") + " --dtype float16").status, 1);
    const auto files = files_of(folder_ / "each");
    ASSERT_EQ(files.size(), 3U);
    EXPECT_NE(files.at("2.npy").find("'<f2', 'fortran_order': False, 'shape': (1, 3, 1, 2, )"), std::string::npos);
    EXPECT_EQ(files.at("2.npy").size() % 64, 12U);
}

TEST_F(ImageCommand, WritesNoTensorOfNothing) {
    const Outcome outcome =
        run_image("tensor " + in("a.png") + " " + in("b.png") + " --size 2x1 -d cpu -o " + in("x.npy"));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.text.find("x.npy: not written, since no picture could be read"), std::string::npos);
    EXPECT_TRUE(folder_.empty());
}

TEST_F(ImageCommand, GivesTheSameBytesOnSimtInFewAndManyJobs) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    std::filesystem::create_directory(folder_ / "album");
    for (int i = 0; i < 8; ++i)
        write_image(folder_ / ("album/" + std::to_string(i) + ".png"),
                    random_image(9 + 5 * i, 31 - 3 * i, 1 + 2 * (i % 2)));
    for (const std::string what : {"gray", "blur", "sobel", "resize --size 16x12", "letterbox --size 20x20",
                                   "warp --rotate 30", "tensor --size 9x9"}) {
        EXPECT_EQ(run_image(what + " " + in("album") + " -o " + in("cpu/") + " -d cpu").status, 0) << what;
        EXPECT_EQ(run_image(what + " " + in("album") + " -o " + in("simt/") + " -d simt -j 3").status, 0) << what;
        EXPECT_EQ(files_of(folder_ / "cpu"), files_of(folder_ / "simt")) << what;
        std::filesystem::remove_all(folder_ / "cpu");
        std::filesystem::remove_all(folder_ / "simt");
    }
}

TEST_F(ImageCommand, PassesVideoThroughAPipe) {
    std::string video = "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C420jpeg\n";
    for (char frame = 'a'; frame < 'k'; ++frame) video += "FRAME\n" + std::string(36, frame);
    write(folder_ / "in.y4m", video);
    const std::string to = " <" + in("in.y4m") + " >" + in("out.y4m");
    const Outcome outcome = run_video("resize - -o - --size 4x2 -d cpu -j 3" + to);
    EXPECT_EQ(outcome.status, 0) << outcome.text;
    std::string expected = "YUV4MPEG2 W4 H2 F25:1 Ip A3:4 C420jpeg\n";
    for (char frame = 'a'; frame < 'k'; ++frame) expected += "FRAME\n" + std::string(12, frame);
    EXPECT_EQ(contents(folder_ / "out.y4m"), expected);
    EXPECT_NE(outcome.text.find("resize on cpu: 10 frames"), std::string::npos) << outcome.text;

    write(folder_ / "in.y4m", video.substr(0, video.size() - 3));
    const Outcome cut = run_video("gray - -o - -d cpu" + to);
    EXPECT_EQ(cut.status, 1);
    EXPECT_EQ(cut.text, "lanework: the standard input: frame 10 is cut off after 33 of 36 bytes\n");
    std::string before = "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 Cmono\n";
    for (char frame = 'a'; frame < 'j'; ++frame) before += "FRAME\n" + std::string(24, frame);
    EXPECT_EQ(contents(folder_ / "out.y4m"), before);
    EXPECT_EQ(run_image("gray " + in("in.y4m") + " -o " + in("out.png")).status, 1);
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
