// The statement around inline PTX: its text, its operands, and how they are bound. The operands' expressions stay where
// they are, so that what else is rewritten in them is rewritten; variables are put before them and calls behind.
#include "src/cudafe/inline_assembly.hpp"

#include <algorithm>
#include <initializer_list>

#include "src/cudafe/ptx_calls.hpp"

namespace lanework::cudafe {
namespace {

/// The characters that a string literal, prefix and quotes included, stands for.
std::string literal_text(std::string_view literal) {
    const std::size_t quote = literal.find('"');
    if (quote != literal.npos && quote > 0 && literal[quote - 1] == 'R') {
        const std::size_t open = literal.find('(', quote), close = literal.rfind(')');
        return std::string(literal.substr(open + 1, close - open - 1));
    }
    std::string text;
    for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
        if (literal[i] != '\\') {
            text += literal[i];
            continue;
        }
        ++i;
        if (literal[i] == 'n' || literal[i] == 'r')
            text += '\n';
        else if (literal[i] == 't' || literal[i] == 'v' || literal[i] == 'f')
            text += ' ';
        else if (literal[i] != '\n')
            text += literal[i];
    }
    return text;
}

/// With the macro's parameters that stand in the text in place of what they were read as.
std::string with_parameters(std::string what, const std::vector<std::string>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string hint = cache_hint(i);
        for (std::size_t at = 0; (at = what.find(hint, at)) != what.npos; at += parameters[i].size())
            what.replace(at, hint.size(), parameters[i]);
    }
    return what;
}

/// An operand: [name] "constraint" (expression).
struct Binding {
    std::size_t constraint, open;
    bool output, input;
    AssemblyOperand operand;
};

class AssemblyRewriter {
public:
    AssemblyRewriter(const Stream& stream, const Brackets& brackets, Edits& edits)
        : tokens_(stream.tokens), brackets_(brackets), edits_(edits) {}

