// One file's text to its edits: everything that is CUDA's own syntax.
#pragma once

#include "src/cudafe/declaration.hpp"
#include "src/cudafe/kernel_addresses.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// What all files of a program have to know of each other.
struct Words {
    /// Macros that stand for the word __shared__: `#define SHARED __shared__`.
    SharedWords shared{"__shared__"};
    KernelNames kernels;
    Waiting waiting;
};
/// Adds those of a file.
void collect_words(const TokenizedFile& file, Words& words);

/// The edits that turn CUDA's syntax into calls of the simt headers; none for a file that is C++ as it stands.
/// Throws MalformedError.
Edits translate(const TokenizedFile& file, const Words& words);

}  // namespace lanework::cudafe
