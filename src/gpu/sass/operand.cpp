// One operand at a time, from its signs inwards.
#include "src/gpu/sass/operand.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lanework {
namespace {

using Kind = MachineOperand::Kind;

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

bool take(std::string_view& text, std::string_view mark) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(mark.size());
    return true;
}

std::optional<std::int64_t> integer(std::string_view text) {
    const bool negative = take(text, "-");
    take(text, "+");
    const int base = take(text, "0x") ? 16 : 10;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

/// "R12" → 12, "RZ" → the zero register; nothing for what is no such name.
std::optional<unsigned> numbered(std::string_view name, std::string_view letter, std::string_view last, unsigned zero) {
    if (!take(name, letter)) return std::nullopt;
    if (name == last) return zero;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return value;
}

/// Register names, with what follows them behind dots.
bool read_register(std::string_view text, MachineOperand& operand) {
    const std::string_view name = text.substr(0, text.find('.'));
    const auto is = [&](std::string_view letter, std::string_view last, unsigned zero, Kind kind) {
        const auto index = numbered(name, letter, last, zero);
        if (!index) return false;
        operand.kind = kind;
        operand.index = *index;
        return true;
    };
    const bool known = is("UR", "Z", kZeroUniform, Kind::uniform) || is("UP", "T", kTruePredicate, Kind::upredicate) ||
                       is("R", "Z", kZeroRegister, Kind::reg) || is("P", "T", kTruePredicate, Kind::predicate) ||
                       is("B", "", 0, Kind::barrier);
    if (!known) return false;
    std::string_view rest = text.substr(name.size());
    while (take(rest, ".")) {
        const std::string_view part = rest.substr(0, rest.find('.'));
        rest.remove_prefix(part.size());
        if (part == "64") {
            operand.wide = true;
        } else if (part == "H0_H0") {
            operand.half = MachineOperand::Half::low;
        } else if (part == "H1_H1") {
            operand.half = MachineOperand::Half::high;
        } else if (part.size() == 2 && part[0] == 'B' && part[1] >= '0' && part[1] <= '3') {
            operand.byte = part[1] - '0';
        } else if (part == "X4" || part == "X8" || part == "X16") {
            operand.scale = part == "X4" ? 4 : part == "X8" ? 8 : 16;
        }  // .reuse and .U32 change nothing
    }
    return true;
}

/// What stands in the brackets of an address: registers and a literal, added.
bool read_sum(std::string_view text, MachineOperand& operand) {
    while (!text.empty()) {
        auto end = text.find('+', 1);
        const std::string_view term = trimmed(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        MachineOperand part;
        if (const auto value = integer(term)) {
            operand.offset += *value;
        } else if (read_register(term, part) && part.is(Kind::reg)) {
            operand.base = part.index;
            operand.wide = part.wide;
            operand.scale = part.scale;
        } else if (part.is(Kind::uniform)) {
            operand.uniform_base = part.index;
        } else {
            return false;
        }
    }
    return true;
}

/// The text within the brackets that open at the front, which are removed.
std::string_view bracketed(std::string_view& text) {
    if (!text.starts_with('[')) return {};
    const auto close = std::min(text.find(']'), text.size());
    const std::string_view inner = text.substr(1, close - 1);
    text.remove_prefix(std::min(close + 1, text.size()));
    return inner;
}

MachineOperand parse_operand(std::string_view text) {
    MachineOperand operand;
    const std::string_view whole = text;
    const bool minus = text.size() > 1 && text[0] == '-' && text.find_first_of("0123456789I", 1) != 1;
    if (minus) take(text, "-");
    operand.negative = minus;
    operand.negated = take(text, "!");
    operand.inverted = take(text, "~");
    if (take(text, "|")) {
        operand.absolute = true;
        const auto end = std::min(text.find('|'), text.size());
        // |R4|.reuse
        text = text.substr(0, end);
    }
    if (text.starts_with("`(")) {
        operand.kind = Kind::label;
        operand.text = text.substr(2, text.find(')') - 2);
    } else if (text.starts_with("32@lo((") || text.starts_with("32@hi((")) {
        const auto begin = text.find(" + "), end = text.find("@srel");
        operand.kind = begin == text.npos || end == text.npos ? Kind::other
                       : text[3] == 'l'                       ? Kind::low_place
                                                              : Kind::high_place;
        if (!operand.is(Kind::other)) operand.text = text.substr(begin + 3, end - begin - 3);
    } else if (text.starts_with("32@lo(") || text.starts_with("32@hi(")) {
        operand.kind = text[3] == 'l' ? Kind::low_place : Kind::high_place;
        operand.text = text.substr(6, text.find(')') - 6);
    } else if (text.starts_with("32@")) {
        operand.kind = Kind::other;
    } else if (take(text, "c[") || take(text, "cx[")) {
        operand.kind = Kind::constant;
        const auto close = text.find(']');
        const auto bank = integer(text.substr(0, close));
        text.remove_prefix(std::min(close + 1, text.size()));
        operand.index = static_cast<unsigned>(bank.value_or(-1));
        if (!bank || !read_sum(bracketed(text), operand)) operand.kind = Kind::other;
    } else if (text.starts_with("desc[") || text.starts_with("[")) {
        operand.kind = Kind::memory;
        if (take(text, "desc")) bracketed(text);
        if (!read_sum(bracketed(text), operand) || !text.empty()) operand.kind = Kind::other;
    } else if (text == "PR") {
        operand.kind = Kind::predicates;
    } else if (text.starts_with("SR")) {
        operand.kind = Kind::special;
        operand.text = text;
    } else if (read_register(text, operand)) {
    } else if (!text.empty() && whole.find_first_of("0123456789") < whole.npos &&
               std::string_view("+-.0123456789").find(whole.front()) != std::string_view::npos) {
        operand.kind = Kind::number;
        operand.negative = false;
        operand.text = whole;
    } else if (text.find("INF") != text.npos || text.find("NAN") != text.npos) {
        operand.kind = Kind::number;
        operand.negative = false;
        operand.text = whole;
    } else {
        operand.kind = Kind::other;
        operand.text = whole;
    }
    return operand;
}

}  // namespace

std::vector<MachineOperand> parse_operands(std::string_view text) {
    std::vector<MachineOperand> operands;
    while (!(text = trimmed(text)).empty()) {
        std::size_t end = 0;
        // A comma parts operands; a label stands behind another without one, and what a jump adds to its register.
        const auto parts = [&] {
            const std::string_view rest = text.substr(end);
            return rest[0] == ',' || rest.starts_with(" `(") || rest.starts_with(" 0x") || rest.starts_with(" -0x");
        };
        for (int depth = 0; end < text.size() && (depth > 0 || !parts()); ++end)
            depth += text[end] == '[' || text[end] == '(' ? 1 : text[end] == ']' || text[end] == ')' ? -1 : 0;
        operands.push_back(parse_operand(trimmed(text.substr(0, end))));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return operands;
}

}  // namespace lanework
