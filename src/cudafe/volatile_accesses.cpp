// Finds the expressions around names of what is volatile, and puts them into calls.
#include "src/cudafe/volatile_accesses.hpp"

#include <string>
#include <vector>

#include "src/cudafe/volatile_reader.hpp"

namespace lanework::cudafe {
namespace {

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

    bool joins(std::size_t i) const { return is(i, "#") || is(i, "##"); }

    void wrap(std::size_t begin, std::size_t last) {
        if (!macro_body_ && !device_.around(stream_, brackets_, begin).execution.device) return;
        // What # and ## make of a macro's words is no access.
        if (macro_body_ && ((begin > 0 && joins(begin - 1)) || is(last + 1, "##"))) return;
        edits_.insert(tokens_[begin].offset, "::lanework_simt::lockstep(");
        edits_.insert(tokens_[last].end(),
                      macro_body_ ? ")" : ", " + std::to_string(column_of(text_, tokens_[begin].offset)) + ")");
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
        if (before.identifier()) return VolatileReader::is_statement_word(before.text);
        if (before.kind != TokenKind::punctuation || before.is("]")) return false;
        if (!before.is(")")) return true;
        const std::size_t open = brackets_.match(i - 1);
        if (open == kNone) return false;
        const bool head =
            open > 0 && (is(open - 1, "if") || is(open - 1, "while") || is(open - 1, "for") || is(open - 1, "switch"));
        return head || casts_to_pointer(i - 1) ||
               (open + 2 == i - 1 && VolatileReader::is_builtin_type(tokens_[open + 1].text));
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
            if (pointer &&
                (read_.statement_start(start) == start - 2 || VolatileReader::is_qualifier(tokens_[start - 2].text)))
                return;
            return wrap(start, end - 1);
        }
        const bool scalar = names_.scalars.contains(tokens_[i].text);
        // In a macro the name may be anything's: a parameter of the macro or of a function that it declares. Of
        // functions' own variables arrays and pointers alone are followed there.
        if (scalar && macro_body_ && !names_.variables.contains(tokens_[i].text)) return;
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
    const VolatileReader read_;
    const DeviceCode& device_;
    Edits& edits_;
};

}  // namespace

void rewrite_volatile_accesses(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names,
                               const DeviceCode& device, Edits& edits) {
    Rewriter(file, file.code, brackets, names, device, edits).run();
    for (const Macro& macro : file.macros)
        Rewriter(file, macro.body, Brackets(macro.body, {}), names, device, edits).run();
}

}  // namespace lanework::cudafe
