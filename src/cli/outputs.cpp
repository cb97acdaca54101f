// Outputs that would harm each other, an input or nobody but the user's patience are refused before the work.
#include "src/cli/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lanework/error.hpp>
#include <lanework/image_file.hpp>
#include <optional>

#include "src/cli/interrupt.hpp"
#include "src/io/file.hpp"

namespace lanework {
namespace {

constexpr std::string_view kStdout = "-";

/// Whether the shell sends the standard output to this file already.
bool is_standard_output(const std::string& path) {
    struct stat output {
    }, file{};
    return ::fstat(STDOUT_FILENO, &output) == 0 && S_ISREG(output.st_mode) && !is_stream(path) &&
           ::stat(path.c_str(), &file) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino;
}

/// Whether it would replace an input, or a picture of a folder that is one: folders of pictures are all that is read.
bool would_replace(const std::filesystem::path& output, const std::filesystem::path& input) {
    if (is_same_file(output, input)) return true;
    std::error_code code;
    return std::filesystem::is_directory(input, code) && has_image_extension(output) &&
           std::filesystem::exists(output, code) &&
           is_same_file(std::filesystem::absolute(output).parent_path(), input);
}

}  // namespace

std::vector<FilePlan::Named> FilePlan::named_files() const {
    std::vector<Named> named;
    for (const Output& output : files_)
        if (std::string path = output.value(); !path.empty()) named.push_back({output.option, std::move(path)});
    return named;
}

void FilePlan::check() const {
    const std::vector<Named> named = named_files();
    for (std::size_t i = 0; i < named.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            if (named[i].path == kStdout && named[j].path == kStdout)
                throw UsageError(fmt::format("{} and {} cannot both go to the standard output; give one of them a file",
                                             named[j].option, named[i].option));
            if (named[i].path != kStdout && named[j].path != kStdout && is_same_file(named[i].path, named[j].path))
                throw UsageError(fmt::format("{} {} and {} {} are one file; give each a file of its own",
                                             named[j].option, named[j].path, named[i].option, named[i].path));
        }
    for (const Named& output : named) {
        if (output.path == kStdout) continue;
        for (const Value& input : inputs_)
            if (const std::string path = input(); !path.empty() && would_replace(output.path, path))
                throw UsageError(fmt::format("{} {} is an input and would be overwritten; name another file",
                                             output.option, output.path));
        if (is_standard_output(output.path))
            throw UsageError(fmt::format("{} {}: the standard output goes to this file already; name another one",
                                         output.option, output.path));
        require_writable(output.path);
    }
    for (const Output& output : folders_)
        if (const std::string folder = output.value(); !folder.empty()) require_folder_writable(folder);
}

void write_output(const std::filesystem::path& path, std::span<const std::span<const std::uint8_t>> pieces) {
    std::optional<HoldInterrupts> hold;  // a pipe may block for ever: nothing there is half-written that a signal ends
    if (!is_stream(path)) hold.emplace();
    write_file(path, pieces);
}

void write_output(const std::filesystem::path& path, std::string_view text) {
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    write_output(path, std::span(&bytes, 1));
}

}  // namespace lanework
