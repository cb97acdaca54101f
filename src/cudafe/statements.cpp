// Reads statements by the words that they begin with. A declaration is told from an expression by a name behind a name.
#include "src/cudafe/statements.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {
namespace {

/// Words of a type, or before one, behind which its name may still follow.
bool is_specifier(const Token& token) {
    constexpr std::array<std::string_view, 24> kWords{
        "const",    "constexpr",  "static",       "extern", "register", "volatile", "unsigned",   "signed",
        "long",     "short",      "int",          "char",   "float",    "double",   "bool",       "auto",
        "typename", "__shared__", "__restrict__", "struct", "class",    "enum",     "__restrict", "void"};
    return among(token.text, kWords);
}
/// Of these, the words that are no type yet.
bool is_qualifier(const Token& token) {
    constexpr std::array<std::string_view, 13> kWords{"const",      "constexpr",    "static",     "extern", "register",
                                                      "volatile",   "typename",     "__shared__", "struct", "class",
                                                      "__restrict", "__restrict__", "enum"};
    return among(token.text, kWords);
}

/// What is not understood ends the reading.
struct NotUnderstood {};

class StatementReader {
public:
    StatementReader(const Stream& stream, const Brackets& brackets)
        : stream_(stream), tokens_(stream.tokens), brackets_(brackets) {}

    std::vector<Statement> list(TokenRange range) const {
        std::vector<Statement> statements;
        for (std::size_t i = range.begin; i < range.end; i = statements.back().all.end)
            statements.push_back(statement(i, range.end));
        return statements;
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// Behind the bracket that closes the one at `i`.
    std::size_t behind_bracket(std::size_t i) const {
        const std::size_t close = brackets_.match(i);
        if (close == kNone || close < i) throw NotUnderstood();
        return close + 1;
    }

    Statement statement(std::size_t i, std::size_t end) const {
        while (is(i, "case") || is(i, "default")) {
            const std::size_t label = i;
            while (i < end && !is(i, ":")) ++i;
            if (++i >= end) return {.kind = Statement::Kind::empty, .all = {label, end}};
        }
        if (i >= end) throw NotUnderstood();
        const Token& token = tokens_[i];
        if (token.is("{")) return compound(i);
        if (token.is("if")) return branch(i, end);
        if (token.is("for")) return for_loop(i, end);
        if (token.is("while")) return headed(Statement::Kind::while_loop, i, end);
        if (token.is("switch")) return headed(Statement::Kind::other, i, end);
        if (token.is("do")) return do_loop(i, end);
        const bool unknown = token.is("else") || token.is("goto") || token.is("try") || token.is("throw") ||
                             token.is("asm") || token.is("[") || token.is("}") || is(i + 1, ":");
        if (unknown) throw NotUnderstood();
        return simple(i, end);
    }

    Statement compound(std::size_t i) const {
        const std::size_t behind = behind_bracket(i);
        return with_inner({.kind = Statement::Kind::compound, .all = {i, behind}}, list({i + 1, behind - 1}));
    }

    Statement with_inner(Statement statement, std::vector<Statement> inner) const {
        statement.meets =
            names_warp_operation(stream_, statement.condition) || names_warp_operation(stream_, statement.step);
        statement.has_barrier = std::ranges::any_of(inner, &Statement::has_barrier);
        statement.waits = std::ranges::any_of(inner, [](const Statement& each) { return each.waits || each.meets; });
        statement.inner = std::move(inner);
        return statement;
    }

    /// The parenthesis at `i`, without itself.
    TokenRange enclosed(std::size_t i) const {
        if (!is(i, "(")) throw NotUnderstood();
        return {i + 1, behind_bracket(i) - 1};
    }

    Statement headed(Statement::Kind kind, std::size_t i, std::size_t end) const {
        const TokenRange condition = enclosed(i + 1);
        Statement body = statement(condition.end + 1, end);
        return with_inner({.kind = kind, .all = {i, body.all.end}, .condition = condition}, {std::move(body)});
    }

    Statement branch(std::size_t i, std::size_t end) const {
        const TokenRange condition = enclosed(is(i + 1, "constexpr") ? i + 2 : i + 1);
        if (find(";", condition) != condition.end) throw NotUnderstood();
        std::vector<Statement> inner{statement(condition.end + 1, end)};
        if (inner[0].all.end < end && is(inner[0].all.end, "else"))
            inner.push_back(statement(inner[0].all.end + 1, end));
        const TokenRange all{i, inner.back().all.end};
        return with_inner({.kind = Statement::Kind::branch, .all = all, .condition = condition}, std::move(inner));
    }

    Statement for_loop(std::size_t i, std::size_t end) const {
        const TokenRange head = enclosed(i + 1);
        const std::size_t first = find(";", head);
        if (first == head.end) return headed(Statement::Kind::other, i, end);
        const std::size_t second = find(";", {first + 1, head.end});
        if (second == head.end || find(";", {second + 1, head.end}) != head.end) throw NotUnderstood();
        std::vector<Statement> inner{simple(head.begin, first + 1), statement(head.end + 1, end)};
        const TokenRange all{i, inner[1].all.end};
        return with_inner({.kind = Statement::Kind::for_loop,
                           .all = all,
                           .condition = {first + 1, second},
                           .step = {second + 1, head.end}},
                          std::move(inner));
    }

    Statement do_loop(std::size_t i, std::size_t end) const {
        Statement body = statement(i + 1, end);
        const std::size_t word = body.all.end;
        if (!is(word, "while")) throw NotUnderstood();
        const TokenRange condition = enclosed(word + 1);
        if (!is(condition.end + 1, ";")) throw NotUnderstood();
        return with_inner({.kind = Statement::Kind::do_loop, .all = {i, condition.end + 2}, .condition = condition},
                          {std::move(body)});
    }

    /// The first token of that spelling outside brackets; the range's end for none.
    std::size_t find(std::string_view spelling, TokenRange range) const {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (is(i, spelling)) return i;
            if (is(i, "(") || is(i, "[") || is(i, "{")) i = behind_bracket(i) - 1;
        }
        return range.end;
    }

