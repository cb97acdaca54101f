// Finds the shifts whose amount the compiler may not know.
#include "src/cudafe/shifts.hpp"

#include <charconv>

namespace lanework::cudafe {
namespace {

class Shifts {
public:
    Shifts(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits)
        : tokens_(file.code.tokens), stream_(file.code), brackets_(brackets), device_(device), edits_(edits) {}

    void run() {
        for (std::size_t i = 1; i + 2 < tokens_.size(); ++i) {
            if (!is_shift(i)) continue;
            const bool in_place = is(i + 2, "=") && brackets_.adjacent(i + 1);
            const std::size_t amount = i + (in_place ? 3 : 2);
            if (is_small_literal(amount) || (in_place && is_member(i - 1)) || prints(i)) continue;
            if (!device_.around(stream_, brackets_, i).execution.device) continue;
            const Token& last = tokens_[amount - 1];
            const std::string spelling = in_place ? "=" : std::string(2, tokens_[i].text.front());
            edits_.insert(last.end(), " ::lanework_simt::clamped " + spelling + " ");
        }
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// Whether << or >> begins at a token, between two operands; no launch, and no end of two templates.
    bool is_shift(std::size_t i) const {
        const bool left = is(i, "<");
        if ((!left && !is(i, ">")) || !is(i + 1, tokens_[i].text) || !brackets_.adjacent(i)) return false;
        if (is(i - 1, "<") || is(i - 1, ">") || is(i + 2, "<") || is(i + 2, ">") || is(i + 2, ",") || is(i + 2, "::"))
            return false;
        const Token& before = tokens_[i - 1];
        const bool operand = before.kind == TokenKind::identifier || before.kind == TokenKind::number ||
                             before.is(")") || before.is("]");
        return operand && !before.is("operator") && (left || brackets_.opening_angle(i + 1) == kNone);
    }

    /// A literal below 32 that nothing binds to which could make it larger.
    bool is_small_literal(std::size_t i) const {
        if (i >= tokens_.size() || tokens_[i].kind != TokenKind::number) return false;
        for (const char* each : {"*", "/", "%", "+", "-", "."})
            if (is(i + 1, each)) return false;
        const std::string_view text = tokens_[i].text;
        const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        unsigned value = 32;
        std::from_chars(text.data() + (hexadecimal ? 2 : 0), text.data() + text.size(), value, hexadecimal ? 16 : 10);
        return value < 32;
    }

    /// Whether the operand that ends at a token is a member of an object: p.x, p->x.
    bool is_member(std::size_t i) const {
        return tokens_[i].identifier() && i > 0 && (is(i - 1, ".") || (is(i - 1, ">") && is(i - 2, "-")));
    }

    /// Whether text stands in the statement, or what ends a line: a stream's << is no shift.
    bool prints(std::size_t i) const {
        const auto ends = [&](std::size_t k) { return is(k, ";") || is(k, "{") || is(k, "}"); };
        const auto tells = [&](std::size_t k) {
            return tokens_[k].kind == TokenKind::string || is(k, "endl") || is(k, "cout") || is(k, "cerr");
        };
        for (std::size_t k = i; k > 0 && !ends(k); --k)
            if (tells(k)) return true;
        for (std::size_t k = i; k < tokens_.size() && !ends(k); ++k)
            if (tells(k)) return true;
        return false;
    }

    const std::vector<Token>& tokens_;
    const Stream& stream_;
    const Brackets& brackets_;
    const DeviceCode& device_;
    Edits& edits_;
};

}  // namespace

void rewrite_shifts(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits) {
    Shifts(file, brackets, device, edits).run();
}

}  // namespace lanework::cudafe
