// WebP through libwebp: read with the colours under an alpha channel as they are stored, written without loss.
#include <webp/decode.h>
#include <webp/encode.h>

#include <memory>
#include <string_view>

#include "src/codecs/codecs.hpp"

namespace lanework::codec {
namespace {

constexpr std::size_t kRiffHeader = 12, kChunkHeader = 8;

std::uint32_t little_endian(ByteView bytes, std::size_t at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | std::uint32_t{bytes[at + 3]} << 24;
}

std::string_view name_at(ByteView bytes, std::size_t at) {
    return {reinterpret_cast<const char*>(bytes.data()) + at, 4};
}

/// The orientation in the container's EXIF chunk. RIFF: chunks of name, length and data padded to even lengths.
int stated_orientation(ByteView bytes) {
    std::size_t at = kRiffHeader;
    while (at + kChunkHeader <= bytes.size()) {
        const std::size_t length = little_endian(bytes, at + 4), data = at + kChunkHeader;
        if (length > bytes.size() - data) break;
        if (name_at(bytes, at) == "EXIF") return exif_orientation(bytes.subspan(data, length));
        at = data + length + length % 2;
    }
    return 1;
}

std::string plain_reason(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_NOT_ENOUGH_DATA:
        case VP8_STATUS_SUSPENDED: return "a WebP that is cut off; get the whole file";
        case VP8_STATUS_OUT_OF_MEMORY: return "a WebP that does not fit in memory";
        default: return "a damaged WebP";
    }
}

void require(VP8StatusCode status) {
    if (status != VP8_STATUS_OK) throw BadContent(plain_reason(status));
}

/// A picture on its way through libwebp, and what it wrote.
struct Encoding {
    WebPPicture picture{};
    WebPMemoryWriter written{};
    Encoding() { WebPMemoryWriterInit(&written); }
    Encoding(const Encoding&) = delete;
    Encoding& operator=(const Encoding&) = delete;
    ~Encoding() {
        WebPPictureFree(&picture);
        WebPMemoryWriterClear(&written);
    }
};

/// The colours under transparent pixels are kept, which the library's plain functions do not promise.
Bytes encode_with_alpha(const Image& image) {
    constexpr int kLosslessLevel = 6;  // of 0 … 9: what WebPEncodeLosslessRGB takes
    WebPConfig config;
    Encoding e;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, kLosslessLevel) || !WebPPictureInit(&e.picture))
        throw BadContent("WebP cannot be written: libwebp has another version");
    config.exact = 1;
    e.picture.use_argb = 1;
    e.picture.width = static_cast<int>(image.width);
    e.picture.height = static_cast<int>(image.height);
    e.picture.writer = WebPMemoryWrite;
    e.picture.custom_ptr = &e.written;
    if (!WebPPictureImportRGBA(&e.picture, image.pixels.data(), e.picture.width * 4) ||
        !WebPEncode(&config, &e.picture))
        throw BadContent("cannot be encoded as WebP");
    return Bytes(e.written.mem, e.written.mem + e.written.size);
}

bool is_webp(ByteView bytes) {
    return bytes.size() >= kRiffHeader && name_at(bytes, 0) == "RIFF" && name_at(bytes, 8) == "WEBP";
}

Image decode_webp(ByteView bytes, Alpha alpha) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) throw BadContent("WebP cannot be read: libwebp has another version");
    require(WebPGetFeatures(bytes.data(), bytes.size(), &config.input));
    if (config.input.has_animation) throw BadContent("an animated WebP; save one frame of it as a picture");
    const bool rgba = alpha == Alpha::keep && config.input.has_alpha;
    Image image = make_image(config.input.height, config.input.width, rgba ? 4 : 3);
    config.output.colorspace = rgba ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {image.pixels.data(), static_cast<int>(image.width) * image.channels, image.pixels.size()};
    require(WebPDecode(bytes.data(), bytes.size(), &config));
    return apply_orientation(std::move(image), stated_orientation(bytes));
}

Bytes encode_webp(const Image& image) {
    if (image.height > WEBP_MAX_DIMENSION || image.width > WEBP_MAX_DIMENSION)
        throw BadContent("a WebP has at most 16383 rows and columns; write a PNG");
    if (image.channels == 4) return encode_with_alpha(image);
    const Image rgb = to_rgb(image);
    std::uint8_t* encoded = nullptr;
    const std::size_t size =
        WebPEncodeLosslessRGB(rgb.pixels.data(), static_cast<int>(rgb.width), static_cast<int>(rgb.height),
                              static_cast<int>(rgb.width) * 3, &encoded);
    const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> owner(encoded, &WebPFree);
    if (size == 0) throw BadContent("cannot be encoded as WebP");
    return Bytes(encoded, encoded + size);
}

}  // namespace

constinit const Codec kWebp{
    .names = {{{".webp", "WebP"}}}, .is = is_webp, .decode = decode_webp, .encode = encode_webp, .keeps_alpha = true};

}  // namespace lanework::codec
