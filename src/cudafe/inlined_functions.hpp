// Puts the text of device functions that wait in the place of their calls, so that a kernel's waits are all its own.
#pragma once

#include <map>
#include <string>

#include "src/cudafe/uniformity.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// The functions of a program's files, as far as they are understood. Refers to the files' tokens.
class DeviceFunctions {
public:
    /// `brackets` are the file's, and last as long.
    void add(const TokenizedFile& file, const Brackets& brackets);

    struct Definition {
        const TokenizedFile* file;
        const Brackets* brackets;
        /// Its template's parameters, what it gives, its own parameters, and its body, between the brackets.
        TokenRange template_parameters{}, result{}, parameters{}, body{};
    };
    /// The function of that name; null where there are several, or its text cannot stand elsewhere.
    const Definition* find(std::string_view name) const;

private:
    std::multimap<std::string, Definition, std::less<>> definitions_;
};

/// The text of a kernel's body, from behind its `{` up to its `}`, in which calls of functions that wait are their
/// bodies. What cannot be put in place stays a call. `head` is the text in front of the body, from its declaration's
/// begin on.
std::string with_inlined_functions(const std::string& head, std::string body, const DeviceFunctions& functions,
                                   const Waiting& waiting);

/// Whether directives stand in a body: its text is not what the compiler sees, or of another place.
bool has_directives(const TokenizedFile& file, TokenRange body);

}  // namespace lanework::cudafe
