// Reads declarations with `volatile` for the names that they declare, and finds the expressions around those names.
#include "src/cudafe/volatile_accesses.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

/// Words of a declaration that are no type.
bool is_qualifier(std::string_view word) {
    constexpr std::array<std::string_view, 18> kWords{
        "const",     "volatile",     "restrict", "__restrict", "__restrict__", "__shared__",
        "static",    "extern",       "inline",   "register",   "__device__",   "__constant__",
        "constexpr", "thread_local", "mutable",  "typename",   "struct",       "class"};
    return among(word, kWords);
}

/// Types that are never a variable's name.
bool is_builtin_type(std::string_view word) {
    constexpr std::array<std::string_view, 11> kWords{"bool",   "char",     "short",  "int",  "long", "float",
                                                      "double", "unsigned", "signed", "void", "auto"};
    return among(word, kWords);
}

/// Words that an operand follows.
bool is_statement_word(std::string_view word) {
    constexpr std::array<std::string_view, 9> kWords{"return", "else", "do",        "case",    "throw",
                                                     "and",    "or",   "co_return", "co_yield"};
    return among(word, kWords);
}

/// The byte of a line, from 1.
std::string column_of(std::string_view text, std::size_t offset) {
    const std::size_t line = text.rfind('\n', offset);
    return std::to_string(line == text.npos ? offset + 1 : offset - line);
}

struct Declared {
    std::size_t token;
    bool scalar;
};

