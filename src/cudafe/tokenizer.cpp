// The tokenizer: lines and directives on top, single tokens below.
#include "src/cudafe/tokenizer.hpp"

#include <algorithm>

#include "src/cudafe/cursor.hpp"

namespace lanework::cudafe {
namespace {

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text) : cursor_(text) {}

    TokenizedFile run() {
        file_.text = cursor_.text();
        bool line_start = true;
        while (skip_blanks(), !cursor_.at_end()) {
            if (cursor_.here() == '\n') {
                cursor_.advance();
                line_start = true;
            } else if (cursor_.here() == '#' && line_start) {
                directive();
            } else {
                const Token token = next_token();
                if (!skipping()) file_.code.tokens.push_back(token);
                line_start = false;
            }
        }
        return std::move(file_);
    }

private:
    bool skipping() const { return skipped_from_ != 0; }

    // -- directives ------------------------------------------------------------------------------------------------

    void directive() {
        in_directive_ = true;
        directive_ = cursor_.offset();
        cursor_.advance();
        skip_blanks();
        const std::string_view name = starts_word(cursor_.here()) ? next_token().text : std::string_view{};
        if (name == "if" || name == "ifdef" || name == "ifndef")
            open_group(name == "if");
        else if (name == "else" || name.starts_with("elif"))
            next_branch();
        else if (name == "endif")
            close_group();
        else if (name == "define" && !skipping())
            define();
        else if (name == "include" && !skipping())
            include();
        else if (name == "error" || name == "warning")
            skip_line();
        rest_of_line();
        in_directive_ = false;
    }

    std::vector<Token> rest_of_line() {
        std::vector<Token> tokens;
        while (skip_blanks(), !cursor_.at_end() && cursor_.here() != '\n') tokens.push_back(next_token());
        return tokens;
    }

    void skip_line() {
        while (!cursor_.at_end() && cursor_.here() != '\n') cursor_.advance();
    }

    void mark(Conditional::Kind kind, std::vector<Token> condition = {}) {
        file_.conditionals.push_back({kind, file_.code.tokens.size(), directive_, std::move(condition)});
    }

    void open_group(bool with_condition) {
        ++depth_;
        std::vector<Token> condition = rest_of_line();
        if (!skipping() && with_condition && condition.size() == 1 && condition[0].is("0")) skipped_from_ = depth_;
        mark(Conditional::Kind::open, std::move(condition));
    }

    void next_branch() {
        if (skipped_from_ == depth_) skipped_from_ = 0;
        mark(Conditional::Kind::branch, rest_of_line());
    }

    void close_group() {
        if (skipped_from_ == depth_) skipped_from_ = 0;
        if (depth_ > 0) --depth_;
        mark(Conditional::Kind::close);
    }

    void define() {
        skip_blanks();
        if (!starts_word(cursor_.here())) return;
        Macro macro;
        macro.offset = directive_;
        macro.name = next_token().text;
        if (cursor_.here() == '(') {
            macro.function_like = true;
            while (!cursor_.at_end() && cursor_.here() != '\n' && cursor_.here() != ')') {
                const Token token = next_token();
                if (token.identifier()) macro.parameters.push_back(token.text);
                if (token.is(".")) macro.parameters.push_back("__VA_ARGS__");
                skip_blanks();
            }
            if (cursor_.here() == ')') cursor_.advance();
        }
        macro.body.tokens = rest_of_line();
        if (is_header_name(macro.body.tokens)) macro.body.tokens.clear();
        file_.macros.push_back(std::move(macro));
    }

    /// <folder/name.h>, whose words are none of the language's; <<<grid, block>>> and <int, 4> are none.
    static bool is_header_name(const std::vector<Token>& tokens) {
        if (tokens.size() < 3 || !tokens.front().is("<") || tokens[1].is("<") || !tokens.back().is(">")) return false;
        for (std::size_t i = 1; i < tokens.size(); ++i)
            if (tokens[i].is(",") || tokens[i - 1].end() != tokens[i].offset) return false;
        return std::ranges::count_if(tokens, [](const Token& each) { return each.is("<") || each.is(">"); }) == 2;
    }

    void include() {
        skip_blanks();
        const char open = cursor_.here(), close = open == '<' ? '>' : '"';
        if (open != '<' && open != '"') return;
        const std::size_t start = cursor_.offset() + 1;
        const std::size_t end = cursor_.text().find_first_of(std::string{close, '\n'}, start);
        if (end == std::string_view::npos || cursor_.text()[end] == '\n') return;
        file_.includes.push_back({start, end - start, cursor_.text().substr(start, end - start), open == '<'});
        cursor_.jump(end + 1);
    }

