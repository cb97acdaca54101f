// Atoms read from every format, and written and read again.
#include <cmath>
#include <lanework/particle_file.hpp>
#include <random>

#include "src/particles/box.hpp"
#include "src/particles/generate.hpp"
#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

using Numbers = std::vector<double>;

ParticleFile read(const std::string& text, const ParticleReading& reading = {}) {
    return parse_particles(text, "atoms", reading);
}

std::vector<std::string> species_of(const ParticleSystem& system) {
    std::vector<std::string> names;
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) names.emplace_back(system.species_of(atom));
    return names;
}

TEST(Columns, OfTwoNumbersAreInAPlane) {
    const ParticleFile file = read("# x y\n0 1.5\n\n  -2e-1\t+3 # an atom\r\n\n4. .5\n");
    EXPECT_EQ(file.format, "columns");
    EXPECT_EQ(file.system.dimensions, 2);
    EXPECT_EQ(file.system.positions, (Numbers{0, 1.5, -0.2, 3, 4, 0.5}));
    EXPECT_TRUE(file.system.species.empty());
    EXPECT_EQ(file.system.box, PeriodicBox::open());
}

TEST(Columns, OfThreeNumbersAreInSpaceWithOrWithoutALineEnd) {
    EXPECT_EQ(read("1 2 3\n4 5 6").system.positions, (Numbers{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(read("1 2 3\n4 5 6\n").system.dimensions, 3);
}

constexpr const char* kPlainXyz = "2\na comment, \"quoted\nC 0 0 0.5\n8 1 2 3 0.1 0.2\n";

TEST(Xyz, HasSpeciesOfWordsOrNumbersAndColumnsThatAreNotRead) {
    const ParticleFile file = read(kPlainXyz);
    EXPECT_EQ(file.format, "xyz");
    EXPECT_EQ(file.system.positions, (Numbers{0, 0, 0.5, 1, 2, 3}));
    EXPECT_EQ(species_of(file.system), (std::vector<std::string>{"C", "8"}));
    EXPECT_EQ(file.system.box, PeriodicBox::open());
}

TEST(Xyz, OfNoAtomsIsEmpty) { EXPECT_EQ(read("0\n\n").system.atoms(), 0); }

TEST(ExtendedXyz, HasItsColumnsInAnyOrder) {
    const ParticleFile file = read(
        "2\nenergy=-1.5 Properties=id:I:1:pos:R:3:forces:R:3:species:S:1 note=\"a \\\"b\\\" Lattice=1\" "
        "Lattice=\"4 0 0 1 5 0 0 0.5 6\" pbc=\"T F T\"\n"
        "7 1 2 3 9 9 9 Na\n8 4 5 6 9 9 9 Cl\n");
    EXPECT_EQ(file.format, "extxyz");
    EXPECT_EQ(file.system.positions, (Numbers{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(species_of(file.system), (std::vector<std::string>{"Na", "Cl"}));
    const BoxVectors expected{{{4, 0, 0}, {1, 5, 0}, {0, 0.5, 6}}};
    EXPECT_EQ(file.system.box.vectors, expected);
    EXPECT_EQ(file.system.box.periodic, (std::array<bool, 3>{true, false, true}));
}

TEST(ExtendedXyz, IsPeriodicWithALatticeAndOpenWithout) {
    const auto periodic = [](const std::string& comment) {
        return read("1\n" + comment + "\nC 0 0 0\n").system.box.periodic;
    };
    const std::array<bool, 3> all{true, true, true}, none{};
    EXPECT_EQ(periodic("Lattice=\"1 0 0 0 1 0 0 0 1\""), all);
    EXPECT_EQ(periodic("Lattice='1 0 0 0 1 0 0 0 1' pbc=[false, 0, F]"), none);
    EXPECT_EQ(periodic("lattice=[[1, 0, 0], [0, 1, 0], [0, 0, 1]] PBC={t true 1}"), all);
    EXPECT_EQ(periodic("Properties=species:S:1:pos:R:3"), none);
}

TEST(ExtendedXyz, TakesAtomicNumbersForSpeciesAndNoneForNone) {
    EXPECT_EQ(read("1\nProperties=pos:R:3:Z:I:1\n1 2 3 79\n").system.species_of(0), "79");
    EXPECT_EQ(read("1\nProperties=pos:R:3\n1 2 3\n").system.species_of(0), "X");
}

TEST(Frames, AreChosenByNumber) {
    const std::string frames = "1\nfirst\nC 1 0 0\n1\nProperties=pos:R:3\n2 0 0\n\n1\nthird\nC 3 0 0\n\n";
    for (const int frame : {1, 2, 3})
        EXPECT_EQ(read(frames, {.frame = frame}).system.positions, (Numbers{static_cast<double>(frame), 0, 0}));
}

std::string lammps(const std::string& box, const std::string& atoms, int count = 1) {
    return "title 5 atoms\n\n" + std::to_string(count) + " atoms # all\n2 atom types\n0 bonds\n\n" + box +
           "\nMasses\n\n1 12.011 # C\n2 16\n\n" + atoms + "\n\nVelocities\n\n1 0 0 0\n";
}
constexpr const char* kBox = "0 4 xlo xhi\n-1 5 ylo yhi\n0 7 zlo zhi\n1 -0.5 0.25 xy xz yz\n";

TEST(Lammps, HasATiltedBoxAndItsCorner) {
    const ParticleFile file = read(lammps(kBox, "Atoms # atomic\n\n3 2 1.5 2.5 3.5 # last"));
    EXPECT_EQ(file.format, "lammps");
    EXPECT_EQ(file.system.positions, (Numbers{1.5, 2.5, 3.5}));
    EXPECT_EQ(file.system.species_of(0), "2");
    const BoxVectors expected{{{4, 0, 0}, {1, 6, 0}, {-0.5, 0.25, 7}}};
    EXPECT_EQ(file.system.box.vectors, expected);
    EXPECT_EQ(file.system.origin, (std::array<double, 3>{0, -1, 0}));
    EXPECT_EQ(file.system.box.periodic, (std::array<bool, 3>{true, true, true}));
}

TEST(Lammps, HasAGeneralBox) {
    const BoxVectors expected{{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};
    const ParticleSystem system =
        read(lammps("1 2 3 avec\n4 5 6 bvec\n7 8 10 cvec\n1 1 1 abc origin\n", "Atoms\n\n1 1 0 0 0")).system;
    EXPECT_EQ(system.box.vectors, expected);
    EXPECT_EQ(system.origin, (std::array<double, 3>{1, 1, 1}));
}

TEST(Lammps, HasIdsInAnyOrderAndTypesThatAreLabels) {
    EXPECT_EQ(read(lammps(kBox, "Atoms\n\n9 C 1 2 3\n-4 O 4 5 6\n1 1 7 8 9", 3)).system.species_names,
              (std::vector<std::string>{"C", "O", "1"}));
    EXPECT_EQ(read(lammps(kBox, "Atoms\n\n0 1 1 2 3\n0 2 4 5 6", 2)).system.atoms(), 2);
}

TEST(Lammps, HasAtomsOfEveryStyleByItsNameOrByItsColumns) {
    struct Case {
        const char *style, *atom;
    };
    for (const auto& [style, atom] : {Case{"atomic", "9 2 1 2 3"}, Case{"atomic", "9 2 1 2 3 0 -1 0"},
                                      Case{"charge", "9 2 -0.8 1 2 3"}, Case{"charge", "9 2 0.5 1 2 3 0 0 1"},
                                      Case{"molecular", "9 4 2 1 2 3"}, Case{"molecular", "9 4 2 1 2 3 0 0 0"},
                                      Case{"full", "9 4 2 0.4 1 2 3"}, Case{"full", "9 4 2 0.4 1 2 3 0 0 0"}})
        for (const bool hint : {true, false}) {
            const std::string text =
                lammps(kBox, std::string("Atoms") + (hint ? std::string(" # ") + style : "") + "\n\n" + atom);
            const ParticleSystem system = read(text).system;
            EXPECT_EQ(system.positions, (Numbers{1, 2, 3})) << text;
            EXPECT_EQ(system.species_of(0), "2") << text;
        }
}

constexpr const char* kPdb =
    "HEADER    A PROTEIN\n"
    "CRYST1   40.000   50.000   60.000  90.00  90.00 120.00 P 1           1\n"
    "MODEL        1\n"
    "ATOM      1  CA AALA A   1      11.104   6.134  -6.504  1.00  0.00           C  \n"
    "ATOM      2  CA BALA A   1      11.604   6.134  -6.504  1.00  0.00           C  \n"
    "HETATM    3 ZN    ZN A   2       1.000   2.000   3.000  1.00  0.00          ZN  \n"
    "ENDMDL\n"
    "MODEL        2\n"
    "ATOM      1  CA  ALA A   1      -1.104   6.134  -6.504\n"
    "ENDMDL\nEND\n";

TEST(Pdb, HasFixedColumnsACellAndModels) {
    const ParticleFile file = read(kPdb);
    EXPECT_EQ(file.format, "pdb");
    EXPECT_EQ(file.system.positions, (Numbers{11.104, 6.134, -6.504, 1, 2, 3}));
    EXPECT_EQ(species_of(file.system), (std::vector<std::string>{"C", "Zn"}));
    ASSERT_EQ(file.remarks.size(), 1U);
    EXPECT_NE(file.remarks[0].find("1 alternate location was left out"), std::string::npos);
    EXPECT_EQ(file.system.box.vectors[0], (std::array<double, 3>{40, 0, 0}));
    EXPECT_DOUBLE_EQ(file.system.box.vectors[1][0], -25);
    EXPECT_DOUBLE_EQ(file.system.box.vectors[1][1], 25 * std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(file.system.box.vectors[2][2], 60);
    const ParticleFile second = read(kPdb, {.frame = 2});
    EXPECT_EQ(second.system.positions, (Numbers{-1.104, 6.134, -6.504}));
    EXPECT_EQ(second.system.species_of(0), "C");  // of the atom's name
}

TEST(Pdb, HasTheFirstLocationOfEachAtomWhicheverItIs) {
    const auto atom = [](const char* name, char location, const char* residue, double x) {
        return "ATOM      1 " + std::string(name) + location + "ALA " + residue + "   " +
               std::to_string(x).substr(0, 8) + "   0.000   0.000\n";
    };
    // N has B and C alone, CA both in the order B A, CB 2 alone, and the residues of another number, insertion code or
    // chain atoms of their own.
    const std::string text = atom(" N  ", 'B', "A   1 ", 1) + atom(" CA ", 'B', "A   1 ", 2) +
                             atom(" N  ", 'C', "A   1 ", 3) + atom(" CA ", 'A', "A   1 ", 4) +
                             atom(" CB ", '2', "A   1 ", 5) + atom(" N  ", 'C', "A   2 ", 6) +
                             atom(" N  ", 'D', "A   1A", 7) + atom(" N  ", 'E', "B   1 ", 8) +
                             atom(" O  ", ' ', "A   1 ", 9) + atom(" O  ", 'B', "A   1 ", 10);
    const ParticleFile file = read(text, {.format = "pdb"});
    Numbers x;
    for (std::int64_t k = 0; k < file.system.atoms(); ++k) x.push_back(file.system.position(k)[0]);
    EXPECT_EQ(x, (Numbers{1, 2, 5, 6, 7, 8, 9}));
    EXPECT_EQ(file.remarks,
              (std::vector<std::string>{"3 alternate locations were left out: of each atom the first is read"}));
}

TEST(Pdb, HasEveryAtomWhereNumbersOfResiduesBeginAgain) {
    const std::string a = "HETATM    1  O   HOH A   1       1.000   0.000   0.000\n",
                      b = "ATOM      1  CA AALA A   1       2.000   0.000   0.000\n";
    EXPECT_EQ(read(a + a + b + b, {.format = "pdb"}).system.atoms(), 4);
}

TEST(Pdb, WithACellOfOneHasNone) {
    const ParticleSystem system = read(
                                      "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n"
                                      "ATOM      1 CL    CL A   1      11.104   6.134  -6.504\n")
                                      .system;
    EXPECT_EQ(system.box, PeriodicBox::open());
    EXPECT_EQ(system.species_of(0), "Cl");
}

TEST(Formats, MayBeginWithAByteOrderMark) {
    const std::string mark = "\xEF\xBB\xBF";
    EXPECT_EQ(read(mark + "1 2\n3 4\n").system.positions, (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(read(mark + kPlainXyz).format, "xyz");
    EXPECT_EQ(read(mark + kPdb).format, "pdb");
    EXPECT_EQ(read(mark + lammps(kBox, "Atoms\n\n1 1 0 0 0")).format, "lammps");
    EXPECT_THROW(read(mark), FileError);
}

TEST(Formats, AreToldByTheNameElseByTheContent) {
    const auto format = [](const std::string& name, const std::string& text) {
        return parse_particles(text, name).format;
    };
    const std::string data = lammps(kBox, "Atoms\n\n1 1 0 0 0");
    EXPECT_EQ(format("a.XYZ", kPlainXyz), "xyz");
    EXPECT_EQ(format("a.data", data), "lammps");
    EXPECT_EQ(format("a.pdb", kPdb), "pdb");
    EXPECT_EQ(format("a.dat", data), "lammps");
    EXPECT_EQ(format("-", kPdb), "pdb");
    EXPECT_EQ(format("a.txt", "0 1\n"), "columns");
    EXPECT_EQ(parse_particles("1 2\n3 4\n", "a.pdb", {.format = "columns"}).system.dimensions, 2);
    EXPECT_THROW(parse_particles("1 2", "a", {.format = "cif"}), UsageError);
}

/// Awkward numbers, several species, a skewed box, a corner that is not 0 where the format keeps it.
ParticleSystem awkward() {
    ParticleSystem system;
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> uniform(-30, 30);
    for (int k = 0; k < 300; ++k) system.positions.push_back(uniform(random) * std::pow(10, k % 9 - 4));
    system.positions[0] = -0.0;
    system.positions[1] = 5e-324;
    system.positions[2] = 1e300;
    system.species_names = {"C", "1", "H_w"};
    for (int atom = 0; atom < 100; ++atom) system.species.push_back(atom % 7 % 3);
    system.box = {{{{10.1, 0, 0}, {1.0 / 3, 9.7, 0}, {-2, 1e-7, 12}}}, {true, false, true}};
    return system;
}

TEST(Writing, ExtendedXyzAndReadingItGivesTheSame) {
    const ParticleSystem system = awkward(), back = read(format_particles(system, "extxyz")).system;
    EXPECT_EQ(back.positions, system.positions);
    EXPECT_TRUE(std::signbit(back.positions[0]));
    EXPECT_EQ(species_of(back), species_of(system));
    EXPECT_EQ(back.box, system.box);
}

TEST(Writing, ExtendedXyzHasColumnsOfWholeNumbers) {
    ParticleSystem system;
    system.positions = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(format_particles(system, "extxyz", {{"coordination", {3, 12}}}),
              "2\nProperties=species:S:1:pos:R:3:coordination:I:1 pbc=\"F F F\"\nX 1 2 3 3\nX 4 5 6 12\n");
}

TEST(Writing, PlainXyzAndColumnsAndReadingThemGivesTheSamePositions) {
    const ParticleSystem system = awkward();
    EXPECT_EQ(read(format_particles(system, "xyz")).system.positions, system.positions);
    EXPECT_EQ(read(format_particles(system, "columns")).system.positions, system.positions);
    ParticleSystem plane;
    plane.dimensions = 2;
    plane.positions = {0.1, 0.2, 0.3, -0.4};
    const ParticleSystem back = read(format_particles(plane, "columns")).system;
    EXPECT_EQ(back.positions, plane.positions);
    EXPECT_EQ(back.dimensions, 2);
}

TEST(Writing, LammpsDataAndReadingItGivesTheSame) {
    ParticleSystem system = awkward();
    const ParticleFile tilted = read(format_particles(system, "lammps"));
    EXPECT_EQ(tilted.format, "lammps");
    EXPECT_EQ(tilted.system.positions, system.positions);
    EXPECT_EQ(tilted.system.box.vectors, system.box.vectors);
    EXPECT_EQ(tilted.system.species_of(1), "2");
    system.box.vectors[0] = {1, -4, 2};  // of any orientation and handedness
    EXPECT_EQ(read(format_particles(system, "lammps")).system.box.vectors, system.box.vectors);
}

TEST(Writing, LammpsDataOfOpenSpaceHasABoxThatHoldsEveryAtom) {
    ParticleSystem system;
    system.positions = {-3, 0, 0, 5, 1, 0};
    const ParticleSystem back = read(format_particles(system, "lammps")).system;
    EXPECT_EQ(back.origin, (std::array<double, 3>{-3.5, -0.5, -0.5}));
    EXPECT_EQ(back.box.vectors[0][0], 9);
    EXPECT_EQ(back.box.vectors[2][2], 1);
}

TEST(Boxes, OfEdgesAndAnglesHaveThoseEdgesAndAngles) {
    const std::array<double, 3> edges{3, 4, 5}, angles{70, 95, 110};
    const BoxVectors v = box_from_edges(edges, angles);
    const auto dot = [&](std::size_t a, std::size_t b) {
        return v[a][0] * v[b][0] + v[a][1] * v[b][1] + v[a][2] * v[b][2];
    };
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(std::sqrt(dot(k, k)), edges[k], 1e-14);
        const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
        EXPECT_NEAR(dot(a, b) / (edges[a] * edges[b]), std::cos(angles[k] * std::acos(-1.0) / 180), 1e-14);
    }
    EXPECT_EQ(box_from_edges(edges, {90, 90, 90}), parse_box("3,4,5", 3));
}

TEST(Boxes, ThatCloseNoBoxAreRefused) {
    for (const char* text : {"1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,inf", "0,1,1", "-1,1,1", "1,1,1,90,90,180",
                             "1,1,1,150,150,150", "1,1,1,30,30,90", "", "1,,2"})
        EXPECT_THROW(parse_box(text, 3), UsageError) << text;
    EXPECT_THROW(parse_box("1,2,3", 2), UsageError);
    EXPECT_EQ(parse_box("1,2", 2)[1][1], 2);
    for (const char* text : {"", "xx", "xa", "None", "xyzx"}) EXPECT_THROW(parse_periodic(text, 3), UsageError) << text;
    EXPECT_THROW(parse_periodic("xz", 2), UsageError);
    EXPECT_EQ(parse_periodic("zx", 3), (std::array<bool, 3>{true, false, true}));
    EXPECT_THROW(check_box({{}, {true, false, false}}), UsageError);
    EXPECT_THROW(check_box({{{{1, 0, 0}, {2, 0, 0}, {}}}, {true, true, false}}), UsageError);
    EXPECT_NO_THROW(check_box({{{{1, 0, 0}, {2, 0, 0}, {}}}, {true, false, false}}));
}

}  // namespace
}  // namespace lanework::test
