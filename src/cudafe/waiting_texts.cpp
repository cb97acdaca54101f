// What matters of the texts of functions, macros and types, as they are written: unpreprocessed, names unresolved.
#include "src/cudafe/waiting.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "src/cudafe/index_sum.hpp"
#include "src/cudafe/known_words.hpp"
#include "src/cudafe/loop_ends.hpp"

namespace lanework::cudafe {
namespace {

/// Words that make a type one of memory that changes by itself.
bool is_volatile(std::string_view word) {
    constexpr std::array<std::string_view, 5> kWords{"volatile", "add_volatile", "add_volatile_t", "add_cv",
                                                     "add_cv_t"};
    return among(word, kWords);
}

/// Words with which threads can wait for each other, and those of code whose calls the text does not show.
bool is_opaque(std::string_view word) {
    constexpr std::array<std::string_view, 14> kWords{"asm",      "__asm",    "__asm__", "new",         "delete",
                                                      "throw",    "try",      "goto",    "noinline",    "__noinline__",
                                                      "co_await", "co_yield", "_Pragma", "dynamic_cast"};
    return among(word, kWords) || is_volatile(word);
}

/// Whether token `i` stands behind . or ->; `n-->limit` has none.
bool is_member(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t i) {
    const auto& tokens = stream.tokens;
    if (i > begin && tokens[i - 1].is(".")) return true;
    const bool arrow = i > begin + 1 && tokens[i - 1].is(">") && tokens[i - 2].is("-") && brackets.adjacent(i - 2);
    return arrow && !(i > begin + 2 && tokens[i - 3].is("-") && brackets.adjacent(i - 3));
}

/// Whether tokens [begin, end), between parentheses, can be a type, so that what follows them is cast; `unknown` are
/// the names that have to be types for that.
bool is_type_text(const Stream& stream, std::size_t begin, std::size_t end, std::vector<std::string_view>& unknown) {
    bool type = false;
    for (std::size_t i = begin; i < end; ++i) {
        const Token& token = stream.tokens[i];
        if (token.identifier()) {
            type = type || !token.is("const");
            if (!token.is("const") && !is_known_type(token.text)) unknown.push_back(token.text);
        } else if (!type || (!token.is("*") && !token.is("&"))) {
            return false;
        }
    }
    return type;
}

/// Whether tokens [begin, end) ask for the x of a thread's block, or of the thread in it, for itself.
bool reads_block(const Stream& stream, std::size_t begin, std::size_t end) {
    const IndexSum sum(stream, begin, end);
    const auto is = [&](std::size_t i, std::string_view spelling) { return i < end && stream.tokens[i].is(spelling); };
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t behind = sum.behind(i);
        if (behind != i) {
            i = behind - 1;
        } else if (is(i, "threadIdx") || is(i, "blockIdx")) {
            if (!is(i + 1, ".") || !(is(i + 2, "y") || is(i + 2, "z"))) return true;
        }
    }
    return false;
}

/// The `{` of the body behind a parameter list that ends at `close`; kNone for a declaration or a call.
std::size_t body_of(const Stream& stream, const Brackets& brackets, std::size_t close) {
    const auto& tokens = stream.tokens;
    bool initializers = false;
    for (std::size_t i = close + 1; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.is("{")) {
            const std::size_t end = brackets.match(i);
            // `: member{value}` comes before the body.
            const bool member = initializers && end != kNone && end + 1 < tokens.size() &&
                                (tokens[end + 1].is(",") || tokens[end + 1].is("{"));
            if (!member) return i;
            i = end;
        } else if (token.is("(")) {
            if (brackets.match(i) == kNone) return kNone;
            i = brackets.match(i);
        } else if (token.is(":")) {
            initializers = true;
        } else if (token.is(";") || token.is(")") || token.is("}") || token.is("=") ||
                   (token.is(",") && !initializers)) {
            return kNone;
        }
    }
    return kNone;
}

/// Whether a semicolon ends what goes on behind a parameter list that ends at `close`: `const`, `noexcept(…)`.
bool is_declaration(const Stream& stream, const Brackets& brackets, std::size_t close) {
    for (std::size_t i = close + 1; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        if (token.is(";")) return true;
        if (token.is("{") || token.is(",")) return false;
        if (brackets.match(i) != kNone && brackets.match(i) < i) return false;
        if (brackets.match(i) != kNone) i = brackets.match(i);
    }
    return false;
}

