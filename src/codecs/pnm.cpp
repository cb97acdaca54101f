// PNM (PGM and PPM, text and binary): small enough to be read here. Source: the netpbm manual, pgm(5) and ppm(5).
#include <fmt/format.h>

#include <cstring>

#include "src/codecs/codecs.hpp"

namespace lanework::codec {
namespace {

constexpr int kLargestSample = 255;

/// Reads tokens of a PNM header and text samples.
class Scanner {
public:
    explicit Scanner(ByteView bytes) : bytes_(bytes) {}

    /// The next unsigned number, white space and comments before it skipped.
    std::int64_t number() {
        skip_space();
        if (at_ == bytes_.size()) throw BadContent("a PNM that is cut off; get the whole file");
        std::int64_t value = 0;
        const std::size_t start = at_;
        for (; at_ < bytes_.size() && is_digit(bytes_[at_]); ++at_) {
            value = value * 10 + (bytes_[at_] - '0');
            if (value > kLargestNumber) throw BadContent("a PNM with an impossibly large number in it");
        }
        if (at_ == start) throw BadContent(fmt::format("a damaged PNM: no number at byte {}", at_));
        return value;
    }
    /// What follows the single white-space character behind the header.
    ByteView rest() const { return at_ < bytes_.size() ? bytes_.subspan(at_ + 1) : ByteView(); }

private:
    static constexpr std::int64_t kLargestNumber = std::int64_t{1} << 40;
    static bool is_digit(std::uint8_t c) { return c >= '0' && c <= '9'; }
    static bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    void skip_space() {
        while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#')
                while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
            else
                ++at_;
        }
    }

    ByteView bytes_;
    std::size_t at_ = 2;  // behind the magic number
};

void refuse_other_kinds(char kind) {
    if (kind == '1' || kind == '4') throw BadContent("a PBM bitmap; save it as PGM, e.g. with `pbmtopgm 1 1`");
    if (kind == '7') throw BadContent("a PAM picture; save it as PPM, e.g. with `pamtopnm`");
}

/// A sample of 0 … largest as one of 0 … 255, rounded to nearest.
std::uint8_t to_byte(std::int64_t sample, std::int64_t largest) {
    if (sample > largest)
        throw BadContent(fmt::format("a damaged PNM: a sample of {} where {} is the largest", sample, largest));
    return static_cast<std::uint8_t>((sample * kLargestSample + largest / 2) / largest);
}

bool is_pnm(ByteView bytes) {
    return bytes.size() >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
           (std::strchr(" \t\r\n#", bytes[2]) != nullptr);
}

Image decode_pnm(ByteView bytes, Alpha) {
    const char kind = static_cast<char>(bytes[1]);
    refuse_other_kinds(kind);
    Scanner scanner(bytes);
    const std::int64_t width = scanner.number(), height = scanner.number();
    require_size(height, width);
    const std::int64_t largest = scanner.number();
    if (largest == 0) throw BadContent("a damaged PNM: its largest sample is 0");
    if (largest > kLargestSample)
        throw BadContent("a 16-bit PNM; save it with 8 bits a channel, e.g. with `pamdepth 255`");
    const bool text = kind == '2' || kind == '3';
    const int channels = kind == '3' || kind == '6' ? 3 : 1;
    const auto samples = static_cast<std::size_t>(height * width * channels);
    // Every sample takes at least one byte: a short file is refused before memory is taken for its claim.
    const ByteView data = scanner.rest();
    if (data.size() < (text ? samples * 2 - 1 : samples)) throw BadContent("a PNM that is cut off; get the whole file");
    Image image = make_image(height, width, channels);
    for (std::size_t i = 0; i < samples; ++i) image.pixels[i] = to_byte(text ? scanner.number() : data[i], largest);
    return image;
}

Bytes encode_pnm(const Image& image) {
    const std::string header = fmt::format("P{}\n{} {}\n255\n", image.channels == 1 ? 5 : 6, image.width, image.height);
    Bytes bytes(header.begin(), header.end());
    bytes.insert(bytes.end(), image.pixels.begin(), image.pixels.end());
    return bytes;
}

}  // namespace

constinit const Codec kPnm{.names = {{{".pgm", "PGM", FileName::Channels::gray},
                                      {".ppm", "PPM", FileName::Channels::colour},
                                      {".pnm", "PNM"}}},
                           .is = is_pnm,
                           .decode = decode_pnm,
                           .encode = encode_pnm};

}  // namespace lanework::codec