class Reader {
public:
    /// Of a file's code, or of a macro's body, whose variables may be any function's.
    Reader(const Stream& stream, const Brackets& brackets, const VolatileNames& names, bool macro_body = false)
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

class Rewriter {
public:
    Rewriter(const TokenizedFile& file, const Stream& stream, const Brackets& brackets, const VolatileNames& names,
             const DeviceCode& device, Edits& edits)
        : text_(file.text),
          stream_(stream),
          tokens_(stream.tokens),
          brackets_(brackets),
          names_(names),
          macro_body_(&stream != &file.code),
          read_(stream, brackets, names, macro_body_),
          device_(device),
          edits_(edits) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!macro_body_ && !brackets_.in_function(i)) continue;
            if (is(i, "*"))
                dereference(i);
            else if (is(i, "("))
                subscripted_group(i);
            else if (is_cast(i))
                subscripted_cast(i);
            else if (read_.is_variable(i))
                variable(i);
            else if (read_.identifier(i) && names_.returning.contains(tokens_[i].text))
                call(i);
        }
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return read_.is(i, spelling); }

    void wrap(std::size_t begin, std::size_t last) {
        if (!macro_body_ && !device_.around(stream_, brackets_, begin).execution.device) return;
        edits_.insert(tokens_[begin].offset, "::lanework_simt::lockstep(");
        edits_.insert(tokens_[last].end(), macro_body_ ? ")" : ", " + column_of(text_, tokens_[begin].offset) + ")");
    }

    bool is_cast(std::size_t i) const {
        return is(i, "reinterpret_cast") || is(i, "const_cast") || is(i, "static_cast");
    }
    bool holds_word(std::size_t begin, std::size_t end) const {
        for (; begin < end; ++begin)
            if (read_.is_word(begin)) return true;
        return false;
    }
    bool holds_variable(std::size_t begin, std::size_t end) const {
        for (; begin < end; ++begin)
            if (read_.is_variable(begin)) return true;
        return false;
    }
    /// The parenthesis that ends `X_cast<volatile …>(…)`; kNone for another cast.
    std::size_t end_of_cast(std::size_t i) const {
        const std::size_t close = is(i + 1, "<") ? brackets_.closing_angle(i + 1) : kNone;
        if (close == kNone || !is(close + 1, "(") || !holds_word(i + 2, close)) return kNone;
        return brackets_.match(close + 1);
    }
    std::size_t behind_subscripts(std::size_t i) const {
        while (is(i, "[") && brackets_.match(i) != kNone) i = brackets_.match(i) + 1;
        return i;
    }
    /// Whether parentheses that close at `close` hold a pointer's type.
    bool casts_to_pointer(std::size_t close) const {
        std::size_t i = close - 1;
        while (is(i, "const") || is(i, "__restrict__")) --i;
        return is(i, "*");
    }
    /// Whether an operand begins at `i`, as opposed to a name that is declared or another operand's right side.
    bool begins_operand(std::size_t i) const {
        if (i == 0) return true;
        const Token& before = tokens_[i - 1];
        if (before.identifier()) return is_statement_word(before.text);
        if (before.kind != TokenKind::punctuation || before.is("]")) return false;
        if (!before.is(")")) return true;
        const std::size_t open = brackets_.match(i - 1);
        if (open == kNone) return false;
        const bool head =
            open > 0 && (is(open - 1, "if") || is(open - 1, "while") || is(open - 1, "for") || is(open - 1, "switch"));
        return head || casts_to_pointer(i - 1) || (open + 2 == i - 1 && is_builtin_type(tokens_[open + 1].text));
    }

    /// The last token of the unary expression that begins at `i`; kNone for what is none.
    std::size_t end_of_unary(std::size_t i) const {
        while (is(i, "&") || is(i, "*") || is(i, "-") || is(i, "+") || is(i, "!") || is(i, "~")) ++i;
        if (i >= tokens_.size()) return kNone;
        std::size_t last = i;
        if (is(i, "(")) {
            last = brackets_.match(i);
            if (last == kNone) return kNone;
            const bool operand = last + 1 < tokens_.size() && (is(last + 1, "(") || is(last + 1, "&") ||
                                                               tokens_[last + 1].kind != TokenKind::punctuation);
            if (operand && (casts_to_pointer(last) || tokens_[last + 1].kind != TokenKind::punctuation))
                return end_of_unary(last + 1);
        } else if (tokens_[i].kind == TokenKind::punctuation && !is(i, "::")) {
            return kNone;
        }
        for (;;) {
            const std::size_t next = last + 1;
            if ((is(next, "[") || is(next, "(")) && brackets_.match(next) != kNone) {
                last = brackets_.match(next);
            } else if (is(last, "::") || is(next, "::")) {
                ++last;
            } else if (is(next, ".") && read_.identifier(next + 1)) {
                last = next + 1;
            } else if (is(next, "-") && is(next + 1, ">") && read_.identifier(next + 2)) {
                last = next + 2;
            } else {
                return last;
            }
        }
    }

    /// The end of the call whose function may return what is volatile; kNone where none begins at `i`.
    std::size_t end_of_call(std::size_t i) const {
        while (read_.identifier(i) && is(i + 1, "::")) i += 2;
        for (;;) {
            if (is(i + 1, ".") && read_.identifier(i + 2))
                i += 2;
            else if (is(i + 1, "-") && is(i + 2, ">") && read_.identifier(i + 3))
                i += 3;
            else
                break;
        }
        const bool call = read_.identifier(i) && names_.returning.contains(tokens_[i].text) && is(i + 1, "(");
        return call ? brackets_.match(i + 1) : kNone;
    }

    /// `sums()[t]`, `sums.of(block)[t]`
    void call(std::size_t i) {
        const std::size_t close = is(i + 1, "(") ? brackets_.match(i + 1) : kNone;
        const std::size_t start = start_of_member(i);
        if (close == kNone || start == kNone || !is(close + 1, "[") || !begins_operand(start)) return;
        wrap(start, behind_subscripts(close + 1) - 1);
    }

    void dereference(std::size_t star) {
        const std::size_t next = star + 1;
        if (const std::size_t end = end_of_call(next); end != kNone) {
            if (begins_operand(star) && !is(end + 1, "[") && !is(end + 1, ".")) wrap(star, end);
            return;
        }
        if (read_.is_variable(next)) {
            if (!begins_operand(star) || is(next + 1, "[") || is(next + 1, "(") || is(next + 1, ".") ||
                is(next + 1, "::") || (is(next + 1, "-") && is(next + 2, ">")))
                return;
            const bool counts = (is(next + 1, "+") && is(next + 2, "+")) || (is(next + 1, "-") && is(next + 2, "-"));
            return wrap(star, counts ? next + 2 : next);
        }
        if (is_cast(next)) {
            if (const std::size_t end = end_of_cast(next); end != kNone && !is(end + 1, "[")) wrap(star, end);
            return;
        }
        const std::size_t close = is(next, "(") ? brackets_.match(next) : kNone;
        if (close == kNone || is(close + 1, "[")) return;
        if (holds_word(next, close)) {
            const std::size_t end = casts_to_pointer(close) ? end_of_unary(close + 1) : close;
            if (end != kNone) wrap(star, end);
        } else if (holds_variable(next, close) && begins_operand(star)) {
            wrap(star, close);
        }
    }

    void subscripted_group(std::size_t open) {
        const std::size_t close = brackets_.match(open);
        if (close == kNone || !is(close + 1, "[") || (open > 0 && is(open - 1, ">"))) return;
        if ((holds_word(open, close) || holds_variable(open, close)) && begins_operand(open))
            wrap(open, behind_subscripts(close + 1) - 1);
    }
    void subscripted_cast(std::size_t i) {
        const std::size_t end = end_of_cast(i);
        if (end != kNone && is(end + 1, "[")) wrap(i, behind_subscripts(end + 1) - 1);
    }

    /// Where `a.b->c` begins that ends with the name at `i`; kNone for a longer expression.
    std::size_t start_of_member(std::size_t i) const {
        for (;;) {
            std::size_t object = kNone;
            if (i > 1 && (is(i - 1, ".") || is(i - 1, "::"))) object = i - 2;
            if (i > 2 && is(i - 1, ">") && is(i - 2, "-")) object = i - 3;
            if (object == kNone) return i;
            if (!read_.identifier(object)) return kNone;
            i = object;
        }
    }
    /// `[a, &b](…)` and the like.
    bool in_capture(std::size_t i) const {
        while (i-- > 0) {
            if (is(i, "[")) return i == 0 || (!read_.identifier(i - 1) && !is(i - 1, ")") && !is(i - 1, "]"));
            if (!read_.identifier(i) && !is(i, ",") && !is(i, "&") && !is(i, "=")) return false;
        }
        return false;
    }

    void variable(std::size_t i) {
        const std::size_t start = start_of_member(i);
        if (start == kNone || !begins_operand(start)) return;
        if (const std::size_t end = behind_subscripts(i + 1); end != i + 1) {
            // `T * name[4]` declares where a statement begins with it.
            const bool pointer = start > 1 && is(start - 1, "*") && read_.identifier(start - 2);
            if (pointer && (read_.statement_start(start) == start - 2 || is_qualifier(tokens_[start - 2].text))) return;
            return wrap(start, end - 1);
        }
        const bool scalar = names_.scalars.contains(tokens_[i].text);
        if (!scalar || is(i + 1, "(") || is(i + 1, "::") || in_capture(i)) return;
        if (start > 0 && (is(start - 1, "*") || (is(start - 1, "(") && start > 1 && is(start - 2, "decltype")))) return;
        wrap(start, i);
    }

    std::string_view text_;
    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const VolatileNames& names_;
    const bool macro_body_;
    const Reader read_;
    const DeviceCode& device_;
    Edits& edits_;
};

