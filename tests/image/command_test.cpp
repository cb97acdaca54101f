// lanework image: what becomes of a picture, gray, in colours or with alpha, on every device.
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
        run_image("letterbox " + in("gray.png") + " -o " + in("out.png") + " --size 40x80 --pad 1,2,3 -d cpu").status,
        0);
    const Image image = read_image(folder_ / "out.png");
    ASSERT_EQ(image.channels, 3);
    EXPECT_EQ(std::vector<std::uint8_t>(image.pixels.begin(), image.pixels.begin() + 3),
              (std::vector<std::uint8_t>{1, 2, 3}));
}

}  // namespace
}  // namespace lanework::test
