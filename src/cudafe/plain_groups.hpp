// Cooperative groups as plain CUDA: a block's barriers and a tile's operations of the warp with the mask of its lanes,
// as NVIDIA's headers define them. What is proved of kernels, and their regions, are made of that text; compiled is the
// program's own.
#pragma once

#include <string>
#include <vector>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// The text of a file, with as many lines and functions as it had.
struct PlainText {
    std::string text;
    /// Where the file's text has what stands at an offset of this one, outside of what was replaced.
    std::size_t original(std::size_t offset) const;

    struct Replaced {
        std::size_t begin, length, by;
    };
    /// In the file's order, which do not overlap.
    std::vector<Replaced> replaced;
};

/// The texts of a program's files, in their order. A group whose kind and size the text does not show stays as it is.
std::vector<PlainText> plain_groups(const std::vector<const TokenizedFile*>& files);

}  // namespace lanework::cudafe
