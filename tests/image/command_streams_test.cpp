// lanework image where a picture does not become a picture: arrays of tensors, and video through pipes.
#include <cstring>

#include "tests/image/command_fixture.hpp"

namespace lanework::test {
namespace {

/// The header of a .npy file and the floats behind it.
std::pair<std::string, std::vector<float>> array_in(const std::filesystem::path& path) {
    const std::string bytes = contents(path);
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    std::vector<float> values((bytes.size() - header) / sizeof(float));
    std::memcpy(values.data(), &bytes[header], values.size() * sizeof(float));
    return {bytes.substr(10, header - 10), values};
}

TEST_F(ImageCommand, MakesTensorsOfEachPictureOrOfAll) {
    for (int i = 0; i < 3; ++i)
        write_image(folder_ / (std::to_string(i) + ".png"), {1, 1, 3, {static_cast<std::uint8_t>(51 * i), 102, 255}});
    const std::string what = "tensor '" + in("[0-2].png") + "' " + in("missing.png") + " --size 1x2 -d cpu -o ";
    const Outcome batch = run_image(what + in("all.npy"));
    EXPECT_EQ(batch.status, 6) << batch.text;
    EXPECT_NE(batch.text.find("missing.png: there is no such file"), std::string::npos) << batch.text;
    EXPECT_NE(batch.text.find("all.npy: tensor on cpu: 3 pictures"), std::string::npos) << batch.text;
    const auto [header, values] = array_in(folder_ / "all.npy");
    EXPECT_NE(header.find("'<f4'"), std::string::npos) << header;
    EXPECT_NE(header.find("(3, 3, 1, 2, )"), std::string::npos) << header;
    ASSERT_EQ(values.size(), 18U);
    // The pixel in the left column or the right, as it is centred; pad 114 beside it.
    const auto near = [&values = values](std::size_t at, float value) { return std::abs(values[at] - value) < 1e-6F; };
    for (std::size_t i = 0; i < 3; ++i) {
        const float red = 0.2F * static_cast<float>(i);
        EXPECT_TRUE(near(6 * i, red) || near(6 * i + 1, red)) << i;
        EXPECT_TRUE(near(6 * i + 4, 1) || near(6 * i + 5, 1)) << i;
    }
    EXPECT_EQ(run_image(what + in("each/") + " --dtype float16").status, 6);
    const auto files = files_of(folder_ / "each");
    ASSERT_EQ(files.size(), 3U);
    EXPECT_NE(files.at("2.npy").find("'<f2', 'fortran_order': False, 'shape': (1, 3, 1, 2, )"), std::string::npos);
    EXPECT_EQ(files.at("2.npy").size() % 64, 12U);
}

TEST_F(ImageCommand, WritesNoTensorOfNothing) {
    const Outcome outcome =
        run_image("tensor " + in("a.png") + " " + in("b.png") + " --size 1x2 -d cpu -o " + in("x.npy"));
    EXPECT_EQ(outcome.status, 6);
    EXPECT_NE(outcome.text.find("x.npy: not written, since no picture could be read"), std::string::npos);
    EXPECT_TRUE(folder_.empty());
}

#ifndef __SANITIZE_ADDRESS__  // whose shadow does not fit under the limit
TEST_F(ImageCommand, SaysBeforehandHowMuchMemoryIsMissing) {
    for (const char* name : {"a.png", "b.png"}) make(name);
    const auto tensor = [&](const std::string& words) {
        return run("(ulimit -v 2600000; " LANEWORK_BINARY " image tensor " + words +
                   " --size 16000x16000 -d cpu -j 1) 2>&1");
    };
    const Outcome batch = tensor(in("a.png") + " " + in("b.png") + " " + in("b.png") + " -o " + in("t.npy"));
    EXPECT_EQ(batch.status, 7);
    EXPECT_TRUE(batch.text.starts_with("lanework: " + in("t.npy") + ": this needs 8.58 GiB of memory, and there are "))
        << batch.text;
    EXPECT_NE(batch.text.find("; choose a smaller --size, or name a folder"), std::string::npos) << batch.text;
    const Outcome each = tensor(in("a.png") + " -o " + in("t.npy"));
    EXPECT_EQ(each.status, 7);
    EXPECT_TRUE(each.text.starts_with("lanework: " + in("a.png") + ": this needs 2.86 GiB of memory, and there are "))
        << each.text;
    EXPECT_FALSE(exists("t.npy"));
}
#endif

TEST_F(ImageCommand, PassesVideoThroughAPipe) {
    std::string video = "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C420jpeg\n";
    for (char frame = 'a'; frame < 'k'; ++frame) video += "FRAME\n" + std::string(36, frame);
    write(folder_ / "in.y4m", video);
    const std::string to = " <" + in("in.y4m") + " >" + in("out.y4m");
    const Outcome outcome = run_video("resize - -o - --size 2x4 -d cpu -j 3" + to);
    EXPECT_EQ(outcome.status, 0) << outcome.text;
    std::string expected = "YUV4MPEG2 W4 H2 F25:1 Ip A3:4 C420jpeg\n";
    for (char frame = 'a'; frame < 'k'; ++frame) expected += "FRAME\n" + std::string(12, frame);
    EXPECT_EQ(contents(folder_ / "out.y4m"), expected);
    EXPECT_NE(outcome.text.find("resize on cpu: 10 frames"), std::string::npos) << outcome.text;

    write(folder_ / "in.y4m", video.substr(0, video.size() - 3));
    const Outcome cut = run_video("gray - -o - -d cpu" + to);
    EXPECT_EQ(cut.status, 6);
    EXPECT_EQ(cut.text, "lanework: the standard input: frame 10 is cut off after 33 of 36 bytes\n");
    std::string before = "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 Cmono\n";
    for (char frame = 'a'; frame < 'j'; ++frame) before += "FRAME\n" + std::string(24, frame);
    EXPECT_EQ(contents(folder_ / "out.y4m"), before);
    EXPECT_EQ(run_image("gray " + in("in.y4m") + " -o " + in("out.png")).status, 6);
}

}  // namespace
}  // namespace lanework::test
