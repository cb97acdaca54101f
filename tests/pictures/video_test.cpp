// Video, plane by plane: what becomes of sizes, transforms and pads, and of what ends badly.
#include "src/pictures/video.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/image.hpp>

#include "tests/pictures/videos.hpp"

namespace lanework::test {
namespace {

ImageStep step_of(const RecipeWords& words) { return parse_recipe(words).steps.front(); }

Bytes run(const RecipeWords& words, const Bytes& video, int threads = 1, const std::string& device = "cpu") {
    const auto opened = open_device(device);
    Bytes out;
    Y4mReader reader(source_of(video), "video");
    const auto sink = [&](auto part) { out.insert(out.end(), part.begin(), part.end()); };
    run_video(*opened, parse_recipe(words), reader, sink, threads, [](auto) {});
    return out;
}

TEST(Video, BecomesLumaAlone) {
    const Y4mHeader header = video_of(5, 3);
    const Bytes frame = random_frame(header, 1);
    const Bytes out = run({.operation = "gray"}, written(header, {frame}));
    EXPECT_EQ(std::string(out.begin(), out.begin() + 58),
              "YUV4MPEG2 W5 H3 F25:1 Ip A1:1 Cmono XCOLORRANGE=LIMITED\nFR");
    EXPECT_EQ(frames_of(out).at(0), Bytes(frame.begin(), frame.begin() + 15));
}

TEST(Video, IsResizedPlaneByPlane) {
    const Y4mHeader header = video_of(13, 7);
    const Bytes frame = random_frame(header, 2);
    const Bytes out =
        frames_of(run({.operation = "resize", .values = {{"--size", "5x6"}}}, written(header, {frame}))).at(0);
    ASSERT_EQ(out.size(), 30U + 2 * 9U);
    Bytes expected(out.size());
    const auto plane = [&](std::size_t from, std::int64_t h, std::int64_t w, std::size_t to, std::int64_t oh,
                           std::int64_t ow) {
        resize<std::uint8_t>(ImageView<const std::uint8_t>::tight(&frame[from], h, w, 1),
                             ImageView<std::uint8_t>::tight(&expected[to], oh, ow, 1), Convention::opencv, Team{1});
    };
    plane(0, 7, 13, 0, 5, 6);
    plane(91, 4, 7, 30, 3, 3);
    plane(119, 4, 7, 39, 3, 3);
    EXPECT_EQ(out, expected);
}

TEST(Video, GoesThroughAllStepsOfAPipe) {
    const Bytes video = written(video_of(13, 7), {random_frame(video_of(13, 7), 3), random_frame(video_of(13, 7), 4)});
    for (const char* device : {"cpu", "simt"}) {
        Bytes step_by_step = video;
        for (const RecipeWords& words :
             {RecipeWords{.operation = "blur"}, RecipeWords{.operation = "resize", .values = {{"--size", "6x8"}}},
              RecipeWords{.operation = "sobel"}})
            step_by_step = run(words, step_by_step);
        EXPECT_EQ(run({.operation = "pipe", .steps = "blur | resize 6x8 | sobel"}, video, 2, device), step_by_step);
    }
}

TEST(Video, KeepsItsShapeOnTheScreenWhenItIsStretched) {
    const ImageStep recipe = step_of({.operation = "resize", .values = {{"--size", "576x720"}}});
    EXPECT_EQ(plan_video(recipe, video_of(1024, 576)).out.aspect, (std::array<std::int64_t, 2>{64, 45}));
    EXPECT_EQ(plan_video(recipe, video_of(1440, 1152)).out.aspect, (std::array<std::int64_t, 2>{1, 1}));
    Y4mHeader unknown = video_of(1024, 576);
    unknown.aspect = {0, 0};
    EXPECT_EQ(plan_video(recipe, unknown).out.aspect, unknown.aspect);
}

TEST(Video, IsPaddedWithBlackAtWholeChromaSamples) {
    const Y4mHeader header = video_of(8, 4);
    const Bytes frame(frame_bytes(header), 77);
    const Bytes out =
        frames_of(run({.operation = "letterbox", .values = {{"--size", "10x8"}}}, written(header, {frame}))).at(0);
    // Three rows of pad above would cut a chroma sample in two: the picture begins at the second row.
    for (std::size_t y = 0; y < 10; ++y) EXPECT_EQ(out[y * 8 + 3], y >= 2 && y < 6 ? 77 : 16) << y;
    for (std::size_t y = 0; y < 5; ++y)
        for (const std::size_t plane : {80U, 100U}) EXPECT_EQ(out[plane + y * 4 + 1], y >= 1 && y < 3 ? 77 : 128) << y;
    const Bytes own = frames_of(run({.operation = "letterbox",
                                     .values = {{"--size", "10x8"}, {"--fit", "top-left"}, {"--pad", "1,2,3"}}},
                                    written(header, {frame})))
                          .at(0);
    EXPECT_EQ(own[3 * 8], 77);
    EXPECT_EQ(own[4 * 8], 1);
    EXPECT_EQ(own[80 + 1 * 4], 77);
    EXPECT_EQ(own[80 + 2 * 4], 2);
    EXPECT_EQ(own[100 + 2 * 4], 3);
}

TEST(Video, OfFullRangeIsPaddedWithItsOwnBlack) {
    Y4mHeader header = video_of(4, 4, Chroma::c444);
    for (const auto& [range, black] :
         {std::pair{"COLORRANGE=FULL", 0}, {"COLORRANGE=LIMITED", 16}, {"NOTE=FULL", 16}}) {
        header.comments = {range};
        const Bytes frame(frame_bytes(header), 77);
        const Bytes boxed = frames_of(run({.operation = "letterbox", .values = {{"--size", "4x8"}}},
                                          written(header, {frame})))
                                .at(0),
                    moved = frames_of(run({.operation = "warp", .values = {{"--affine", "1,0,2,0,1,0"}}},
                                          written(header, {frame})))
                                .at(0),
                    own = frames_of(run({.operation = "letterbox", .values = {{"--size", "4x8"}, {"--pad", "9"}}},
                                        written(header, {frame})))
                              .at(0);
        EXPECT_EQ(boxed[0], black) << range;
        EXPECT_EQ(boxed[2], 77) << range;
        EXPECT_EQ(boxed[32], 128) << range;
        EXPECT_EQ(moved[0], black) << range;
        EXPECT_EQ(own[0], 9) << range;
    }
}

TEST(Video, FitsEverySizeIntoEveryOther) {
    for (const Chroma chroma : {Chroma::c420jpeg, Chroma::c422, Chroma::c444, Chroma::mono})
        for (const std::int64_t out : {1, 2, 3, 6, 7})
            for (const std::int64_t width : {1, 2, 5, 8})
                for (const char* fit : {"centred", "top-left", "stretch"}) {
                    const Y4mHeader header = video_of(width, 3, chroma);
                    const Bytes frame(frame_bytes(header), 77);
                    const std::string size = "5x" + std::to_string(out);
                    const auto frames =
                        frames_of(run({.operation = "letterbox", .values = {{"--size", size}, {"--fit", fit}}},
                                      written(header, {frame})));
                    EXPECT_GE(std::count(frames[0].begin(), frames[0].end(), 77), chroma == Chroma::mono ? 1 : 3);
                }
}

TEST(Video, IsWarpedAlikeInAllPlanes) {
    // Two pixels to the right and four down are one and two chroma samples of 4:2:0.
    const Y4mHeader header = video_of(8, 8);
    const Bytes frame = random_frame(header, 3);
    const Bytes out =
        frames_of(run({.operation = "warp", .values = {{"--affine", "1,0,2,0,1,4"}}}, written(header, {frame}))).at(0);
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x)
            EXPECT_EQ(out[y * 8 + x], x < 2 || y < 4 ? 16 : frame[(y - 4) * 8 + x - 2]) << x << " " << y;
    for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 4; ++x)
            for (const std::size_t plane : {64U, 80U})
                EXPECT_EQ(out[plane + y * 4 + x], x < 1 || y < 2 ? 128 : frame[plane + (y - 2) * 4 + x - 1]);
}

