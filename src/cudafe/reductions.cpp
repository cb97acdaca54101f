// Finds expression statements that are one call of an atomic function.
#include "src/cudafe/reductions.hpp"

#include <algorithm>
#include <array>

namespace lanework::cudafe {
namespace {

/// An atomic function that exists as a reduction too, in any scope.
bool reduces(const Token& token) {
    constexpr std::array<std::string_view, 9> kFunctions{"atomicAdd", "atomicSub", "atomicMin",
                                                         "atomicMax", "atomicInc", "atomicDec",
                                                         "atomicAnd", "atomicOr",  "atomicXor"};
    std::string_view name = token.text;
    for (const std::string_view scope : {"_block", "_system"})
        if (name.ends_with(scope)) name.remove_suffix(scope.size());
    return token.identifier() && std::ranges::find(kFunctions, name) != kFunctions.end();
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
