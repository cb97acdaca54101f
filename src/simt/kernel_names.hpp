// The names of kernels that are known by their address alone.
#pragma once

#include <string>
#include <string_view>

namespace lanework_simt {

/// A function's name as the program's symbols have it, template arguments included, without its parameters and without
/// unnamed namespaces; empty where they have none: the program was stripped.
std::string symbol_name(const void* function);

/// The same of a demangled symbol: `void scale<int>(int*, int)` is scale<int>.
std::string bare_symbol(std::string_view symbol);

}  // namespace lanework_simt
