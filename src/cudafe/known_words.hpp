// Words of CUDA C++ whose meaning needs no declaration in the program.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace lanework::cudafe {

/// Whether a word is one of some words.
template <std::size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Types whose names need no declaration in the program: a call of one is a cast.
bool is_known_type(std::string_view word);
/// Words of whole numbers' types that hold every index of a grid.
bool is_whole_number(std::string_view word);
/// Words of any number's type, for which no program can have operators.
bool is_number(std::string_view word);
/// Words before a parenthesis that call nothing.
bool is_keyword(std::string_view word);
/// Functions of the language's libraries that compute from their arguments alone, or read or write one address.
bool computes(std::string_view word);
/// CUDA's atomic functions, of every scope.
bool is_atomic(std::string_view word);

}  // namespace lanework::cudafe
