// What a rung is built with besides its own file: more sources, folders of headers, macros, libraries. They are written
// as nvcc is told, and both compilers are told the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/nvcc_options.hpp"

namespace lanework {

struct BuildWords {
    /// For nvcc; paths are whole.
    std::vector<std::string> words;
    /// The same, read.
    BuildRequest request;

    bool empty() const { return words.empty(); }
    /// Puts more behind what there is.
    void append(const BuildWords& more);

    std::vector<std::filesystem::path> sources() const;
    /// Of -I, then of -L and those that libraries lie in.
    std::vector<std::filesystem::path> header_folders() const;
    std::vector<std::filesystem::path> library_folders() const;
    /// Objects and libraries that are named by their file.
    std::vector<std::filesystem::path> binaries() const;

    /// The first word that a rung which is not trusted may not say of itself: all but macros, .cu sources and folders
    /// of headers inside its own folder. Empty where there is none.
    std::string beyond_own_sources(const std::filesystem::path& folder) const;
};

/// Splits at blanks; "…" and '…' keep theirs. Throws UsageError for a quote that is not closed.
std::vector<std::string> split_build_words(std::string_view text);
/// Paths are those from `folder`. Throws UsageError for a word that nvcc would not know, or that decides what is built.
BuildWords read_build_words(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace lanework
