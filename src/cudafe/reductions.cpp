// Finds expression statements that are one call of an atomic function.
#include "src/cudafe/reductions.hpp"

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

/// An atomic function that exists as a reduction too, in any scope.
bool reduces(const Token& token) {
    return token.identifier() && is_atomic(token.text) && !token.text.starts_with("atomicExch") &&
           !token.text.starts_with("atomicCAS");
}

/// Whether a statement can begin behind the token: behind another one, or behind the head of an if or a loop.
bool begins_statement(const Stream& stream, const Brackets& brackets, std::size_t before) {
    const Token& token = stream.tokens[before];
    if (token.is(";") || token.is("{") || token.is("}") || token.is("else") || token.is("do")) return true;
    if (!token.is(")")) return false;
    const std::size_t open = brackets.match(before);
    if (open == kNone || open == 0) return false;
    const Token& head = stream.tokens[open - 1];
    return head.is("if") || head.is("for") || head.is("while") || head.is("constexpr");
}

}  // namespace

void rewrite_reductions(const Stream& stream, const Brackets& brackets, Edits& edits) {
    const auto& tokens = stream.tokens;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (!reduces(tokens[i]) || !tokens[i + 1].is("(") || !begins_statement(stream, brackets, i - 1)) continue;
        const std::size_t close = brackets.match(i + 1);
        if (close == kNone || close + 1 >= tokens.size() || !tokens[close + 1].is(";")) continue;
        if (brackets.in_function(i)) edits.insert(tokens[i].offset, "::lanework_simt::discard_old_value(), ");
    }
}

}  // namespace lanework::cudafe
