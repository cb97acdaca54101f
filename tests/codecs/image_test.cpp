// Pictures that are to be read and written right.
#include <lanework/image_file.hpp>

#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

struct Size {
    std::int64_t height, width;
};
constexpr Size kSizes[] = {{1, 1}, {1, 7}, {9, 1}, {2, 3}, {37, 61}};

TEST(Images, ComeBackFromLosslessFilesAsTheyWere) {
    const TemporaryFolder folder;
    for (const Size size : kSizes)
        for (const int channels : {1, 3})
            for (const char* name : {"a.png", "a.PNG", "a.pnm"}) {
                const Image image = random_image(size.height, size.width, channels);
                write_image(folder / name, image);
                EXPECT_EQ(read_image(folder / name), image) << name << " " << size.height << "×" << size.width;
            }
}

TEST(Images, ComeBackFromWebpAsRgb) {
    const TemporaryFolder folder;
    for (const Size size : kSizes)
        for (const int channels : {1, 3}) {
            const Image image = random_image(size.height, size.width, channels);
            write_image(folder / "a.webp", image);
            EXPECT_EQ(read_image(folder / "a.webp"), to_rgb(image));
        }
}

TEST(Images, AreWrittenToThePnmOfTheirExtension) {
    const TemporaryFolder folder;
    const Image gray = random_image(4, 5, 1);
    write_image(folder / "a.pgm", gray);
    write_image(folder / "a.ppm", gray);
    EXPECT_EQ(contents(folder / "a.pgm").substr(0, 11), "P5\n5 4\n255\n");
    EXPECT_EQ(read_image(folder / "a.pgm"), gray);
    EXPECT_EQ(read_image(folder / "a.ppm"), to_rgb(gray));
    EXPECT_THROW(write_image(folder / "b.pgm", random_image(4, 5, 3)), UsageError);
}

TEST(Images, StayCloseThroughJpeg) {
    const TemporaryFolder folder;
    const Image photo = read_image(std::filesystem::path(LANEWORK_SOURCE_DIR) / "examples/data/astronaut.png");
    ASSERT_EQ(photo.pixels.size(), 512U * 512U * 3U);
    write_image(folder / "a.jpg", photo);
    const Image back = read_image(folder / "a.jpg");
    ASSERT_EQ(back.pixels.size(), photo.pixels.size());
    double error = 0;
    for (std::size_t i = 0; i < photo.pixels.size(); ++i) error += std::abs(photo.pixels[i] - back.pixels[i]);
    EXPECT_LT(error / static_cast<double>(photo.pixels.size()), 3);
}

TEST(Images, AreKnownByTheirContentNotTheirName) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(fixture("rgb.png"), folder / "photo.jpg");
    EXPECT_EQ(read_image(folder / "photo.jpg"), pattern());
}

TEST(Images, HaveTheirPalettesAndFewBitsExpanded) {
    EXPECT_EQ(read_image(fixture("palette.png")), pattern());
    EXPECT_EQ(read_image(fixture("one_frame.png")), pattern());
    EXPECT_EQ(read_image(fixture("gray_steps_of_51.png")).pixels,
              (std::vector<std::uint8_t>{0, 51, 102, 153, 204, 255}));
    EXPECT_EQ(read_image(fixture("black_and_white.png")).pixels, (std::vector<std::uint8_t>{0, 0, 0, 255, 255, 255}));
}

TEST(Images, LoseTheirAlphaAndKeepTheColoursUnderIt) {
    EXPECT_EQ(read_image(fixture("alpha.png")), pattern());
    EXPECT_EQ(read_image(fixture("alpha.webp")), pattern());
}

/// The pattern with an alpha of its own in each pixel.
Image see_through() {
    const Image colours = pattern();
    Image image{2, 3, 4, {}};
    for (std::size_t pixel = 0; pixel < 6; ++pixel) {
        for (std::size_t channel = 0; channel < 3; ++channel)
            image.pixels.push_back(colours.pixels[3 * pixel + channel]);
        image.pixels.push_back(static_cast<std::uint8_t>(pixel * 51));  // the first is wholly transparent
    }
    return image;
}

TEST(Images, KeepTheirAlphaWhereItIsWanted) {
    const TemporaryFolder folder;
    for (const char* name : {"a.png", "a.webp"}) {
        write_image(folder / name, see_through());
        EXPECT_EQ(read_image(folder / name, Alpha::keep), see_through()) << name;
        EXPECT_EQ(read_image(folder / name), pattern()) << name;
        const Image noise = random_image(37, 61, 4);
        write_image(folder / name, noise);
        EXPECT_EQ(read_image(folder / name, Alpha::keep), noise) << name;
    }
    EXPECT_EQ(read_image(fixture("rgb.png"), Alpha::keep), pattern());
    EXPECT_EQ(read_image(fixture("gray_steps_of_51.png"), Alpha::keep).channels, 1);
}

