// Reads declarations of single names by what stands before and behind them.
#include "src/cudafe/own_names.hpp"

#include <algorithm>
#include <array>

namespace lanework::cudafe {

OwnNames::OwnNames(const Stream& stream, const Brackets& brackets, const std::function<bool(std::string_view)>& watched)
    : tokens_(stream.tokens), brackets_(brackets) {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
        if (tokens_[i].identifier() && watched(tokens_[i].text) && declares(i)) note_scope(i);
}

bool OwnNames::is_member(std::size_t i) const {
    return is(i - 1, ".") || is(i - 1, "::") || (i > 1 && is(i - 1, ">") && is(i - 2, "-"));
}

bool OwnNames::declared(std::size_t i) const {
    return std::ranges::any_of(scopes_, [&](const Scope& scope) {
        return scope.begin <= i && i < scope.end && scope.name == tokens_[i].text;
    });
}

bool OwnNames::shadowed(std::size_t i) const {
    return std::ranges::any_of(scopes_, [&](const Scope& scope) {
        return !scope.of_file && scope.begin <= i && i < scope.end && scope.name == tokens_[i].text;
    });
}

/// A type stands before the name, and behind it what ends a declarator.
bool OwnNames::declares(std::size_t i) const {
    if (is_member(i) || i == 0) return false;
    if (template_list(i) != kNone) return is_type(i - 1) && (is(i + 1, ">") || is(i + 1, ",") || is(i + 1, "="));
    const bool ends = is(i + 1, "(") || is(i + 1, "{") || is(i + 1, "[") || is(i + 1, ";") || is(i + 1, ",") ||
                      is(i + 1, ")") || is(i + 1, ":") || (is(i + 1, "=") && !is(i + 2, "="));
    if (!ends) return false;
    const bool pointer = (is(i - 1, "&") || is(i - 1, "*")) && i > 1;
    if (pointer) return is_type(i - 2) && is_parameter(i);
    const bool later = is(i - 1, ",") && !is(i + 1, ")") && !is(i + 1, ":") && enclosing_parenthesis(i) == kNone;
    return later || is_type(i - 1);
}

/// Whether the parentheses around `i` are a function's parameter list, as opposed to an expression's.
bool OwnNames::is_parameter(std::size_t i) const {
    const std::size_t list = enclosing_parenthesis(i);
    if (list == kNone || list == 0 || body_behind(brackets_.match(list)) == kNone) return false;
    const bool condition = is(list - 1, "if") || is(list - 1, "while") || is(list - 1, "for") || is(list - 1, "switch");
    return tokens_[list - 1].identifier() && !condition;
}

/// Any word that cannot stand right before an operand.
bool OwnNames::is_type(std::size_t i) const {
    constexpr std::array<std::string_view, 13> kWords{"return", "else",       "case",      "do",  "sizeof",
                                                      "throw",  "co_yield",   "co_return", "and", "or",
                                                      "not",    "__shared__", "goto"};
    return tokens_[i].identifier() && std::ranges::find(kWords, tokens_[i].text) == kWords.end();
}

/// The braces around the declaration; of a parameter, a template's too, its list and the body behind it.
void OwnNames::note_scope(std::size_t i) {
    if (const std::size_t list = template_list(i); list != kNone) {
        const std::size_t body = body_behind(i);
        scopes_.push_back({tokens_[i].text, list, body == kNone ? end_of_statement(i) : end_of(body), false});
        return;
    }
    if (const std::size_t list = enclosing_parenthesis(i); list != kNone) {
        const std::size_t body = body_behind(brackets_.match(list));
        scopes_.push_back({tokens_[i].text, list, body == kNone ? brackets_.match(list) : end_of(body), false});
        return;
    }
    const std::size_t brace = brackets_.brace(i);
    const bool file = brace == kNone;
    scopes_.push_back({tokens_[i].text, file ? 0 : brace, file ? tokens_.size() : end_of(brace), file});
}

std::size_t OwnNames::end_of_statement(std::size_t i) const {
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) ++i;
    return i;
}

/// The `<` of the list of a template's parameters that `i` stands in; kNone where it stands in none.
std::size_t OwnNames::template_list(std::size_t i) const {
    for (std::size_t inner = 0; i-- > 0;) {
        if (is(i, ")") || is(i, "]")) {
            if (brackets_.match(i) == kNone) return kNone;
            i = brackets_.match(i);
        } else if (is(i, ">")) {
            ++inner;
        } else if (is(i, "<")) {
            if (inner == 0) return i > 0 && is(i - 1, "template") ? i : kNone;
            --inner;
        } else if (is(i, "(") || is(i, "{") || is(i, "}") || is(i, ";")) {
            return kNone;
        }
    }
    return kNone;
}

std::size_t OwnNames::end_of(std::size_t brace) const {
    const std::size_t close = brackets_.match(brace);
    return close == kNone ? tokens_.size() : close;
}

/// The parenthesis that is open at `i` within the braces around it.
std::size_t OwnNames::enclosing_parenthesis(std::size_t i) const {
    while (i-- > 0) {
        if (is(i, ")") || is(i, "]") || is(i, "}")) {
            if (brackets_.match(i) == kNone) return kNone;
            i = brackets_.match(i);
        } else if (is(i, "(")) {
            return brackets_.match(i) == kNone ? kNone : i;
        } else if (is(i, "{") || is(i, ";")) {
            return kNone;
        }
    }
    return kNone;
}

/// The brace of the function whose parameter list ends at `close`; kNone for a mere declaration.
std::size_t OwnNames::body_behind(std::size_t close) const {
    for (std::size_t i = close + 1; i < tokens_.size(); ++i) {
        if (is(i, "{")) return i;
        if (is(i, ";") || is(i, "}") || is(i, ")")) return kNone;
        if (is(i, "(") && brackets_.match(i) != kNone) i = brackets_.match(i);
    }
    return kNone;
}

}  // namespace lanework::cudafe
