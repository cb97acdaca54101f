// Takes arguments apart. A function's overloads and a template's types follow from how an argument is written: 0 is a
// pointer, too, and a list in braces has no type at all. Both are lost in a variable, so that they stay in the call.
#include "src/cudafe/launch_arguments.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

namespace lanework::cudafe {
namespace {

bool is_zero(const Token& token) {
    if (token.is("NULL")) return true;
    if (token.kind != TokenKind::number || token.text.front() != '0') return false;
    return std::all_of(token.text.begin() + 1, token.text.end(),
                       [](char c) { return std::string_view("uUlL").find(c) != std::string_view::npos; });
}

bool is_literal(const Token& token) {
    return token.kind == TokenKind::number || token.kind == TokenKind::string || token.kind == TokenKind::character ||
           token.is("NULL") || token.is("nullptr") || token.is("true") || token.is("false");
}

/// Reads one parenthesis.
class Taking {
public:
    Taking(const std::vector<Token>& tokens, const Brackets& brackets) : tokens_(tokens), brackets_(brackets) {}

    /// What is between them, comma by comma; false where that cannot be taken apart.
    bool list(std::size_t open) {
        std::string_view comma;
        for (const TokenRange& each : split_arguments(tokens_, brackets_, open)) {
            result_.given += comma;
            result_.spelled += comma;
            comma = ", ";
            if (!argument(each)) return false;
        }
        return true;
    }
    /// What is kept stays where it stands, with one comma between two; the rest goes.
    void edit(std::size_t open, Edits& edits) const {
        std::size_t at = open + 1;
        for (std::size_t i = 0; i <= kept_.size(); ++i) {
            const std::size_t end = i < kept_.size() ? kept_[i].begin : brackets_.match(open);
            bool needs_comma = i > 0 && i < kept_.size();
            for (; at < end; ++at) {
                if (needs_comma && tokens_[at].is(",")) {
                    needs_comma = false;
                } else {
                    edits.remove(tokens_[at].offset, tokens_[at].length);
                }
            }
            if (i < kept_.size()) at = kept_[i].end;
        }
    }
    const LiteralArguments& result() const { return result_; }

private:
    bool argument(TokenRange range) {
        if (range.begin == range.end) return depth_ > 0;  // nothing behind a last comma
        if (depth_ > 0 && tokens_[range.begin].is(".") && range.end - range.begin > 3 &&
            tokens_[range.begin + 2].is("=")) {
            both("." + std::string(tokens_[range.begin + 1].text) + " = ");
            return argument({range.begin + 3, range.end});
        }
        if (tokens_[range.begin].is("{")) {
            if (brackets_.match(range.begin) != range.end - 1) return false;
            both("{");
            ++depth_;
            const bool known = list(range.begin);
            --depth_;
            both("}");
            return known;
        }
        if (tokens_[range.end - 1].is(".")) return false;  // a pack
        if (written(range)) return true;
        const std::string name = "lanework_argument_" + std::to_string(kept_.size());
        const std::string_view comma = kept_.empty() ? "" : ", ";
        result_.forwarded.append(comma).append("auto&& ").append(name);
        result_.kept.append(comma).append("auto& ").append(name);
        result_.given += "static_cast<decltype(" + name + ")>(" + name + ")";
        result_.spelled += name;
        kept_.push_back(range);
        return true;
    }
    /// Whether it goes into the call as it is written: a zero, and in braces every number.
    bool written(TokenRange range) {
        const bool negative = depth_ > 0 && range.end - range.begin == 2 && tokens_[range.begin].is("-");
        if (range.end - range.begin != 1 && !negative) return false;
        const Token& last = tokens_[range.end - 1];
        if (!(depth_ > 0 ? is_literal(last) : is_zero(last))) return false;
        both((negative ? "-" : "") + std::string(last.text));
        return true;
    }
    void both(const std::string& text) {
        result_.given += text;
        result_.spelled += text;
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    int depth_ = 0;
    std::vector<TokenRange> kept_;
    LiteralArguments result_;
};

}  // namespace

std::vector<TokenRange> split_arguments(const std::vector<Token>&, const Brackets& brackets, std::size_t open) {
    return brackets.split({open + 1, brackets.match(open)});
}

bool depends_on_parameter(const std::vector<Token>& tokens, TokenRange argument) {
    if (argument.begin == argument.end) return false;
    return tokens[argument.begin].is("{") || (argument.end - argument.begin == 1 && is_zero(tokens[argument.begin]));
}

std::optional<LiteralArguments> take_literals(const std::vector<Token>& tokens, const Brackets& brackets,
                                              std::size_t open, Edits& edits) {
    const auto arguments = split_arguments(tokens, brackets, open);
    if (std::none_of(arguments.begin(), arguments.end(),
                     [&](const TokenRange& each) { return depends_on_parameter(tokens, each); }))
        return std::nullopt;
    Taking taking(tokens, brackets);
    if (!taking.list(open)) return std::nullopt;
    taking.edit(open, edits);
    return taking.result();
}

}  // namespace lanework::cudafe