TEST(Video, TurnsChromaOfOtherStepsAboutTheSamePoint) {
    // A half turn of 4:2:2 maps every plane onto itself backwards, whatever its steps.
    const Y4mHeader header = video_of(8, 6, Chroma::c422);
    const Bytes frame = random_frame(header, 4);
    const Bytes out =
        frames_of(run({.operation = "warp", .values = {{"--rotate", "180"}}}, written(header, {frame}))).at(0);
    Bytes expected = frame;
    std::reverse(expected.begin(), expected.begin() + 48);
    std::reverse(expected.begin() + 48, expected.begin() + 72);
    std::reverse(expected.begin() + 72, expected.end());
    EXPECT_EQ(out, expected);
}

TEST(Video, ComesOutTheSameForAnyNumberOfThreads) {
    const Y4mHeader header = video_of(33, 17);
    std::vector<Bytes> frames;
    for (std::uint64_t i = 0; i < 40; ++i) frames.push_back(random_frame(header, i));
    const Bytes video = written(header, frames);
    for (const std::string operation : {"gray", "blur", "sobel"}) {
        const Bytes one = run({.operation = operation}, video, 1);
        EXPECT_EQ(frames_of(one).size(), 40U);
        EXPECT_EQ(run({.operation = operation}, video, 5), one) << operation;
    }
    const Bytes small = run({.operation = "resize", .values = {{"--scale", "0.4"}}}, video, 1);
    EXPECT_EQ(run({.operation = "resize", .values = {{"--scale", "0.4"}}}, video, 3), small);
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    EXPECT_EQ(run({.operation = "resize", .values = {{"--scale", "0.4"}}}, video, 3, "simt"), small);
}

