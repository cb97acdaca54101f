// Whole files: read at once, written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// The bytes of a regular file of at most 2 GiB. Throws FileError that names the file and what is wrong with it.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);
/// The same as text.
std::string file_text(const std::filesystem::path& path);
/// What a file or a pipe holds; nothing of one that cannot be opened, and of a folder.
std::optional<std::string> readable_text(const std::filesystem::path& path);
/// The same; empty where there is nothing to read.
std::string text_of(const std::filesystem::path& path);

/// Replaces the file by these bytes: they go to a temporary file beside it, which then takes its name and
/// permissions. Missing folders are made. Throws FileError; then nothing of the new content is left and the old content
/// is untouched. A stream is written straight.
void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

/// The same with the content in pieces, which are not put together in memory first.
void write_file(const std::filesystem::path& path, std::span<const std::span<const std::uint8_t>> pieces);

/// Throws FileError when write_file could not work: the path is a folder, or its folder cannot be written to. Leaves
/// nothing behind. Call it before long work.
void require_writable(const std::filesystem::path& path);
/// The same for files in a folder, which may be missing.
void require_folder_writable(const std::filesystem::path& folder);

/// Whether a path is a device of characters or a pipe, such as /dev/null or the shell's >(program), or names a file
/// that this process has open already (/dev/fd/3).
bool is_stream(const std::filesystem::path& path);
/// Whether two paths lead to one file, however they are spelled, whether it is there or not. Streams are no such files.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// The folder that TMPDIR names, or /tmp, also where no file can be made in it: who tries to says so by its name.
std::filesystem::path temporary_folder();

}  // namespace lanework
