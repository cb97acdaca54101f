// A small recursive reader of PTX: it knows the grammar, not the instructions.
#include "src/cudafe/ptx_text.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/cursor.hpp"

namespace lanework::cudafe {
namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::vector<PtxStatement> run() {
        std::vector<PtxStatement> statements;
        while (skip(), !at_end()) {
            if (take(';')) continue;
            if (take('{')) {
                statements.push_back({.kind = PtxStatement::Kind::open, .instruction = {}, .type = {}, .names = {}});
            } else if (take('}')) {
                statements.push_back({.kind = PtxStatement::Kind::close, .instruction = {}, .type = {}, .names = {}});
            } else if (here() == '.') {
                statements.push_back(declaration());
            } else {
                statements.push_back(
                    {.kind = PtxStatement::Kind::instruction, .instruction = instruction(), .type = {}, .names = {}});
            }
        }
        return statements;
    }

private:
    bool at_end() const { return at_ >= text_.size(); }
    char here() const { return at_end() ? '\0' : text_[at_]; }
    char following() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

    void skip() {
        while (!at_end()) {
            if (here() == '/' && following() == '/')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (here() == '/' && following() == '*')
                at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
            else if (is_blank(here()) || here() == '\n')
                ++at_;
            else
                return;
        }
    }

    bool take(char c) {
        skip();
        if (here() != c) return false;
        ++at_;
        return true;
    }

    void expect(char c, const char* where) {
        if (!take(c)) throw PtxError(at_, std::string("expected ") + c + " " + where);
    }

    template <class Accept>
    std::string word(const Accept& accept) {
        skip();
        const std::size_t start = at_;
        while (!at_end() && accept(here())) ++at_;
        if (at_ == start) throw PtxError(at_, "expected a name");
        return std::string(text_.substr(start, at_ - start));
    }

    /// The parts of a.b::c.d, which are separated by single dots.
    std::vector<std::string> dotted() {
        const std::string whole = word([](char c) { return continues_word(c) || c == '.' || c == ':'; });
        std::vector<std::string> parts{""};
        for (const char c : whole) {
            if (c == '.')
                parts.emplace_back();
            else
                parts.back() += c;
        }
        return parts;
    }

    PtxStatement declaration() {
        const std::size_t start = at_;
        const std::vector<std::string> words = dotted();  // "", "reg"
        if (words.size() < 2 || words[1] != "reg")
            throw PtxError(start, "." + (words.size() < 2 ? "" : words[1]) + " in inline PTX");
        std::string type;
        if (words.size() > 2)
            type = words[2];
        else if (skip(), here() == '.')
            type = dotted().back();
        PtxStatement statement{.kind = PtxStatement::Kind::declaration, .instruction = {}, .type = type, .names = {}};
        do {
            const std::string name = register_name();
            if (!take('<')) {
                statement.names.push_back(name);
                continue;
            }
            const std::string count = word(is_digit);
            expect('>', "behind the number of registers");
            if (count.size() > 3) throw PtxError(at_, "too many registers in inline PTX");
            for (int i = 0; i < std::stoi(count); ++i) statement.names.push_back(name + std::to_string(i));
        } while (take(','));
        return statement;
    }

    PtxInstruction instruction() {
        PtxInstruction result;
        if (take('@')) {
            result.guard = PtxOperand{.kind = PtxOperand::Kind::name, .text = {}, .parts = {}, .offset = at_};
            result.guard->negated = take('!');
            result.guard->text = register_name();
        }
        skip();
        result.offset = at_;
        std::vector<std::string> parts = dotted();
        skip();
        if (parts.size() == 1 && parts[0].ends_with(':')) throw PtxError(result.offset, "labels in inline PTX");
        if (parts.size() == 1 && here() == ':') throw PtxError(result.offset, "labels in inline PTX");
        result.name = parts.front();
        result.modifiers.assign(parts.begin() + 1, parts.end());
        while (skip(), !at_end() && here() != ';' && here() != '}') {
            result.operands.push_back(operand());
            if (take('|')) {
                result.has_second_destination = true;
                result.operands.push_back(operand());
            }
            if (!take(',')) break;
        }
        skip();
        if (!at_end() && here() != '}') expect(';', "behind " + result.opcode());
        return result;
    }

