// The memory of the loaded program itself: where its constant and managed variables and its code lie.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace lanework {

/// A range of addresses, [low, high).
struct AddressRange {
    std::uint64_t low = 0, high = 0;

    bool contains(std::uint64_t address) const { return address - low < high - low; }
};

/// The `__constant__` variables of the program or the shared library that the address is in, or the data there that
/// nobody can write: of an array that a kernel never changes, clang makes such. Empty for every other address. Which
/// files are loaded is asked once, by the first call.
AddressRange constant_variables(std::uint64_t address);

/// Where the `__managed__` variables of the program and its libraries lie that are no arrays, those of each together.
std::span<const AddressRange> managed_variables();

/// Whether so many bytes at the address are code of the program or of a library that was loaded at the first call.
bool is_program_code(std::uint64_t address, std::uint64_t bytes);
/// The code of the file that the address is in, as far as it lies in one piece; empty for an address of none.
AddressRange program_code(std::uint64_t address);

/// What lies at an address of the code.
template <class T>
T read_code(std::uint64_t at) {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    return value;
}

/// Where a call of `code` leads on x86-64: past the entry of the procedure linkage table, through which a program calls
/// what is in a library.
std::uint64_t behind_linkage_table(std::uint64_t code);

}  // namespace lanework
