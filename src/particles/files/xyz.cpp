// XYZ: for each frame the number of atoms, a comment, and a line for each atom. Extended XYZ says in the comment what
// the columns are.
#include <fmt/format.h>

#include "src/particles/files/readers.hpp"

namespace lanework::particle_text {
namespace {

enum class Comment { plain, extended, either };

/// The number of atoms that begins a frame.
std::int64_t read_atom_count(const Lines& lines) {
    Words words(lines.line());
    std::int64_t count = 0;
    if (!reads(words.next(), count) || count < 0 || !words.at_end()) lines.fail_line("the number of atoms alone");
    return count;
}

void expect_atom_line(Lines& lines, std::int64_t atom, std::int64_t atoms) {
    if (!lines.next()) lines.fail_end(fmt::format("atom {} of {}", atom + 1, atoms));
}

void skip_frame(Lines& lines, std::int64_t atoms) {
    for (std::int64_t atom = 0; atom < atoms; ++atom) expect_atom_line(lines, atom, atoms);
}

/// "a frame 3, the file has 2": to the beginning of the frame that is wanted.
std::int64_t find_frame(Lines& lines, int frame) {
    for (int at = 1;; ++at) {
        if (!lines.next_filled()) {
            if (at == 1) lines.fail_end("the number of atoms");
            lines.fail(fmt::format("frame {}", frame), fmt::format("the end of the file after frame {}", at - 1));
        }
        const std::int64_t atoms = read_atom_count(lines);
        if (!lines.next()) lines.fail_end("the comment line of the frame");
        if (at == frame) return atoms;
        skip_frame(lines, atoms);
    }
}

void read_plain_atom(const Lines& lines, ParticleSystem& system, SpeciesOf& species) {
    Words words(lines.line());
    const std::string_view name = words.next();
    if (name.empty()) lines.fail_line("species x y z");
    species.add(name);
    for (const char* axis : {"x as a finite number", "y as a finite number", "z as a finite number"})
        system.positions.push_back(finite_number(lines, words.next(), axis));
}

void read_extended_atom(const Lines& lines, const ExtendedComment& comment, ParticleSystem& system,
                        SpeciesOf& species) {
    Words words(lines.line());
    int column = 0;
    for (auto word = words.next(); !word.empty(); word = words.next(), ++column) {
        if (column == comment.species_column) species.add(word);
        if (column >= comment.position_column && column < comment.position_column + 3)
            system.positions.push_back(finite_number(lines, word, "a finite coordinate"));
    }
    if (column != comment.columns)
        lines.fail(fmt::format("{} columns as Properties says", comment.columns), fmt::format("{}", column));
}

/// What follows a frame is another frame or nothing: atoms beyond their number are not left out in silence.
void check_end(Lines& lines, std::int64_t atoms) {
    if (!lines.next_filled()) return;
    Words words(lines.line());
    std::int64_t count = 0;
    if (!reads(words.next(), count) || count < 0 || !words.at_end())
        lines.fail_line(
            fmt::format("the end of the file or another frame after {} atom{}", atoms, atoms == 1 ? "" : "s"));
}

void read_frame(Lines& lines, int frame, Comment kind, ParticleFile& file) {
    const std::int64_t atoms = find_frame(lines, frame);
    const bool extended = kind == Comment::extended || (kind == Comment::either && is_extended_comment(lines.line()));
    file.format = extended ? "extxyz" : "xyz";
    ParticleSystem& system = file.system;
    ExtendedComment comment;
    if (extended) {
        comment = read_extended_comment(lines);
        system.box = {comment.lattice, comment.periodic};
        if (comment.has_lattice) file.box_line = lines.number();
    }
    SpeciesOf species(system);
    reserve_atoms(system, atoms, lines.left());
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
        expect_atom_line(lines, atom, atoms);
        if (extended)
            read_extended_atom(lines, comment, system, species);
        else
            read_plain_atom(lines, system, species);
    }
    check_end(lines, atoms);
}

void read_xyz(Lines& lines, int frame, ParticleFile& file) { read_frame(lines, frame, Comment::plain, file); }
void read_extended_xyz(Lines& lines, int frame, ParticleFile& file) {
    read_frame(lines, frame, Comment::extended, file);
}
void read_any_xyz(Lines& lines, int frame, ParticleFile& file) { read_frame(lines, frame, Comment::either, file); }

bool looks_like_xyz(std::string_view text) {
    const std::string name;
    Lines lines(name, text);
    if (!lines.next_filled()) return false;
    Words words(lines.line());
    std::int64_t count = 0;
    return reads(words.next(), count) && words.at_end();
}

}  // namespace

const Format kXyz{"xyz", read_xyz};
const Format kExtendedXyz{"extxyz", read_extended_xyz, " .extxyz "};
// Which of the two an XYZ file is, is seen in its frame.
const Format kAnyXyz{"xyz", read_any_xyz, " .xyz ", looks_like_xyz};

}  // namespace lanework::particle_text
