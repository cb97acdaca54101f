// Cuts a kernel at its barriers: what stands between two of them becomes a loop over the threads of a block, so that
// nobody waits. docs/decisions/loops-between-barriers.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "src/cudafe/uniformity.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// A kernel whose barriers are all its own.
struct CutKernel {
    std::string name;
    /// Behind the `{` of its body.
    std::size_t offset = 0;
    /// What stands there besides, in one line: the kernel in loops between its barriers, for a block that is to run so.
    /// Empty where it is not cut.
    std::string text;
};

/// The definitions in a file of kernels that wait at barriers of their own alone.
std::vector<CutKernel> cut_at_barriers(const TokenizedFile& file, const Brackets& brackets, const Waiting& waiting,
                                       const ProgramNames& names);

}  // namespace lanework::cudafe
