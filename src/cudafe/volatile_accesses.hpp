// Accesses to volatile memory, before which the lanes of a warp wait for each other: programs written before Volta rely
// on it (`volatile float* s; s[t] += s[t + 16]; s[t] += s[t + 8];`), and GPUs still mostly do it.
#pragma once

#include <map>
#include <set>

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// How a warp's lanes keep step in volatile memory.
enum class Lockstep {
    none,
    /// They come together behind branches and loops; the hooks of instrumented code see the accesses.
    hooked,
    /// The accesses are calls, too.
    called
};

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

/// Puts the accesses of device code and of macros into calls, each with its column:
///   s[t] += s[t + 16];   ::lanework_simt::lockstep(s[t], 1) += ::lanework_simt::lockstep(s[t + 16], 9);
/// and likewise *s, *(s + t), ((volatile int*)p)[t], *(volatile int*)p, and a variable that is volatile itself.
void rewrite_volatile_accesses(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                               const DeviceCode& device, Edits& edits);

/// Lets lanes wait for each other behind each branch and loop with such accesses, and where `continue` leads to:
///   if (t < 16) s[t] += s[t + 16];    if (t < 16) s[t] += s[t + 16]; ::lanework_simt::rejoin(31);
void rewrite_rejoins(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                     const DeviceCode& device, Edits& edits);

}  // namespace lanework::cudafe