/// Whether token `i` calls an atomic function whose old value nobody uses: no thread can wait by that.
bool is_reduction(const Stream& stream, const Brackets& brackets, std::size_t i, std::size_t begin, std::size_t end) {
    const auto& tokens = stream.tokens;
    if (!tokens[i].text.starts_with("atomic") || i == begin || i + 1 >= end || !tokens[i + 1].is("(")) return false;
    const std::size_t close = brackets.match(i + 1);
    if (close == kNone || close + 1 >= end || !tokens[close + 1].is(";")) return false;
    const Token& before = tokens[i - 1];
    const std::size_t open = before.is(")") ? brackets.match(i - 1) : kNone;
    const bool conditional = open != kNone && open > begin &&
                             (tokens[open - 1].is("if") || tokens[open - 1].is("for") || tokens[open - 1].is("while"));
    return conditional || before.is(";") || before.is("{") || before.is("}") || before.is("else");
}

/// Whether a macro's text has operators, destructors, constructors outside of classes, or classes: their functions are
/// called without their names.
bool declares_implicitly(const Stream& macro, const Brackets& brackets) {
    const auto& tokens = macro.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool parameter = i > 0 && (tokens[i - 1].is("<") || tokens[i - 1].is(","));
        const bool key = tokens[i].is("struct") || tokens[i].is("class") || tokens[i].is("union");
        const bool destructor =
            tokens[i].is("~") && i + 2 < tokens.size() && tokens[i + 1].identifier() && tokens[i + 2].is("(");
        // Type::Type(…), Type<T>::Type(…)
        std::size_t scope = i > 1 && tokens[i - 1].is("::") ? i - 2 : i;
        if (scope < i && tokens[scope].is(">") && brackets.opening_angle(scope) != kNone)
            scope = brackets.opening_angle(scope) - 1;
        const bool constructor = scope < i && tokens[i].identifier() && tokens[scope].is(tokens[i].text) &&
                                 i + 1 < tokens.size() && tokens[i + 1].is("(");
        if (tokens[i].is("operator") || destructor || constructor || (key && !parameter)) return true;
    }
    return false;
}

}  // namespace

void Waiting::Text::add(Text other) {
    called.merge(other.called);
    named.merge(other.named);
    members.merge(other.members);
    types.merge(other.types);
    for (const auto& [name, type] : other.objects) add_object(name, type);
    opaque = opaque || other.opaque;
    shared = shared || other.shared;
    reduces = reduces || other.reduces;
    knows_block = knows_block || other.knows_block;
    may_spin = may_spin || other.may_spin;
}

void Waiting::Text::add_object(std::string_view name, std::string_view type) {
    const auto [object, added] = objects.emplace(name, type);
    if (!added && object->second != type) object->second.clear();
}

/// Adds the variable or parameter that token `i` names with the word of its type: `Matrix a`, `const Op& op`,
/// `Matrix<float> a`. Of several in one declaration that is the first.
void Waiting::add_object(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t i,
                         std::size_t end, Text& text) {
    const auto& tokens = stream.tokens;
    const bool ends = i + 1 == end || tokens[i + 1].is(",") || tokens[i + 1].is(")") || tokens[i + 1].is("=") ||
                      tokens[i + 1].is(";") || tokens[i + 1].is("{") || tokens[i + 1].is("(");
    if (!ends) return;
    // A pointer may be one to a function.
    if (i > begin + 1 && tokens[i - 1].is("*") && tokens[i - 2].identifier() && !tokens[i + 1].is("("))
        text.add_object(tokens[i].text, {});
    std::size_t type = i;
    while (type > begin && (tokens[type - 1].is("&") || tokens[type - 1].is("const"))) --type;
    if (type == begin) return;
    --type;
    if (tokens[type].is(">")) {
        const std::size_t open = brackets.opening_angle(type);
        if (open == kNone || open <= begin) return;
        type = open - 1;
    }
    if (tokens[type].identifier() && !(is_keyword(tokens[type].text) && !tokens[type].is("auto")))
        text.add_object(tokens[i].text, tokens[type].text);
}

