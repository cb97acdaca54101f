// Reads a stream of tokens for the names that declarations with `volatile` declare, and for the uses of those names.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/volatile_names.hpp"

namespace lanework::cudafe {

class VolatileReader {
public:
    struct Declared {
        std::size_t token;
        bool scalar;
    };

    /// Of a file's code, or of a macro's body, whose variables may be any function's.
    VolatileReader(const Stream& stream, const Brackets& brackets, const VolatileNames& names, bool macro_body = false)
        : tokens_(stream.tokens), brackets_(brackets), names_(names), macro_body_(macro_body) {
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (is_word(i))
                for (const Declared& each : declared(i)) note(each.token);
    }

    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    bool identifier(std::size_t i) const { return i < tokens_.size() && tokens_[i].identifier(); }

    bool is_word(std::size_t i) const {
        if (!identifier(i) || !names_.words.contains(tokens_[i].text)) return false;
        return i == 0 || !(is(i - 1, "asm") || is(i - 1, "__asm") || is(i - 1, "__asm__"));
    }
    /// Whether the name of a variable is used that may be volatile.
    bool is_variable(std::size_t i) const {
        if (!identifier(i) || declared_.contains(i)) return false;
        const std::string_view name = tokens_[i].text;
        if (names_.variables.contains(name) || (macro_body_ && names_.of_functions.contains(name))) return true;
        return std::any_of(scopes_.begin(), scopes_.end(),
                           [&](const Scope& scope) { return scope.begin <= i && i < scope.end && scope.name == name; });
    }
    /// Whether a name that is declared at a token is a function's variable or parameter.
    bool of_function(std::size_t i) const {
        return macro_body_ || std::any_of(scopes_.begin(), scopes_.end(),
                                          [&](const Scope& scope) { return scope.begin <= i && i < scope.end; });
    }

    /// Whether tokens [begin, end) name what is volatile, or call a function that does.
    bool accesses(std::size_t begin, std::size_t end) const {
        for (; begin < end; ++begin)
            if (is_word(begin) || is_variable(begin) ||
                (identifier(begin) && names_.functions.contains(tokens_[begin].text)))
                return true;
        return false;
    }

    /// The brace of the function whose parameter list ends at `close`; kNone for a mere declaration.
    std::size_t body_behind(std::size_t close) const {
        for (std::size_t i = close + 1; i < tokens_.size(); ++i) {
            if (is(i, "{")) return i;
            if (is(i, ";") || is(i, "}") || is(i, ")")) return kNone;
            if (is(i, "(") && brackets_.match(i) != kNone) i = brackets_.match(i);
        }
        return kNone;
    }

    std::size_t statement_start(std::size_t i) const {
        while (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}")) --i;
        return i;
    }

    /// The variables that a declaration declares whose volatile word stands at `word`.
    std::vector<Declared> declared(std::size_t word) const {
        std::vector<Declared> found;
        bool type = names_.words.at(tokens_[word].text), pointer = false;
        for (std::size_t i = word; i-- > 0 && identifier(i) && !is_statement_word(tokens_[i].text);)
            type = type || !is_qualifier(tokens_[i].text);
        type = type || (word > 0 && is(word - 1, ">"));
        std::size_t name = kNone, i = word + 1;
        for (; i < tokens_.size(); ++i) {
            if (identifier(i)) {
                if (is_qualifier(tokens_[i].text)) continue;
                type = type || name != kNone;
                name = i;
            } else if (is(i, "::")) {
                name = kNone;
            } else if (is(i, "<") && brackets_.closing_angle(i) != kNone) {
                i = brackets_.closing_angle(i);
            } else if (is(i, "*") || is(i, "&")) {
                type = type || name != kNone;
                pointer = true;
                name = kNone;
            } else if (is(i, "(") && (is(i + 1, "&") || is(i + 1, "*")) && identifier(i + 2) && is(i + 3, ")")) {
                found.push_back({i + 2, false});
                return found;
            } else {
                break;
            }
        }
        if (name != i - 1 || !type || is_builtin_type(tokens_[name].text) || !ends_declarator(i)) {
            add_deduced(word, found);
            return found;
        }
        found.push_back({name, !pointer && !is(i, "[")});
        add_later(i, found);
        return found;
    }

    /// The name of the function that a declaration declares whose return type holds the word; kNone for no function.
    std::size_t declared_function(std::size_t word) const {
        std::size_t name = kNone, i = word + 1;
        for (; i < tokens_.size() && (identifier(i) || is(i, "*") || is(i, "&") || is(i, "::")); ++i)
            name = identifier(i) && !is_qualifier(tokens_[i].text) ? i : kNone;
        const bool function = name != kNone && name + 1 == i && is(i, "(") && brackets_.match(i) != kNone;
        return function && (!brackets_.in_function(word) || body_behind(brackets_.match(i)) != kNone) ? name : kNone;
    }
    /// `auto& s = part.values;`: the name, where what is right of it is volatile; kNone for another `auto`.
    std::size_t deduced_from_variable(std::size_t i) const {
        if (!is(i, "auto")) return kNone;
        std::size_t name = i + 1;
        while (is(name, "*") || is(name, "&") || is(name, "const")) ++name;
        if (!identifier(name) || !is(name + 1, "=")) return kNone;
        for (std::size_t right = name + 2; right < tokens_.size() && !is(right, ";") && !is(right, "{"); ++right)
            if (is_variable(right)) return name;
        return kNone;
    }

