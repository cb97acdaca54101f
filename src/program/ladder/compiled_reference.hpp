// A reference in C++: the Python that compiles it, and hands its function arrays and numbers by the names of its
// parameters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanework {

struct ReferenceArray {
    std::string name;
    /// Its lengths as they are written: "2*n".
    std::vector<std::string> lengths;
    bool input = true, output = false;
};

/// "ema.cpp", "ema.cc:smooth".
bool names_compiled_reference(const std::string& word);

struct CompiledReference {
    std::filesystem::path file;
    std::string function;
    /// reference.py, beside which the file is reference.cpp.
    std::string python;
};

/// Of the function that the word names, or the only one, or the one that is called as the operation. It is void and
/// writes its results. Throws FileError for a file that cannot be read, UsageError for a function that cannot be bound.
CompiledReference compiled_reference(const std::string& word, const std::string& operation,
                                     const std::vector<ReferenceArray>& arrays,
                                     const std::vector<std::string>& numbers);

}  // namespace lanework
