// The formats that are read, each in a file of its own, and what their readers share.
#pragma once

#include <lanework/particle_file.hpp>
#include <map>

#include "src/particles/box.hpp"
#include "src/particles/files/lines.hpp"

namespace lanework::particle_text {

struct Format {
    std::string_view name;
    void (*read)(Lines& lines, int frame, ParticleFile& file);
    /// Of files' names, each between two spaces: " .pdb .ent ".
    std::string_view extensions = {};
    /// Whether the beginning of a text is of the format; null where that cannot be seen.
    bool (*looks_like)(std::string_view text) = nullptr;
};
/// x and y, or x, y and z on each line: what looks like no other format.
extern const Format kColumns;
/// XYZ, whose comment line is not read; extended XYZ; and either of the two, as the comment line of the frame says.
extern const Format kXyz, kExtendedXyz, kAnyXyz;
extern const Format kLammps, kPdb;

inline constexpr const Format* kNamed[] = {&kColumns, &kXyz, &kExtendedXyz, &kLammps, &kPdb};
/// In this order, by their extensions and then by their content.
inline constexpr const Format* kRecognised[] = {&kPdb, &kAnyXyz, &kExtendedXyz, &kLammps};

/// What the comment line of extended XYZ says.
struct ExtendedComment {
    BoxVectors lattice{};
    bool has_lattice = false;
    std::array<bool, 3> periodic{};
    int species_column = 0;  ///< −1: none
    int position_column = 1;
    int columns = 4;  ///< on every line of an atom
};
bool is_extended_comment(std::string_view comment);
ExtendedComment read_extended_comment(const Lines& lines);

/// Gives names the numbers of species, in the order in which they come.
class SpeciesOf {
public:
    explicit SpeciesOf(ParticleSystem& system) : system_(system) {}
    /// Appends the kind of the next atom.
    void add(std::string_view name);

private:
    ParticleSystem& system_;
    std::map<std::string, std::int32_t, std::less<>> known_;
};

/// Of the atoms that a file announces as many as its length makes possible.
std::size_t possible_atoms(std::int64_t announced, std::size_t bytes_left);
/// Room for them.
void reserve_atoms(ParticleSystem& system, std::int64_t announced, std::size_t bytes_left);

/// Throws FileError for a frame after the first of a format that has one.
void require_first_frame(const Lines& lines, int frame, std::string_view format);

}  // namespace lanework::particle_text
