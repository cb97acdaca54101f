// What an object was compiled from: the files that the compiler read, each as it was then, and those that it looked
// for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/include_search.hpp"

namespace lanework {

struct ReadFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    /// Nanoseconds; what was changed since is compared by its content.
    std::int64_t changed = 0;
    std::string digest;
};

class Manifest {
public:
    /// Of files as they are now, and of what their includes look for; nothing where one cannot be read.
    static std::optional<Manifest> of(const std::vector<std::filesystem::path>& files, IncludeSearch searched = {});
    /// What text() gave; nothing for anything else.
    static std::optional<Manifest> read(std::string_view text);

    std::string text() const;
    /// Whether every file still has its content, and no other has come to lie where the compiler looks first.
    bool holds() const;
    /// Names all the contents together.
    std::string key() const;
    const std::vector<ReadFile>& files() const { return files_; }
    /// Whether a file was changed at this time of now() or later: it may be another one than was read.
    bool changed_since(std::int64_t nanoseconds) const;
    /// This moment as file times count it.
    static std::int64_t now();

private:
    std::vector<ReadFile> files_;
    IncludeSearch searched_;
};

/// The files of a rule for make ("x.o: a.h b\ c.h \"), without its targets.
std::vector<std::filesystem::path> files_of_rule(std::string_view rule);

}  // namespace lanework
