// Files of atoms that are refused: each with its line, what was expected there and what was found.
#include <algorithm>
#include <cmath>
#include <lanework/particle_file.hpp>

#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

struct BadFile {
    const char *name, *begin, *rest, *error;
};
// What a test prints when it fails.
void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.begin << bad.rest; }

std::string error_of(const std::string& name, const std::string& text, const ParticleReading& reading = {}) {
    try {
        parse_particles(text, name, reading);
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

constexpr const char* kHeader = "title\n\n1 atoms\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n";  // 7 lines
const std::string kAtom = "ATOM      1  CA  ALA A   1      11.104   6.134  -6.504";
constexpr const char* kAtomToX = "ATOM      1  CA  ALA A   1      11.104";

const BadFile kBadFiles[] = {
    {"a.txt", "", "", "a.txt: the file is empty"},
    {"a.txt", "", "# nothing\n\n", "a.txt:2: expected x y or x y z, found the end of the file"},
    {"a.txt", "", "1 2\n3 4\n5 6 7\n", "a.txt:3: expected 2 numbers as in line 1, found 3"},
    {"a.txt", "", "1 2 3\n\n4 5\n", "a.txt:3: expected 3 numbers as in line 1, found 2"},
    {"a.txt", "", "1 2 3\n4 5 6 7\n", "a.txt:2: expected x y or x y z alone, found `4 5 6 7`"},
    {"a.txt", "", "1.5\n", "a.txt:1: expected x y or x y z, found 1"},
    {"a.txt", "", "1 2\n3 nan\n", "a.txt:2: expected y as a finite number, found `nan`"},
    {"a.txt", "", "1 2\n-inf 3\n", "a.txt:2: expected x as a finite number, found `-inf`"},
    {"a.txt", "", "1 2\n3 1.5NaN\n", "a.txt:2: expected y as a finite number, found `1.5NaN`"},
    {"a.txt", "", "1 2\n3 1e400\n", "a.txt:2: expected y as a finite number, found `1e400`"},
    {"a.txt", "", "1 2\n3 0x10\n", "a.txt:2: expected y as a finite number, found `0x10`"},
    {"a.txt", "", "1 2\n3 1,5\n", "a.txt:2: expected y as a finite number, found `1,5`"},
    {"a.txt", "", "1 2\n3 +-1\n", "a.txt:2: expected y as a finite number, found `+-1`"},

    {"a.xyz", "", "\n", "a.xyz:1: expected the number of atoms, found the end of the file"},
    {"a.xyz", "", "two\n\nC 0 0 0\n", "a.xyz:1: expected the number of atoms alone, found `two`"},
    {"a.xyz", "", "-1\n\n", "a.xyz:1: expected the number of atoms alone, found `-1`"},
    {"a.xyz", "", "1.0\n\nC 0 0 0\n", "a.xyz:1: expected the number of atoms alone, found `1.0`"},
    {"a.xyz", "", "1 atom\n\nC 0 0 0\n", "a.xyz:1: expected the number of atoms alone, found `1 atom`"},
    {"a.xyz", "", "1", "a.xyz:1: expected the comment line of the frame, found the end of the file"},
    {"a.xyz", "", "3\n\nC 0 0 0\nC 1 1 1\n", "a.xyz:4: expected atom 3 of 3, found the end of the file"},
    {"a.xyz", "", "9000000000000000000\n\n", "expected atom 1 of 9000000000000000000, found the end of the file"},
    {"a.xyz", "", "99999999999999999999\n\n", "a.xyz:1: expected the number of atoms alone"},
    {"a.xyz", "", "2\n\nC 0 0 0\n\n", "a.xyz:4: expected species x y z, found an empty line"},
    {"a.xyz", "", "1\n\nC 0 0\n", "a.xyz:3: expected z as a finite number, found the end of the line"},
    {"a.xyz", "", "1\n\n0 0 0\n", "a.xyz:3: expected z as a finite number, found the end of the line"},
    {"a.xyz", "", "1\n\nC 0 NaN 0\n", "a.xyz:3: expected y as a finite number, found `NaN`"},
    {"a.xyz", "", "1\n\nC 0 0 0\nC 1 1 1\n",
     "a.xyz:4: expected the end of the file or another frame after 1 atom, found `C 1 1 1`"},

    {"a.xyz", "", "1\nLattice=\"1 2 3\"\nC 0 0 0\n", "a.xyz:2: expected Lattice as nine finite numbers, found `1 2 3`"},
    {"a.xyz", "", "1\nLattice=\"1 0 0 0 1 0 0 0 inf\"\nC 0 0 0\n", "a.xyz:2: expected Lattice as nine finite numbers"},
    {"a.xyz", "", "1\nLattice=\"1 0 0 0 1 0 0 0 1 1\"\nC 0 0 0\n", "a.xyz:2: expected Lattice as nine finite numbers"},
    {"a.xyz", "", "1\nLattice=\"1 0 0 0 1 0 0 0 1\nC 0 0 0\n",
     "a.xyz:2: expected \" that closes the value of `Lattice`, found the end of the line"},
    {"a.xyz", "", "1\nProperties=pos:R:3 pbc=\"T T\"\n0 0 0\n",
     "a.xyz:2: expected pbc as three of T and F, found `T T`"},
    {"a.xyz", "", "1\nProperties=pos:R:3 pbc=\"T T yes\"\n0 0 0\n", "a.xyz:2: expected pbc as three of T and F"},
    {"a.xyz", "", "1\nProperties=species:S:1\nC\n", "a.xyz:2: expected pos:R:3 in Properties, found `species:S:1`"},
    {"a.xyz", "", "1\nProperties=pos:R:2\n0 0\n", "a.xyz:2: expected pos:R:3 in Properties"},
    {"a.xyz", "", "1\nProperties=pos:Q:3\n0 0 0\n",
     "a.xyz:2: expected Properties as name:type:columns of S, I, R or L"},
    {"a.xyz", "", "1\nProperties=pos:R\n0 0 0\n", "a.xyz:2: expected Properties as name:type:columns"},
    {"a.xyz", "", "1\nProperties=pos:R:3:a:I:99999999\n0 0 0\n", "a.xyz:2: expected Properties as name:type:columns"},
    {"a.xyz", "", "1\nProperties=species:S:1:pos:R:3\nC 0 0\n",
     "a.xyz:3: expected 4 columns as Properties says, found 3"},
    {"a.xyz", "", "1\nProperties=species:S:1:pos:R:3\nC 0 0 0 1\n",
     "a.xyz:3: expected 4 columns as Properties says, found 5"},
    {"a.xyz", "", "1\nProperties=pos:R:3:id:I:1\n0 0 C 1\n", "a.xyz:3: expected a finite coordinate, found `C`"},

    {"a.data", "", "title\n", "a.data:1: expected the section Atoms, found the end of the file"},
    {"a.data", "", "title\n1 atoms\n0 1 xlo\n", "a.data:3: expected an entry of the header such as `8 atoms`"},
    {"a.data", "", "title\nx atoms\n", "a.data:2: expected a section such as Atoms or Masses, found `x atoms`"},
    {"a.data", "", "title\n1.5 atoms\n", "a.data:2: expected a whole number before atoms, found `1.5 atoms`"},
    {"a.data", "", "title\n-1 atoms\n", "a.data:2: expected a whole number before atoms"},
    {"a.data", "", "title\n0 1 2 xlo xhi\n",
     "a.data:2: expected 2 finite numbers before xlo xhi, found `0 1 2 xlo xhi`"},
    {"a.data", "", "title\n0 nan xlo xhi\n", "a.data:2: expected 2 finite numbers before xlo xhi"},
    {"a.data", "", "title\n1 0 xlo xhi\n", "a.data:2: expected xlo xhi with the smaller first, found `1 0 xlo xhi`"},
    {"a.data", "", "title\n0 1 xlo xhi\n\nAtoms\n", "a.data:4: expected the number of atoms before the first section"},
    {"a.data", "", "title\n1 atoms\n0 1 xlo xhi\n\nAtoms\n",
     "a.data:5: expected xlo xhi, ylo yhi and zlo zhi before the first section"},
    {"a.data", "", "title\n1 atoms\n1 0 0 avec\n\nAtoms\n", "a.data:5: expected all of avec, bvec and cvec"},
    {"a.data", kHeader, "Atom\n", "a.data:8: expected a section such as Atoms or Masses, found `Atom`"},
    {"a.data", kHeader, "Atoms # sphere\n\n1 1 1 1 0 0 0\n",
     "a.data:8: expected atom style atomic, charge, molecular, bond, angle or full, found `sphere`"},
    {"a.data", kHeader, "Atoms\n\n", "a.data:9: expected atom 1 of 1, found the end of the file"},
    {"a.data", kHeader, "Atoms\n\nVelocities\n", "a.data:10: expected atom 1 of 1, found `Velocities`"},
    {"a.data", kHeader, "Atoms\n\n1 1 0 0\n", "a.data:10: expected an atom as `id type x y z`"},
    {"a.data", kHeader, "Atoms # full\n\n1 1 0 0 0\n",
     "a.data:10: expected 7 or 10 columns of an atom of style full, found 5"},
    {"a.data", kHeader, "Atoms # atomic\n\n1.5 1 0 0 0\n", "a.data:10: expected the id of an atom, found `1.5`"},
    {"a.data", kHeader, "Atoms # atomic\n\n1 1 0 0 1e\n", "a.data:10: expected z as a finite number, found `1e`"},
    {"a.data", kHeader, "Atoms # atomic\n\n1 1 0 0 -nan\n", "a.data:10: expected z as a finite number, found `-nan`"},
    {"a.data", kHeader, "Atoms\n\n1 1 0 0 0\n2 1 1 1 1\n",
     "a.data:11: expected the end of the section after 1 atom, found `2 1 1 1 1`"},
    {"a.data", "title\n3 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n",
     "Atoms\n\n1 1 0 0 0\n7 1 1 1 1\n1 1 2 2 2\n",
     "a.data:12: expected the id of an atom that no atom before it has, found `1`"},
    {"a.data", "title\n3 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n",
     "Atoms\n\n-7 1 0 0 0\n7 1 1 1 1\n-7 1 2 2 2\n",
     "a.data:12: expected the id of an atom that no atom before it has, found `-7`"},
    {"a.data", "title\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n", "Atoms\n\n1 7 0 0 0\n",
     "a.data:10: expected the type of an atom from 1 to 1, found `7`"},
    {"a.data", "title\n1 atoms\n2 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n",
     "Atoms # full\n\n1 1 0 0.5 0 0 0\n", "a.data:10: expected the type of an atom from 1 to 2, found `0`"},
    {"a.data", kHeader, "Atoms\n\n1 1.5 0 0 0\n", "a.data:10: expected the type of an atom from 1 on, found `1.5`"},
    {"a.data", kHeader, "Atoms\n\n1 1 0 0 0\n\nAtoms\n\n", "a.data:12: expected one section Atoms, found `Atoms`"},

    {"a.pdb", "", "END\n", "a.pdb:1: expected an ATOM or HETATM record, found the end of the file"},
    {"a.pdb", "", "ATOM      1  CA  ALA A   1      11.104   6.134\n",
     "a.pdb:1: expected x, y and z in columns 31 to 54, found a line of 46 characters"},
    {"a.pdb", kAtomToX, "          -6.504\n",
     "a.pdb:1: expected y in columns 39 to 46 as a finite number, found blanks"},
    {"a.pdb", kAtomToX,
     "   6.134"
     "  -6.5x4\n",
     "a.pdb:1: expected z in columns 47 to 54 as a finite number, found `-6.5x4`"},
    {"a.pdb", kAtomToX,
     "   6.134"
     "     nan\n",
     "a.pdb:1: expected z in columns 47 to 54 as a finite number, found `nan`"},
    {"a.pdb", "CRYST1   40.000   50.000\n", kAtomToX,
     "a.pdb:1: expected an edge of the unit cell as a number, found the end of the line"},
    {"a.pdb", "CRYST1   40.000   50.000   60.000  90.00  90.00 abc.00\n", kAtomToX,
     "a.pdb:1: expected an angle of the unit cell as a number, found `abc.00`"},
    {"a.pdb", "CRYST1   40.000   50.000    0.000  90.00  90.00  90.00\n", kAtomToX,
     "a.pdb:1: expected a unit cell, found the box has an edge of 0"},
};

class BadParticleFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadParticleFile, SaysWhereItIsWrongAndWhatWouldBeRight) {
    const auto& [name, begin, rest, expected] = GetParam();
    const std::string error = error_of(name, std::string(begin) + rest);
    EXPECT_NE(error.find(expected), std::string::npos) << "expected: " << expected << "\nfound:    " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    EXPECT_TRUE(error.starts_with(std::string(name) + ":")) << error;
}
INSTANTIATE_TEST_SUITE_P(All, BadParticleFile, ::testing::ValuesIn(kBadFiles));

TEST(BadParticleFiles, AreQuotedShortAndPrintable) {
    EXPECT_EQ(error_of("a.txt", std::string("1 2\n3 \0\x1b[31m\n", 13)),
              "a.txt:2: expected y as a finite number, found `??[31m`");
    EXPECT_EQ(error_of("a.txt", "1 2\n3 " + std::string(100, '9') + "x\n"),
              "a.txt:2: expected y as a finite number, found `" + std::string(60, '9') + "...`");
}

TEST(BadParticleFiles, WhoseBoxCannotBePeriodicSaySoOfTheLineThatHasIt) {
    const auto error = [](const std::string& name, const std::string& text, const std::array<bool, 3>& periodic) {
        try {
            check_box_of(parse_particles(text, name), periodic);
            return std::string();
        } catch (const FileError& refused) {
            return std::string(refused.what());
        }
    };
    const std::string flat = "1\nLattice=\"1 0 0 2 0 0 0 0 3\"\nC 0 0 0\n";
    const std::string said = "expected periodic box vectors that are linearly independent, found ";
    EXPECT_EQ(error("a.xyz", flat, {true, true, true}), "a.xyz:2: " + said + "(1, 0, 0), (2, 0, 0), (0, 0, 3)");
    EXPECT_EQ(error("a.xyz", "1\n\nC 0 0 0\n" + flat, {true, true, true}), "");  // another frame's
    EXPECT_EQ(error("a.xyz", flat, {true, false, true}), "");
    const std::string general = "title\n\n1 atoms\n1 0 0 avec\n0 1 0 bvec\n1 1 0 cvec\n\nAtoms\n\n1 1 0.5 0 0 0\n";
    EXPECT_EQ(error("a.data", general, {true, true, true}), "a.data:6: " + said + "(1, 0, 0), (0, 1, 0), (1, 1, 0)");
    EXPECT_EQ(error("a.data", general, {true, true, false}), "");
}

TEST(BadParticleFiles, WithoutTheFrameThatIsWantedSaySo) {
    const std::string xyz = "1\n\nC 0 0 0\n1\n\nC 1 1 1\n", pdb = "MODEL 1\n" + kAtom + "\nENDMDL\n";
    EXPECT_EQ(error_of("a.xyz", xyz, {.frame = 3}),
              "a.xyz:6: expected frame 3, found the end of the file after frame 2");
    EXPECT_EQ(error_of("a.pdb", pdb, {.frame = 2}),
              "a.pdb:3: expected model 2, found the end of the file after 1 model");
    EXPECT_EQ(error_of("a.txt", "1 2\n", {.frame = 2}),
              "a.txt:1: expected frame 2, found plain columns, which have one frame");
    EXPECT_THROW(parse_particles(xyz, "a.xyz", {.frame = 0}), UsageError);
}

TEST(BadParticleFiles, ThatAreNoFilesSaySo) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_particles(folder / "missing.xyz"), FileError);
    EXPECT_THROW(read_particles(folder.path()), FileError);
}

