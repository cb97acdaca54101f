// Pictures that are refused, each with one line that names the file, what it is and what would be right.
#include <algorithm>

#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

AssertionResult is_refused(const std::filesystem::path& path, const std::string& what) {
    const std::string error = reading_error(path);
    if (error.empty()) return AssertionFailure() << path << " was read";
    if (!error.starts_with(path.string() + ": ")) return AssertionFailure() << "the file is not named: " << error;
    if (error.find(what) == std::string::npos) return AssertionFailure() << "not \"" << what << "\": " << error;
    if (error.find('\n') != std::string::npos) return AssertionFailure() << "more than one line: " << error;
    return AssertionSuccess();
}

TEST(BadImages, ThatAreNoFilesSaySo) {
    const TemporaryFolder folder;
    EXPECT_TRUE(is_refused(folder / "missing.png", "there is no such file"));
    EXPECT_TRUE(is_refused(folder.path(), "is a folder"));
    EXPECT_TRUE(is_refused("/dev/null", "not a regular file"));
    write(folder / "empty.jpg", "");
    EXPECT_TRUE(is_refused(folder / "empty.jpg", "the file is empty"));
}

TEST(BadImages, OfKindsThatWouldNotComeOutRightSayWhatWouldBeRight) {
    EXPECT_TRUE(is_refused(fixture("cmyk.jpg"), "a CMYK JPEG; convert it to RGB first"));
    EXPECT_TRUE(is_refused(fixture("sixteen_bit.png"), "a 16-bit PNG; save it with 8 bits"));
    EXPECT_TRUE(is_refused(fixture("animated.webp"), "an animated WebP; save one frame"));
    EXPECT_TRUE(is_refused(fixture("animated.png"), "an animated PNG; save one frame"));
    EXPECT_TRUE(is_refused(fixture("picture.gif"), "a GIF picture; convert it first"));
    EXPECT_TRUE(is_refused(fixture("picture.bmp"), "a BMP picture"));
    EXPECT_TRUE(is_refused(fixture("picture.tiff"), "a TIFF picture"));
    EXPECT_TRUE(
        is_refused(fixture("make.py"), "not a picture of a known kind; PNG, WebP, JPEG, PGM, PPM and PNM are read"));
}

TEST(BadImages, WithoutPixelsOrWithTooManyAreRefusedBeforeMemoryIsTaken) {
    EXPECT_TRUE(is_refused(fixture("zero_wide.png"), "no pixels"));
    EXPECT_TRUE(is_refused(fixture("claims_a_million_squared.png"), "more than 268435456 pixels"));
    const TemporaryFolder folder;
    write(folder / "zero.ppm", "P6 0 0 255\n");
    EXPECT_TRUE(is_refused(folder / "zero.ppm", "no pixels"));
    write(folder / "huge.ppm", "P6 1000000 1000000 255\n");
    EXPECT_TRUE(is_refused(folder / "huge.ppm", "more than 268435456 pixels"));
    write(folder / "overflowing.ppm", "P6 99999999999999999999999 2 255\n");
    EXPECT_TRUE(is_refused(folder / "overflowing.ppm", "impossibly large number"));
}

/// A picture with enough in it that every cut falls into something.
class CutImages : public ::testing::TestWithParam<const char*> {};
TEST_P(CutImages, AreErrorsAtEveryLength) {
    const TemporaryFolder folder;
    const std::string name = GetParam();
    write_image(folder / ("whole." + name), random_image(20, 30, 3));
    const std::string whole = contents(folder / ("whole." + name));
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 400);
    for (std::size_t length = 16; length < whole.size(); length += step) {
        write(folder / ("cut." + name), whole.substr(0, length));
        EXPECT_NE(reading_error(folder / ("cut." + name)), "") << length << " of " << whole.size() << " bytes";
    }
    write(folder / ("cut." + name), whole.substr(0, whole.size() / 2));
    EXPECT_TRUE(is_refused(folder / ("cut." + name), "cut off; get the whole file"));
    write(folder / ("cut." + name), whole.substr(0, whole.size() - 1));
    EXPECT_NE(reading_error(folder / ("cut." + name)), "");
}
INSTANTIATE_TEST_SUITE_P(Formats, CutImages, ::testing::Values("jpg", "png", "webp", "ppm"),
                         [](const auto& format) { return std::string(format.param); });

TEST(BadImages, WithDamageInsideAreErrors) {
    const TemporaryFolder folder;
    write_image(folder / "a.png", random_image(20, 30, 3));
    std::string bytes = contents(folder / "a.png");
    bytes[bytes.size() / 2] ^= 1;
    write(folder / "a.png", bytes);
    EXPECT_TRUE(is_refused(folder / "a.png", "a damaged PNG"));
}

TEST(BadImages, OfPnmSayWhereTheyAreWrong) {
    const TemporaryFolder folder;
    const std::pair<const char*, const char*> cases[] = {
        {"P2 2 1 255\n1", "cut off"},
        {"P5 2 1 65535\nabcd", "a 16-bit PNM"},
        {"P2 1 1 9\n10", "a sample of 10 where 9"},
        {"P2 1 1 0\n0", "largest sample"},
        {"P1 1 1\n1", "a PBM bitmap"},
        {"P7\nWIDTH 1\n", "a PAM picture"},
        {"P2 1 x 255\n1", "no number"},
        {"P6 -1 1 255\nabc", "no number"},
    };
    for (const auto& [bytes, what] : cases) {
        write(folder / "a.pnm", bytes);
        EXPECT_TRUE(is_refused(folder / "a.pnm", what)) << bytes;
    }
}

}  // namespace
}  // namespace lanework::test
