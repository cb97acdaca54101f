// What a program calls volatile: read from its declarations before any access is looked at.
#pragma once

#include <map>
#include <set>
#include <string_view>

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// What a program's files call volatile, by name: whether an access is one of volatile memory the compiler decides by
/// its type (lanework_simt/lockstep.hpp).
struct VolatileNames {
    /// The word, and macros and types that hold it; true for those that are a whole type.
    std::map<std::string_view, bool> words{
        {"volatile", false}, {"add_volatile_t", true}, {"add_volatile", true}, {"add_cv_t", true}, {"add_cv", true}};
    /// Variables and members outside functions that are volatile or point to what is, and those of functions.
    std::set<std::string_view> variables, of_functions;
    /// Of these, those that may be volatile themselves.
    std::set<std::string_view> scalars;
    /// Functions that return what is volatile, or a pointer to it.
    std::set<std::string_view> returning;
    /// Functions and macros with such accesses.
    std::set<std::string_view> functions;
};

/// Adds a file's macros and types; ahead of its variables.
void collect_volatile_words(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names);
/// Adds a file's variables; ahead of its functions.
void collect_volatile_variables(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names);
/// Whether a type that is volatile reaches a template's parameter by a file's code: as an argument in angle brackets,
/// or deduced from an argument of a call. Behind all files' variables.
bool hands_volatile_to_templates(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names);
/// Adds the parameters of a file's templates to the words: each may be a volatile type. Ahead of its variables.
void collect_volatile_parameters(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names);
/// Adds a file's functions that access what is known to be volatile, or call such functions; whether there were any.
bool collect_volatile_functions(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names);

}  // namespace lanework::cudafe