    Statement simple(std::size_t i, std::size_t end) const {
        const std::size_t last = find(";", {i, end});
        if (last == end) throw NotUnderstood();
        const TokenRange all{i, last + 1};
        if (last == i) return {.kind = Statement::Kind::empty, .all = all};
        const bool barrier = is(i, "__syncthreads") && is(i + 1, "(") && is(i + 2, ")") && last == i + 3;
        if (barrier) return {.kind = Statement::Kind::barrier, .all = all, .waits = true, .has_barrier = true};
        const bool meets = names_warp_operation(stream_, all);
        if (is(i, "using") || is(i, "typedef") || is(i, "namespace"))
            return {.kind = Statement::Kind::alias, .all = all};
        if (is(i, "return") || is(i, "break") || is(i, "continue"))
            return {.kind = Statement::Kind::jump, .all = all, .meets = meets};
        if (auto declared = declaration({i, last})) {
            declared->all = all;
            declared->meets = meets;
            return *declared;
        }
        return {.kind = Statement::Kind::expression, .all = all, .meets = meets};
    }

    std::optional<Statement> declaration(TokenRange range) const {
        const std::size_t type_end = behind_type(range);
        if (type_end == range.begin) return {};
        Statement statement{.kind = Statement::Kind::declaration, .type = {range.begin, type_end}};
        for (std::size_t i = type_end;;) {
            const auto variable = declarator({i, range.end});
            if (!variable) {
                // A name, but no variable of it: what is declared, if anything, is not understood.
                if (!statement.variables.empty() || is_specifier(tokens_[range.begin])) throw NotUnderstood();
                return {};
            }
            statement.variables.push_back(*variable);
            i = end_of(*variable);
            if (i >= range.end) return statement;
            if (!is(i++, ",")) throw NotUnderstood();
        }
    }