TEST(Images, HaveFourChannelsWhereAColourOrAGrayIsTransparent) {
    EXPECT_EQ(read_image(fixture("gray_and_alpha.png"), Alpha::keep),
              (Image{1, 2, 4, {10, 10, 10, 255, 200, 200, 200, 7}}));
    EXPECT_EQ(read_image(fixture("gray_and_alpha.png")), (Image{1, 2, 1, {10, 200}}));
    EXPECT_EQ(read_image(fixture("transparent_colour.png"), Alpha::keep), (Image{1, 2, 4, {1, 2, 3, 0, 4, 5, 6, 255}}));
    EXPECT_EQ(read_image(fixture("transparent_colour.png")), (Image{1, 2, 3, {1, 2, 3, 4, 5, 6}}));
    EXPECT_EQ(read_image(fixture("transparent_gray.png"), Alpha::keep),
              (Image{1, 2, 4, {10, 10, 10, 255, 200, 200, 200, 0}}));
}

TEST(Images, LoseTheirAlphaInFilesThatHoldNone) {
    const TemporaryFolder folder;
    for (const char* name : {"a.ppm", "a.pnm"}) {
        write_image(folder / name, see_through());
        EXPECT_EQ(read_image(folder / name, Alpha::keep), pattern()) << name;
    }
    write_image(folder / "a.jpg", see_through());
    EXPECT_EQ(read_image(folder / "a.jpg", Alpha::keep).channels, 3);
    EXPECT_THROW(write_image(folder / "a.pgm", see_through()), UsageError);
}

TEST(Images, StandUprightWhateverTheirOrientation) {
    for (int orientation = 1; orientation <= 8; ++orientation)
        EXPECT_EQ(read_image(fixture("orientation_" + std::to_string(orientation) + ".png")), pattern()) << orientation;
    EXPECT_EQ(read_image(fixture("orientation_8.webp")), pattern());
}

/// JPEG is lossy, so each pixel of the pattern is a block, and its middle is looked at.
void expect_blocks_of_the_pattern(const Image& image) {
    ASSERT_EQ(image.height, 32);
    ASSERT_EQ(image.width, 48);
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t col = 0; col < 3; ++col)
            for (std::size_t channel = 0; channel < 3; ++channel)
                EXPECT_NEAR(image.pixels[((row * 16 + 8) * 48 + col * 16 + 8) * 3 + channel],
                            pattern().pixels[(row * 3 + col) * 3 + channel], 6);
}

TEST(Images, StandUprightFromJpeg) {
    expect_blocks_of_the_pattern(read_image(fixture("orientation_6_of_16x16_blocks.jpg")));
}

TEST(Images, AreReadFromProgressiveAndFromGrayJpegs) {
    expect_blocks_of_the_pattern(read_image(fixture("progressive_of_16x16_blocks.jpg")));
    const Image gray = read_image(fixture("gray_steps_of_51.jpg"));
    EXPECT_EQ(gray.channels, 1);
    EXPECT_NEAR(gray.pixels[5], 255, 6);
}

TEST(Images, AreReadFromTextPnmWithComments) {
    const TemporaryFolder folder;
    write(folder / "a", "P3 # colour\n#two rows\n1 2\n255\n1 2 3\n# between\n 4 5 6");
    EXPECT_EQ(read_image(folder / "a"), (Image{2, 1, 3, {1, 2, 3, 4, 5, 6}}));
    write(folder / "b", "P2\n2 1\n15\n0 15");
    EXPECT_EQ(read_image(folder / "b"), (Image{1, 2, 1, {0, 255}}));
}

TEST(Images, ScaleSmallSamplesOfPnmToAByteRoundedToNearest) {
    const TemporaryFolder folder;
    write(folder / "a", "P5 4 1 3\n" + std::string("\0\1\2\3", 4));
    EXPECT_EQ(read_image(folder / "a").pixels, (std::vector<std::uint8_t>{0, 85, 170, 255}));
    write(folder / "b", "P5 2 1 100\n" + std::string("\62\63", 2));  // 50 → 127.5, 51 → 130.05
    EXPECT_EQ(read_image(folder / "b").pixels, (std::vector<std::uint8_t>{128, 130}));
}

}  // namespace
}  // namespace lanework::test
