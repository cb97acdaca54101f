// Small whole pictures, and what becomes of files on bad disks: what tests damage, and fuzzers begin with.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "src/codecs/codecs.hpp"
#include "src/core/fill.hpp"

namespace lanework::test {

struct PictureFile {
    std::string name;
    codec::Bytes bytes;
};

/// As our encoders write them: gray and colour, of one pixel, of odd sizes, and of more than one block of a JPEG.
inline std::vector<PictureFile> small_pictures() {
    struct Encoder {
        const char* name;
        codec::Bytes (*encode)(const Image&);
    };
    const Encoder encoders[] = {{"jpg", codec::kJpeg.encode},
                                {"png", codec::kPng.encode},
                                {"webp", codec::kWebp.encode},
                                {"pnm", codec::kPnm.encode}};
    std::vector<PictureFile> files;
    for (const auto& [height, width, channels] : {std::array{1, 1, 1}, {1, 1, 3}, {3, 5, 3}, {17, 19, 1}, {9, 20, 3}}) {
        Image image{height, width, channels, codec::Bytes(static_cast<std::size_t>(height * width * channels))};
        fill_uniform(image.pixels.data(), image.pixels.size(), files.size());
        for (const Encoder& encoder : encoders)
            files.push_back({fmt::format("{}x{}x{}.{}", height, width, channels, encoder.name), encoder.encode(image)});
    }
    const std::string text = "P3 # a comment\n2 1 15\n0 7 15\n1 2 3\n";
    files.push_back({"text.ppm", {text.begin(), text.end()}});
    return files;
}

/// The bytes with one to five places damaged: bits flipped, bytes replaced by others or by extremes, runs removed,
/// doubled or zeroed. The same seed does the same damage.
inline codec::Bytes damaged(codec::Bytes bytes, std::uint64_t seed) {
    std::uint64_t drawn = 0;
    const auto draw = [&](std::uint64_t below) { return random_bits(seed, drawn++) % below; };
    for (std::uint64_t places = 1 + draw(5); places > 0 && !bytes.empty(); --places) {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(draw(bytes.size()));
        const auto end = at + static_cast<std::ptrdiff_t>(1 + draw(static_cast<std::uint64_t>(bytes.end() - at)));
        switch (draw(7)) {
            case 0: *at ^= static_cast<std::uint8_t>(1U << draw(8)); break;
            case 1: *at = static_cast<std::uint8_t>(draw(256)); break;
            case 2: *at = 0xFF; break;
            case 3: *at = 0; break;
            case 4: bytes.erase(at, end); break;
            case 5: {
                const codec::Bytes run(at, end);
                bytes.insert(at, run.begin(), run.end());
                break;
            }
            default: std::fill(at, std::min(end, at + 8), std::uint8_t{0});
        }
    }
    return bytes;
}

}  // namespace lanework::test
