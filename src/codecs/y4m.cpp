// The format by mjpegtools' yuv4mpeg(5): a line of parameters, then frames, each a line and the bytes of its planes.
#include "src/codecs/y4m.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>
#include <numeric>

namespace lanework {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG2", kFrame = "FRAME";
constexpr std::size_t kLongestHeader = 4096, kLongestFrameLine = 256;
constexpr std::string_view kReadChroma = "420, 420jpeg, 420mpeg2, 420paldv, 422, 444 and mono are read";

struct NamedChroma {
    Chroma chroma;
    std::string_view name;
    std::array<int, 2> subsampling;
};
constexpr NamedChroma kChromas[] = {
    {Chroma::mono, "mono", {1, 1}},          {Chroma::c420, "420", {2, 2}},
    {Chroma::c420jpeg, "420jpeg", {2, 2}},   {Chroma::c420mpeg2, "420mpeg2", {2, 2}},
    {Chroma::c420paldv, "420paldv", {2, 2}}, {Chroma::c422, "422", {2, 1}},
    {Chroma::c444, "444", {1, 1}},
};
const NamedChroma& named(Chroma chroma) {
    return *std::find_if(std::begin(kChromas), std::end(kChromas), [&](const auto& n) { return n.chroma == chroma; });
}

/// What is wrong with a parameter, to stand behind the name of the video.
struct BadParameter {
    std::string what;
};

std::int64_t number(std::string_view parameter, std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        throw BadParameter{fmt::format("a damaged header: the parameter `{}`", parameter)};
    return value;
}

std::array<std::int64_t, 2> ratio(std::string_view parameter) {
    const std::string_view text = parameter.substr(1);
    const auto colon = text.find(':');
    if (colon == text.npos) throw BadParameter{fmt::format("a damaged header: the parameter `{}`", parameter)};
    return {number(parameter, text.substr(0, colon)), number(parameter, text.substr(colon + 1))};
}

Chroma chroma_of(std::string_view name) {
    for (const NamedChroma& known : kChromas)
        if (known.name == name) return known.chroma;
    throw BadParameter{fmt::format("a video of chroma C{}; {}", name, kReadChroma)};
}

void require_progressive(std::string_view interlacing) {
    if (interlacing != "p" && interlacing != "?")
        throw BadParameter{fmt::format(
            "an interlaced video (I{}); make it progressive first, e.g. with ffmpeg -vf yadif", interlacing)};
}

void take(Y4mHeader& header, std::string_view parameter) {
    const std::string_view value = parameter.substr(1);
    switch (parameter.front()) {
        case 'W': header.width = number(parameter, value); break;
        case 'H': header.height = number(parameter, value); break;
        case 'C': header.chroma = chroma_of(value); break;
        case 'I': require_progressive(value); break;
        case 'F': header.rate = ratio(parameter); break;
        case 'A': header.aspect = ratio(parameter); break;
        case 'X': header.comments.emplace_back(value); break;
        default: throw BadParameter{fmt::format("a damaged header: the parameter `{}`", parameter)};
    }
}

Y4mHeader parse(std::string_view line) {
    Y4mHeader header;
    for (std::string_view rest = line.substr(kMagic.size()); !rest.empty();) {
        rest.remove_prefix(1);  // the space
        const std::string_view parameter = rest.substr(0, rest.find(' '));
        if (!parameter.empty()) take(header, parameter);
        rest.remove_prefix(parameter.size());
    }
    if (header.width == 0 || header.height == 0) throw BadParameter{"a header without a width and a height above 0"};
    if (header.width > kMostPixels / header.height)
        throw BadParameter{fmt::format("a video of {}×{}: more than {} pixels, the most that is read", header.height,
                                       header.width, kMostPixels)};
    return header;
}

std::string to_text(const Y4mHeader& header) {
    std::string text = fmt::format("{} W{} H{}", kMagic, header.width, header.height);
    if (header.rate != decltype(header.rate){}) text += fmt::format(" F{}:{}", header.rate[0], header.rate[1]);
    text += " Ip";
    if (header.aspect != decltype(header.aspect){}) text += fmt::format(" A{}:{}", header.aspect[0], header.aspect[1]);
    text += fmt::format(" C{}", name_of(header.chroma));
    for (const std::string& comment : header.comments) text += " X" + comment;
    return text + "\n";
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

std::string_view name_of(Chroma chroma) { return named(chroma).name; }
std::array<int, 2> subsampling(Chroma chroma) { return named(chroma).subsampling; }

bool Y4mHeader::is_full_range() const {
    return std::find(comments.begin(), comments.end(), "COLORRANGE=FULL") != comments.end();
}

std::vector<PlaneSize> planes_of(const Y4mHeader& header) {
    const PlaneSize luma{header.height, header.width};
    if (header.chroma == Chroma::mono) return {luma};
    const auto [across, down] = subsampling(header.chroma);
    const PlaneSize chroma{(header.height + down - 1) / down, (header.width + across - 1) / across};
    return {luma, chroma, chroma};
}

std::size_t frame_bytes(const Y4mHeader& header) {
    const std::vector<PlaneSize> planes = planes_of(header);
    return static_cast<std::size_t>(std::accumulate(planes.begin(), planes.end(), std::int64_t{0},
                                                    [](auto sum, const auto& plane) { return sum + plane.bytes(); }));
}

void Y4mReader::fail(const std::string& what) const { throw FileError(fmt::format("{}: {}", name_, what)); }

std::string Y4mReader::line(std::size_t most, const std::string& what) {
    std::string text;
    for (std::uint8_t byte = 0; source_({&byte, 1}) == 1 && byte != '\n';) {
        text += static_cast<char>(byte);
        if (text.size() == kMagic.size() && most == kLongestHeader && text != kMagic)
            fail("not a YUV4MPEG2 video; make one with ffmpeg -f yuv4mpegpipe");
        if (text.size() > most) fail(fmt::format("{} is longer than {} bytes", what, most));
        byte = 0;
    }
    return text;
}

Y4mReader::Y4mReader(ByteSource source, std::string name) : source_(std::move(source)), name_(std::move(name)) {
    const std::string text = line(kLongestHeader, "the header");
    if (text.empty()) fail("it is empty; a YUV4MPEG2 video is read, such as ffmpeg -f yuv4mpegpipe makes");
    if (text != kMagic && !text.starts_with(std::string(kMagic) + " "))
        fail("not a YUV4MPEG2 video; make one with ffmpeg -f yuv4mpegpipe");
    try {
        header_ = parse(text);
    } catch (const BadParameter& bad) {
        fail(bad.what);
    }
}

bool Y4mReader::next(std::vector<std::uint8_t>& frame) {
    std::uint8_t first = 0;
    if (source_({&first, 1}) == 0) return false;
    ++frames_;
    const std::string text =
        static_cast<char>(first) + line(kLongestFrameLine, fmt::format("the line of frame {}", frames_));
    if (text != kFrame && !text.starts_with(std::string(kFrame) + " "))
        fail(fmt::format("frame {} does not begin with FRAME: the video is damaged before it", frames_));
    frame.resize(frame_bytes(header_));
    const std::size_t filled = source_(frame);
    if (filled < frame.size())
        fail(fmt::format("frame {} is cut off after {} of {} bytes", frames_, filled, frame.size()));
    return true;
}

Y4mWriter::Y4mWriter(ByteSink sink, const Y4mHeader& header) : sink_(std::move(sink)) {
    sink_(bytes_of(to_text(header)));
}

void Y4mWriter::write(std::span<const std::uint8_t> frame) {
    sink_(bytes_of("FRAME\n"));
    sink_(frame);
}

ByteSource standard_input() {
    return [buffer = std::vector<std::uint8_t>(1 << 16), begin = std::size_t{0},
            end = std::size_t{0}](std::span<std::uint8_t> to) mutable {
        std::size_t filled = 0;
        while (filled < to.size()) {
            if (begin < end) {
                const std::size_t count = std::min(end - begin, to.size() - filled);
                std::memcpy(&to[filled], &buffer[begin], count);
                begin += count;
                filled += count;
                continue;
            }
            // What is wanted in bulk is read where it is wanted.
            const bool bulk = to.size() - filled >= buffer.size();
            const ssize_t count =
                ::read(STDIN_FILENO, bulk ? &to[filled] : buffer.data(), bulk ? to.size() - filled : buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) throw FileError(fmt::format("the standard input cannot be read: {}", std::strerror(errno)));
            if (count == 0) break;
            if (bulk)
                filled += static_cast<std::size_t>(count);
            else
                begin = 0, end = static_cast<std::size_t>(count);
        }
        return filled;
    };
}

ByteSink standard_output() {
    return [](std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0)
                throw FileError(fmt::format("the standard output cannot be written: {}", std::strerror(errno)));
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        }
    };
}

}  // namespace lanework