class Rejoiner {
public:
    Rejoiner(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names, const DeviceCode& device,
             Edits& edits)
        : file_(file),
          tokens_(file.code.tokens),
          brackets_(brackets),
          read_(file.code, brackets, names),
          device_(device),
          edits_(edits) {}

    void run() {
        std::set<std::size_t> tails;  // the `while` of `do … while`
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!is(i, "do")) continue;
            const std::size_t end = end_of(i + 1);
            if (end != kNone && is(end + 1, "while")) tails.insert(end + 1);
        }
        // Inner ones first: where two end at one place, the inner one's end comes first.
        for (std::size_t i = tokens_.size(); i-- > 0;) {
            const bool loop = is(i, "for") || is(i, "do") || (is(i, "while") && !tails.contains(i));
            if (!(loop || is(i, "if") || is(i, "switch")) || !brackets_.in_function(i)) continue;
            const std::size_t end = end_of(i);
            if (end == kNone || !read_.accesses(i, end + 1)) continue;
            if (!device_.around(file_.code, brackets_, i).execution.device) continue;
            if (loop && holds_continue(i, end)) rejoin_iterations(i, end);
            rejoin_behind(i, end);
        }
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return read_.is(i, spelling); }
    std::size_t match(std::size_t i) const { return i < tokens_.size() ? brackets_.match(i) : kNone; }

    /// The last token of the statement that begins at `i`; kNone where that is not seen.
    std::size_t end_of(std::size_t i) const {
        if (is(i, "{")) return match(i);
        if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch")) {
            const std::size_t head = is(i + 1, "constexpr") ? i + 2 : i + 1;
            const std::size_t close = is(head, "(") ? match(head) : kNone;
            const std::size_t end = close == kNone ? kNone : end_of(close + 1);
            return end != kNone && is(i, "if") && is(end + 1, "else") ? end_of(end + 2) : end;
        }
        if (is(i, "do")) {
            const std::size_t end = end_of(i + 1);
            const std::size_t close = end != kNone && is(end + 1, "while") && is(end + 2, "(") ? match(end + 2) : kNone;
            return close != kNone && is(close + 1, ";") ? close + 1 : kNone;
        }
        for (; i < tokens_.size() && !is(i, ";"); ++i) {
            if (is(i, "}") || is(i, ")") || is(i, "]")) return kNone;
            if (is(i, "{") || is(i, "(") || is(i, "[")) {
                i = match(i);
                if (i == kNone) return kNone;
            }
        }
        return i < tokens_.size() ? i : kNone;
    }

    bool holds_continue(std::size_t begin, std::size_t end) const {
        return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                           tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                           [](const Token& token) { return token.is("continue"); });
    }
    bool holds_directive(std::size_t begin, std::size_t end) const {
        return std::any_of(file_.conditionals.begin(), file_.conditionals.end(),
                           [&](const Conditional& each) { return each.token > begin && each.token <= end; });
    }
    std::string call(std::size_t end) const {
        return "::lanework_simt::rejoin(" + column_of(file_.text, tokens_[end].offset);
    }

    void rejoin_behind(std::size_t begin, std::size_t end) {
        const bool alone =
            begin > 0 && (is(begin - 1, ";") || is(begin - 1, "{") || is(begin - 1, "}") || is(begin - 1, ":"));
        if (!alone && holds_directive(begin, end)) return;
        if (!alone) edits_.insert(tokens_[begin].offset, "{ ");
        edits_.insert(tokens_[end].end(), " " + call(end) + ");" + (alone ? "" : " }"));
    }

    /// At the end of each iteration, which is the loop's last place in the code.
    void rejoin_iterations(std::size_t begin, std::size_t end) {
        const std::string_view before = file_.text.substr(0, tokens_[end].offset);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::string there = call(end) + " - 1, " + std::to_string(line) + ")";
        const std::size_t open = is(begin, "do") ? match(end - 1) : begin + 1;
        const std::size_t close = match(open);
        if (close == kNone) return;
        if (is(begin, "for")) {
            const bool counted = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(open),
                                             tokens_.begin() + static_cast<std::ptrdiff_t>(close),
                                             [](const Token& token) { return token.is(";"); });
            if (counted) edits_.insert(tokens_[close].offset, (is(close - 1, ";") ? " " : ", ") + there);
        } else if (!(read_.identifier(open + 1) && read_.identifier(open + 2))) {
            edits_.insert(tokens_[open].end(), there + ", (");
            edits_.insert(tokens_[close].offset, ")");
        }
    }

    const TokenizedFile& file_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const Reader read_;
    const DeviceCode& device_;
    Edits& edits_;
};

