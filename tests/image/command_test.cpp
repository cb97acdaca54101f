// lanework image: what becomes of a picture, gray, in colours or with alpha, on every device.
#include <cstring>

#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/io/npy.hpp"
#include "tests/image/command_fixture.hpp"

namespace lanework::test {
namespace {

// The sum over the photograph's edges, computed once with OpenCV 4.6: its gray, its 16-bit derivatives.
constexpr std::uint64_t kSumOfEdges = 9676835;

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

// Written with OpenCV 4.6's formula by hand: border reflect-101, the difference of columns weighted 1 2 1.
TEST_F(ImageCommand, WritesDerivativesAsNumbersAndAsPictures) {
    Image step{3, 4, 1, {0, 0, 200, 200, 0, 0, 200, 200, 0, 0, 200, 200}};
    write_image(folder_ / "step.png", step);
    for (const std::string device : {"cpu", "simt"}) {
        if (device == "simt" && availability(DeviceKind::simt).count == 0) continue;
        const auto derivative = [&](const std::string& axis, const std::string& to) {
            const Outcome outcome = run_image("sobel_derivative " + in("step.png") + " --axis " + axis + " -o " +
                                              in(to) + " --device " + device);
            EXPECT_EQ(outcome.status, 0) << outcome.text;
        };
        derivative("x", "gx.npy");
        const std::vector<std::uint8_t> file = read_file(folder_ / "gx.npy");
        const NpyArray gx = parse_npy(file, "gx.npy");
        EXPECT_EQ(gx.dtype, DType::int16);
        EXPECT_EQ(gx.shape, (std::vector<std::int64_t>{3, 4}));
        std::vector<std::int16_t> values(12);
        ASSERT_EQ(gx.bytes.size(), 24U);
        std::memcpy(values.data(), gx.bytes.data(), 24);
        EXPECT_EQ(values, (std::vector<std::int16_t>{0, 800, 800, 0, 0, 800, 800, 0, 0, 800, 800, 0})) << device;
        derivative("y", "gy.png");
        EXPECT_EQ(read_image(folder_ / "gy.png"), (Image{3, 4, 1, std::vector<std::uint8_t>(12, 0)})) << device;
        derivative("x", "gx.png");
        EXPECT_EQ(read_image(folder_ / "gx.png"), (Image{3, 4, 1, {0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0}}))
            << device;
    }
    // The negative side has its size in the picture and its sign in the array; of several pictures there is one array.
    std::ranges::reverse(step.pixels);
    write_image(folder_ / "falls.png", step);
    EXPECT_EQ(
        run_image("sobel_derivative " + in("falls.png") + " " + in("step.png") + " -o " + in("both.npy") + " -d cpu")
            .status,
        0);
    const std::vector<std::uint8_t> file = read_file(folder_ / "both.npy");
    const NpyArray both = parse_npy(file, "both.npy");
    EXPECT_EQ(both.shape, (std::vector<std::int64_t>{2, 3, 4}));
    std::int16_t second = 0;
    std::memcpy(&second, both.bytes.data() + 2, 2);
    EXPECT_EQ(second, -800);
    const auto mistake = [&](const std::string& words, const std::string& message) {
        const Outcome outcome = run_image(words + " " + in("step.png") + " -o " + in("x.png"));
        EXPECT_EQ(outcome.status, 2) << words;
        EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
    };
    mistake("pipe 'sobel_derivative | blur'", "blur cannot follow sobel_derivative, which is the last step");
    mistake("sobel_derivative --axis z", "one of x, y");
}

TEST_F(ImageCommand, TakesGrayPicturesAsTheyAre) {
    make("gray.png", 1);
    EXPECT_EQ(run_image("gray " + in("gray.png") + " -o " + in("out.png") + " -d cpu").status, 0);
    EXPECT_EQ(read_image(folder_ / "out.png"), read_image(folder_ / "gray.png"));
    EXPECT_EQ(run_image("sobel " + in("gray.png") + " -o " + in("edges.png") + " -d cpu").status, 0);
}

TEST_F(ImageCommand, WorksOnASinglePixel) {
    write_image(folder_ / "a.png", random_image(1, 1, 3));
    for (const char* operation : {"gray", "sobel"})
        EXPECT_EQ(run_image(std::string(operation) + " " + in("a.png") + " -o " + in("out.png") + " -d cpu").status, 0);
    EXPECT_EQ(read_image(folder_ / "out.png"), (Image{1, 1, 1, {0}}));
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
        run_image("letterbox " + in("gray.png") + " -o " + in("out.png") + " --size 80x40 --pad 1,2,3 -d cpu").status,
        0);
    const Image image = read_image(folder_ / "out.png");
    ASSERT_EQ(image.channels, 3);
    EXPECT_EQ(std::vector<std::uint8_t>(image.pixels.begin(), image.pixels.begin() + 3),
              (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST_F(ImageCommand, TakesAPictureThroughAllStepsOfAPipe) {
    make("a.png", 3);
    const auto made = [&](const std::string& words, const std::string& from, const std::string& to) {
        const Outcome outcome = run_image(words + " " + in(from) + " -o " + in(to) + " -d cpu");
        EXPECT_EQ(outcome.status, 0) << outcome.text;
    };
    made("gray", "a.png", "gray.png");
    made("blur", "gray.png", "blurred.png");
    made("sobel", "blurred.png", "edges.png");
    made("resize --width 20", "edges.png", "small.png");
    made("letterbox --size 48x64", "a.png", "box.png");
    made("tensor --size 48x64", "a.png", "fused.npy");
    for (const std::string device : {"cpu", "simt"}) {
        if (device == "simt" && availability(DeviceKind::simt).count == 0) continue;
        const auto expect_same = [&](const std::string& words, const std::string& of) {
            const std::filesystem::path path = folder_ / ("piped" + std::filesystem::path(of).extension().string());
            const Outcome outcome = run_image(words + " " + in("a.png") + " -o " + path.string() + " -d " + device);
            EXPECT_EQ(outcome.status, 0) << outcome.text;
            EXPECT_EQ(contents(path), contents(folder_ / of)) << words << " on " << device;
        };
        expect_same("edges", "edges.png");
        expect_same("pipe 'gray | blur | sobel'", "edges.png");
        expect_same("pipe 'gray | blur | sobel | resize --width=20'", "small.png");
        expect_same("pipe 'letterbox 48x64'", "box.png");
        expect_same("pipe 'letterbox 48x64 | tensor'", "fused.npy");
    }
    EXPECT_EQ(run_image("pipe 'blur' -o " + in("x.png")).status, 2);
    EXPECT_EQ(run_image("pipe 'blur | blurr' " + in("a.png") + " -o " + in("x.png")).status, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
}

TEST_F(ImageCommand, ShowsBeforeAndAfterBesideEachOther) {
    make("a.png", 3);
    const Image before = read_image(folder_ / "a.png");
    EXPECT_EQ(run_image("letterbox --size 60x50 " + in("a.png") + " -o " + in("after.png") + " -d cpu").status, 0);
    EXPECT_EQ(run_image("letterbox --size 60x50 --beside " + in("a.png") + " -o " + in("both.png") + " -d cpu").status,
              0);
    const Image after = read_image(folder_ / "after.png"), both = read_image(folder_ / "both.png");
    ASSERT_EQ(both.width, before.width + after.width);
    ASSERT_EQ(both.height, std::max(before.height, after.height));
    for (std::int64_t y = 0; y < both.height; ++y)
        for (std::int64_t x = 0; x < both.width; ++x) {
            const Image& part = x < before.width ? before : after;
            const std::int64_t column = x < before.width ? x : x - before.width;
            for (std::int64_t c = 0; c < 3; ++c)
                ASSERT_EQ(
                    both.pixels[static_cast<std::size_t>((y * both.width + x) * 3 + c)],
                    y < part.height ? part.pixels[static_cast<std::size_t>((y * part.width + column) * 3 + c)] : 0)
                    << x << " " << y;
        }
    EXPECT_EQ(run_image("edges --beside " + in("a.png") + " -o " + in("edges.png") + " -d cpu").status, 0);
    EXPECT_EQ(read_image(folder_ / "edges.png").channels, 3);
    EXPECT_EQ(run_image("tensor --size 5x5 --beside " + in("a.png") + " -o " + in("t.npy")).status, 2);
}

TEST_F(ImageCommand, SaysTheWayBackToTheInput) {
    write_image(folder_ / "a.png", random_image(30, 40, 3));
    for (const std::string what : {"letterbox --size 80x80", "pipe 'blur | letterbox 80 | tensor'"}) {
        const Outcome outcome = run_image(what + " " + in("no.png") + " " + in("a.png") + " -o " + in("out/") +
                                          " --json " + in("boxes.json") + " -d cpu");
        EXPECT_EQ(outcome.status, 6) << outcome.text;
        const Json pictures = Json::parse(contents(folder_ / "boxes.json")).at("pictures");
        ASSERT_EQ(pictures.size(), 2U);
        EXPECT_NE(pictures[0].at("problem").get<std::string>().find("no.png"), std::string::npos);
        EXPECT_EQ(pictures[1].at("to_source"), Json::parse("[[0.5, 0.0, 0.0], [0.0, 0.5, -5.0]]"));
        EXPECT_EQ(pictures[1].at("made").at("width").get<int>(), 80);
        EXPECT_EQ(pictures[1].at("from").at("height").get<int>(), 30);
        EXPECT_TRUE(std::filesystem::exists(pictures[1].at("output").get<std::string>()));
    }
    EXPECT_EQ(run_image("blur - -o - --json " + in("x.json") + " </dev/null").status, 2);
}

}  // namespace
}  // namespace lanework::test
