// One decoder and one encoder per file format, between bytes and images; the names of files are known above only.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "src/codecs/image.hpp"

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

bool is_jpeg(ByteView bytes);
bool is_png(ByteView bytes);
bool is_webp(ByteView bytes);
/// Any of P1 … P7, the refused ones included.
bool is_pnm(ByteView bytes);

Image decode_jpeg(ByteView bytes);
Image decode_png(ByteView bytes, Alpha alpha = Alpha::drop);
Image decode_webp(ByteView bytes, Alpha alpha = Alpha::drop);
Image decode_pnm(ByteView bytes);

/// Of one or three channels.
Bytes encode_jpeg(const Image& image);
Bytes encode_png(const Image& image);
Bytes encode_webp(const Image& image);
/// Of one or three channels.
Bytes encode_pnm(const Image& image);

/// The orientation (1 … 8) that a TIFF-structured EXIF block states; 1 when it states none or is damaged. A leading
/// "Exif\0\0" is skipped.
int exif_orientation(ByteView exif);

/// The picture as EXIF 2.3 (tag 274) says it is to be shown.
Image apply_orientation(Image image, int orientation);

}  // namespace lanework::codec