Waiting::Text Waiting::read(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end) {
    const auto& tokens = stream.tokens;
    const auto is = [&](std::size_t i, std::string_view spelling) { return i < end && tokens[i].is(spelling); };
    Text text;
    text.knows_block = reads_block(stream, begin, end);
    text.may_spin = may_spin(stream, brackets, begin, end);
    for (std::size_t i = begin; i < end; ++i) {
        const Token& token = tokens[i];
        if (token.is("operator")) {
            // Whose it is says which one: (*this), a class, an object.
            if ((is(i + 1, "(") && is(i + 2, ")")) || (is(i + 1, "[") && is(i + 2, "]"))) i += 2;
            for (; i + 1 < end && !is(i + 1, "(") && !is(i + 1, ";") && tokens[i + 1].identifier(); ++i) {
                text.opaque = text.opaque || is_opaque(tokens[i + 1].text);
                text.named.emplace(tokens[i + 1].text);
            }
            continue;
        }
        if (token.identifier()) {
            add_object(stream, brackets, begin, i, end, text);
            text.opaque = text.opaque || is_opaque(token.text);
            text.shared = text.shared || token.is("__shared__");
            if (is_reduction(stream, brackets, i, begin, end)) {
                text.reduces = true;
                continue;
            }
            // A member that is not called is no function.
            WordSet& uncalled = is_member(stream, brackets, begin, i) ? text.members : text.named;
            (is(i + 1, "(") ? text.called : uncalled).emplace(token.text);
            continue;
        }
        // 1.0_km calls operator""_km.
        const std::size_t suffix = token.kind == TokenKind::number ? token.text.find('_') : token.text.npos;
        if (suffix != token.text.npos) text.called.emplace(token.text.substr(suffix));
        text.opaque = text.opaque || token.is("##");
        // A launch; a pointer to a member.
        text.opaque = text.opaque || (token.is("<") && is(i + 1, "<") && is(i + 2, "<"));
        text.opaque = text.opaque ||
                      (token.is("*") && i > begin && (tokens[i - 1].is(".") || tokens[i - 1].is(">")) &&
                       i > begin + 1 && brackets.adjacent(i - 1) && (tokens[i - 1].is(".") || tokens[i - 2].is("-")));
        if (!is(i + 1, "(")) continue;
        if (token.is("]") || token.is("}")) {
            // A call through an element, or a lambda, whose body is part of the text; behind a block of statements an
            // expression in parentheses.
            const std::size_t open = token.is("]") ? brackets.match(i) : kNone;
            const Token* before = open != kNone && open > begin ? &tokens[open - 1] : nullptr;
            const bool value = before && (before->is(")") || before->is("]") || before->is("}") || before->is(">"));
            const bool lambda = before && !value && (before->kind == TokenKind::punctuation || before->is("return"));
            text.opaque = text.opaque || (token.is("]") && !lambda);
        } else if (token.is(">")) {
            const std::size_t open = brackets.opening_angle(i);
            if (open != kNone && open > begin && tokens[open - 1].identifier())
                text.called.emplace(tokens[open - 1].text);
        } else if (token.is(")")) {
            const std::size_t open = brackets.match(i);
            const Token* before = open != kNone && open > begin ? &tokens[open - 1] : nullptr;
            const bool statement = before && (before->is("if") || before->is("while") || before->is("for") ||
                                              before->is("switch") || before->is("__attribute__"));
            const bool own = open != kNone && open + 3 == i && is(open + 1, "*") && is(open + 2, "this");
            std::vector<std::string_view> unknown;
            const bool cast = open != kNone && !(before && before->identifier() && !is_keyword(before->text)) &&
                              is_type_text(stream, open + 1, i, unknown);
            text.opaque = text.opaque || (!statement && !cast && !own);
            if (!statement) text.types.insert(unknown.begin(), unknown.end());
        }
    }
    return text;
}