    static std::size_t end_of(const DeclaredVariable& variable) {
        return std::max({variable.name + 1, variable.subscripts.end, variable.initializer.end});
    }

    /// Behind the specifiers and the type that a range begins with; its begin where it begins with none.
    std::size_t behind_type(TokenRange range) const {
        bool type = false;
        std::size_t i = range.begin;
        while (i < range.end) {
            const Token& token = tokens_[i];
            const bool alignment = token.is("alignas") || token.is("__align__") || token.is("__attribute__");
            if (alignment && is(i + 1, "(")) {
                i = behind_bracket(i + 1);
            } else if (is_specifier(token)) {
                type = type || !is_qualifier(token);
                ++i;
            } else if (!type && (token.is("::") || (token.identifier() && !is_statement_word(token)))) {
                i = behind_name(i, range.end);
                type = true;
            } else {
                break;
            }
        }
        return type ? i : range.begin;
    }

    /// Behind a::b<c>::d.
    std::size_t behind_name(std::size_t i, std::size_t end) const {
        for (;;) {
            if (is(i, "::")) ++i;
            if (i < end && tokens_[i].identifier()) ++i;
            if (is(i, "<") && brackets_.closing_angle(i) != kNone && brackets_.closing_angle(i) < end)
                i = brackets_.closing_angle(i) + 1;
            if (i >= end || !is(i, "::")) return std::min(i, end);
        }
    }

    std::optional<DeclaredVariable> declarator(TokenRange range) const {
        std::size_t i = range.begin;
        const auto qualifies = [&] {
            return is(i, "*") || is(i, "&") || is(i, "const") || is(i, "__restrict__") || is(i, "__restrict") ||
                   is(i, "restrict");
        };
        while (i < range.end && qualifies()) ++i;
        if (i >= range.end || !tokens_[i].identifier() || is_statement_word(tokens_[i])) return {};
        DeclaredVariable variable{.name = i, .pointers = {range.begin, i}};
        ++i;
        variable.subscripts = {i, i};
        while (i < range.end && is(i, "[")) variable.subscripts.end = i = behind_bracket(i);
        variable.initializer = {i, i};
        if (i >= range.end || is(i, ",")) return variable;
        if (is(i, "=")) {
            variable.initializer.end = end_of_value({i + 1, range.end});
        } else if (is(i, "(") || is(i, "{")) {
            variable.initializer.end = behind_bracket(i);
        } else {
            return {};
        }
        return variable;
    }

    /// The comma outside brackets and template arguments that ends an initializer, or the range's end.
    std::size_t end_of_value(TokenRange range) const {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (is(i, ",")) return i;
            if (is(i, "(") || is(i, "[") || is(i, "{")) {
                i = behind_bracket(i) - 1;
            } else if (is(i, "<") && tokens_[i - 1].identifier()) {
                const std::size_t close = brackets_.closing_angle(i);
                if (close != kNone && close < range.end && is(close + 1, "(")) i = close;
            }
        }
        return range.end;
    }

    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
};

}  // namespace

bool is_statement_word(const Token& token) {
    constexpr std::array<std::string_view, 23> kWords{
        "return",     "else",    "case", "goto",  "throw",  "new",         "delete",
        "sizeof",     "if",      "for",  "while", "switch", "do",          "break",
        "continue",   "and",     "or",   "not",   "this",   "static_cast", "reinterpret_cast",
        "const_cast", "operator"};
    return among(token.text, kWords);
}

std::optional<std::vector<Statement>> read_statements(const Stream& stream, const Brackets& brackets, TokenRange body) {
    try {
        return StatementReader(stream, brackets).list(body);
    } catch (const NotUnderstood&) {
        return {};
    }
}

}  // namespace lanework::cudafe
