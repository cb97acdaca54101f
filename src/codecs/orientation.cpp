// EXIF orientation: finding the one tag in the block, and turning the picture accordingly.
#include <algorithm>
#include <string_view>

#include "src/codecs/codecs.hpp"

namespace lanework::codec {
namespace {

/// Reads a TIFF structure in either byte order; offsets past the end read as 0, which no tag and no count is.
class TiffReader {
public:
    explicit TiffReader(ByteView bytes) : bytes_(bytes), big_endian_(!bytes.empty() && bytes[0] == 'M') {}

    std::uint32_t u16(std::size_t at) const {
        return big_endian_ ? byte(at) << 8 | byte(at + 1) : byte(at + 1) << 8 | byte(at);
    }
    std::uint32_t u32(std::size_t at) const {
        return big_endian_ ? u16(at) << 16 | u16(at + 2) : u16(at + 2) << 16 | u16(at);
    }

private:
    std::uint32_t byte(std::size_t at) const { return at < bytes_.size() ? bytes_[at] : 0; }

    ByteView bytes_;
    bool big_endian_;
};

constexpr std::uint32_t kOrientationTag = 274, kShortType = 3;
constexpr std::size_t kEntryBytes = 12;

}  // namespace

int exif_orientation(ByteView exif) {
    constexpr std::string_view prefix("Exif\0\0", 6);
    if (exif.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), exif.begin()))
        exif = exif.subspan(prefix.size());
    if (exif.size() < 8 || exif[0] != exif[1] || (exif[0] != 'I' && exif[0] != 'M')) return 1;
    const TiffReader tiff(exif);
    if (tiff.u16(2) != 42) return 1;
    const std::size_t directory = tiff.u32(4);
    const std::uint32_t entries = tiff.u16(directory);
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + kEntryBytes * i;
        if (entry + kEntryBytes > exif.size()) return 1;
        if (tiff.u16(entry) != kOrientationTag || tiff.u16(entry + 2) != kShortType) continue;
        const std::uint32_t value = tiff.u16(entry + 8);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

Image apply_orientation(Image image, int orientation) {
    if (orientation < 2 || orientation > 8) return image;
    // Orientations 5 … 8 swap rows and columns; the pixel shown at (y, x) is then stored at column y, row x, each
    // counted from the far end where the orientation says so.
    const bool swapped = orientation >= 5;
    const bool rows_from_end = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const bool cols_from_end = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    Image shown =
        make_image(swapped ? image.width : image.height, swapped ? image.height : image.width, image.channels);
    const auto channels = static_cast<std::size_t>(image.channels);
    std::uint8_t* out = shown.pixels.data();
    for (std::int64_t y = 0; y < shown.height; ++y)
        for (std::int64_t x = 0; x < shown.width; ++x) {
            const std::int64_t row = swapped ? x : y, col = swapped ? y : x;
            const std::int64_t from_row = rows_from_end ? image.height - 1 - row : row;
            const std::int64_t from_col = cols_from_end ? image.width - 1 - col : col;
            const std::uint8_t* in =
                image.pixels.data() + static_cast<std::size_t>(from_row * image.width + from_col) * channels;
            out = std::copy_n(in, channels, out);
        }
    return shown;
}

}  // namespace lanework::codec