void Waiting::add_types(const Stream& stream, const Brackets& brackets) {
    const auto& tokens = stream.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool named = tokens[i].is("struct") || tokens[i].is("class") || tokens[i].is("typename") ||
                           tokens[i].is("enum") || tokens[i].is("union") || tokens[i].is("using");
        if (tokens[i].is("using") && tokens[i + 1].is("namespace") && !brackets.in_function(i)) {
            for (std::size_t k = i + 2; k < tokens.size() && !tokens[k].is(";"); ++k)
                if (tokens[k].identifier()) opened_.emplace(tokens[k].text);
        } else if (named) {
            std::size_t name = i + 1;
            while (name < tokens.size() &&
                   (tokens[name].is("class") || tokens[name].is("struct") || tokens[name].is(".")))
                ++name;
            const bool parameter = i > 0 && (tokens[i - 1].is("<") || tokens[i - 1].is(","));
            if (name < tokens.size() && tokens[name].identifier()) {
                types_.emplace(tokens[name].text);
                if (parameter) parameters_.emplace(tokens[name].text);
            }
        } else if (tokens[i].is("typedef")) {
            std::size_t end = i;
            while (end < tokens.size() && !tokens[end].is(";"))
                end = tokens[end].is("{") && brackets.match(end) != kNone ? brackets.match(end) + 1 : end + 1;
            if (end < tokens.size() && end > i + 1 && tokens[end - 1].identifier())
                types_.emplace(tokens[end - 1].text);
        } else if (is_volatile(tokens[i].text) && !brackets.in_function(i)) {
            // Of a member, a variable or a type, which any kernel may use. A parameter is its function's.
            const bool assembly = i > 0 && tokens[i - 1].text.starts_with("asm");
            std::size_t close = i;
            while (close < tokens.size() && !tokens[close].is(";") && !tokens[close].is("{") &&
                   !tokens[close].is("}") &&
                   !(tokens[close].is(")") && brackets.match(close) != kNone && brackets.match(close) < i))
                ++close;
            const bool parameter = close < tokens.size() && tokens[close].is(")");
            if (!assembly && !parameter) unknown_ = true;
        }
    }
}

/// The member initializers between a constructor's parameters and its body, tokens (begin, end): `x(1), y{f(2)}`.
void Waiting::add_initializers(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end,
                               Text& text) {
    for (std::size_t i = begin; i < end; ++i) {
        if (stream.tokens[i].identifier()) text.named.emplace(stream.tokens[i].text);
        const std::size_t close = brackets.match(i);
        if (close == kNone || close <= i) continue;
        text.add(read(stream, brackets, i + 1, close));
        i = close;
    }
}

/// A lambda for the device, behind whose parameters the word at token `at` stands; nobody calls it by a name.
void Waiting::add_lambda(const Stream& stream, const Brackets& brackets, std::size_t at) {
    const auto& tokens = stream.tokens;
    std::size_t open = at + 1;
    while (open < tokens.size() && !tokens[open].is("{") && !tokens[open].is(";")) ++open;
    if (open >= tokens.size() || !tokens[open].is("{") || brackets.match(open) == kNone) return;
    Text text = read(stream, brackets, at + 1, open);
    text.add(read(stream, brackets, open, brackets.match(open)));
    text.implicit = true;
    text.specifiers.emplace("__device__");
    functions_.emplace("operator", std::move(text));
}

/// Of which types a value calls the function whose name or `operator` is token `i`, and whose parameters are between
/// parentheses.
void Waiting::add_operands(const Stream& stream, const Brackets& brackets, std::size_t i, std::size_t open,
                           Text& text) const {
    const auto& tokens = stream.tokens;
    WordSet owner;
    const std::size_t brace = brackets.brace(i);
    const std::string_view around = brace == kNone ? std::string_view{} : class_name(stream, brackets, brace);
    if (!around.empty()) owner.emplace(around);
    for (std::size_t k = i > 0 && tokens[i - 1].is("~") ? i - 1 : i; k > 1 && tokens[k - 1].is("::");) {
        text.scoped = true;
        k -= 2;
        if (tokens[k].is(">") && brackets.opening_angle(k) != kNone) k = brackets.opening_angle(k) - 1;
        if (k < tokens.size() && tokens[k].identifier()) owner.emplace(tokens[k].text);
    }
    if (!tokens[i].is("operator") && !stands_for_operator(tokens[i].text)) owner.emplace(tokens[i].text);
    if (!owner.empty() && !text.specifiers.contains("friend")) text.operands.push_back(std::move(owner));
    if (text.operands.empty() || text.scoped)
        for (const TokenRange& parameter : brackets.split({open + 1, brackets.match(open)})) {
            WordSet& words = text.operands.emplace_back();
            // Of vec<float> the number is none that the function takes.
            int depth = 0;
            for (std::size_t k = parameter.begin; k < parameter.end; ++k) {
                depth += tokens[k].is("<") - tokens[k].is(">");
                if (tokens[k].identifier() && (depth <= 0 || !is_number(tokens[k].text))) words.emplace(tokens[k].text);
            }
        }
}