/// The name of the type that a statement with a volatile word names; empty for another statement.
std::string_view named_type(const Stream& stream, const Reader& read, std::size_t word) {
    const auto& tokens = stream.tokens;
    const std::size_t start = read.statement_start(word);
    if (read.is(start, "using") && read.identifier(start + 1) && read.is(start + 2, "=")) return tokens[start + 1].text;
    if (!read.is(start, "typedef")) return {};
    const std::vector<Declared> found = read.declared(word);
    return found.empty() ? std::string_view() : tokens[found.front().token].text;
}

}  // namespace

void collect_volatile_words(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    for (const Macro& macro : file.macros) {
        const auto& body = macro.body.tokens;
        const bool qualifies = std::all_of(body.begin(), body.end(),
                                           [](const Token& token) { return token.identifier() || token.is("*"); });
        const bool is_volatile =
            std::any_of(body.begin(), body.end(), [](const Token& token) { return token.is("volatile"); });
        const bool assembly = !body.empty() && body.front().text.starts_with("asm");
        if (!macro.function_like && qualifies && is_volatile && !assembly)
            names.words.emplace(macro.name, body.size() > 1);
    }
    const Reader read(file.code, brackets, names);
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i)
        if (read.is_word(i))
            if (const std::string_view type = named_type(file.code, read, i); !type.empty())
                names.words.emplace(type, true);
}

