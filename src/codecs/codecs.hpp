// The formats of picture files: what each is called, and its decoder and encoder, between bytes and images. A new one
// is a file with its constant, and its place in kCodecs.
#pragma once

#include <array>
#include <lanework/image_file.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanework::codec {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// What is wrong with the content, to stand behind "<file>: ".
class BadContent : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws BadContent for an empty picture or one of more than kMostPixels.
void require_size(std::int64_t height, std::int64_t width);

/// An image of this size with its pixels zeroed, after require_size.
Image make_image(std::int64_t height, std::int64_t width, int channels);

/// How a format's files are called.
struct FileName {
    /// ".jpeg"; empty behind the last of a format.
    std::string_view extension;
    /// What people call the format: "JPEG".
    std::string_view title;
    /// Which channels fit in it.
    enum class Channels : std::uint8_t { any, gray, colour } channels = Channels::any;
};

/// A format of picture files. Each is a constant in the file of its codec.
struct Codec {
    std::array<FileName, 3> names;
    /// Whether the content is of this format, the forms of it that are refused included.
    bool (*is)(ByteView);
    Image (*decode)(ByteView, Alpha);
    /// Takes one or three channels, and four where it keeps alpha.
    Bytes (*encode)(const Image&);
    bool keeps_alpha = false;
};

extern const Codec kPng, kWebp, kJpeg, kPnm;

/// Every format, in the order in which messages list them.
inline constexpr const Codec* kCodecs[] = {&kPng, &kWebp, &kJpeg, &kPnm};

/// The orientation (1 … 8) that a TIFF-structured EXIF block states; 1 when it states none or is damaged. A leading
/// "Exif\0\0" is skipped.
int exif_orientation(ByteView exif);

/// The picture as EXIF 2.3 (tag 274) says it is to be shown.
Image apply_orientation(Image image, int orientation);

}  // namespace lanework::codec
