// The memory of the loaded program itself: where its constant variables and its code lie.
#pragma once

#include <cstdint>

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

/// Whether so many bytes at the address are code of the program or of a library that was loaded at the first call.
bool is_program_code(std::uint64_t address, std::uint64_t bytes);

}  // namespace lanework
