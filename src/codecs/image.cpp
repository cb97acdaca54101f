// Which codec a file gets: by its content when it is read, by its name when it is written.
#include <lanework/image_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <lanework/memory_error.hpp>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "src/codecs/codecs.hpp"
#include "src/io/file.hpp"

namespace lanework {
namespace codec {

void require_size(std::int64_t height, std::int64_t width) {
    if (height <= 0 || width <= 0) throw BadContent(fmt::format("a picture of {}×{}: it has no pixels", height, width));
    if (width > kMostPixels / height)
        throw BadContent(fmt::format("a picture of {}×{}: more than {} pixels, the most that is read; scale it down",
                                     height, width, kMostPixels));
}

Image make_image(std::int64_t height, std::int64_t width, int channels) {
    require_size(height, width);
    return {height, width, channels, Bytes(static_cast<std::size_t>(height * width * channels))};
}

}  // namespace codec

namespace {

namespace fs = std::filesystem;

using codec::Codec;
using codec::FileName;

/// A format and how the file at hand is called.
struct Named {
    const Codec* codec = nullptr;
    const FileName* name = nullptr;
};

template <class Visit>
void for_each_name(const Visit& visit) {
    for (const Codec* each : codec::kCodecs)
        for (const FileName& name : each->names)
            if (!name.extension.empty()) visit(Named{each, &name});
}

/// "PNG, WebP and JPEG", each once.
std::string listed(std::string_view FileName::*part, std::string_view last) {
    std::vector<std::string_view> words;
    for_each_name([&](const Named& named) {
        if (std::ranges::find(words, named.name->*part) == words.end()) words.push_back(named.name->*part);
    });
    return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last, words.back());
}

Named find_extension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    Named found;
    for_each_name([&](const Named& named) {
        if (named.name->extension == extension) found = named;
    });
    return found;
}

Named require_extension(const fs::path& path) {
    if (const Named found = find_extension(path); found.codec) return found;
    throw UsageError(
        fmt::format("{}: a picture's name must end in {}", path.string(), listed(&FileName::extension, "or")));
}

/// What a file of no known kind may be, to say what would be right.
std::string describe_unknown(codec::ByteView bytes) {
    const std::string_view start(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 12));
    std::string_view kind;
    if (start.starts_with("GIF8")) kind = "a GIF";
    if (start.starts_with("YUV4MPEG2")) return "a YUV4MPEG2 video; give it on the standard input, with - for its name";
    if (start.starts_with("BM")) kind = "a BMP";
    if (start.starts_with("II*") || start.starts_with(std::string_view("MM\0*", 4))) kind = "a TIFF";
    if (start.size() == 12 && start.substr(4, 4) == "ftyp") kind = "a HEIC or AVIF";
    const std::string right = listed(&FileName::title, "and") + " are read";
    return kind.empty() ? fmt::format("not a picture of a known kind; {}", right)
                        : fmt::format("{} picture; convert it first: {}", kind, right);
}

Image decode(codec::ByteView bytes, Alpha alpha) {
    for (const Codec* each : codec::kCodecs)
        if (each->is(bytes)) return each->decode(bytes, alpha);
    throw codec::BadContent(describe_unknown(bytes));
}

void require_consistent(const Image& image) {
    const bool channels_fit = image.channels == 1 || image.channels == 3 || image.channels == 4;
    if (!channels_fit || image.height <= 0 || image.width <= 0 || image.height > kMostPixels / image.width ||
        image.pixels.size() != static_cast<std::size_t>(image.height * image.width * image.channels))
        throw UsageError(
            fmt::format("an image of {}×{} with {} channels and {} bytes: 1, 3 or 4 channels and "
                        "height × width × channels bytes are right",
                        image.height, image.width, image.channels, image.pixels.size()));
}

}  // namespace

Image read_image(const fs::path& path, Alpha alpha) { return parse_image(read_file(path), path.string(), alpha); }

Image parse_image(std::span<const std::uint8_t> bytes, const std::string& name, Alpha alpha) {
    if (bytes.empty()) throw FileError(fmt::format("{}: the file is empty", name));
    try {
        return decode(bytes, alpha);
    } catch (const codec::BadContent& error) {
        throw FileError(fmt::format("{}: {}", name, error.what()));
    } catch (const std::bad_alloc&) {
        throw MemoryError(fmt::format("{}: a picture that does not fit in memory", name));
    }
}

std::vector<std::uint8_t> encode_image(const fs::path& path, const Image& image) {
    const auto [format, name] = require_extension(path);
    require_consistent(image);
    if (name->channels == FileName::Channels::gray && image.channels != 1)
        throw UsageError(fmt::format("{}: a {} holds gray pictures; name it .ppm or .png", path.string(), name->title));
    const bool as_rgb = name->channels == FileName::Channels::colour || (image.channels == 4 && !format->keeps_alpha);
    try {
        return format->encode(as_rgb ? to_rgb(image) : image);
    } catch (const codec::BadContent& error) {
        throw FileError(fmt::format("{}: {}", path.string(), error.what()));
    }
}

void write_image(const fs::path& path, const Image& image) { write_file(path, encode_image(path, image)); }

void require_image_writable(const fs::path& path) {
    require_extension(path);
    require_writable(path);
}

bool has_image_extension(const fs::path& path) { return find_extension(path).codec != nullptr; }

Image to_rgb(Image image) {
    if (image.channels == 3) return image;
    const auto count = static_cast<std::size_t>(image.height * image.width);
    std::vector<std::uint8_t> pixels(count * 3);
    for (std::size_t i = 0; i < count; ++i)
        if (image.channels == 1)
            std::fill_n(&pixels[3 * i], 3, image.pixels[i]);
        else
            std::copy_n(&image.pixels[4 * i], 3, &pixels[3 * i]);
    return {image.height, image.width, 3, std::move(pixels)};
}

Image side_by_side(const Image& first, const Image& second) {
    const int channels = std::max(first.channels, second.channels);
    Image both{std::max(first.height, second.height), first.width + second.width, channels, {}};
    const auto bytes = static_cast<std::size_t>(channels), row = static_cast<std::size_t>(both.width) * bytes;
    both.pixels.resize(static_cast<std::size_t>(both.height) * row);
    constexpr std::uint8_t kOpaque = 255;
    if (channels == 4)
        for (std::size_t alpha = 3; alpha < both.pixels.size(); alpha += bytes) both.pixels[alpha] = kOpaque;
    std::size_t left = 0;
    for (const Image* image : {&first, &second}) {
        const std::uint8_t* from = image->pixels.data();
        for (std::size_t y = 0; y < static_cast<std::size_t>(image->height); ++y) {
            std::uint8_t* to = &both.pixels[y * row + left];
            for (std::int64_t x = 0; x < image->width; ++x, from += image->channels, to += channels)
                if (image->channels == 1)
                    std::fill_n(to, std::min(channels, 3), *from);
                else
                    std::copy_n(from, image->channels, to);
        }
        left += static_cast<std::size_t>(image->width) * bytes;
    }
    return both;
}

}  // namespace lanework