TEST(Video, ThatIsCutOffIsWrittenUpToThere) {
    const Y4mHeader header = video_of(4, 4, Chroma::mono);
    Bytes video = written(header, {random_frame(header, 1), random_frame(header, 2)});
    video.pop_back();
    Y4mReader reader(source_of(video), "video");
    Bytes out;
    const auto device = open_device("cpu");
    try {
        run_video(
            *device, parse_recipe({.operation = "gray"}), reader,
            [&](auto part) { out.insert(out.end(), part.begin(), part.end()); }, 3, [](auto) {});
        FAIL() << "it was taken for a whole video";
    } catch (const FileError& error) {
        EXPECT_STREQ(error.what(), "video: frame 2 is cut off after 15 of 16 bytes");
    }
    EXPECT_EQ(frames_of(out), (std::vector<Bytes>{random_frame(header, 1)}));
}

TEST(Video, EndsWhereItsReaderIsGone) {
    const Y4mHeader header = video_of(4, 4, Chroma::mono);
    Y4mReader reader(source_of(written(header, std::vector<Bytes>(30, random_frame(header, 1)))), "video");
    const auto device = open_device("cpu");
    int parts = 0;
    const auto sink = [&](auto) {
        if (++parts > 9) throw FileError("the standard output cannot be written");
    };
    EXPECT_THROW(run_video(*device, parse_recipe({.operation = "gray"}), reader, sink, 4, [](auto) {}), FileError);
    EXPECT_EQ(parts, 10);
}

TEST(Video, RefusesWhatIsForPictures) {
    EXPECT_THROW(plan_video(step_of({.operation = "tensor", .values = {{"--size", "4x4"}}}), video_of(8, 8)),
                 UsageError);
    EXPECT_THROW(plan_video(step_of({.operation = "gray", .values = {{"--variant", "mean"}}}), video_of(8, 8)),
                 UsageError);
    EXPECT_THROW(plan_video(step_of({.operation = "letterbox", .values = {{"--size", "4x4"}, {"--pad", "1,2,3,4"}}}),
                            video_of(8, 8)),
                 UsageError);
}

}  // namespace
}  // namespace lanework::test
