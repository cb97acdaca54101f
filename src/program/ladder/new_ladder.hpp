// A ladder's first files, written so that they can be verified at once and say what to change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanework {

struct NewLadder {
    std::filesystem::path folder;
    /// "x:float[n,m]".
    std::vector<std::string> inputs, in_place, outputs;
    /// "scale:0.125".
    std::vector<std::string> scalars;
    /// "softmax.py", "softmax.py:rows": a function that is there already; empty for one to be written.
    std::string reference;
};

/// Writes operation.json, reference.py, naive.cu and README.md into a new folder; their names. Throws UsageError for
/// what is no array, FileError where the folder is there and not empty, or cannot be written.
std::vector<std::filesystem::path> write_new_ladder(const NewLadder& wanted);

}  // namespace lanework