    // -- tokens ----------------------------------------------------------------------------------------------------

    /// Blanks and comments, not the end of a line.
    void skip_blanks() {
        while (!cursor_.at_end()) {
            if (is_blank(cursor_.here()))
                cursor_.advance();
            else if (cursor_.here() == '/' && cursor_.following() == '/')
                skip_line();
            else if (cursor_.here() == '/' && cursor_.following() == '*')
                skip_comment();
            else
                return;
        }
    }

    void skip_comment() {
        const std::size_t start = cursor_.offset();
        cursor_.advance();
        cursor_.advance();
        for (char last = '\0'; !(last == '*' && cursor_.here() == '/'); cursor_.advance()) {
            if (cursor_.at_end()) throw MalformedError(start, "this comment does not end: expected */");
            last = cursor_.here();
        }
        cursor_.advance();
    }

    Token next_token() {
        const std::size_t start = cursor_.offset();
        const char c = cursor_.here();
        if (starts_word(c)) return word(start);
        if (is_digit(c) || (c == '.' && is_digit(cursor_.following()))) return number(start);
        if (c == '"' || c == '\'') return literal(start, c);
        cursor_.advance();
        if ((c == ':' || c == '#') && cursor_.here() == c) cursor_.advance();
        return token(TokenKind::punctuation, start);
    }

    Token word(std::size_t start) {
        while (continues_word(cursor_.here())) cursor_.advance();
        const Token found = token(TokenKind::identifier, start);
        const char c = cursor_.here();
        if (c != '"' && c != '\'') return found;
        const std::string_view prefix = found.text;
        if (c == '"' && (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R"))
            return raw_string(start);
        if (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8") return literal(start, c);
        return found;
    }

    /// A preprocessing number: 0x1p-3, 1'000'000, 1.5e+3f.
    Token number(std::size_t start) {
        for (char last = '\0'; !cursor_.at_end(); cursor_.advance()) {
            const char c = cursor_.here();
            const bool sign = (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
            const bool separator = c == '\'' && continues_word(cursor_.following());
            if (!continues_word(c) && c != '.' && !sign && !separator) break;
            last = c;
        }
        return token(TokenKind::number, start);
    }

    Token literal(std::size_t start, char quote) {
        const TokenKind kind = quote == '"' ? TokenKind::string : TokenKind::character;
        cursor_.advance();
        while (cursor_.here() != quote) {
            if (cursor_.at_end() || cursor_.here() == '\n') {
                if (depth_ > 0 || in_directive_) return token(kind, start);
                throw MalformedError(start, std::string(quote == '"' ? "this string" : "this character literal") +
                                                " does not end: expected " + quote + " on the same line");
            }
            if (cursor_.here() == '\\') cursor_.advance();
            if (cursor_.here() != '\n') cursor_.advance();
        }
        cursor_.advance();
        return token(kind, start);
    }

    Token raw_string(std::size_t start) {
        const std::size_t quote = cursor_.offset();
        const std::size_t open = cursor_.text().find_first_of("( )\\\t\v\f\n", quote + 1);
        if (open == std::string_view::npos || cursor_.text()[open] != '(')
            throw MalformedError(start,
                                 "this raw string has no opening parenthesis: expected R\"delimiter( )delimiter\"");
        const std::string closing = ')' + std::string(cursor_.text().substr(quote + 1, open - quote - 1)) + '"';
        const std::size_t close = cursor_.text().find(closing, open + 1);
        if (close == std::string_view::npos)
            throw MalformedError(start, "this raw string does not end: expected " + closing);
        cursor_.jump(close + closing.size());
        return token(TokenKind::string, start);
    }

    Token token(TokenKind kind, std::size_t start) {
        const std::size_t length = cursor_.passed() - start;
        const std::string_view raw = cursor_.text().substr(start, length);
        const bool literal = kind == TokenKind::string || kind == TokenKind::character;
        return {kind, start, length, literal ? raw : joined(raw)};
    }

    std::string_view joined(std::string_view raw) {
        if (raw.find('\n') == std::string_view::npos) return raw;
        std::string text;
        for (Cursor c(raw); !c.at_end(); c.advance()) text += c.here();
        return file_.spliced.emplace_back(std::move(text));
    }

    Cursor cursor_;
    TokenizedFile file_;
    /// Open conditional groups, and the one whose branch (`#if 0`) is being skipped; 0 for none.
    int depth_ = 0, skipped_from_ = 0;
    bool in_directive_ = false;
    /// Where the directive that is read began.
    std::size_t directive_ = 0;
};

}  // namespace

TokenizedFile tokenize(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace lanework::cudafe
