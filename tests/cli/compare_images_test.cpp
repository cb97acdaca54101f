// lanework compare-images: what it says of two pictures, and when it fails.
#include <gtest/gtest.h>
#include <lanework/image_file.hpp>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

class CompareImages : public ::testing::Test {
protected:
    CompareImages() {
        std::filesystem::create_directories(folder_ / "a");
        std::filesystem::create_directories(folder_ / "b");
        for (const char* name : {"a/same.png", "b/same.png", "a/near.png"}) write_image(folder_ / name, picture_);
        Image near = picture_;
        near.pixels[4] = 52;
        write_image(folder_ / "b/near.png", near);
    }
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
    Said compare(const std::string& words) { return lanework_with("compare-images " + words); }

    const Image picture_{1, 2, 3, {10, 20, 30, 40, 50, 60}};
    Folder folder_;
};

TEST_F(CompareImages, SaysWhereTwoPicturesDiffer) {
    const Said near = compare(in("a/near.png") + " " + in("b/near.png"));
    EXPECT_EQ(near.status, 1);
    EXPECT_EQ(near.err, "");
    EXPECT_TRUE(contains(near.out, "2 at x 1, y 0, green: 50 and 52")) << near.out;
    EXPECT_TRUE(contains(near.out, "1, 16.6667%")) << near.out;
    const Said same = compare(in("a/same.png") + " " + in("b/same.png"));
    EXPECT_EQ(same.status, 0);
    EXPECT_TRUE(contains(same.out, "infinite")) << same.out;
}

TEST_F(CompareImages, AllowsAsMuchAsItIsTold) {
    EXPECT_EQ(compare(in("a/near.png") + " " + in("b/near.png") + " --max-difference 1").status, 1);
    EXPECT_EQ(compare(in("a/near.png") + " " + in("b/near.png") + " --max-difference 2").status, 0);
}

TEST_F(CompareImages, PairsTwoFoldersByName) {
    const Said run = compare(in("a") + " " + in("b") + " --max-difference 2 --json " + in("x.json"));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "2 at x 1, y 0, green: 50 and 52")) << run.out;
    EXPECT_TRUE(contains(contents(folder_ / "x.json"), "\"mismatches\": 1"));
    write_image(folder_ / "b/more.png", picture_);
    const Said more = compare(in("a") + " " + in("b") + " --max-difference 2");
    EXPECT_EQ(more.status, 1);
    EXPECT_TRUE(contains(more.out, "it is in one folder only")) << more.out;
}

TEST_F(CompareImages, TellsWhatCannotBeCompared) {
    write_image(folder_ / "gray.png", {1, 2, 1, {1, 2}});
    const std::string first = "compare-images " + in("a/same.png") + " ";
    expect_mistake(first + in("gray.png"), 1,
                   "1×2 with 3 channels and 1×2 with 1 channel: their sizes or channels differ");
    expect_mistake(first + in("missing.png"), 6, "missing.png: there is no such file");
    expect_mistake(first + in("b"), 2, "compare two files or two folders");
    expect_mistake(first, 2, "B");
}

}  // namespace
}  // namespace lanework