/// Whether a function's template has parameters that are types, or its parameters are of any type.
bool Waiting::takes_any_types(const Stream& stream, const Brackets& brackets, TokenRange head, std::size_t open) {
    const auto& tokens = stream.tokens;
    for (std::size_t k = head.begin; k + 1 < head.end; ++k) {
        if (!tokens[k].is("template") || !tokens[k + 1].is("<")) continue;
        const std::size_t close = brackets.closing_angle(k + 1);
        if (close == kNone) return true;
        for (const TokenRange& parameter : brackets.split({k + 2, close}))
            if (!is_number(tokens[parameter.begin].text)) return true;
    }
    for (std::size_t k = open; k < brackets.match(open); ++k)
        if (tokens[k].is("auto")) return true;
    return false;
}

/// What stands ahead of a macro may say what the functions are for that it writes: `__device__ OPERATOR(+)`.
void Waiting::add_macro_use(const Stream& stream, std::size_t i) {
    const auto& tokens = stream.tokens;
    constexpr std::array<std::string_view, 5> kEnds{")", "]", ">", "&", "*"};
    if (i == 0 || !(tokens[i - 1].identifier() || among(tokens[i - 1].text, kEnds))) return;
    WordSet& words = ahead_of_macros_[std::string(tokens[i].text)];
    for (std::size_t k = declaration_start(stream, i); k < i; ++k)
        if (tokens[k].identifier()) words.emplace(tokens[k].text);
}

/// Whether what stands between a parameter list that ends at `close` and a body is all of the same function: `const`,
/// `noexcept(…)`, a type behind an arrow, initializers, macros.
bool Waiting::leads_to_body(const Stream& stream, const Brackets& brackets, std::size_t close, std::size_t body) const {
    constexpr std::array<std::string_view, 8> kWords{"const", "volatile", "noexcept",      "override",
                                                     "final", "throw",    "__attribute__", "&"};
    for (std::size_t i = close + 1; i < body; ++i) {
        const Token& token = stream.tokens[i];
        if (token.is(":") || token.is("-") || token.is("requires")) return true;
        const bool parenthesis = brackets.match(i) != kNone && brackets.match(i) > i;
        if (!parenthesis && !among(token.text, kWords) && !macros_.contains(token.text)) return false;
        if (parenthesis) i = brackets.match(i);
    }
    return true;
}

void Waiting::add_functions(const Stream& stream, const Brackets& brackets) {
    const auto& tokens = stream.tokens;
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        std::size_t i = at, open = at + 1;
        if (tokens[at].is("__device__") && (brackets.in_function(at) || (at > 0 && tokens[at - 1].is("]")))) {
            add_lambda(stream, brackets, at);
            continue;
        }
        if (tokens[at].is(">") && tokens[open].is("(") && brackets.opening_angle(at) != kNone)
            i = brackets.opening_angle(at) - 1;  // a specialization: name<arguments>(…)
        if (i >= tokens.size() || !tokens[i].identifier() || brackets.in_function(i)) continue;
        if (macros_.contains(tokens[i].text)) add_macro_use(stream, i);
        // `A(A&& a) : x(a.x), y{a.y} {` initializes members.
        const bool initializer = i > 1 && (tokens[i - 1].is(",") || (tokens[i - 1].is(":") && tokens[i - 2].is(")")));
        if (initializer) continue;
        const bool is_operator = tokens[i].is("operator") || stands_for_operator(tokens[i].text);
        std::string name(is_operator ? "operator" : tokens[i].text);
        if (is_operator) {  // operator()(…), operator+(…), operator float(), operator""_km(…)
            if (tokens[open].kind == TokenKind::string && open + 1 < tokens.size()) name = tokens[open + 1].text;
            if (tokens[open].is("(")) open += 2;
            while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
        }
        if (open >= tokens.size() || !tokens[open].is("(") || brackets.match(open) == kNone ||
            is_keyword(tokens[i].text) || is_known_type(tokens[i].text) || (i > 0 && tokens[i - 1].is("operator")))
            continue;
        const std::size_t close = brackets.match(open);
        const std::size_t body = body_of(stream, brackets, close);
        const bool defined = body != kNone && brackets.match(body) != kNone;
        // What a macro says of a function, ahead of its type and name, is none.
        if (defined && macros_.contains(name) && !leads_to_body(stream, brackets, close, body)) continue;
        if (!defined && !is_declaration(stream, brackets, close)) continue;
        // The declaration's own words belong to it: a kernel that may not be inlined is none for a loop.
        const std::size_t start = declaration_start(stream, i);
        WordSet specifiers;
        for (std::size_t k = start; k < i; ++k)
            if (tokens[k].identifier()) specifiers.emplace(tokens[k].text);
        if (!defined) {
            declarations_.emplace(std::move(name), std::move(specifiers));
            continue;
        }
        Text text = read(stream, brackets, open, close);
        add_initializers(stream, brackets, close + 1, body, text);
        text.add(read(stream, brackets, body, brackets.match(body)));
        for (const std::string& word : specifiers) {
            text.opaque = text.opaque || is_opaque(word);
            text.named.insert(word);
        }
        text.specifiers = std::move(specifiers);
        text.implicit = (is_operator && name == "operator") || (i > 0 && tokens[i - 1].is("~"));
        text.any_types = takes_any_types(stream, brackets, {start, i}, open);
        add_operands(stream, brackets, i, open, text);
        // Its name is what a macro makes of `NAME(operator+)`, or an operator itself.
        const bool named_by_macro = !is_operator && macros_.contains(name);
        if (named_by_macro && !leads_to(name, "__global__")) {
            text.implicit = true;
            text.operands.clear();
            text.specifiers.insert(name);
        }
        functions_.emplace(std::move(name), std::move(text));
    }
}

