// A declaration of shared memory, taken apart: specifiers, declarators, the name within each.
#pragma once

#include <functional>
#include <set>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// The words that declare shared memory: __shared__ and the macros that stand for it.
using SharedWords = std::set<std::string, std::less<>>;

/// One declarator: tokens [begin, end), the name at [name, behind_name), which ## may join from several tokens.
struct Declarator {
    std::size_t begin, end, name, behind_name;
};

struct Declaration {
    /// All tokens but the `;`, which is token `end` (in a macro's body it may be left out).
    std::size_t begin = 0, end = 0;
    bool is_extern = false;
    /// alignas(…) and the like, as the head of a class takes them; empty when there are none.
    std::string alignment;
    /// Storage classes and alignments: the tokens that a reference cannot keep.
    std::set<std::size_t> specifiers;
    std::vector<Declarator> declarators;
};

/// Reads the declaration around the token `word`. Throws MalformedError for an initializer, a missing name or end.
Declaration read_declaration(const Stream& stream, const Brackets& brackets, const SharedWords& words, bool macro_body,
                             std::size_t word);

}  // namespace lanework::cudafe
