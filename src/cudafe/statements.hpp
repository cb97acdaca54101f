// The statements of a function's body, as far as their text shows them: where each begins and ends, what it declares,
// and what it holds. Names and types are not resolved.
#pragma once

#include <optional>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// A variable of a declaration: `*const name[4][8] = {…}` behind the type.
struct DeclaredVariable {
    std::size_t name = 0;
    /// `*`, `&` and their qualifiers before the name; the subscripts behind it; `= …`, `(…)` or `{…}`.
    TokenRange pointers{}, subscripts{}, initializer{};
};

struct Statement {
    enum class Kind {
        empty,
        /// __syncthreads();
        barrier,
        declaration,
        /// using and typedef.
        alias,
        expression,
        compound,
        /// if: `inner` is its statement, and that behind else.
        branch,
        /// `inner` of a for is what begins it, and its statement; of while and do, its statement.
        for_loop,
        while_loop,
        do_loop,
        /// return, break, continue.
        jump,
        /// switch and loops over ranges: `inner` is its statement.
        other,
    };
    Kind kind = Kind::empty;
    TokenRange all{}, condition{}, step{};
    std::vector<Statement> inner{};
    /// Of a declaration: the specifiers and the type.
    TokenRange type{};
    std::vector<DeclaredVariable> variables{};
    /// Its own expressions, not those of `inner`, name operations of the warp.
    bool meets = false;
    /// A barrier or an operation of the warp stands in it, beside other statements of its own; and whether a barrier.
    bool waits = false, has_barrier = false;
};

/// The statements between the braces of a body; nothing where one of them is not understood: labels, classes, lambdas,
/// attributes, structured bindings.
std::optional<std::vector<Statement>> read_statements(const Stream& stream, const Brackets& brackets, TokenRange body);

/// A word of the language that no expression or declaration of a name ends with: `return` before a name is no type.
bool is_statement_word(const Token& token);

}  // namespace lanework::cudafe