/// Every kind of line that the readers know.
const std::string kSeeds[] = {
    "# c\n1 2\n3 4\n",
    "2\ncomment\nC 0 0 0\nO 1 1 1\n1\nnext\nH 2 2 2\n",
    "2\nProperties=id:I:1:pos:R:3:species:S:1 Lattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"T F T\" x='{\"a\": [1]}' y\n"
    "1 0 0 0 C\n2 1 1 1 H\n",
    "title\n\n2 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n0.1 0 0 xy xz yz\n\nMasses\n\n1 12 # C\n\n"
    "Atoms # full\n\n1 1 1 0.5 0 0 0\n2 1 1 0.5 1 1 1 0 0 0\n\nVelocities\n\n1 0 0 0\n",
    "title\n\n1 atoms\n1 0 0 avec\n0 1 0 bvec\n0 0 1 cvec\n0 0 0 abc origin\n\nAtoms\n\n1 1 0.5 0 0 0\n",
    "CRYST1   40.000   50.000   60.000  90.00  90.00 120.00\nMODEL     1\n" + kAtom + "\nENDMDL\nEND\n"};

std::string mutated(std::string text, std::uint64_t seed) {
    auto random = [seed, index = std::uint64_t{0}](std::size_t below) mutable {
        return static_cast<std::size_t>(random_bits(seed, index++) % std::max<std::size_t>(below, 1));
    };
    const std::string spices = "\n\r\t \"'{}[]=:#.-+eE0179\\nainfATOM\x80\xff";
    for (std::size_t change = 0, changes = 1 + random(4); change < changes && !text.empty(); ++change) {
        const std::size_t at = random(text.size()), length = 1 + random(12);
        switch (random(5)) {
            case 0: text.erase(at, length); break;
            case 1: text.insert(at, 1, spices[random(spices.size())]); break;
            case 2: text[at] = spices[random(spices.size())]; break;
            case 3: text.insert(at, text.substr(random(text.size()), length)); break;
            case 4: text[at] = static_cast<char>(random(256)); break;
        }
    }
    return text;
}

TEST(BadParticleFiles, MutatedAtRandomAreReadOrRefusedInOneLine) {
    const std::vector<std::string> names = {"a", "-", "a.dat", "a.txt", "a.xyz", "a.extxyz", "a.data", "a.pdb"};
    int read = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 60'000; ++seed) {
        const std::string text = mutated(kSeeds[seed % std::size(kSeeds)], seed);
        const std::string name = names[seed / std::size(kSeeds) % names.size()];
        try {
            const ParticleFile file = parse_particles(text, name, {.frame = 1 + static_cast<int>(seed % 7 == 0)});
            for (const double x : file.system.positions) ASSERT_TRUE(std::isfinite(x)) << text;
            ASSERT_TRUE(file.system.species.empty() ||
                        file.system.species.size() == static_cast<std::size_t>(file.system.atoms()))
                << text;
            ++read;
        } catch (const FileError& error) {
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(read, 3'000);
    EXPECT_GT(refused, 5'000);
}

}  // namespace
}  // namespace lanework::test
