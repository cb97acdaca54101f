// Which files words mean, and which outputs they get.
#include "src/pictures/picture_files.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "tests/temporary_folder.hpp"

namespace lanework::test {
namespace {

namespace fs = std::filesystem;

class PictureFiles : public ::testing::Test {
protected:
    PictureFiles() {
        for (const char* name : {"album/b.png", "album/a.JPG", "album/notes.txt", "album/in/c.png", "x1.png", "x2.png"})
            folder_.write(name, "");
    }
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
    std::vector<std::string> find(const std::vector<std::string>& words) {
        std::vector<std::string> names;
        for (const fs::path& path : find_pictures(words, [&](const FileError& error) { bad_.push_back(error.what()); }))
            names.push_back(path.lexically_relative(folder_.path()).string());
        return names;
    }
    std::vector<PictureJob> plan(const std::vector<std::string>& words, const std::string& output,
                                 OutputKind kind = OutputKind::pictures) {
        return plan_pictures(words, output, kind, [&](const FileError& error) { bad_.push_back(error.what()); });
    }

    TemporaryFolder folder_;
    std::vector<std::string> bad_;
};

TEST_F(PictureFiles, AreThoseOfFoldersAndPatternsByName) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(find({in("album")}), (Names{"album/a.JPG", "album/b.png"}));
    EXPECT_EQ(find({in("x?.png"), in("x1.png")}), (Names{"x1.png", "x2.png", "x1.png"}));
    EXPECT_EQ(find({in("missing.png")}), (Names{"missing.png"}));  // which reading it tells
    EXPECT_TRUE(bad_.empty());
    EXPECT_EQ(find({in("y*.png"), in("x1.png")}), (Names{"x1.png"}));
    ASSERT_EQ(bad_.size(), 1U);
    EXPECT_EQ(bad_[0], in("y*.png") + ": no file is named like this");
}

TEST_F(PictureFiles, ThatHoldPatternsInTheirNamesAreFiles) {
    folder_.write("x[1].png", "");
    EXPECT_EQ(find({in("x[1].png")}), (std::vector<std::string>{"x[1].png"}));
}

TEST_F(PictureFiles, BecomeOneFileOrOneEachInAFolder) {
    using Jobs = std::vector<PictureJob>;
    EXPECT_EQ(plan({in("x1.png")}, in("y.jpg")), (Jobs{{in("x1.png"), in("y.jpg")}}));
    EXPECT_EQ(plan({in("x1.png")}, in("new/")), (Jobs{{in("x1.png"), in("new/x1.png")}}));
    EXPECT_EQ(plan({in("x?.png")}, in("new")),
              (Jobs{{in("x1.png"), in("new/x1.png")}, {in("x2.png"), in("new/x2.png")}}));
    EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(PictureFiles, BecomeArraysInAFolderOrOneOfAll) {
    using Jobs = std::vector<PictureJob>;
    const auto arrays = OutputKind::arrays;
    EXPECT_EQ(plan({in("x1.png")}, in("y.npy"), arrays), (Jobs{{in("x1.png"), in("y.npy")}}));
    EXPECT_EQ(plan({in("x?.png")}, in("new/"), arrays),
              (Jobs{{in("x1.png"), in("new/x1.npy")}, {in("x2.png"), in("new/x2.npy")}}));
    EXPECT_EQ(plan({in("x?.png")}, in("y.npy"), arrays), (Jobs{{in("x1.png"), ""}, {in("x2.png"), ""}}));
    EXPECT_TRUE(is_batch({in("x?.png")}, in("y.npy"), arrays));
    EXPECT_FALSE(is_batch({in("x1.png")}, in("y.npy"), arrays));
    EXPECT_FALSE(is_batch({in("album")}, in("new/"), arrays));
    EXPECT_THROW(plan({in("x1.png")}, in("y.png"), arrays), UsageError);
    EXPECT_THROW(plan({in("x?.png")}, in("y.png"), arrays), UsageError);
}

TEST_F(PictureFiles, WouldNotReplaceEachOtherUnderAnyName) {
    fs::create_symlink("x1.png", folder_ / "linked.png");
    fs::create_hard_link(folder_ / "x1.png", folder_ / "same.png");
    fs::create_directory_symlink("album", folder_ / "way");
    for (const char* output : {"x1.png", "album/../x1.png", "linked.png", "same.png"})
        EXPECT_THROW(plan({in("x1.png")}, in(output)), UsageError) << output;
    EXPECT_THROW(plan({in("x2.png"), in("album/b.png")}, in("way/")), UsageError);
    EXPECT_THROW(plan({in("x1.png"), in("x1.png")}, in("new/")), UsageError);
    EXPECT_NO_THROW(plan({in("x1.png"), in("x2.png")}, in("new/")));
    EXPECT_TRUE(bad_.empty());
}

TEST_F(PictureFiles, OfThousandsArePlannedAtOnce) {
    constexpr int kPictures = 4000;
    for (int i = 0; i < kPictures; ++i) folder_.write("many/" + std::to_string(i) + ".png", "");
    const std::clock_t start = std::clock();
    EXPECT_EQ(plan({in("many")}, in("new/")).size(), std::size_t{kPictures});
    EXPECT_LT(std::clock() - start, 3 * CLOCKS_PER_SEC);  // each with each: 25 s
}

TEST_F(PictureFiles, ArePairedByName) {
    folder_.write("other/b.png", "");
    folder_.write("other/d.png", "");
    using Pairs = std::vector<PicturePair>;
    EXPECT_EQ(pair_pictures(in("album"), in("other")),
              (Pairs{{in("album/a.JPG"), ""}, {in("album/b.png"), in("other/b.png")}, {"", in("other/d.png")}}));
    EXPECT_EQ(pair_pictures(in("x1.png"), in("x2.png")), (Pairs{{in("x1.png"), in("x2.png")}}));
    EXPECT_THROW(pair_pictures(in("album"), in("x1.png")), UsageError);
}

}  // namespace
}  // namespace lanework::test
