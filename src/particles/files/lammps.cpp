// LAMMPS data: a header with the box, then sections, of which Atoms is used.
#include <fmt/format.h>

#include <algorithm>

#include "src/particles/files/atom_ids.hpp"
#include "src/particles/files/readers.hpp"

namespace lanework::particle_text {
namespace {

/// Columns of an atom's line up to its positions; image flags may follow.
struct AtomStyle {
    std::string_view name;
    int type_column, position_column;
};
constexpr AtomStyle kStyles[] = {{"atomic", 1, 2}, {"charge", 1, 3}, {"molecular", 2, 3},
                                 {"bond", 2, 3},   {"angle", 2, 3},  {"full", 2, 4}};
constexpr const AtomStyle &kAtomic = kStyles[0], &kCharge = kStyles[1], &kMolecular = kStyles[2], &kFull = kStyles[5];
constexpr int kImageFlags = 3, kMostColumns = 10;

constexpr std::string_view kCounts[] = {"atoms",
                                        "bonds",
                                        "angles",
                                        "dihedrals",
                                        "impropers",
                                        "atom types",
                                        "bond types",
                                        "angle types",
                                        "dihedral types",
                                        "improper types",
                                        "ellipsoids",
                                        "lines",
                                        "triangles",
                                        "bodies",
                                        "extra bond per atom",
                                        "extra angle per atom",
                                        "extra dihedral per atom",
                                        "extra improper per atom",
                                        "extra special per atom"};
constexpr std::string_view kSections[] = {"Atoms",
                                          "Velocities",
                                          "Masses",
                                          "Ellipsoids",
                                          "Lines",
                                          "Triangles",
                                          "Bodies",
                                          "Bonds",
                                          "Angles",
                                          "Dihedrals",
                                          "Impropers",
                                          "Atom Type Labels",
                                          "Bond Type Labels",
                                          "Angle Type Labels",
                                          "Dihedral Type Labels",
                                          "Improper Type Labels",
                                          "Pair Coeffs",
                                          "PairIJ Coeffs",
                                          "Bond Coeffs",
                                          "Angle Coeffs",
                                          "Dihedral Coeffs",
                                          "Improper Coeffs",
                                          "BondBond Coeffs",
                                          "BondAngle Coeffs",
                                          "MiddleBondTorsion Coeffs",
                                          "EndBondTorsion Coeffs",
                                          "AngleTorsion Coeffs",
                                          "AngleAngleTorsion Coeffs",
                                          "BondBond13 Coeffs",
                                          "AngleAngle Coeffs"};

bool is_one_of(std::string_view text, std::span<const std::string_view> names) {
    return std::find(names.begin(), names.end(), text) != names.end();
}

/// "8 atoms" is {8} and "atoms".
struct HeaderLine {
    std::vector<double> numbers;
    std::string name;
};

HeaderLine read_header_line(std::string_view line) {
    HeaderLine header;
    Words words(before(line, '#'));
    for (auto word = words.next(); !word.empty(); word = words.next()) {
        double value = 0;
        if (header.name.empty() && reads(word, value)) {
            header.numbers.push_back(value);
        } else {
            if (!header.name.empty()) header.name += ' ';
            header.name += word;
        }
    }
    return header;
}

struct Header {
    std::int64_t atoms = -1, types = -1;  ///< −1: not said
    std::int64_t box_line = 0;
    std::array<double, 3> low{}, high{}, tilt{};
    std::array<bool, 3> bounded{};
    BoxVectors general{};
    std::array<bool, 3> has_general{};
    std::array<double, 3> general_origin{};
};

void require_numbers(const Lines& lines, const HeaderLine& entry, std::size_t count) {
    if (entry.numbers.size() != count ||
        !std::all_of(entry.numbers.begin(), entry.numbers.end(), [](double x) { return x - x == 0; }))
        lines.fail_line(fmt::format("{} finite number{} before {}", count, count > 1 ? "s" : "", entry.name));
}

/// True for a line that says a part of the box.
bool read_box_line(const Lines& lines, const HeaderLine& entry, Header& header) {
    constexpr std::string_view bounds[] = {"xlo xhi", "ylo yhi", "zlo zhi"}, vectors[] = {"avec", "bvec", "cvec"};
    const auto& n = entry.numbers;
    for (std::size_t k = 0; k < 3; ++k) {
        if (entry.name == bounds[k]) {
            require_numbers(lines, entry, 2);
            if (!(n[0] < n[1])) lines.fail_line(fmt::format("{} with the smaller first", bounds[k]));
            header.low[k] = n[0];
            header.high[k] = n[1];
            return header.bounded[k] = true;
        }
        if (entry.name == vectors[k]) {
            require_numbers(lines, entry, 3);
            std::copy_n(n.begin(), 3, header.general[k].begin());
            return header.has_general[k] = true;
        }
    }
    if (entry.name != "xy xz yz" && entry.name != "abc origin") return false;
    require_numbers(lines, entry, 3);
    std::copy_n(n.begin(), 3, (entry.name == "abc origin" ? header.general_origin : header.tilt).begin());
    return true;
}

void read_entry(const Lines& lines, const HeaderLine& entry, Header& header) {
    if (read_box_line(lines, entry, header)) {
        header.box_line = lines.number();
        return;
    }
    if (!is_one_of(entry.name, kCounts))
        lines.fail_line("an entry of the header such as `8 atoms` or `0 10 xlo xhi`, or a section such as Atoms");
    std::int64_t count = 0;
    if (entry.numbers.size() != 1 || !reads(Words(lines.line()).next(), count) || count < 0)
        lines.fail_line(fmt::format("a whole number before {}", entry.name));
    if (entry.name == "atoms") header.atoms = count;
    if (entry.name == "atom types") header.types = count;
}

void set_box(const Lines& lines, const Header& header, ParticleSystem& system) {
    system.box.periodic = {true, true, true};
    if (header.has_general[0] || header.has_general[1] || header.has_general[2]) {
        if (!(header.has_general[0] && header.has_general[1] && header.has_general[2]))
            lines.fail_line("all of avec, bvec and cvec before the first section");
        system.box.vectors = header.general;
        system.origin = header.general_origin;
        return;
    }
    if (!(header.bounded[0] && header.bounded[1] && header.bounded[2]))
        lines.fail_line("xlo xhi, ylo yhi and zlo zhi before the first section");
    double edges[3];
    for (std::size_t k = 0; k < 3; ++k) edges[k] = header.high[k] - header.low[k];
    system.box.vectors = {
        {{edges[0], 0, 0}, {header.tilt[0], edges[1], 0}, {header.tilt[1], header.tilt[2], edges[2]}}};
    system.origin = header.low;
}

/// "Atoms # full": the style behind the mark; without one the first atom's columns decide.
const AtomStyle* read_style_hint(const Lines& lines) {
    const auto mark = lines.line().find('#');
    if (mark == std::string_view::npos) return nullptr;
    const std::string hint = lower(trimmed(lines.line().substr(mark + 1)));
    if (hint.empty()) return nullptr;
    for (const AtomStyle& style : kStyles)
        if (style.name == hint) return &style;
    lines.fail("atom style atomic, charge, molecular, bond, angle or full", in_quotes(hint));
}

const AtomStyle& guess_style(const Lines& lines, std::string_view line) {
    const int columns = count_words(line);
    Words words(line);
    words.next(), words.next();
    std::int64_t molecule = 0;
    switch (columns) {
        case 5:
        case 8: return kAtomic;
        case 6:
        case 9: return reads(words.next(), molecule) ? kMolecular : kCharge;
        case 7:
        case 10: return kFull;
        default: break;
    }
    lines.fail_line("an atom as `id type x y z`, with a molecule, a charge or image flags");
}

/// A type is a label, or a number not above the header's count.
void check_type(const Lines& lines, std::string_view word, std::int64_t types) {
    const char first = word.front();
    if ((first < '0' || first > '9') && first != '-' && first != '+' && first != '.') return;
    std::int64_t type = 0;
    if (!reads(word, type) || type < 1 || (types >= 0 && type > types))
        lines.fail(
            types >= 0 ? fmt::format("the type of an atom from 1 to {}", types) : "the type of an atom from 1 on",
            in_quotes(word));
}

struct AtomReading {
    const Header& header;
    ParticleSystem& system;
    SpeciesOf species;
    AtomIds ids;
};

void read_atom(const Lines& lines, std::string_view line, const AtomStyle& style, AtomReading& reading) {
    std::string_view words[kMostColumns];
    int count = 0;
    Words left(line);
    for (auto word = left.next(); !word.empty(); word = left.next()) {
        if (count < kMostColumns) words[count] = word;
        ++count;
    }
    const int needed = style.position_column + 3;
    if (count != needed && count != needed + kImageFlags)
        lines.fail(fmt::format("{} or {} columns of an atom of style {}", needed, needed + kImageFlags, style.name),
                   fmt::format("{}", count));
    if (!reading.ids.add(whole_number(lines, words[0], "the id of an atom")))
        lines.fail("the id of an atom that no atom before it has", in_quotes(words[0]));
    check_type(lines, words[style.type_column], reading.header.types);
    reading.species.add(words[style.type_column]);
    constexpr std::string_view axes[] = {"x as a finite number", "y as a finite number", "z as a finite number"};
    for (int axis = 0; axis < 3; ++axis)
        reading.system.positions.push_back(finite_number(lines, words[style.position_column + axis], axes[axis]));
}

/// Lines of a section begin with a number or a sign; names of sections with a letter.
bool is_section_name(std::string_view line) {
    const char first = trimmed(line).front();
    return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
}

void read_atoms(Lines& lines, const Header& header, ParticleSystem& system) {
    const AtomStyle* style = read_style_hint(lines);
    const std::int64_t atoms = header.atoms;
    AtomReading reading{header, system, SpeciesOf(system), AtomIds(possible_atoms(atoms, lines.left()))};
    reserve_atoms(system, atoms, lines.left());
    for (std::int64_t atom = 0; atom < atoms;) {
        if (!lines.next_filled()) lines.fail_end(fmt::format("atom {} of {}", atom + 1, atoms));
        const std::string_view line = before(lines.line(), '#');
        if (trimmed(line).empty()) continue;
        if (is_section_name(line)) lines.fail_line(fmt::format("atom {} of {}", atom + 1, atoms));
        if (!style) style = &guess_style(lines, line);
        read_atom(lines, line, *style, reading);
        ++atom;
    }
}

/// To the next line with something beside a comment.
bool next_entry(Lines& lines) {
    while (lines.next_filled())
        if (!trimmed(before(lines.line(), '#')).empty()) return true;
    return false;
}

void read_lammps(Lines& lines, int frame, ParticleFile& file) {
    require_first_frame(lines, frame, "LAMMPS data");
    if (!lines.next()) lines.fail_end("the title line of LAMMPS data");
    Header header;
    bool has_atoms = false, in_header = true, in_atoms = false;
    while (next_entry(lines)) {
        if (!is_section_name(lines.line())) {
            if (in_header) read_entry(lines, read_header_line(lines.line()), header);
            if (in_atoms)
                lines.fail_line(
                    fmt::format("the end of the section after {} atom{}", header.atoms, header.atoms == 1 ? "" : "s"));
            continue;  // a line of a section that is not used
        }
        const std::string_view name = trimmed(before(lines.line(), '#'));
        if (!is_one_of(name, kSections)) lines.fail_line("a section such as Atoms or Masses");
        if (in_header) {
            if (header.atoms < 0) lines.fail_line("the number of atoms before the first section");
            set_box(lines, header, file.system);
            file.box_line = header.box_line;
        }
        in_header = false;
        in_atoms = name == "Atoms";
        if (!in_atoms) continue;
        if (has_atoms) lines.fail_line("one section Atoms");
        has_atoms = true;
        read_atoms(lines, header, file.system);
    }
    if (!has_atoms) lines.fail_end("the section Atoms");
}

bool looks_like_lammps(std::string_view text) {
    const std::string name;
    Lines lines(name, text);
    lines.next();
    for (int line = 0; line < 50 && lines.next(); ++line) {
        const HeaderLine entry = read_header_line(lines.line());
        if (entry.name == "atoms" && entry.numbers.size() == 1) return true;
    }
    return false;
}

}  // namespace

const Format kLammps{"lammps", read_lammps, " .data .lmp .lammps ", looks_like_lammps};

}  // namespace lanework::particle_text
