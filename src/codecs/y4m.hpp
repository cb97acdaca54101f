// YUV4MPEG2 video, as ffmpeg's yuv4mpegpipe and mjpegtools pass it through pipes: frames one by one, never a whole
// video.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// How many chroma samples there are; the three kinds of 4:2:0 differ in where they lie between those of luma.
enum class Chroma : std::uint8_t { mono, c420, c420jpeg, c420mpeg2, c420paldv, c422, c444 };
/// As in the header: "mono", "420jpeg", ….
std::string_view name_of(Chroma chroma);
/// Luma samples for each chroma sample, across and down; of mono 1 and 1.
std::array<int, 2> subsampling(Chroma chroma);

struct Y4mHeader {
    std::int64_t width = 0, height = 0;
    Chroma chroma = Chroma::c420jpeg;
    /// Numerator and denominator of frames per second, and of a pixel's width by its height; 0 where not stated.
    std::array<std::int64_t, 2> rate{}, aspect{};
    /// Comments of applications, as in "COLORRANGE=LIMITED".
    std::vector<std::string> comments = {};

    /// Whether luma goes from 0 to 255, as the comment COLORRANGE=FULL says, and not from 16 to 235.
    bool is_full_range() const;
};

struct PlaneSize {
    std::int64_t height = 0, width = 0;
    std::int64_t bytes() const { return height * width; }
    bool operator==(const PlaneSize&) const = default;
};
/// Y, then U and V unless it is mono; a chroma plane's sides are rounded up.
std::vector<PlaneSize> planes_of(const Y4mHeader& header);
/// Of all planes of a frame, which lie one behind the other.
std::size_t frame_bytes(const Y4mHeader& header);

/// Fills as much of the span as there is; less only at the end.
using ByteSource = std::function<std::size_t(std::span<std::uint8_t>)>;
using ByteSink = std::function<void(std::span<const std::uint8_t>)>;

class Y4mReader {
public:
    /// Reads the header. Throws FileError, one line that begins with `name`, for anything but progressive 8-bit video
    /// of a known chroma and of at most kMostPixels.
    Y4mReader(ByteSource source, std::string name);

    const Y4mHeader& header() const { return header_; }
    /// Resized to the next frame's bytes; false where the video ends. Throws FileError with the frame's number, counted
    /// from 1, where it is cut off or no frame begins.
    bool next(std::vector<std::uint8_t>& frame);

private:
    /// Up to a line feed, which is left out.
    std::string line(std::size_t most, const std::string& what);
    [[noreturn]] void fail(const std::string& what) const;

    ByteSource source_;
    std::string name_;
    Y4mHeader header_;
    std::int64_t frames_ = 0;
};

class Y4mWriter {
public:
    /// Writes the header.
    Y4mWriter(ByteSink sink, const Y4mHeader& header);
    /// frame_bytes(header) of them.
    void write(std::span<const std::uint8_t> frame);

private:
    ByteSink sink_;
};

/// What the program's own ends of a pipe give and take. Throw FileError.
ByteSource standard_input();
ByteSink standard_output();

}  // namespace lanework
