// What a rung may not hold because it takes code away from those who watch it.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace lanework {

/// Looks at the words of a rung's files, those that it includes among them: attributes that leave code without hooks,
/// pasted words, names of the device's own functions. One line that says which and where; empty for none.
std::string evading_word(std::span<const std::filesystem::path> files);
/// Whether a macro makes words of parts (`##`), or assembly of its arguments: then only the preprocessed file shows
/// what it says.
bool pastes_words(std::span<const std::filesystem::path> files);
/// The same of a text that the preprocessor made of the file.
std::string evading_word_of_preprocessed(const std::filesystem::path& file, const std::string& text);

/// Looks at the symbols of a rung's objects: hooks that they define themselves, functions that stop the watch or find
/// others by their names. What they are linked with is not theirs: a static C++ library calls syscall(). One line;
/// empty for none, and where the files cannot be read.
std::string evading_symbol(std::span<const std::filesystem::path> objects);
/// The same for calls that computing on a device has no use for and that can only go wrong in the cell: threads,
/// processes, signals, timers. By their names they are known before anything runs, whatever the machine forbids.
std::string forbidden_symbol(std::span<const std::filesystem::path> objects);
/// Whether a library makes textures or surfaces.
bool makes_textures(const std::filesystem::path& library);

}  // namespace lanework
