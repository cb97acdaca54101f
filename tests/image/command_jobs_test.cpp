// lanework image: the number of jobs changes neither the files nor the order of what is said.
#include "tests/image/command_fixture.hpp"

namespace lanework::test {
namespace {

TEST_F(ImageCommand, GivesTheSameFilesAndWordsForAnyNumberOfJobs) {
    std::filesystem::create_directory(folder_ / "album");
    for (int i = 0; i < 30; ++i)
        write_image(folder_ / ("album/" + std::to_string(i) + ".png"),
                    random_image(3 + 40 * (i % 3), 17 + i, 3 + i % 2));
    write(folder_ / "album/15.png", "no picture");
    for (const std::string what : {"sobel", "resize --width 20", "letterbox --size 24x16", "tensor --size 8x8"}) {
        std::map<std::string, std::string> first;
        std::string words;
        for (const char* jobs : {"1", "2", "7"}) {
            const Outcome outcome =
                run_image(what + " " + in("album") + " -o " + in("out/") + " -d cpu --jobs " + std::string(jobs));
            EXPECT_EQ(outcome.status, 6) << outcome.text;
            EXPECT_NE(outcome.text.find("15.png: not a picture"), std::string::npos) << outcome.text;
            const auto files = files_of(folder_ / "out");
            EXPECT_EQ(files.size(), 29U);
            if (first.empty()) first = files;
            EXPECT_EQ(files, first) << what << " with " << jobs;
            std::filesystem::remove_all(folder_ / "out");
        }
    }
}

TEST_F(ImageCommand, TellsOfPicturesInTheirOrder) {
    std::string inputs;
    for (const char* name : {"large.png", "bad.png", "small.png"}) inputs += " " + in(name);
    write_image(folder_ / "large.png", random_image(900, 900, 3));
    write(folder_ / "bad.png", "no picture");
    make("small.png");
    const Outcome outcome = run_image("sobel" + inputs + " -o " + in("out/") + " -d cpu -j 3");
    EXPECT_EQ(outcome.status, 6);
    const auto large = outcome.text.find("large.png: 900×900, sobel on cpu"), bad = outcome.text.find("bad.png: not a"),
               small = outcome.text.find("small.png: 20×31");
    EXPECT_LT(large, bad) << outcome.text;
    EXPECT_LT(bad, small) << outcome.text;
    EXPECT_NE(small, std::string::npos) << outcome.text;
}

TEST_F(ImageCommand, SaysHowCoordinatesGoBack) {
    write_image(folder_ / "wide.png", random_image(48, 64, 3));
    const auto said = [&](const std::string& words) {
        return run_image(words + " " + in("wide.png") + " -o " + in("o.png") + " -d cpu").text;
    };
    const std::string boxed = said("letterbox --size 32x32"), gray = said("gray"),
                      turned = said("warp --affine 0,1,0,-1,0,8");
    EXPECT_NE(boxed.find("32×32, letterbox on cpu; back: x' = 2x, y' = 2y - 8"), std::string::npos) << boxed;
    EXPECT_EQ(gray.find("back"), std::string::npos) << gray;
    EXPECT_NE(turned.find("; back: x' = -y + "), std::string::npos) << turned;
}

TEST_F(ImageCommand, GivesTheSameBytesOnSimtInFewAndManyJobs) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    std::filesystem::create_directory(folder_ / "album");
    for (int i = 0; i < 8; ++i)
        write_image(folder_ / ("album/" + std::to_string(i) + ".png"),
                    random_image(9 + 5 * i, 31 - 3 * i, 1 + 2 * (i % 2)));
    for (const std::string what : {"gray", "blur", "sobel", "resize --size 16x12", "letterbox --size 20x20",
                                   "warp --rotate 30", "tensor --size 9x9"}) {
        EXPECT_EQ(run_image(what + " " + in("album") + " -o " + in("cpu/") + " -d cpu").status, 0) << what;
        EXPECT_EQ(run_image(what + " " + in("album") + " -o " + in("simt/") + " -d simt -j 3").status, 0) << what;
        EXPECT_EQ(files_of(folder_ / "cpu"), files_of(folder_ / "simt")) << what;
        std::filesystem::remove_all(folder_ / "cpu");
        std::filesystem::remove_all(folder_ / "simt");
    }
}

}  // namespace
}  // namespace lanework::test
