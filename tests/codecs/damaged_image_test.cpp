// Damaged pictures are read as pictures or refused in one line, whatever the damage; run these under the sanitizers
// too. scripts/fuzz-images looks for worse damage than theirs.
#include <optional>

#include "tests/codecs/damaged.hpp"
#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

/// What reading the bytes gives: nothing where they are refused. Fails the test on anything else.
std::optional<Image> read(codec::ByteView bytes, Alpha alpha = Alpha::drop) {
    try {
        Image image = parse_image(bytes, "a", alpha);
        const auto samples = image.height * image.width * image.channels;
        const bool channels_fit =
            image.channels == 1 || image.channels == 3 || (image.channels == 4 && alpha == Alpha::keep);
        EXPECT_TRUE(image.height > 0 && image.width > 0 && channels_fit);
        EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(samples));
        return image;
    } catch (const FileError& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.starts_with("a: ") && what.find('\n') == std::string::npos) << what;
        return std::nullopt;
    }
}

std::vector<PictureFile> whole_pictures() {
    std::vector<PictureFile> files = small_pictures();
    for (const char* name : {"orientation_6_of_16x16_blocks.jpg", "orientation_6.png", "orientation_8.webp",
                             "palette.png", "progressive_of_16x16_blocks.jpg", "alpha.png", "alpha.webp",
                             "black_and_white.png", "animated.webp", "animated.png"}) {
        const std::string bytes = contents(fixture(name));
        files.push_back({name, {bytes.begin(), bytes.end()}});
    }
    return files;
}

TEST(DamagedImages, ThatAreCutAreNeverReadAsOtherPictures) {
    for (const auto& [name, bytes] : whole_pictures()) {
        const std::optional<Image> whole = read(bytes);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const std::optional<Image> cut = read(codec::ByteView(bytes).first(length));
            EXPECT_TRUE(!cut || cut == whole) << name << " cut to " << length << " of " << bytes.size() << " bytes";
        }
    }
}

TEST(DamagedImages, AreRefusedWhenTheyAreCutInHalf) {
    for (const auto& [name, bytes] : whole_pictures())
        EXPECT_FALSE(read(codec::ByteView(bytes).first(bytes.size() / 2))) << name;
}

TEST(DamagedImages, AreReadOrRefusedAndNothingElse) {
    constexpr std::uint64_t kOfEach = 2000;
    for (const auto& [name, bytes] : whole_pictures()) {
        std::size_t refused = 0;
        for (std::uint64_t seed = 0; seed < kOfEach && !HasFailure(); ++seed) {
            SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
            if (!read(damaged(bytes, seed), seed % 2 == 0 ? Alpha::drop : Alpha::keep)) ++refused;
        }
        EXPECT_GT(refused, kOfEach / 20) << name << ": the damage hardly shows";
    }
}

TEST(DamagedImages, HaveTheOrientationOfAnyBytesOrNone) {
    const std::string exif("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", 32);
    const codec::Bytes whole(exif.begin(), exif.end());
    ASSERT_EQ(codec::exif_orientation(whole), 6);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const codec::Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        const int orientation = codec::exif_orientation(cut);
        EXPECT_TRUE(orientation == 1 || orientation == 6) << length;
    }
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        const codec::Bytes bytes = damaged(whole, seed);
        const int orientation = codec::exif_orientation(bytes);
        EXPECT_TRUE(orientation >= 1 && orientation <= 8) << seed;
    }
}

}  // namespace
}  // namespace lanework::test