void Waiting::add_macro(std::string_view name, const Stream& body) {
    const Brackets brackets(body, {});
    Text text = read(body, brackets, 0, body.tokens.size());
    text.implicit = declares_implicitly(body, brackets);
    if (body.tokens.size() == 1 && body.tokens[0].identifier()) text.sole_word = body.tokens[0].text;
    WordSet words = text.named;
    words.insert(text.called.begin(), text.called.end());
    names_.add_alias(name, std::move(words));
    macros_.emplace(std::string(name), std::move(text));
    writers_.reset();
}

void Waiting::add_macros(const TokenizedFile& file) {
    for (const Macro& macro : file.macros) add_macro(macro.name, macro.body);
}

void Waiting::add(const TokenizedFile& file, const Brackets& brackets) {
    for (const Include& include : file.includes) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kWaiting{{{"cub/", "cub"},
                                                                                         {"thrust/", "thrust"},
                                                                                         {"cuda/", "cuda"},
                                                                                         {"cutlass/", "cutlass"},
                                                                                         {"cute/", "cute"},
                                                                                         {"mma.h", "nvcuda"},
                                                                                         {"mma.h", "wmma"}}};
        for (const auto& [path, library] : kWaiting)
            if (include.path.starts_with(path)) libraries_.emplace(library);
    }
    names_.add(file.code, brackets);
    writers_.reset();
    add_types(file.code, brackets);
    add_functions(file.code, brackets);
}

void Waiting::define(std::string_view macro) {
    const std::size_t equals = macro.find('=');
    if (equals == macro.npos) return;
    const std::string line = "#define M " + std::string(macro.substr(equals + 1)) + "\n";
    const TokenizedFile file = tokenize(line);
    for (const Macro& each : file.macros) add_macro(macro.substr(0, std::min(equals, macro.find('('))), each.body);
}

/// Whether the word is a macro for `operator`, or for such a macro, as it begins the declaration of one: OPERATOR+(…).
bool Waiting::stands_for_operator(std::string_view word) const {
    std::vector<std::string_view> open{word};
    std::set<std::string_view> seen;
    while (!open.empty()) {
        const auto [first, last] = macros_.equal_range(open.back());
        open.pop_back();
        for (auto each = first; each != last; ++each) {
            const std::string& sole = each->second.sole_word;
            if (sole == "operator") return true;
            if (!sole.empty() && seen.insert(sole).second) open.push_back(sole);
        }
    }
    return false;
}

void Waiting::add(const KernelRounds& rounds) { rounds_.insert(rounds.begin(), rounds.end()); }

}  // namespace lanework::cudafe
