// What a rung's file says about itself: the kernels and launchers that it defines, and what its first comment states.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanework {

struct KernelParameter {
    /// As it is written, without the name and `__restrict__`: "const float *".
    std::string type, name;
    bool pointer() const { return type.find('*') != type.npos; }
};

/// A function that can be called with arguments of ours.
struct KernelFunction {
    std::string name;
    /// Names of the types that it is a template of; other template parameters are not known by name.
    std::vector<std::string> type_parameters;
    std::vector<KernelParameter> parameters;
    /// A kernel; else a host function that launches some.
    bool kernel = true;
    int line = 0;
};

struct KernelFile {
    std::filesystem::path path;
    std::vector<KernelFunction> functions;
    /// "grid: ceil(n/4)" in the comment at the file's start.
    std::map<std::string, std::string, std::less<>> stated;
    /// The comment's other lines: what the file teaches.
    std::string lesson;

    std::string state(std::string_view key) const;
    /// The kernel or launcher of this name; the launcher or the only kernel where it is empty. Throws UsageError that
    /// says what there is.
    const KernelFunction& function(std::string_view name) const;
    /// Of a file for the processor: the function of this name; else launch(), the operation's, the file's, or the only
    /// one. Throws UsageError that says what there is.
    const KernelFunction& host_function(std::string_view name, std::string_view operation) const;
};

/// Where files are included by a path: one that begins with `prefix` goes on below `folder`.
struct IncludeRoot {
    IncludeRoot() = default;
    IncludeRoot(std::filesystem::path below) : folder(std::move(below)) {}  // NOLINT(google-explicit-constructor)
    IncludeRoot(std::filesystem::path below, std::filesystem::path behind)
        : folder(std::move(below)), prefix(std::move(behind)) {}
    std::filesystem::path folder, prefix;

    /// Empty for a path that begins otherwise, and for no root.
    std::filesystem::path find(const std::filesystem::path& include) const;
    /// How a file below the folder is included.
    std::filesystem::path name_of(const std::filesystem::path& file) const;
};

/// The file and those that it includes from its own folder, and they from theirs, each once; also those of its folder
/// that are included by a path from `root`.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& file, const IncludeRoot& root = {});
/// The same of several files, whose includes are looked for in these folders, too.
std::vector<std::filesystem::path> files_of(std::vector<std::filesystem::path> files,
                                            const std::vector<std::filesystem::path>& folders);
/// A file's name from the folder that we are in where it is below it: as compilers and people name it.
std::string shown_path(const std::filesystem::path& file);

/// Throws FileError for a file that cannot be read or is cut off in a literal or a comment.
KernelFile read_kernel_file(const std::filesystem::path& path);
/// The same of a text.
KernelFile parse_kernel_file(const std::filesystem::path& path, const std::string& text);

}  // namespace lanework
