// Archives of arrays: what is written is read back, and what is damaged is refused in one line, never believed.
#include "src/io/npz.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

namespace lanework {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes archive_of(const std::vector<std::pair<std::string, Bytes>>& arrays) {
    Npz archive;
    for (const auto& [name, bytes] : arrays) archive.add(name, "|u1", {static_cast<std::int64_t>(bytes.size())}, bytes);
    Bytes file;
    for (const auto& piece : archive.pieces()) file.insert(file.end(), piece.begin(), piece.end());
    return file;
}

std::string problem_of(std::span<const std::uint8_t> file) {
    try {
        parse_npz(file, "x.npz");
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

TEST(NpzReader, ReadsWhatIsWritten) {
    const std::vector<NpzMember> members = parse_npz(archive_of({{"a", {1, 2, 3}}, {"empty", {}}}), "x.npz");
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[0].name, "a");
    EXPECT_EQ(Bytes(members[0].npy.end() - 3, members[0].npy.end()), (Bytes{1, 2, 3}));
    EXPECT_EQ(members[1].name, "empty");
}

TEST(NpzReader, RefusesAnArchiveThatIsCutOffAnywhere) {
    const Bytes file = archive_of({{"a", {1, 2, 3}}, {"b", {4, 5}}});
    for (std::size_t length = 0; length < file.size(); ++length)
        EXPECT_TRUE(problem_of(std::span(file).first(length)).starts_with("x.npz: ")) << length;
}

TEST(NpzReader, BelievesNoBytesThatWereChanged) {
    const Bytes file = archive_of({{"a", {1, 2, 3}}});
    const std::vector<NpzMember> right = parse_npz(file, "x.npz");
    for (std::size_t at = 0; at < file.size(); ++at)
        for (const std::uint8_t change : {0x01, 0x80, 0xFF}) {
            Bytes damaged = file;
            damaged[at] ^= change;
            try {
                for (const NpzMember& member : parse_npz(damaged, "x.npz"))
                    EXPECT_EQ(member.npy, right[0].npy) << "byte " << at;  // dates and names are not held by a sum
            } catch (const FileError& error) {
                EXPECT_TRUE(std::string(error.what()).starts_with("x.npz: ")) << error.what();
            }
        }
}

}  // namespace
}  // namespace lanework
