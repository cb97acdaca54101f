// What the symbol table of a program or of a library that it loaded says: the names of kernels that are known by their
// address alone, and where variables lie.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanework_simt {

/// A function's name as the program's symbols have it, template arguments included, without its parameters and without
/// unnamed namespaces; empty where they have none: the program was stripped.
std::string symbol_name(const void* function);

/// The same of a demangled symbol: `void scale<int>(int*, int)` is scale<int>.
std::string bare_symbol(std::string_view symbol);

struct ModuleVariable {
    /// As the linker sees it.
    std::string symbol;
    std::byte* address;
    std::size_t bytes;
    /// The source file that a variable of one file's own stands in, without its folder: "sum.cu.cpp"; else empty.
    std::string file = {};
};

/// The variables of the program or library that `code` was loaded from; none where it was stripped.
std::vector<ModuleVariable> module_variables(const void* code);

}  // namespace lanework_simt
