// The arguments of a launch: where each stands, and those that are written into the call of the kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/cudafe/brackets.hpp"
#include "src/cudafe/source.hpp"

namespace lanework::cudafe {

/// The arguments in the parenthesis at `open`; an empty one has no tokens.
std::vector<TokenRange> split_arguments(const std::vector<Token>& tokens, const Brackets& brackets, std::size_t open);

/// Whether it is 0 or NULL, which may be a null pointer, or a list in braces: what it is depends on the parameter.
bool depends_on_parameter(const std::vector<Token>& tokens, TokenRange argument);

/// Lists of arguments that stand for a launch's, with names in place of what is kept for the threads.
struct LiteralArguments {
    /// Parameters of a lambda, `auto&& a, auto&& b` or `auto& a, auto& b`, and the arguments made of them.
    std::string forwarded, given, kept, spelled;
};
/// Takes 0, NULL, braces and the literals in them out of the arguments in the parenthesis at `open`, and says what the
/// kernel is called with. Nothing where no argument is such a one, or one cannot be taken apart.
std::optional<LiteralArguments> take_literals(const std::vector<Token>& tokens, const Brackets& brackets,
                                              std::size_t open, Edits& edits);

}  // namespace lanework::cudafe
