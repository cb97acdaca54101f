// Pictures of 8-bit samples in memory, read from and written to JPEG, PNG, WebP and PNM files. A program that includes
// this links lanework::files, which needs the libraries of these formats; the rest of Lanework does not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <lanework/image_view.hpp>
#include <span>
#include <string>
#include <vector>

namespace lanework {

/// The most pixels that are read: a file that claims more is refused before memory is taken for it.
inline constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;

/// The most scans of a JPEG that are read. Encoders make about ten; each can cost as much time as a whole picture, and
/// a few bytes of the file.
inline constexpr int kMostScans = 100;

/// A picture of 8-bit samples, not premultiplied, rows from top to bottom.
struct Image {
    std::int64_t height = 0;
    std::int64_t width = 0;
    /// 1: gray; 3: red, green, blue, in this order, interleaved; 4: and alpha behind them.
    int channels = 0;
    /// height × width × channels bytes; rows are tightly packed.
    std::vector<std::uint8_t> pixels;

    /// What the functions of <lanework/image.hpp> take on a team of threads; valid while this is neither moved nor
    /// resized.
    ImageView<const std::uint8_t> view() const {
        return ImageView<const std::uint8_t>::tight(pixels.data(), height, width, channels);
    }
    ImageView<std::uint8_t> view() { return ImageView<std::uint8_t>::tight(pixels.data(), height, width, channels); }
    bool operator==(const Image&) const = default;
};

/// What becomes of an alpha channel (or a transparent colour) of a PNG or WebP file that is read.
enum class Alpha : std::uint8_t {
    drop,  ///< it is left out; the colours under it stay as they are stored
    keep,  ///< the image has four channels
};

/// Reads JPEG, PNG, WebP or PNM (P2, P3, P5, P6); the content decides, not the name. Gray files give 1 channel (WebP
/// always 3), palettes and depths below 8 bits are expanded, and an EXIF orientation is applied, so that the picture
/// stands upright.
/// Throws FileError, one line with the file's name, for anything that would not come out right: damaged or cut files
/// (libjpeg's warnings included), CMYK, 16-bit samples, animations, no pixels, more than kMostPixels or than there is
/// memory for, more of them than a file of this size can hold, or a JPEG of more than kMostScans.
Image read_image(const std::filesystem::path& path, Alpha alpha = Alpha::drop);

/// The same from the bytes of a file; `name` stands in messages.
Image parse_image(std::span<const std::uint8_t> bytes, const std::string& name, Alpha alpha = Alpha::drop);

/// Writes by extension: .png, .webp (lossless), .jpg and .jpeg (quality 95, chroma not subsampled), .pgm, .ppm and
/// .pnm (binary; .pgm takes gray only, and in .ppm gray is repeated). JPEG and PNM hold no alpha: there it is dropped,
/// the colours under it as they are. The file is written whole or not at all. Throws FileError, or UsageError for an
/// extension that is none of these.
void write_image(const std::filesystem::path& path, const Image& image);

/// The bytes of that file. Throws as write_image, but for what goes wrong when it is written.
std::vector<std::uint8_t> encode_image(const std::filesystem::path& path, const Image& image);

/// Throws what write_image would throw because of the path alone; leaves nothing behind. Call it before long work.
void require_image_writable(const std::filesystem::path& path);

/// True when the name ends like that of a file which read_image may read: what a folder is searched for.
bool has_image_extension(const std::filesystem::path& path);

/// The same picture with three channels; gray is repeated, alpha is dropped.
Image to_rgb(Image image);

/// The first to the left of the second, both from the top; black where one has fewer rows. Gray becomes colour beside a
/// colour picture, and a picture without alpha opaque beside one with it.
Image side_by_side(const Image& first, const Image& second);

}  // namespace lanework