    void expect(char c, const std::string& where) { expect(c, where.c_str()); }

    PtxOperand operand() {
        skip();
        PtxOperand result;
        result.offset = at_;
        if (take('{')) {
            result.kind = PtxOperand::Kind::list;
            do {
                result.parts.push_back(operand());
            } while (take(','));
            expect('}', "behind a list of registers");
        } else if (take('[')) {
            result.kind = PtxOperand::Kind::address;
            result.parts.push_back(operand());
            for (skip(); here() == '+' || here() == '-'; skip()) {
                const bool minus = here() == '-';
                ++at_;
                result.displacement += displacement(minus);
            }
            expect(']', "behind an address");
        } else if (is_digit(here()) || here() == '-' || here() == '+' || here() == '.') {
            number(result);
        } else {
            result.negated = take('!');
            result.kind = PtxOperand::Kind::name;
            result.text = register_name();
            if (result.text == "_") result.kind = PtxOperand::Kind::nothing;
        }
        return result;
    }

    /// Of %0, %[sum], %tid.x and name: all but the percent sign, which names may have or not.
    std::string register_name() {
        skip();
        std::string name;
        while (here() == '%') ++at_;  // %% is how a statement with operands spells %
        if (here() == '[') {
            ++at_;
            name += "[" + word(continues_word) + "]";
            expect(']', "behind the name of an operand");
            return name;
        }
        name += word(continues_word);
        if (here() == '.') {
            name += '.';
            ++at_;
            name += word(continues_word);
        }
        return name;
    }

    long long displacement(bool minus) {
        const std::size_t start = at_;
        // "+ -8" is how the compiler writes a negative one.
        if (take('-')) minus = !minus;
        const std::string text = word(continues_word);
        try {
            const long long value = std::stoll(text, nullptr, 0);
            return minus ? -value : value;
        } catch (const std::exception&) {
            throw PtxError(start, "the displacement " + text + " of an address");
        }
    }

    void number(PtxOperand& result) {
        std::string text;
        while (here() == '-' || here() == '+') {
            if (here() == '-') text += '-';
            ++at_;
        }
        const bool bits =
            here() == '0' && (following() == 'f' || following() == 'F' || following() == 'd' || following() == 'D');
        char last = '\0';
        text += word([&](char c) {
            const bool sign = (c == '+' || c == '-') && (last == 'e' || last == 'E') && !bits;
            last = c;
            return continues_word(c) || c == '.' || sign;
        });
        const bool hexadecimal = text.find('x') != text.npos || text.find('X') != text.npos;
        const bool fraction = !hexadecimal && text.find_first_of(".eE") != text.npos;
        result.kind = bits || fraction ? PtxOperand::Kind::real : PtxOperand::Kind::integer;
        while (result.kind == PtxOperand::Kind::integer && (text.back() == 'U' || text.back() == 'u')) text.pop_back();
        result.text = text;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::string PtxInstruction::opcode() const {
    std::string text = name;
    for (const std::string& modifier : modifiers) text += '.' + modifier;
    return text;
}

bool looks_like_ptx(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && (is_blank(text[at]) || text[at] == '\n')) ++at;
    if (at == text.size()) return false;
    if (text.substr(at).starts_with("//") || text.substr(at).starts_with("/*"))
        return text.find(';') != text.npos && text.find('.') != text.npos;
    if (text[at] == '@' || text[at] == '{' || text.substr(at).starts_with(".reg")) return true;
    std::size_t end = at;
    while (end < text.size() && (continues_word(text[end]) || text[end] == '.' || text[end] == ':')) ++end;
    const std::string_view first = text.substr(at, end - at);
    constexpr std::array<std::string_view, 4> kBare{"trap", "exit", "brkpt", "ret"};
    const bool bare = std::ranges::find(kBare, first) != kBare.end() && text.find(';') != text.npos;
    // A dot in front begins a directive of the host's assembler.
    return bare || (first.find('.') != first.npos && first.front() != '.');
}

std::vector<PtxStatement> read_ptx(std::string_view text) { return Reader(text).run(); }

}  // namespace lanework::cudafe
