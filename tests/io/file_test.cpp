// Files are written whole or not at all, and what cannot be written is known beforehand.
#include "src/io/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string_view>

#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Action>
std::string error_of(const Action& action) {
    try {
        action();
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

TEST(Files, AreReplacedWholeAndNothingElseIsLeft) {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", bytes_of("a longer text"));
    write_file(folder / "a.txt", bytes_of("short"));
    EXPECT_EQ(contents(folder / "a.txt"), "short");
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    EXPECT_EQ(files, 1U);
}

TEST(Files, GetTheirFoldersMade) {
    const TemporaryFolder folder;
    require_writable(folder / "new/deep/a.txt");
    EXPECT_TRUE(folder.empty()) << "asking whether it can be written made something";
    write_file(folder / "new/deep/a.txt", bytes_of("x"));
    EXPECT_EQ(contents(folder / "new/deep/a.txt"), "x");
}

TEST(Files, CannotBeFoldersNorLieInFiles) {
    const TemporaryFolder folder;
    write(folder / "file", "x");
    for (const std::filesystem::path& path : {folder.path(), folder / "file/a.txt", folder / "file/deep/a.txt"}) {
        EXPECT_TRUE(error_of([&] { require_writable(path); }).starts_with(path.string() + ": ")) << path;
        EXPECT_TRUE(error_of([&] { write_file(path, bytes_of("x")); }).starts_with(path.string() + ": ")) << path;
    }
    EXPECT_EQ(contents(folder / "file"), "x");
}

TEST(Files, InAFolderWithoutPermissionAreRefusedBeforehand) {
    // /proc takes no files, not even root's.
    for (const std::filesystem::path path : {"/proc/a.png", "/proc/new/a.png"})
        EXPECT_NE(error_of([&] { require_writable(path); }).find("cannot be written"), std::string::npos) << path;
}

TEST(Files, AreWrittenThroughSymbolicLinks) {
    const TemporaryFolder folder;
    write(folder / "target", "old");
    std::filesystem::create_symlink("target", folder / "link");
    write_file(folder / "link", bytes_of("new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(contents(folder / "target"), "new");
}

TEST(Files, GetThePermissionsThatNewFilesGet) {
    const TemporaryFolder folder;
    const mode_t before = umask(027);
    write_file(folder / "a", bytes_of("x"));
    umask(before);
    struct stat status {};
    ASSERT_EQ(stat((folder / "a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(Files, KeepThePermissionsOfTheFilesThatTheyReplace) {
    const TemporaryFolder folder;
    write(folder / "a", "old");
    std::filesystem::create_symlink("a", folder / "link");
    for (const mode_t mode : {0600U, 0444U, 0666U, 0751U}) {
        ASSERT_EQ(chmod((folder / "a").c_str(), mode), 0);
        write_file(folder / (mode == 0600U ? "link" : "a"), bytes_of("x"));
        struct stat status {};
        ASSERT_EQ(stat((folder / "a").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, mode);
    }
    EXPECT_EQ(contents(folder / "a"), "x");
}

TEST(Files, AreReadAsTextWhereThereIsSomethingToRead) {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", std::string_view("two\nlines"));
    EXPECT_EQ(readable_text(folder / "a.txt"), "two\nlines");
    write_file(folder / "empty.txt", std::string_view());
    EXPECT_EQ(readable_text(folder / "empty.txt"), "");
    for (const auto& nothing : {folder.path(), folder / "none.txt", folder / "a.txt/below"}) {
        EXPECT_EQ(readable_text(nothing), std::nullopt) << nothing;
        EXPECT_EQ(text_of(nothing), "") << nothing;
    }
    EXPECT_EQ(text_of("/proc/self/stat").find(std::to_string(getpid())), 0u) << "a file that does not know its length";
}

TEST(ImageFiles, OfAnUnknownExtensionAreRefusedWithTheKnownOnes) {
    const TemporaryFolder folder;
    for (const char* name : {"a.tiff", "a", "a.jpgx"}) {
        try {
            require_image_writable(folder / name);
            ADD_FAILURE() << name;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find("must end in .png, .webp"), std::string::npos) << error.what();
        }
        EXPECT_THROW(write_image(folder / name, random_image(2, 2, 1)), UsageError);
    }
    EXPECT_TRUE(folder.empty());
}

TEST(ImageFiles, ThatCannotBeEncodedLeaveNothing) {
    const TemporaryFolder folder;
    EXPECT_THROW(write_image(folder / "a.webp", random_image(1, 20000, 1)), FileError);
    EXPECT_THROW(write_image(folder / "a.jpg", random_image(1, 70000, 1)), FileError);
    EXPECT_THROW(write_image(folder / "a.png", Image{2, 2, 3, {1, 2, 3}}), UsageError);
    EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace lanework::test
