// Files of atoms: read from plain columns, XYZ, extended XYZ, LAMMPS data and PDB, and written. A program that includes
// this links lanework::files.
#pragma once

#include <filesystem>
#include <lanework/particle_system.hpp>

namespace lanework {

/// The names of the formats that are read: "columns", "xyz", "extxyz", "lammps", "pdb".
std::vector<std::string> particle_formats();
/// Those that are written: all of them but "pdb".
std::vector<std::string> written_particle_formats();

struct ParticleReading {
    std::string format = {};  ///< one of particle_formats(); empty: the name of the file decides, else its content
    int frame = 1;            ///< which of several frames or models
};

struct ParticleFile {
    ParticleSystem system;
    std::string name;  ///< as it stands in messages
    std::string format;
    std::int64_t box_line = 0;         ///< where the box stands, from 1; 0: nowhere
    std::vector<std::string> remarks;  ///< what was left out, a sentence each
};

/// Reads the file; "-" is the standard input. docs/particle-files.md says which fields are used. Throws FileError
/// "file:line: expected …, found …" for a line that is not as its format says, a coordinate that is not finite, fewer
/// or more atoms than announced, or a frame that is not there; UsageError for a format that does not exist.
ParticleFile read_particles(const std::filesystem::path& path, const ParticleReading& reading = {});

/// The same from text; `name` stands in messages.
ParticleFile parse_particles(std::string_view text, const std::string& name, const ParticleReading& reading = {});

/// Throws FileError, with the line, when the vectors of the file's box cannot be periodic in these directions; a file
/// without a box has none.
void check_box_of(const ParticleFile& file, const std::array<bool, 3>& periodic);

/// A column beside the positions of extended XYZ: its name and a whole number for each atom.
struct ParticleColumn {
    std::string name;
    std::vector<std::int64_t> values;
};

/// The text of a file of this format. Coordinates are written so that reading them gives the same numbers. Throws
/// UsageError for a format that is not written.
std::string format_particles(const ParticleSystem& system, const std::string& format,
                             const std::vector<ParticleColumn>& columns = {});

/// The format that a name stands for: .xyz and .extxyz extended XYZ, .data, .lmp and .lammps LAMMPS data, .txt and .dat
/// columns. Throws UsageError for others.
std::string written_format_of(const std::filesystem::path& path);

}  // namespace lanework
