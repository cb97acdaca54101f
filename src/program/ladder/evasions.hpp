// What a rung may not hold because it takes code away from those who watch it.
#pragma once

#include <filesystem>
#include <string>

namespace lanework {

/// Looks at the words of the file and of those that it includes from its own folder: attributes that leave code without
/// hooks, pasted words, names of the device's own functions. One line that says which and where; empty for none.
std::string evading_word(const std::filesystem::path& file);
/// Whether a macro makes words of parts (`##`): then only the preprocessed file shows what it says.
bool pastes_words(const std::filesystem::path& file);
/// The same of a text that the preprocessor made of the file.
std::string evading_word_of_preprocessed(const std::filesystem::path& file, const std::string& text);

/// Looks at the symbols of a built library: hooks that it defines itself, functions that stop the watch or find others
/// by their names. One line; empty for none, and where the file cannot be read.
std::string evading_symbol(const std::filesystem::path& library);

}  // namespace lanework
