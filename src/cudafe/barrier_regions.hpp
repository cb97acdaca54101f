// Cuts a kernel where its threads wait for each other, at barriers and operations of the warp: what stands between two
// of them becomes a loop over the threads of a block, so that nobody waits. docs/decisions/loops-between-barriers.md
// has the rules.
#pragma once

#include <string>
#include <vector>

#include "src/cudafe/inlined_functions.hpp"
#include "src/cudafe/uniformity.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// A kernel whose waits are all its own, or of functions whose text can stand in it.
struct CutKernel {
    std::string name;
    /// Behind the `{` of its body.
    std::size_t offset = 0;
    /// What stands there besides, in one line: the kernel in loops between its barriers, for a block that is to run so.
    /// Empty where it is not cut.
    std::string text;
};

/// The definitions in a file of kernels that wait at barriers and operations of the warp alone.
std::vector<CutKernel> cut_at_barriers(const TokenizedFile& file, const Brackets& brackets, const Waiting& waiting,
                                       const ProgramNames& names, const DeviceFunctions& functions);

}  // namespace lanework::cudafe
