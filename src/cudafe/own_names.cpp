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
    return (is(i - 1, ".") && !is(i - 2, ".")) || is(i - 1, "::") || (i > 1 && is(i - 1, ">") && is(i - 2, "-"));
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
    if (template_list(i) != kNone)
        return is_type(last_of_type(i)) && (is(i + 1, ">") || is(i + 1, ",") || is(i + 1, "="));
    const bool ends = is(i + 1, "(") || is(i + 1, "{") || is(i + 1, "[") || is(i + 1, ";") || is(i + 1, ",") ||
                      is(i + 1, ")") || is(i + 1, ":") || (is(i + 1, "=") && !is(i + 2, "="));
    if (!ends) return false;
    const bool pointer = (is(i - 1, "&") || is(i - 1, "*")) && i > 1;
    if (pointer) return is_type(i - 2) && is_parameter(i);
    const bool later = is(i - 1, ",") && !is(i + 1, ")") && !is(i + 1, ":") && enclosing_parenthesis(i) == kNone;
    return later || is_type(last_of_type(i));
}

/// The token before the name, or before the dots of a pack.
std::size_t OwnNames::last_of_type(std::size_t i) const {
    return i > 3 && is(i - 1, ".") && is(i - 2, ".") && is(i - 3, ".") ? i - 4 : i - 1;
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
        const std::size_t body = body_behind(end_of_template_list(list));
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

/// The `<` of the list of a template's or a lambda's template parameters that `i` stands in; kNone where it stands in
/// none.
std::size_t OwnNames::template_list(std::size_t i) const {
    for (std::size_t inner = 0; i-- > 0;) {
        const bool value = is(i, "}") && is(i + 1, ">");  // is_integral<T>{}>
        if (is(i, ")") || is(i, "]") || value) {
            if (brackets_.match(i) == kNone) return kNone;
            i = brackets_.match(i);
        } else if (is(i, ">")) {
            ++inner;
        } else if (is(i, "<")) {
            if (inner == 0) return i > 0 && (is(i - 1, "template") || is_introducer(i - 1)) ? i : kNone;
            --inner;
        } else if (is(i, "(") || is(i, "{") || is(i, "}") || is(i, ";")) {
            return kNone;
        }
    }
    return kNone;
}

/// The `>` that closes a list of template parameters; the `<` itself where it is not found.
std::size_t OwnNames::end_of_template_list(std::size_t open) const {
    std::size_t inner = 0;
    for (std::size_t i = open + 1; i < tokens_.size() && !is(i, ";"); ++i) {
        const bool bracket = is(i, "(") || is(i, "[") || is(i, "{");
        if (bracket && brackets_.match(i) != kNone)
            i = brackets_.match(i);
        else if (is(i, "<"))
            ++inner;
        else if (is(i, ">") && inner-- == 0)
            return i;
    }
    return open;
}

/// Whether a lambda's introducer ends here, as opposed to a subscript.
bool OwnNames::is_introducer(std::size_t close) const {
    if (!is(close, "]") || brackets_.match(close) == kNone) return false;
    const std::size_t open = brackets_.match(close);
    return open == 0 || !(is(open - 1, ")") || is(open - 1, "]") || is_type(open - 1));
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

/// The brace of the function whose parameter list, or list of template parameters, ends at `close`; kNone for a mere
/// declaration.
std::size_t OwnNames::body_behind(std::size_t close) const {
    for (std::size_t i = close + 1; i < tokens_.size(); ++i) {
        if (is(i, "{")) {
            const bool value = is(end_of(i) + 1, ">");  // std::enable_if_t<std::is_integral<T>{}>
            if (!value) return i;
            i = end_of(i);
            continue;
        }
        if (is(i, ";") || is(i, "}") || is(i, ")")) return kNone;
        if (is(i, "(") && brackets_.match(i) != kNone) i = brackets_.match(i);
    }
    return kNone;
}

}  // namespace lanework::cudafe
