// The files of a command line: checked together before anything is computed, and all written by one function.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lanework {

/// What the options of one command read and write. Values are asked for when they are checked: the command line is
/// read by then. An empty value is none.
class FilePlan {
public:
    using Value = std::function<std::string()>;

    void reads(Value path) { inputs_.push_back(std::move(path)); }
    /// "-" is the standard output.
    void writes(std::string option, Value path) { files_.push_back({std::move(option), std::move(path)}); }
    void writes_into(std::string option, Value folder) { folders_.push_back({std::move(option), std::move(folder)}); }

    /// Throws UsageError where two outputs are one file, however it is spelled, or an output is an input, and FileError
    /// for what cannot be written.
    void check() const;

private:
    struct Output {
        std::string option;
        Value value;
    };
    struct Named {
        std::string option, path;
    };
    std::vector<Named> named_files() const;

    std::vector<Value> inputs_;
    std::vector<Output> files_, folders_;
};

/// Replaces a file by these pieces, whole or not at all, in folders that are made; Ctrl-C waits that long. Devices and
/// pipes are written straight. Throws FileError.
void write_output(const std::filesystem::path& path, std::span<const std::span<const std::uint8_t>> pieces);
void write_output(const std::filesystem::path& path, std::string_view text);

}  // namespace lanework
