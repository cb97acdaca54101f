// A loop's end by its text: a variable of a comparison, and the statements that change it.
#include "src/cudafe/loop_ends.hpp"

#include <array>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

class Loop {
public:
    Loop(const Stream& stream, const Brackets& brackets, std::size_t end)
        : tokens_(stream.tokens), brackets_(brackets), end_(end) {}

    /// Whether the loop at `head`, for or while, is known to end.
    bool ends(std::size_t head) {
        const std::size_t open = head + 1, close = is(open, "(") ? brackets_.match(open) : kNone;
        if (close == kNone || close >= end_) return false;
        first_ = close + 1;
        last_ = statement_end(first_);
        if (last_ == kNone || last_ > end_) return false;
        std::size_t begin = open + 1, behind = close;
        if (is(head, "for")) {
            begin = behind_semicolon(begin, close);
            behind = begin == kNone ? kNone : behind_semicolon(begin, close);
            if (behind == kNone) return false;
            step_ = behind;
            step_end_ = close;
            --behind;
        } else if (!is(first_, "{") || has("continue")) {
            return false;
        }
        return compares_a_counter(begin, behind);
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    bool pair(std::size_t i, std::string_view first, std::string_view second) const {
        return is(i, first) && is(i + 1, second) && brackets_.adjacent(i);
    }
    bool is_number(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::number; }
    bool has(std::string_view word) const {
        for (std::size_t i = first_; i < last_; ++i)
            if (is(i, word)) return true;
        return false;
    }
    std::size_t behind_semicolon(std::size_t i, std::size_t end) const {
        for (; i < end; ++i) {
            if (is(i, ";")) return i + 1;
            if (brackets_.match(i) != kNone && brackets_.match(i) > i) i = brackets_.match(i);
        }
        return kNone;
    }

    /// Behind the statement at `at`; kNone where that is not plain to see.
    std::size_t statement_end(std::size_t at) const {
        if (is(at, "{")) return brackets_.match(at) == kNone ? kNone : brackets_.match(at) + 1;
        for (; at < end_; ++at) {
            if (is(at, ";")) return at + 1;
            if (is(at, "{")) {
                at = brackets_.match(at);
                if (at == kNone || !is(at + 1, "else")) return at == kNone ? kNone : at + 1;
            } else if (brackets_.match(at) != kNone && brackets_.match(at) > at) {
                at = brackets_.match(at);
            }
        }
        return kNone;
    }

    /// Every part of a condition that is joined by && has to hold.
    bool compares_a_counter(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (pair(i, "|", "|") || is(i, "?") || is(i, ",")) return false;
        for (std::size_t from = begin; from < end;) {
            std::size_t to = from;
            while (to < end && !pair(to, "&", "&")) ++to;
            if (compares(from, to)) return true;
            from = to + 2;
        }
        return false;
    }
    bool compares(std::size_t begin, std::size_t end) {
        std::size_t sign = kNone;
        for (std::size_t i = begin; i < end; ++i) {
            constexpr std::array<std::string_view, 8> kSigns{"+", "-", "*", "/", "%", "(", ")", "."};
            if (is(i, "<") || is(i, ">")) {
                if (sign != kNone) return false;
                sign = i;
                if (is(i + 1, "=")) ++i;
            } else if (!tokens_[i].identifier() && tokens_[i].kind != TokenKind::number &&
                       !among(tokens_[i].text, kSigns)) {
                return false;
            } else if (is(i, "(") && i > begin && tokens_[i - 1].identifier()) {
                return false;  // a call
            } else if (is(i, "*") &&
                       (i == begin || is(i - 1, "(") || is(i - 1, "<") || is(i - 1, ">") || is(i - 1, "="))) {
                return false;  // memory
            }
        }
        if (sign == kNone) return false;
        const std::size_t other = is(sign + 1, "=") ? sign + 2 : sign + 1;
        const bool left = sign == begin + 1 && counts(begin, is(sign, "<")) && fixed(other, end);
        return left || (other + 1 == end && counts(other, is(sign, ">")) && fixed(begin, sign));
    }

    /// Whether nothing in the loop changes what stands there.
    bool fixed(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i)
            if (tokens_[i].identifier() && !is(i - 1, ".") && changes(tokens_[i].text) != 0) return false;
        return true;
    }
    /// Whether every round moves the variable one way, and nothing else changes it.
    bool counts(std::size_t variable, bool up) const {
        if (!tokens_[variable].identifier()) return false;
        const std::string_view name = tokens_[variable].text;
        std::size_t steps = 0;
        if (step_ != kNone) {
            for (std::size_t i = step_; i < step_end_; ++i) steps += is(i, name) && moves(i, up) ? 1 : 0;
        } else {
            for (std::size_t i = first_; i < last_; ++i)
                steps += is(i, name) && is_statement(i) && moves(i, up) ? 1 : 0;
        }
        return steps == 1 && changes(name) == 1;
    }
    /// A statement of the body's own braces.
    bool is_statement(std::size_t i) const {
        const std::size_t start = is(i - 1, "+") || is(i - 1, "-") ? i - 2 : i;
        return brackets_.brace(i) == first_ && (is(start - 1, ";") || is(start - 1, "{") || is(start - 1, "}"));
    }
    /// i++, ++i, i += step, i *= 2, i <<= 1 or the like of the other way.
    bool moves(std::size_t i, bool up) const {
        const std::string_view sign = up ? "+" : "-";
        if (pair(i + 1, sign, sign) || pair(i - 2, sign, sign)) return true;
        const bool by_itself = is(i - 1, ";") || is(i - 1, ",") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, "(");
        if (!by_itself) return false;
        const bool product = pair(i + 1, up ? "*" : "/", "=") && is_number(i + 3);
        const bool shift =
            pair(i + 1, up ? "<" : ">", up ? "<" : ">") && pair(i + 2, up ? "<" : ">", "=") && is_number(i + 4);
        if (product || shift) return true;
        if (!pair(i + 1, sign, "=")) return false;
        for (std::size_t k = i + 3; k < end_ && !is(k, ";") && !is(k, ","); ++k) {
            constexpr std::array<std::string_view, 4> kSigns{"*", "+", ".", "("};
            const bool ends = k == step_end_;
            if (ends) break;
            if (is(k, ")")) continue;
            if (tokens_[k].identifier() ? !is(k - 1, ".") && (changes(tokens_[k].text) != 0 || is(k + 1, "("))
                                        : tokens_[k].kind != TokenKind::number && !among(tokens_[k].text, kSigns))
                return false;
        }
        return true;
    }

    /// How often the loop may change a name: by an assignment, or by who is given the variable itself.
    std::size_t changes(std::string_view name) const {
        std::size_t count = 0;
        const auto look = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) count += is(i, name) && !is(i - 1, ".") && changed_at(i) ? 1 : 0;
        };
        look(first_, last_);
        if (step_ != kNone) look(step_, step_end_);
        return count;
    }
    bool changed_at(std::size_t i) const {
        if ((is(i + 1, "=") && !pair(i + 1, "=", "=")) || pair(i + 1, "+", "+") || pair(i + 1, "-", "-") ||
            pair(i - 2, "+", "+") || pair(i - 2, "-", "-"))
            return true;
        for (const char* sign : {"+", "-", "*", "/", "%", "&", "|", "^"})
            if (pair(i + 1, sign, "=")) return true;
        for (const char* sign : {"<", ">"})
            if (pair(i + 1, sign, sign) && pair(i + 2, sign, "=")) return true;
        // Its address, a reference to it, a capture of it, or an argument of a function of the program.
        const bool operand = i > 1 && (tokens_[i - 2].identifier() || is_number(i - 2) || is(i - 2, "]"));
        if (is(i - 1, "&") && !operand && !pair(i - 2, "&", "&")) return true;
        if (is(i - 1, "=") && is(i - 3, "&")) return true;
        if (is(i + 1, ")") && is(i - 1, "(") && (is(i + 2, "=") || is(i + 2, "+") || is(i + 2, "-"))) return true;
        const bool begins = is(i - 1, "(") || is(i - 1, ",") || is(i - 1, "{"),
                   ends = is(i + 1, ")") || is(i + 1, ",") || is(i + 1, "}");
        return begins && ends && !is_given_by_value(i);
    }
    bool is_given_by_value(std::size_t i) const {
        std::size_t open = i - 1;
        while (!is(open, "(")) {
            if (is(open, ")") || is(open, "]") || is(open, "}")) open = brackets_.match(open);
            if (open == kNone || open == 0 || is(open, "{") || is(open, ";")) return false;
            --open;
        }
        if (open == 0) return false;
        const Token& function = tokens_[open - 1];
        if (!function.identifier()) return !function.is("]") && !function.is(">");
        return is_keyword(function.text) || is_known_type(function.text) || computes(function.text) ||
               is_atomic(function.text);
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const std::size_t end_;
    /// The loop's body, and the last part of the head of a for.
    std::size_t first_ = 0, last_ = 0, step_ = kNone, step_end_ = kNone;
};

}  // namespace

bool may_spin(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (stream.tokens[i].is("do")) return true;
        const bool loop = stream.tokens[i].is("for") || stream.tokens[i].is("while");
        if (loop && !Loop(stream, brackets, end).ends(i)) return true;
    }
    return false;
}

}  // namespace lanework::cudafe
