// Neighbour lists as files: the text form, and .npz.
#pragma once

#include <filesystem>
#include <lanework/particle_system.hpp>

#include "src/io/npz.hpp"

namespace lanework {

/// Line k (from 0) is atom k: how many neighbours it has, then their indices (from 0) in ascending order.
template <class T>
std::string neighbor_text(const NeighborList<T>& list);

/// The arrays of the list and the box, as `offsets` (int64, atoms + 1), `indices` (int32, pairs), `S` (int32, pairs ×
/// 3), `D` (pairs × 3) and `d` (pairs) in T where `wanted` asks for them and the list has them, `cell` (float64, 3 × 3,
/// rows are vectors) and `pbc` (bool, 3). Refers to the list and the box.
template <class T>
Npz neighbor_npz(const NeighborList<T>& list, const PeriodicBox& box, const NeighborOptions& wanted);

/// Throws UsageError for a name that ends in none of .txt, .npz, .xyz and .extxyz and is neither - nor a device or
/// pipe, which get the text; or when arrays are wanted that the form does not hold. Call it before long work.
void check_neighbor_form(const std::filesystem::path& path, const NeighborOptions& wanted);

/// A list in the form that its name says: the text, the arrays, or the atoms as extended XYZ with their numbers of
/// neighbours as the column `coordination`. Refers to the list and the system.
class NeighborFile {
public:
    NeighborFile(const NeighborFile&) = delete;
    NeighborFile& operator=(const NeighborFile&) = delete;
    template <class T>
    NeighborFile(const std::filesystem::path& path, const NeighborList<T>& list, const ParticleSystem& system,
                 const NeighborOptions& wanted, const std::vector<std::int64_t>& coordination);

    /// What it is, for people.
    const std::string& form() const { return form_; }
    /// For write_file.
    std::span<const std::span<const std::uint8_t>> pieces() const { return pieces_; }

private:
    std::string form_, text_;
    Npz arrays_;
    std::vector<std::span<const std::uint8_t>> pieces_;
};

}  // namespace lanework
