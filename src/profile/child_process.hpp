// Running another program and reading what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// A file that nobody else has, gone with its owner, or where a signal ends the program, by remove_temporary_files().
class TemporaryFile {
public:
    /// Its name ends so (".o"). Throws FileError where none can be made.
    explicit TemporaryFile(std::string_view ending = {});
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    const std::filesystem::path& path() const { return path_; }
    std::string text() const;

private:
    std::filesystem::path path_;
    int place_ = -1;  // among those that a signal removes
};

/// Removes those that there are now; only calls that a signal's handler may make.
void remove_temporary_files() noexcept;

/// Runs a program (its path and its arguments) with its standard output appended to a file and, where one is given, its
/// standard error to another. Returns how it ended: its exit status, or 128 and its signal. Throws UnavailableError
/// when it cannot be run.
int run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                const std::filesystem::path& errors = {});

}  // namespace lanework