    /// `reduce<volatile int>`, but no cast.
    bool is_template_argument(std::size_t word) const {
        std::size_t i = word;
        while (i > 0 && (identifier(i - 1) || is(i - 1, "::") || is(i - 1, ",") || is(i - 1, "*"))) --i;
        if (i < 2 || !is(i - 1, "<") || !identifier(i - 2) || tokens_[i - 2].text.ends_with("_cast")) return false;
        const std::size_t close = brackets_.closing_angle(i - 1);
        return close != kNone && close > word;
    }
    /// `f((volatile int*)p)`
    bool is_cast_of_argument(std::size_t word) const {
        std::size_t open = word;
        while (open > 0 && identifier(open - 1)) --open;
        if (open < 2) return false;
        if (is(open - 1, "<")) return tokens_[open - 2].text.ends_with("_cast") && opens_argument(open - 2);
        return is(open - 1, "(") && opens_argument(open - 1);
    }
    /// A pointer to what is volatile, or an array of it, that a call is given by its name.
    bool is_argument(std::size_t i) const {
        return is_variable(i) && !names_.scalars.contains(tokens_[i].text) && (is(i + 1, ",") || is(i + 1, ")")) &&
               opens_argument(i);
    }

    /// Words of a declaration that are no type.
    static bool is_qualifier(std::string_view word) {
        constexpr std::array<std::string_view, 18> kWords{
            "const",     "volatile",     "restrict", "__restrict", "__restrict__", "__shared__",
            "static",    "extern",       "inline",   "register",   "__device__",   "__constant__",
            "constexpr", "thread_local", "mutable",  "typename",   "struct",       "class"};
        return among(word, kWords);
    }

    /// Types that are never a variable's name.
    static bool is_builtin_type(std::string_view word) {
        constexpr std::array<std::string_view, 11> kWords{"bool",   "char",     "short",  "int",  "long", "float",
                                                          "double", "unsigned", "signed", "void", "auto"};
        return among(word, kWords);
    }

    /// Words that an operand follows.
    static bool is_statement_word(std::string_view word) {
        constexpr std::array<std::string_view, 9> kWords{"return", "else", "do",        "case",    "throw",
                                                         "and",    "or",   "co_return", "co_yield"};
        return among(word, kWords);
    }

private:
    /// Whether an argument of a call begins at `i`.
    bool opens_argument(std::size_t i) const {
        if (i > 0 && is(i - 1, ",")) return true;
        if (i < 2 || !is(i - 1, "(")) return false;
        return is(i - 2, ">") || (identifier(i - 2) && !is(i - 2, "if") && !is(i - 2, "while") && !is(i - 2, "for") &&
                                  !is(i - 2, "switch") && !is(i - 2, "return"));
    }

    /// Where a function's variable is known: tokens [begin, end).
    struct Scope {
        std::string_view name;
        std::size_t begin, end;
    };

    void note(std::size_t i) {
        declared_.insert(i);
        std::size_t begin = i, body = kNone;
        if (brackets_.in_function(i)) {
            for (body = brackets_.brace(i); brackets_.in_function(body);) body = brackets_.brace(body);
        } else {
            // A parameter: the parentheses around it, and the body behind them.
            bool parameter = false;
            while (begin > 0 && body == kNone) {
                --begin;
                if (is(begin, ";") || is(begin, "{") || is(begin, "}")) break;
                const std::size_t other = brackets_.match(begin);
                if (other != kNone && other < begin) begin = other;
                if (!is(begin, "(") || other == kNone || other < i) continue;
                parameter = true;
                body = body_behind(other);
            }
            if (!parameter) return;
        }
        const std::size_t end = body == kNone ? i + 1 : brackets_.match(body);
        scopes_.push_back({tokens_[i].text, std::min(begin, body), end == kNone ? tokens_.size() : end});
    }

    bool ends_declarator(std::size_t i) const {
        return i == tokens_.size() || is(i, "[") || is(i, ";") || is(i, "=") || is(i, ",") || is(i, ")") || is(i, "{");
    }

    /// `auto p = (volatile int*)q;`
    void add_deduced(std::size_t word, std::vector<Declared>& found) const {
        const std::size_t start = statement_start(word);
        for (std::size_t i = start; i + 1 < word; ++i) {
            if (!is(i, "auto")) continue;
            while (i + 1 < word && (is(i + 1, "*") || is(i + 1, "&") || is(i + 1, "const"))) ++i;
            if (identifier(i + 1) && is(i + 2, "=")) found.push_back({i + 1, false});
            return;
        }
    }

    /// The declarators behind the first: `volatile int *a = p, *b;`
    void add_later(std::size_t i, std::vector<Declared>& found) const {
        for (; i < tokens_.size() && !is(i, ";") && !is(i, ")") && !is(i, "}"); ++i) {
            if ((is(i, "[") || is(i, "(") || is(i, "{")) && brackets_.match(i) != kNone) i = brackets_.match(i);
            if (!is(i, ",")) continue;
            std::size_t name = i + 1;
            while (is(name, "*") || is(name, "const")) ++name;
            if (!identifier(name) || identifier(name + 1)) return;  // the next parameter
            if (is(name + 1, "[") || is(name + 1, ";") || is(name + 1, "=") || is(name + 1, ","))
                found.push_back({name, name == i + 1 && !is(name + 1, "[")});
        }
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const VolatileNames& names_;
    const bool macro_body_;
    std::vector<Scope> scopes_;
    std::set<std::size_t> declared_;
};

}  // namespace lanework::cudafe
