// Videos made of bytes, for the tests of what is done with video.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "src/codecs/y4m.hpp"
#include "src/core/fill.hpp"

namespace lanework::test {

using Bytes = std::vector<std::uint8_t>;

inline Y4mHeader video_of(std::int64_t width, std::int64_t height, Chroma chroma = Chroma::c420jpeg) {
    return {width, height, chroma, {25, 1}, {1, 1}, {"YSCSS=420JPEG", "COLORRANGE=LIMITED"}};
}

inline ByteSource source_of(Bytes bytes) {
    return [bytes = std::move(bytes), at = std::size_t{0}](std::span<std::uint8_t> to) mutable {
        const std::size_t count = std::min(to.size(), bytes.size() - at);
        std::memcpy(to.data(), bytes.data() + at, count);
        at += count;
        return count;
    };
}

inline Bytes random_frame(const Y4mHeader& header, std::uint64_t seed) {
    Bytes frame(frame_bytes(header));
    fill_uniform(frame.data(), frame.size(), seed);
    return frame;
}

inline Bytes written(const Y4mHeader& header, const std::vector<Bytes>& frames) {
    Bytes bytes;
    Y4mWriter writer([&](auto part) { bytes.insert(bytes.end(), part.begin(), part.end()); }, header);
    for (const Bytes& frame : frames) writer.write(frame);
    return bytes;
}

inline std::vector<Bytes> frames_of(const Bytes& video) {
    Y4mReader reader(source_of(video), "video");
    std::vector<Bytes> frames;
    for (Bytes frame; reader.next(frame);) frames.push_back(frame);
    return frames;
}

}  // namespace lanework::test
