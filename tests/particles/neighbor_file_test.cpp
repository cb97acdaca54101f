// Neighbour lists as files: the text, and arrays that are found again in the archive.
#include <zlib.h>

#include <cstring>
#include <map>

#include "src/io/file.hpp"
#include "src/particles/files/neighbor_file.hpp"
#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

/// Reads what the writer says, from the end of the archive as zip's readers do.
class Archive {
public:
    struct Array {
        std::string header, data;
    };

    explicit Archive(std::string bytes) : bytes_(std::move(bytes)) {
        const std::size_t end = bytes_.size() - 22, locator = end - 20;
        EXPECT_EQ(number(end, 4), 0x06054b50U);
        EXPECT_EQ(number(locator, 4), 0x07064b50U);
        const auto end64 = number(locator + 8, 8);
        EXPECT_EQ(number(end64, 4), 0x06064b50U);
        EXPECT_EQ(end64 + 56, locator);
        const auto entries = number(end64 + 32, 8), size = number(end64 + 40, 8), at = number(end64 + 48, 8);
        EXPECT_EQ(at + size, end64);
        std::size_t entry = at;
        for (std::size_t k = 0; k < entries; ++k) entry = read_entry(entry);
        EXPECT_EQ(entry, at + size);
    }

    std::map<std::string, Array> arrays;

private:
    std::uint64_t number(std::size_t at, std::size_t count) const {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + at, count);
        return value;
    }

    std::size_t read_entry(std::size_t entry) {
        EXPECT_EQ(number(entry, 4), 0x02014b50U);
        const auto name_length = number(entry + 28, 2), extra_length = number(entry + 30, 2);
        const std::string name = bytes_.substr(entry + 46, name_length);
        const std::size_t extra = entry + 46 + name_length;
        EXPECT_EQ(number(extra, 2), 1U);
        const auto size = number(extra + 4, 8), offset = number(extra + 20, 8);
        EXPECT_EQ(number(offset, 4), 0x04034b50U);
        EXPECT_EQ(bytes_.substr(offset + 30, name_length), name);
        const std::string content = bytes_.substr(offset + 30 + number(offset + 26, 2) + number(offset + 28, 2), size);
        const auto crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
        EXPECT_EQ(number(entry + 16, 4), crc) << name;
        EXPECT_EQ(number(offset + 14, 4), crc) << name;
        const std::size_t header = 10 + static_cast<unsigned char>(content[8]);
        EXPECT_EQ(content.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
        EXPECT_EQ(header % 64, 0U);
        arrays[name] = {content.substr(10, header - 10), content.substr(header)};
        return extra + extra_length;
    }

    std::string bytes_;
};

template <class U, class Range>
std::string raw(const Range& values) {
    const std::vector<U> copy(values.begin(), values.end());
    return {reinterpret_cast<const char*>(copy.data()), copy.size() * sizeof(U)};
}

template <class T>
struct Listed {
    ParticleSystem system;
    NeighborOptions wanted{.cutoff = 1.1, .shifts = true, .vectors = true, .distances = true};
    NeighborList<T> list;

    Listed() {
        system.positions = {0, 0, 0, 1, 0, 0, 2, 0, 0};
        system.box = PeriodicBox::orthorhombic(3, 9, 9, {true, false, false});
        const std::vector<T> positions(system.positions.begin(), system.positions.end());
        list = neighbors(Particles<T>{.positions = positions, .boxes = {&system.box, 1}}, wanted, Team{1});
    }
};

TEST(NeighborText, HasTheCountAndTheIndicesOfEachAtom) {
    EXPECT_EQ(neighbor_text(Listed<double>().list), "2 1 2\n2 0 2\n2 0 1\n");
    const double lonely[] = {0, 0, 50, 50};
    EXPECT_EQ(neighbor_text(neighbors(Particles<double>{.positions = lonely, .dimensions = 2}, {.cutoff = 1}, Team{1})),
              "0\n0\n");
}

template <class T>
class NeighborArrays : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NeighborArrays, Reals);

TYPED_TEST(NeighborArrays, AreFoundAgainInTheArchive) {
    using T = TypeParam;
    const TemporaryFolder folder;
    const Listed<T> listed;
    NeighborFile file(folder / "a.npz", listed.list, listed.system, listed.wanted, {});
    write_file(folder / "a.npz", file.pieces());
    const Archive archive(contents(folder / "a.npz"));
    const std::string real = sizeof(T) == 4 ? "<f4" : "<f8";
    const std::map<std::string, std::array<std::string, 3>> expected = {
        {"offsets.npy", {"<i8", "(4, )", raw<std::int64_t>(std::array{0, 2, 4, 6})}},
        {"indices.npy", {"<i4", "(6, )", raw<std::int32_t>(std::array{1, 2, 0, 2, 0, 1})}},
        {"S.npy",
         {"<i4", "(6, 3, )", raw<std::int32_t>(std::array{0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0})}},
        {"D.npy", {real, "(6, 3, )", raw<T>(std::array{1, 0, 0, -1, 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0})}},
        {"d.npy", {real, "(6, )", raw<T>(std::array{1, 1, 1, 1, 1, 1})}},
        {"cell.npy", {"<f8", "(3, 3, )", raw<double>(std::array{3, 0, 0, 0, 9, 0, 0, 0, 9})}},
        {"pbc.npy", {"|b1", "(3, )", raw<std::uint8_t>(std::array{1, 0, 0})}}};
    ASSERT_EQ(archive.arrays.size(), expected.size());
    for (const auto& [name, array] : expected) {
        ASSERT_TRUE(archive.arrays.contains(name)) << name;
        const auto& found = archive.arrays.at(name);
        EXPECT_NE(found.header.find("'descr': '" + array[0] + "'"), std::string::npos) << found.header;
        EXPECT_NE(found.header.find("'shape': " + array[1]), std::string::npos) << found.header;
        EXPECT_EQ(found.data, array[2]) << name;
    }
}

TEST(NeighborArrays, OfNoPairsAreEmptyAndThere) {
    const TemporaryFolder folder;
    Listed<double> listed;
    listed.wanted.cutoff = 0.5;
    listed.list = neighbors(Particles<double>{.positions = listed.system.positions}, listed.wanted, Team{1});
    NeighborFile file(folder / "a.npz", listed.list, listed.system, listed.wanted, {});
    write_file(folder / "a.npz", file.pieces());
    const Archive archive(contents(folder / "a.npz"));
    EXPECT_EQ(archive.arrays.at("S.npy").data, "");
    EXPECT_NE(archive.arrays.at("S.npy").header.find("(0, 3, )"), std::string::npos);
}

TEST(NeighborFiles, AreOfAFormThatHoldsWhatIsWanted) {
    EXPECT_THROW(check_neighbor_form("a.csv", {}), UsageError);
    EXPECT_THROW(check_neighbor_form("a.txt", {.shifts = true}), UsageError);
    EXPECT_NO_THROW(check_neighbor_form("a.npz", {.shifts = true}));
}

}  // namespace
}  // namespace lanework::test
