// From a program counter to the line of the source that a person wrote, by the debugging information (DWARF) of this
// very process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/trace/analyse/site.hpp"

namespace lanework {

class SourceLines {
public:
    SourceLines();
    ~SourceLines();

    /// The place that called a hook which returns to `pc`: the innermost function that is the kernel author's, where
    /// the device's own headers (atomics, __ldg, vector types) and the system's stand for the line that uses them.
    /// Line 0 where nothing is known; the reference lives as long as this object.
    const SourcePlace& find(std::uint64_t pc);

    /// Whether the code before `pc` lies in the device's own headers, where it does what a GPU has an instruction for:
    /// conversions and arithmetic of halves, permutations of bytes.
    bool emulates(std::uint64_t pc);

    /// Whether the code before `pc` lies in the device's own headers, or in the system's, called by those.
    bool of_device(std::uint64_t pc);

    /// The functions that hold the place: the one that was compiled first, then those that were inlined into it, to the
    /// innermost. Templates' names have their arguments: "sum<float, 4>".
    std::vector<std::string> functions(std::uint64_t pc);

    /// False when a place that was asked for has no line.
    bool available() const { return reason_.empty(); }
    /// Why the first such place has none, in one sentence; else empty.
    const std::string& reason() const { return reason_; }

private:
    class Program;

    std::unique_ptr<Program> program_;
    std::unordered_map<std::uint64_t, SourcePlace> places_;
    std::unordered_map<std::uint64_t, bool> emulates_;
    std::string reason_;
};

/// A file as SourcePlace names it: relative to the project's root or to the folder that we are in where it lies within,
/// without "." and "..".
std::string project_file(const std::string& file);

/// Whether a file belongs to the device or the system, and not to a kernel's author.
bool is_plumbing(const std::string& project_file);

}  // namespace lanework
