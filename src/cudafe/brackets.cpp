// Matching brackets. What does not match is left unmatched: the compiler reports it, at the right place.
#include "src/cudafe/brackets.hpp"

#include <algorithm>
#include <tuple>

namespace lanework::cudafe {
namespace {

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

char partner(const Token& closing) {
    const char c = closing.text.front();
    return c == ')' ? '(' : c == ']' ? '[' : '{';
}

bool is_specifier_call(const Token& token) {
    return token.is("alignas") || token.is("__align__") || token.is("__builtin_align__") || token.is("__attribute__") ||
           token.is("decltype");
}

}  // namespace

std::size_t declaration_start(const Stream& stream, std::size_t token) {
    const auto& tokens = stream.tokens;
    while (token > 0 && !tokens[token - 1].is(";") && !tokens[token - 1].is("}") && !tokens[token - 1].is("{")) --token;
    return token;
}

Brackets::Brackets(const Stream& stream, const std::vector<Conditional>& conditionals)
    : stream_(stream), match_(stream.tokens.size(), kNone), brace_(stream.tokens.size(), kNone) {
    std::vector<std::size_t> open, braces;
    std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> saved;
    auto conditional = conditionals.begin();
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        for (; conditional != conditionals.end() && conditional->token <= i; ++conditional) {
            if (conditional->kind == Conditional::Kind::open)
                saved.emplace_back(open, braces);
            else if (!saved.empty() && conditional->kind == Conditional::Kind::branch)
                std::tie(open, braces) = saved.back();
            else if (!saved.empty())
                saved.pop_back();
        }
        const Token& token = stream.tokens[i];
        if (token.is("}") && !braces.empty()) braces.pop_back();
        brace_[i] = braces.empty() ? kNone : braces.back();
        if (token.is("{")) braces.push_back(i);
        if (opens(token)) open.push_back(i);
        if (closes(token)) close(i, open);
    }
}

/// Pairs a closing bracket with the nearest open one of its kind; brackets left open in between stay unmatched.
void Brackets::close(std::size_t token, std::vector<std::size_t>& open) {
    const char wanted = partner(stream_.tokens[token]);
    const auto found = std::find_if(open.rbegin(), open.rend(),
                                    [&](std::size_t i) { return stream_.tokens[i].text.front() == wanted; });
    if (found == open.rend()) return;
    match_[token] = *found;
    match_[*found] = token;
    open.erase(found.base() - 1, open.end());
}

bool Brackets::in_function(std::size_t token) const {
    for (std::size_t brace = brace_[token]; brace != kNone; brace = brace_[brace])
        if (opens_function(brace)) return true;
    return false;
}

/// Reads backwards what stands before a brace: a parameter list makes a function; `namespace`, `extern "C"` and
/// `struct` (other than in `template <struct T>`) do not.
bool Brackets::opens_function(std::size_t brace) const {
    bool class_head = false;
    for (std::size_t i = brace; i-- > 0;) {
        const Token& token = stream_.tokens[i];
        if (token.is(";") || token.is("{") || token.is("}")) break;
        if (token.is("namespace")) return false;
        if (token.kind == TokenKind::string && i + 1 == brace && i > 0 && is(i - 1, "extern")) return false;
        if (token.is(")") && match_[i] != kNone) {
            i = match_[i];
            if (i == 0 || !(is_specifier_call(stream_.tokens[i - 1]) || is_class_word(i - 1))) return true;
        }
        const bool class_key = token.is("struct") || token.is("class") || token.is("union") || token.is("enum");
        if (class_key && !(i > 0 && (is(i - 1, "<") || is(i - 1, ",")))) class_head = true;
    }
    return !class_head;
}

/// A macro's call behind `struct`, ahead of a class's name or of none: `struct ALIGN(16) Pair {`. A conversion,
/// `operator struct A() const {`, looks the same.
bool Brackets::is_class_word(std::size_t macro) const {
    if (macro == 0 || !(is(macro - 1, "struct") || is(macro - 1, "class") || is(macro - 1, "union"))) return false;
    return macro < 2 || !is(macro - 2, "operator");
}

bool Brackets::adjacent(std::size_t left) const {
    return left + 1 < stream_.tokens.size() && stream_.tokens[left].end() == stream_.tokens[left + 1].offset;
}

/// True for the first `<` or `>` of << <= >= and for the `-` of ->.
bool Brackets::shift_or_comparison(std::size_t token) const {
    if (!adjacent(token)) return false;
    const bool comparison = (is(token, "<") || is(token, ">")) && is(token + 1, "=");
    return comparison || (is(token, "<") && is(token + 1, "<")) || (is(token, "-") && is(token + 1, ">"));
}

std::size_t Brackets::closing_angle(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < stream_.tokens.size(); ++i) {
        const Token& token = stream_.tokens[i];
        if (opens(token)) {
            if (match_[i] == kNone) return kNone;
            i = match_[i];
        } else if (token.is(";") || closes(token)) {
            return kNone;
        } else if (i != open && shift_or_comparison(i)) {
            ++i;
        } else if (token.is("<")) {
            ++depth;
        } else if (token.is(">") && --depth == 0) {
            return i;
        }
    }
    return kNone;
}

std::vector<TokenRange> Brackets::split(TokenRange range) const {
    std::vector<TokenRange> parts;
    std::size_t begin = range.begin;
    for (std::size_t i = begin; i <= range.end && begin < range.end; ++i) {
        if (i == range.end || is(i, ",")) {
            parts.push_back({begin, i});
            begin = i + 1;
        } else if (is(i, "<") && i > begin && stream_.tokens[i - 1].identifier() && closing_angle(i) != kNone &&
                   closing_angle(i) < range.end) {
            i = closing_angle(i);
        } else if (match_[i] != kNone && match_[i] > i) {
            i = match_[i];
        }
    }
    return parts;
}

std::size_t Brackets::opening_angle(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        const Token& token = stream_.tokens[i];
        if (closes(token)) {
            if (match_[i] == kNone) return kNone;
            i = match_[i];
        } else if (token.is(";") || opens(token)) {
            return kNone;
        } else if (i > 0 && i != close && shift_or_comparison(i - 1)) {
            --i;
        } else if (token.is(">")) {
            ++depth;
        } else if (token.is("<") && --depth == 0) {
            return i;
        }
    }
    return kNone;
}

}  // namespace lanework::cudafe
