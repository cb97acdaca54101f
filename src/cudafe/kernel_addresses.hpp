// Kernels that a program hands over as plain addresses: cudaLaunchKernel((void*)kernel, …), node.func = (void*)kernel.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// The names that a program declares with __global__, each with the parameters that are references, counted from 0.
using KernelNames = std::map<std::string, std::set<std::size_t>, std::less<>>;

/// Adds the kernels that a stream declares.
void collect_kernel_names(const Stream& stream, const Brackets& brackets, KernelNames& names);

/// Where a kernel, or a call's first argument, is cast to void*, makes its parameters' types known for its address:
///   (void*)kernel    (void*)::lanework_simt::launchable(kernel)
void rewrite_kernel_addresses(const Stream& stream, const Brackets& brackets, const KernelNames& names, Edits& edits);

}  // namespace lanework::cudafe