void collect_volatile_variables(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const auto collect = [&](const Stream& stream, const Brackets& of_stream) {
        const Reader read(stream, of_stream, names, &stream != &file.code);
        for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
            if (!read.is_word(i) || !named_type(stream, read, i).empty()) continue;
            for (const Declared& each : read.declared(i)) {
                (read.of_function(each.token) ? names.of_functions : names.variables)
                    .insert(stream.tokens[each.token].text);
                if (each.scalar) names.scalars.insert(stream.tokens[each.token].text);
            }
            if (const std::size_t function = read.declared_function(i); function != kNone)
                names.returning.insert(stream.tokens[function].text);
        }
    };
    collect(file.code, brackets);
    for (const Macro& macro : file.macros) collect(macro.body, Brackets(macro.body, {}));
    // `auto& s = part.values;`
    const Reader read(file.code, brackets, names);
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i)
        if (const std::size_t name = read.deduced_from_variable(i); name != kNone)
            names.variables.insert(file.code.tokens[name].text);
}

bool hands_volatile_to_templates(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names) {
    const Reader read(file.code, brackets, names);
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (read.is_word(i) ? read.is_template_argument(i) || read.is_cast_of_argument(i) : read.is_argument(i))
            return true;
    }
    return false;
}

void collect_volatile_parameters(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::size_t close =
            tokens[i].is("template") && tokens[i + 1].is("<") ? brackets.closing_angle(i + 1) : kNone;
        if (close == kNone) continue;
        for (std::size_t word = i + 2; word + 1 < close; ++word)
            if ((tokens[word].is("typename") || tokens[word].is("class")) && tokens[word + 1].identifier())
                names.words.emplace(tokens[word + 1].text, true);
    }
}

bool collect_volatile_functions(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const std::size_t known = names.functions.size();
    for (const Macro& macro : file.macros) {
        const Brackets of_body(macro.body, {});
        if (Reader(macro.body, of_body, names, true).accesses(0, macro.body.tokens.size()))
            names.functions.insert(macro.name);
    }
    const auto& tokens = file.code.tokens;
    const Reader read(file.code, brackets, names);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::size_t close = read.is(i + 1, "(") ? brackets.match(i + 1) : kNone;
        if (!tokens[i].identifier() || close == kNone || brackets.in_function(i)) continue;
        const std::size_t body = read.body_behind(close);
        if (body == kNone || brackets.match(body) == kNone) continue;
        if (read.accesses(body, brackets.match(body))) names.functions.insert(tokens[i].text);
    }
    return names.functions.size() != known;
}

void rewrite_volatile_accesses(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                               const DeviceCode& device, Edits& edits) {
    Rewriter(file, file.code, brackets, names, device, edits).run();
    for (const Macro& macro : file.macros)
        Rewriter(file, macro.body, Brackets(macro.body, {}), names, device, edits).run();
}

void rewrite_rejoins(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                     const DeviceCode& device, Edits& edits) {
    Rejoiner(file, brackets, names, device, edits).run();
}

}  // namespace lanework::cudafe
