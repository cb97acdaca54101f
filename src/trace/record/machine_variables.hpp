// __constant__ and __device__ variables that machine code names: what they hold in the traced program, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/code.hpp"
#include "src/simt/module_symbols.hpp"

namespace lanework {

class MachineVariables {
public:
    /// Of `code`, in the program or library that the function `in` was loaded from. A variable that the host's compiler
    /// left out is as it began: nobody else writes it.
    MachineVariables(const MachineCode& code, const void* in);

    /// Constant bank 3 with what the __constant__ variables hold now.
    std::vector<std::byte> constants() const;
    /// Constant bank 4, with the addresses of the __device__ variables.
    const std::vector<std::byte>& addresses() const { return addresses_; }
    /// Those of variables that instructions name themselves (32@lo(v)), by symbol.
    const std::map<std::string, std::uint64_t, std::less<>>& symbols() const { return symbols_; }
    /// The memory of the __device__ variables: of those in the program, and of those that were left out there.
    const std::vector<std::span<std::byte>>& memory() const { return memory_; }
    const std::vector<std::span<std::byte>>& left_out() const { return left_out_; }
    /// A variable of this constant bank that may be several in the program; empty where none is.
    const std::string& unclear(unsigned bank) const { return bank == 3 ? unclear_constant_ : unclear_address_; }

private:
    std::span<std::byte> find(const MachineSymbol& variable, std::span<const lanework_simt::ModuleVariable> all);

    struct Constant {
        std::size_t offset;
        std::span<const std::byte> value;
    };
    std::vector<std::byte> bank_, globals_, addresses_;
    std::vector<Constant> constants_;
    std::vector<std::span<std::byte>> memory_, left_out_;
    std::map<std::string, std::uint64_t, std::less<>> symbols_;
    std::string unclear_constant_, unclear_address_;
};

/// The variables of a program that machine code may call `symbol`: the same but for unnamed namespaces and linkage,
/// which compilers spell in ways of their own.
std::vector<lanework_simt::ModuleVariable> variables_named(std::span<const lanework_simt::ModuleVariable> all,
                                                           const std::string& symbol);

}  // namespace lanework
