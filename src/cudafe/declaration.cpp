// Reads declarations without knowing types: names are found from the end of each declarator.
#include "src/cudafe/declaration.hpp"

#include <algorithm>

namespace lanework::cudafe {
namespace {

class DeclarationReader {
public:
    DeclarationReader(const Stream& stream, const Brackets& brackets, const SharedWords& words, bool macro_body,
                      std::size_t word)
        : tokens_(stream.tokens), brackets_(brackets), words_(words), macro_body_(macro_body), word_(word) {}

    Declaration run() {
        Declaration result;
        result.begin = first_specifier();
        result.end = word_ + 1;
        std::size_t begin = result.begin;
        while (!at_end(result.end)) {
            if (is(result.end, ",")) {
                result.declarators.push_back(declarator(begin, result.end));
                begin = ++result.end;
            } else {
                result.end = step(result.end);
            }
        }
        result.declarators.push_back(declarator(begin, result.end));
        read_specifiers(result);
        return result;
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    bool is_class_key(std::size_t i) const {
        return is(i, "struct") || is(i, "class") || is(i, "union") || is(i, "enum");
    }
    bool at_end(std::size_t i) const { return is(i, ";") || (macro_body_ && i == tokens_.size()); }

    [[noreturn]] void fail(const std::string& message) const { throw MalformedError(tokens_[word_].offset, message); }

    /// The token after `i`; brackets and template arguments are stepped over.
    std::size_t step(std::size_t i) const {
        if (i >= tokens_.size()) fail("this __shared__ declaration does not end: expected ';'");
        const Token& token = tokens_[i];
        if (token.is("=") || (token.is("{") && !defines_type(i)))
            fail("a __shared__ variable cannot have an initializer: assign to it in the kernel");
        if (token.is(")") || token.is("]") || token.is("}"))
            fail("this __shared__ declaration does not end: expected ';' before " + std::string(token.text));
        std::size_t close = i;
        if (token.is("(") || token.is("[") || token.is("{")) close = brackets_.match(i);
        if (token.is("<") && tokens_[i - 1].identifier()) close = brackets_.closing_angle(i);
        if (close == kNone) fail("this __shared__ declaration has an open " + std::string(token.text));
        return close + 1;
    }

    bool defines_type(std::size_t brace) const {
        for (std::size_t i = brace; i-- > 0 && !is(i, ";") && !is(i, "{") && !is(i, "}");)
            if (is_class_key(i)) return true;
        return false;
    }

    /// Specifiers and the type may stand before __shared__, too.
    std::size_t first_specifier() const {
        std::size_t i = word_;
        while (i > 0) {
            const std::size_t before = before_specifier(i);
            if (before == kNone) break;
            i = before;
        }
        return i;
    }

    /// The start of the specifier (or part of one) that ends before token `i`; kNone when another thing does.
    std::size_t before_specifier(std::size_t i) const {
        const Token& last = tokens_[i - 1];
        if (last.is("]")) return brackets_.match(i - 1);
        if (last.is(">")) return brackets_.opening_angle(i - 1);
        if (last.is(")")) {
            const std::size_t open = brackets_.match(i - 1);
            const bool call = open != kNone && open > 0 && (is_alignment(open - 1) || is(open - 1, "decltype"));
            return call ? open - 1 : kNone;
        }
        return last.identifier() || last.is("::") || last.is("##") ? i - 1 : kNone;
    }

    bool is_alignment(std::size_t i) const { return is(i, "alignas") || is(i, "__align__") || is(i, "__attribute__"); }

    /// The closing parenthesis of the alignment specifier at `i`; kNone when there is none. An __attribute__ about
    /// something else is no alignment.
    std::size_t alignment_end(std::size_t i) const {
        if (!is_alignment(i) || !is(i + 1, "(") || brackets_.match(i + 1) == kNone) return kNone;
        const std::size_t close = brackets_.match(i + 1);
        if (!is(i, "__attribute__")) return close;
        for (std::size_t k = i; k < close; ++k)
            if (is(k, "aligned") || is(k, "__aligned__")) return close;
        return kNone;
    }

    /// The declared name is what is left when subscripts and attributes are taken off the end, within the innermost
    /// parentheses of declarators such as (*pointer)[4] and (*function)(int).
    Declarator declarator(std::size_t begin, std::size_t end) const {
        std::size_t first = begin, last = end;
        while (last > first && !tokens_[last - 1].identifier()) {
            const std::size_t open = brackets_.match(last - 1);
            const bool bracket = (is(last - 1, ")") || is(last - 1, "]")) && open != kNone && open >= first;
            if (!bracket) no_name();
            if (open > first && is_alignment(open - 1))
                last = open - 1;
            else if (is(last - 1, "]") || (open > first && is(open - 1, ")")))
                last = open;
            else
                first = open + 1, --last;
        }
        if (last <= first || last - 1 <= word_ || is_type_word(last - 1)) no_name();
        std::size_t name = last - 1;
        while (name > first + 1 && is(name - 1, "##")) name -= 2;
        return {begin, end, name, last};
    }

    [[noreturn]] void no_name() const {
        fail(macro_body_ ? "this __shared__ declaration names no variable: a macro has to hold all of it, or the word "
                           "__shared__ alone"
                         : "this __shared__ declaration names no variable: expected __shared__ type name;");
    }

    bool is_type_word(std::size_t i) const {
        static const SharedWords kWords{"float",    "double", "int",    "char",  "bool",     "short",
                                        "long",     "const",  "signed", "void",  "unsigned", "struct",
                                        "volatile", "static", "union",  "class", "enum",     "extern"};
        return kWords.contains(tokens_[i].text) || words_.contains(tokens_[i].text);
    }

    /// Notes what the tokens before the first name, and behind each name, say about storage and alignment.
    void read_specifiers(Declaration& d) const {
        for (std::size_t i = d.begin; i < d.declarators[0].name; ++i) {
            if (is_class_key(i)) {
                while (alignment_end(i + 1) != kNone) i = alignment_end(i + 1);
            } else if (is(i, "{")) {
                i = brackets_.match(i);
            } else if (is(i, "static") || is(i, "extern") || words_.contains(tokens_[i].text)) {
                d.is_extern |= is(i, "extern");
                d.specifiers.insert(i);
            } else if (alignment_end(i) != kNone) {
                i = note_alignment(d, i);
            }
        }
        for (const Declarator& one : d.declarators)
            for (std::size_t i = one.behind_name; i < one.end; ++i)
                if (alignment_end(i) != kNone) i = note_alignment(d, i);
    }

    std::size_t note_alignment(Declaration& d, std::size_t i) const {
        const std::size_t close = alignment_end(i);
        d.alignment += is(i, "__attribute__") ? "__attribute__" : "alignas";
        for (std::size_t k = i + 1; k <= close; ++k) {
            d.alignment += tokens_[k].text;
            if (!brackets_.adjacent(k)) d.alignment += ' ';
        }
        if (d.alignment.back() != ' ') d.alignment += ' ';
        for (std::size_t k = i; k <= close; ++k) d.specifiers.insert(k);
        return close;
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const SharedWords& words_;
    bool macro_body_;
    std::size_t word_;
};

}  // namespace

Declaration read_declaration(const Stream& stream, const Brackets& brackets, const SharedWords& words, bool macro_body,
                             std::size_t word) {
    return DeclarationReader(stream, brackets, words, macro_body, word).run();
}

}  // namespace lanework::cudafe
