// YUV4MPEG2: what is written comes back, and what is not right is told with the frame it is in.
#include "src/codecs/y4m.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <lanework/error.hpp>

namespace lanework::test {
namespace {

ByteSource source_of(std::string text) {
    return [text = std::move(text), at = std::size_t{0}](std::span<std::uint8_t> to) mutable {
        const std::size_t count = std::min(to.size(), text.size() - at);
        std::memcpy(to.data(), text.data() + at, count);
        at += count;
        return count;
    };
}
Y4mReader reader_of(const std::string& text) { return {source_of(text), "video"}; }

/// What reading all of it throws; empty where it reads.
std::string error_of(const std::string& text) {
    try {
        Y4mReader reader = reader_of(text);
        std::vector<std::uint8_t> frame;
        while (reader.next(frame)) {
        }
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

TEST(Y4m, IsReadAsItsHeaderSays) {
    Y4mReader reader = reader_of(
        "YUV4MPEG2 W3 H5 F30000:1001 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED\n"
        "FRAME\n" +
        std::string(27, 'a') + "FRAME Ixyz\n" + std::string(27, 'b'));
    const Y4mHeader& header = reader.header();
    EXPECT_EQ(header.width, 3);
    EXPECT_EQ(header.height, 5);
    EXPECT_EQ(header.chroma, Chroma::c420mpeg2);
    EXPECT_EQ(header.rate, (std::array<std::int64_t, 2>{30000, 1001}));
    EXPECT_EQ(header.comments, (std::vector<std::string>{"YSCSS=420MPEG2", "COLORRANGE=LIMITED"}));
    std::vector<std::uint8_t> frame;
    ASSERT_TRUE(reader.next(frame));
    EXPECT_EQ(frame, std::vector<std::uint8_t>(27, 'a'));  // 15 + 2 · (2·3)
    ASSERT_TRUE(reader.next(frame));
    EXPECT_EQ(frame, std::vector<std::uint8_t>(27, 'b'));
    EXPECT_FALSE(reader.next(frame));
}

TEST(Y4m, HasPlanesOfItsChroma) {
    Y4mHeader header{.width = 5, .height = 3};
    const auto expect = [&](Chroma chroma, std::vector<PlaneSize> planes) {
        header.chroma = chroma;
        EXPECT_EQ(planes_of(header), planes) << name_of(chroma);
    };
    expect(Chroma::mono, {{3, 5}});
    expect(Chroma::c420jpeg, {{3, 5}, {2, 3}, {2, 3}});
    expect(Chroma::c422, {{3, 5}, {3, 3}, {3, 3}});
    expect(Chroma::c444, {{3, 5}, {3, 5}, {3, 5}});
}

TEST(Y4m, ComesBackAsItWasWritten) {
    for (const Chroma chroma : {Chroma::mono, Chroma::c420, Chroma::c420jpeg, Chroma::c420mpeg2, Chroma::c420paldv,
                                Chroma::c422, Chroma::c444}) {
        const Y4mHeader header{7, 3, chroma, {25, 1}, {16, 15}, {"made=here"}};
        std::vector<std::uint8_t> frame(frame_bytes(header));
        for (std::size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<std::uint8_t>(10 * i);
        std::string written;
        Y4mWriter writer([&](auto bytes) { written.append(bytes.begin(), bytes.end()); }, header);
        writer.write(frame);
        writer.write(frame);
        Y4mReader reader = reader_of(written);
        EXPECT_EQ(reader.header().chroma, chroma);
        EXPECT_EQ(reader.header().aspect, header.aspect);
        EXPECT_EQ(reader.header().comments, header.comments);
        std::vector<std::uint8_t> back;
        for (int i = 0; i < 2; ++i) {
            ASSERT_TRUE(reader.next(back));
            EXPECT_EQ(back, frame) << name_of(chroma);
        }
        EXPECT_FALSE(reader.next(back));
    }
}

TEST(Y4m, ThatIsNotRightSaysWhatWouldBe) {
    const auto expect = [](const std::string& text, const std::string& what) {
        const std::string error = error_of(text);
        EXPECT_TRUE(error.starts_with("video: ")) << text << ": " << error;
        EXPECT_NE(error.find(what), std::string::npos) << text << ": " << error;
    };
    expect("", "it is empty");
    expect("\xFF\xD8\xFF\xE0 a JPEG", "not a YUV4MPEG2 video");
    expect("YUV4MPEG2", "without a width and a height");
    expect("YUV4MPEG2 W4\n", "without a width and a height");
    expect("YUV4MPEG2 W4 H0\n", "without a width and a height");
    expect("YUV4MPEG2 W4x H4\n", "the parameter `W4x`");
    expect("YUV4MPEG2 W-4 H4\n", "the parameter `W-4`");
    expect("YUV4MPEG2 W99999999999999999999 H4\n", "the parameter `W9999");
    expect("YUV4MPEG2 W4 H4 Q1\n", "the parameter `Q1`");
    expect("YUV4MPEG2 W4 H4 F30\n", "the parameter `F30`");
    expect("YUV4MPEG2 W1000000 H1000000\n", "more than 268435456 pixels");
    expect("YUV4MPEG2 W4 H4 It\n", "an interlaced video (It); make it progressive first");
    expect("YUV4MPEG2 W4 H4 Im\n", "an interlaced video (Im)");
    expect("YUV4MPEG2 W4 H4 C420p10\n", "a video of chroma C420p10; 420, 420jpeg");
    expect("YUV4MPEG2 W4 H4 X" + std::string(5000, 'a') + "\n", "the header is longer than 4096 bytes");
}

TEST(Y4m, ThatIsCutOffNamesTheFrame) {
    const std::string frame = "FRAME\n" + std::string(16, 'x');
    const std::string video = "YUV4MPEG2 W4 H4 Cmono\n" + frame + frame;
    EXPECT_EQ(error_of(video), "");
    EXPECT_EQ(error_of(video.substr(0, video.size() - 5)), "video: frame 2 is cut off after 11 of 16 bytes");
    EXPECT_EQ(error_of(video + "FRAM"), "video: frame 3 does not begin with FRAME: the video is damaged before it");
    EXPECT_EQ(error_of(video + "x"), "video: frame 3 does not begin with FRAME: the video is damaged before it");
    EXPECT_EQ(error_of(video + "FRAME"), "video: frame 3 is cut off after 0 of 16 bytes");
    EXPECT_EQ(error_of(video + "FRAMES\n"), "video: frame 3 does not begin with FRAME: the video is damaged before it");
    EXPECT_EQ(error_of(video + "FRAME" + std::string(300, ' ')), "video: the line of frame 3 is longer than 256 bytes");
}

}  // namespace
}  // namespace lanework::test
