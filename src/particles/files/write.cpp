// Atoms as text: columns, XYZ, extended XYZ and LAMMPS data. Numbers are the shortest that read back as themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/particle_file.hpp>

#include "src/particles/box.hpp"
#include "src/particles/files/lines.hpp"

namespace lanework {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string columns_text(const ParticleSystem& system) {
    std::string text;
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) {
        const auto x = system.position(atom);
        fmt::format_to(Out(text), "{}",
                       fmt::join(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(system.dimensions), " "));
        text += '\n';
    }
    return text;
}

std::string xyz_text(const ParticleSystem& system, const std::string& comment,
                     const std::vector<ParticleColumn>& columns) {
    std::string text = fmt::format("{}\n{}\n", system.atoms(), comment);
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) {
        const auto x = system.position(atom);
        fmt::format_to(Out(text), "{} {} {} {}", system.species_of(atom), x[0], x[1], x[2]);
        for (const ParticleColumn& column : columns)
            fmt::format_to(Out(text), " {}", column.values[static_cast<std::size_t>(atom)]);
        text += '\n';
    }
    return text;
}

bool has_box(const ParticleSystem& system) { return system.box.vectors != BoxVectors{}; }

std::string extended_comment(const ParticleSystem& system, const std::vector<ParticleColumn>& columns) {
    std::string comment;
    const auto& v = system.box.vectors;
    if (has_box(system))
        comment =
            fmt::format("Lattice=\"{} {} {}\" ", fmt::join(v[0], " "), fmt::join(v[1], " "), fmt::join(v[2], " "));
    comment += "Properties=species:S:1:pos:R:3";
    for (const ParticleColumn& column : columns) comment += ":" + column.name + ":I:1";
    const auto& p = system.box.periodic;
    const auto flag = [](bool periodic) { return periodic ? 'T' : 'F'; };
    return comment + fmt::format(" pbc=\"{} {} {}\"", flag(p[0]), flag(p[1]), flag(p[2]));
}

/// Bounds that hold every atom where the system has no box vector of its own.
void bound_open_directions(ParticleSystem& system) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (system.box.vectors[k] != std::array<double, 3>{}) continue;
        double low = 0, high = 0;
        for (std::int64_t atom = 0; atom < system.atoms(); ++atom) {
            const double x = system.position(atom)[k];
            low = atom == 0 ? x : std::min(low, x);
            high = atom == 0 ? x : std::max(high, x);
        }
        system.origin[k] = low - 0.5;
        system.box.vectors[k][k] = high - low + 1;
    }
}

std::string lammps_box(const ParticleSystem& system) {
    const auto& v = system.box.vectors;
    const auto& o = system.origin;
    const bool triangular = v[0][1] == 0 && v[0][2] == 0 && v[1][2] == 0 && v[0][0] > 0 && v[1][1] > 0 && v[2][2] > 0;
    std::string text;
    if (!triangular) {
        constexpr std::string_view names[] = {"avec", "bvec", "cvec"};
        for (std::size_t k = 0; k < 3; ++k) text += fmt::format("{} {}\n", fmt::join(v[k], " "), names[k]);
        return text + fmt::format("{} abc origin\n", fmt::join(o, " "));
    }
    constexpr std::string_view names[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
    for (std::size_t k = 0; k < 3; ++k) text += fmt::format("{} {} {}\n", o[k], o[k] + v[k][k], names[k]);
    if (v[1][0] != 0 || v[2][0] != 0 || v[2][1] != 0)
        text += fmt::format("{} {} {} xy xz yz\n", v[1][0], v[2][0], v[2][1]);
    return text;
}

std::string lammps_text(ParticleSystem system) {
    bound_open_directions(system);
    const auto& p = system.box.periodic;
    const auto flag = [](bool periodic) { return periodic ? 'p' : 's'; };
    const std::size_t types = std::max<std::size_t>(system.species_names.size(), 1);
    std::string text = fmt::format("Written by lanework; boundary {} {} {}\n\n{} atoms\n{} atom types\n\n{}",
                                   flag(p[0]), flag(p[1]), flag(p[2]), system.atoms(), types, lammps_box(system));
    for (std::size_t type = 0; type < system.species_names.size(); ++type)
        text += fmt::format("{}# type {} is {}\n", type == 0 ? "\n" : "", type + 1, system.species_names[type]);
    text += "\nAtoms # atomic\n\n";
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) {
        const auto x = system.position(atom);
        const int type = system.species.empty() ? 0 : system.species[static_cast<std::size_t>(atom)];
        fmt::format_to(Out(text), "{} {} {} {} {}\n", atom + 1, type + 1, x[0], x[1], x[2]);
    }
    return text;
}

}  // namespace

std::vector<std::string> written_particle_formats() { return {"extxyz", "xyz", "lammps", "columns"}; }

std::string written_format_of(const std::filesystem::path& path) {
    const std::string extension = particle_text::lower(path.extension().string());
    if (extension == ".xyz" || extension == ".extxyz") return "extxyz";
    if (extension == ".data" || extension == ".lmp" || extension == ".lammps") return "lammps";
    if (extension == ".txt" || extension == ".dat") return "columns";
    throw UsageError(
        fmt::format("{}: a file of atoms must end in .xyz, .extxyz, .data, .lmp, .lammps, .txt or .dat; or "
                    "name its --format",
                    path.string()));
}

std::string format_particles(const ParticleSystem& system, const std::string& format,
                             const std::vector<ParticleColumn>& columns) {
    if (format == "columns") return columns_text(system);
    if (format == "xyz") return xyz_text(system, "", {});
    if (format == "extxyz") return xyz_text(system, extended_comment(system, columns), columns);
    if (format == "lammps") return lammps_text(system);
    throw UsageError(
        fmt::format("`{}` is not written; there are: {}", format, fmt::join(written_particle_formats(), ", ")));
}

}  // namespace lanework