    /// True where nothing was refused.
    bool run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!is(i, "asm") && !is(i, "__asm__") && !is(i, "__asm")) continue;
            std::size_t open = i + 1;
            while (is(open, "volatile") || is(open, "__volatile__") || is(open, "__volatile")) ++open;
            if (!is(open, "(") || brackets_.match(open) == kNone) continue;
            statement(i, open, brackets_.match(open));
        }
        return !refused_;
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    bool is_string(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::string; }

    void statement(std::size_t begin, std::size_t open, std::size_t close) {
        std::string text;
        std::size_t i = open + 1;
        bool whole = true;
        std::string hints;
        std::vector<std::string> parameters;
        for (; i < close && !is(i, ":") && !is(i, "::"); ++i) {
            if (is_string(i)) {
                text += literal_text(tokens_[i].text);
            } else if (is(i, "#") && i + 1 < close && tokens_[i + 1].identifier()) {
                // A macro's parameter: the compiler checks that it says where to cache, which changes no value.
                text += cache_hint(parameters.size());
                parameters.push_back("#" + std::string(tokens_[++i].text));
                hints += "static_assert(::lanework_simt::ptx::is_cache_hint(" + parameters.back() +
                         "), \"inline PTX: a macro's parameter can stand for a cache hint alone\"); ";
            } else {
                whole = false;
            }
        }
        if (!whole) {
            // Pieces that macros make cannot be read here; host assembly is made like that, too.
            if (text.find("%%") != text.npos || text.find(".u32") != text.npos || text.find(".b32") != text.npos ||
                text.find(".f32") != text.npos || text.find(".s32") != text.npos)
                refuse(begin, close, "PTX whose text a macro makes: expected string literals");
            return;
        }
        if (!looks_like_ptx(text)) return;
        std::vector<Binding> bindings;
        if (!read_operands(i, close, bindings)) return refuse(begin, close, "operands that are not understood");
        std::vector<AssemblyOperand> operands;
        for (const Binding& binding : bindings) {
            const std::string type = register_type(binding.operand.constraint);
            if (type.empty() && binding.operand.constraint != 'n')
                return refuse(begin, close,
                              "the constraint " + std::string(tokens_[binding.constraint].text) +
                                  ": PTX has h, r, l, f, d and n");
            operands.push_back(binding.operand);
        }
        try {
            write(begin, close, bindings, hints + ptx_calls(text, operands));
        } catch (const PtxError& error) {
            refuse(begin, close, with_parameters(error.what(), parameters));
        }
    }

    /// Reads outputs and inputs from the colon at `i`.
    bool read_operands(std::size_t i, std::size_t close, std::vector<Binding>& bindings) const {
        int section = 0;
        while (i < close) {
            if (is(i, ":") || is(i, "::")) {
                section += is(i, "::") ? 2 : 1;
                ++i;
                if (section > 2) break;
                continue;
            }
            if (is(i, ",")) {
                ++i;
                continue;
            }
            Binding binding{.constraint = i, .open = 0, .output = false, .input = false, .operand = {}};
            if (is(i, "[") && i + 2 < close && is(i + 2, "]")) {
                binding.operand.name = std::string(tokens_[i + 1].text);
                i += 3;
            }
            if (!is_string(i)) return false;
            binding.constraint = i;
            std::string constraint = literal_text(tokens_[i].text);
            const bool both = constraint.find('+') != constraint.npos;
            std::erase_if(constraint, [](char c) { return c == '=' || c == '+' || c == '&' || c == '%' || c == ' '; });
            binding.output = section == 1;
            binding.input = section == 2 || both;
            if (constraint.size() == 1) binding.operand.constraint = constraint[0];
            binding.open = i + 1;
            if (!is(i + 1, "(") || brackets_.match(i + 1) == kNone) return false;
            i = brackets_.match(i + 1) + 1;
            bindings.push_back(binding);
        }
        return true;
    }

    void remove(std::size_t i) { edits_.remove(tokens_[i].offset, tokens_[i].length); }

    void remove(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) remove(i);
    }

    void write(std::size_t begin, std::size_t close, const std::vector<Binding>& bindings, const std::string& calls) {
        edits_.insert(tokens_[begin].offset, "do { ");
        std::size_t done = begin;
        std::string before, after;
        for (std::size_t i = 0; i < bindings.size(); ++i) {
            const Binding& binding = bindings[i];
            remove(done, binding.open);
            done = brackets_.match(binding.open) + 1;
            const std::string variable = "lanework_" + std::to_string(i);
            const std::string type = register_type(binding.operand.constraint);
            if (binding.operand.constraint == 'n') {
                edits_.insert(tokens_[binding.open].offset, "[[maybe_unused]] constexpr auto " + variable + " = ");
                edits_.insert(tokens_[done - 1].end(), ";");
            } else if (binding.output) {
                edits_.insert(tokens_[binding.open].offset, "auto&& lanework_out" + std::to_string(i) + " = ");
                edits_.insert(tokens_[done - 1].end(), ";");
                before += type + " " + variable +
                          (binding.input
                               ? " = ::lanework_simt::ptx::bound<" + type + ">(lanework_out" + std::to_string(i) + "); "
                               : " = 0; ");
                after += "::lanework_simt::ptx::give_back(lanework_out" + std::to_string(i) + ", " + variable + "); ";
            } else {
                edits_.insert(tokens_[binding.open].offset, "[[maybe_unused]] const " + type + " " + variable +
                                                                " = ::lanework_simt::ptx::bound<" + type + ">");
                edits_.insert(tokens_[done - 1].end(), ";");
            }
        }
        remove(done, close);
        edits_.replace(tokens_[close].offset, tokens_[close].length, " " + before + calls + after + "} while (0)");
    }

    /// An error where the code is compiled: a call that the compiler reports if it is left.
    void refuse(std::size_t begin, std::size_t close, const std::string& what) {
        refused_ = true;
        const std::string name = "lanework_refused_" + std::to_string(tokens_[begin].offset);
        remove(begin, close);
        edits_.replace(tokens_[close].offset, tokens_[close].length,
                       "do { void " + name + "() __attribute__((error(" +
                           string_literal("inline PTX: " + what + " is not available on the simt device") + "))); " +
                           name + "(); } while (0)");
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    Edits& edits_;
    bool refused_ = false;
};

}  // namespace

const Token* host_assembly(const Stream& stream) {
    const std::vector<Token>& tokens = stream.tokens;
    const auto is_any = [&](std::size_t i, std::initializer_list<std::string_view> words) {
        return i < tokens.size() &&
               std::ranges::any_of(words, [&](std::string_view word) { return tokens[i].is(word); });
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!is_any(i, {"asm", "__asm__", "__asm"})) continue;
        std::size_t at = i + 1;
        while (is_any(at, {"volatile", "__volatile__", "__volatile", "goto", "inline", "__inline__"})) ++at;
        std::string text;
        for (++at; at < tokens.size() && !is_any(at, {":", "::", ")"}); ++at) {
            if (tokens[at].kind == TokenKind::string) text += literal_text(tokens[at].text);
        }
        const bool empty = text.find_first_not_of(" \t\n;") == text.npos;
        if (!empty && !looks_like_ptx(text)) return &tokens[i];
    }
    return nullptr;
}

bool rewrite_assembly(const Stream& stream, const Brackets& brackets, Edits& edits) {
    return AssemblyRewriter(stream, brackets, edits).run();
}

}  // namespace lanework::cudafe
