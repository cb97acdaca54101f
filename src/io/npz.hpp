// NumPy's .npy, one array, and .npz: arrays in a zip archive, written as they are and read compressed, too.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What stands before the bytes of an array in C order in a .npy file. `descriptor` is NumPy's: "<i8", "<f4", "|b1".
std::string npy_header(std::string_view descriptor, std::span<const std::int64_t> shape);

/// An array of an archive: what it is called, and its .npy file.
struct NpzMember {
    std::string name;
    std::vector<std::uint8_t> npy;
};

/// What numpy.savez and numpy.savez_compressed wrote, in the archive's order. Throws FileError that names the file: no
/// zip archive, a member that is no .npy file, encrypted or packed otherwise, damage.
std::vector<NpzMember> parse_npz(std::span<const std::uint8_t> file, std::string_view name);

/// Collects arrays and lays out the archive around them. Arrays are not copied: they must outlive pieces().
class Npz {
public:
    /// An array in C order; `bytes` is all of it.
    void add(std::string_view name, std::string_view descriptor, std::span<const std::int64_t> shape,
             std::span<const std::uint8_t> bytes);
    void add(std::string_view name, std::string_view descriptor, std::initializer_list<std::int64_t> shape,
             std::span<const std::uint8_t> bytes) {
        add(name, descriptor, std::span(shape.begin(), shape.size()), bytes);
    }

    /// The whole file in order, for write_file. Call it once, after the last add.
    std::vector<std::span<const std::uint8_t>> pieces();

private:
    void put(std::string bytes);

    std::list<std::string> owned_;  // what pieces_ refers to: addresses stay
    std::vector<std::span<const std::uint8_t>> pieces_;
    std::string directory_;
    std::uint64_t written_ = 0, entries_ = 0;
};

}  // namespace lanework
