// Reachability by name over unpreprocessed text.
#include "src/cudafe/waiting.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "src/cudafe/index_sum.hpp"
#include "src/cudafe/known_words.hpp"
#include "src/cudafe/loop_ends.hpp"
#include "src/cudafe/warp_calls.hpp"

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

bool is_builtin_index(std::string_view word) {
    return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
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

/// Whether a word is one of CUDA's vectors, which a program may have operators for.
bool is_vector(std::string_view word) {
    constexpr std::array<std::string_view, 12> kElements{"char", "uchar", "short",    "ushort",    "int",   "uint",
                                                         "long", "ulong", "longlong", "ulonglong", "float", "double"};
    for (const char* alignment : {"_16a", "_32a"})
        if (word.ends_with(alignment)) word.remove_suffix(4);
    return !word.empty() && word.back() >= '1' && word.back() <= '4' &&
           among(word.substr(0, word.size() - 1), kElements);
}

/// A function at which threads wait for others of their block or warp.
bool is_wait(std::string_view word) { return word == "__syncthreads" || warp_operation(word); }

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

/// Whether a macro's text has operators, destructors or classes, whose functions are called without their names.
bool declares_implicitly(const Stream& macro) {
    const auto& tokens = macro.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool parameter = i > 0 && (tokens[i - 1].is("<") || tokens[i - 1].is(","));
        const bool key = tokens[i].is("struct") || tokens[i].is("class") || tokens[i].is("union");
        const bool destructor =
            tokens[i].is("~") && i + 2 < tokens.size() && tokens[i + 1].identifier() && tokens[i + 2].is("(");
        if (tokens[i].is("operator") || destructor || (key && !parameter)) return true;
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
        // What a macro writes ahead of a function is none.
        if (defined && body != close + 1 && macros_.contains(name)) continue;
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
    Text text = read(body, Brackets(body, {}), 0, body.tokens.size());
    text.implicit = declares_implicitly(body);
    text.is_operator = body.tokens.size() == 1 && body.tokens[0].is("operator");
    WordSet words = text.named;
    words.insert(text.called.begin(), text.called.end());
    names_.add_alias(name, std::move(words));
    macros_.emplace(std::string(name), std::move(text));
}

void Waiting::add(const TokenizedFile& file, const Brackets& brackets) {
    for (const Macro& macro : file.macros) add_macro(macro.name, macro.body);
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

bool Waiting::reaches_itself(const std::string& function) const {
    std::vector<std::string_view> open{function};
    std::set<std::string_view> seen;
    while (!open.empty()) {
        const auto [first, last] = functions_.equal_range(open.back());
        open.pop_back();
        for (auto each = first; each != last; ++each)
            for (const auto* words : {&each->second.called, &each->second.named})
                for (const std::string& word : *words) {
                    if (word == function && (each->first != function || words == &each->second.called)) return true;
                    if (functions_.find(word) != functions_.end() && seen.insert(word).second) open.push_back(word);
                }
    }
    return false;
}

/// Whether kernels may call the function, by the words ahead of its name or by a declaration's.
bool Waiting::is_of_device(const std::string& name, const Text& text) const {
    WordSet seen;
    std::vector<std::string> open(text.specifiers.begin(), text.specifiers.end());
    if (text.scoped)
        for (auto [each, last] = declarations_.equal_range(name); each != last; ++each)
            open.insert(open.end(), each->second.begin(), each->second.end());
    while (!open.empty()) {
        const std::string word = std::move(open.back());
        open.pop_back();
        if (word == "__device__" || word == "__global__" || word == "constexpr" || word == "consteval") return true;
        // A macro may say so.
        for (auto [each, last] = macros_.equal_range(word); each != last; ++each)
            for (const std::string& next : each->second.named)
                if (seen.insert(next).second) open.push_back(next);
    }
    return false;
}

/// Whether kernels may call the function without its name.
bool Waiting::called_implicitly(const std::string& name, const Text& text) const {
    return (text.implicit || types_.contains(name)) && is_of_device(name, text);
}

bool Waiting::leads_to(std::string_view macro, std::string_view word) const {
    WordSet words;
    names_.add_meanings(macro, words);
    return words.contains(word);
}

/// Whether the macro, or one that it is made of, writes functions that are called without their names.
bool Waiting::writes_implicit(std::string_view macro) const {
    WordSet words;
    names_.add_meanings(macro, words);
    return std::ranges::any_of(words, [&](const std::string& word) {
        const auto [first, last] = macros_.equal_range(word);
        return std::any_of(first, last, [](const auto& each) { return each.second.implicit; });
    });
}

/// Whether the word is a macro for `operator`, as it begins the declaration of one: OPERATOR+(…).
bool Waiting::stands_for_operator(std::string_view word) const {
    const auto found = macros_.find(word);
    return found != macros_.end() && found->second.is_operator;
}

/// Whether a value may call the function where these words are all that there is of types.
bool Waiting::has_operand(const Text& text, const WordSet& words) const {
    const auto is_there = [&](const std::string& type) {
        if (words.contains(type)) return true;
        // A thread's place is one; what makes vectors is called by their names, and two floats are a complex number.
        if (!is_vector(type)) return false;
        return type == "uint3" || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
                   return word.find(type) != word.npos || (type.back() == '2' && word.find("Complex") != word.npos);
               });
    };
    for (const WordSet& operand : text.operands) {
        WordSet names;
        bool number = false, known = false;
        for (const std::string& word : operand) {
            number = number || is_number(word);
            if (!names_.is_type(word) && !is_vector(word)) continue;
            known = true;
            names_.add_meanings(word, names);
        }
        for (const std::string& word : names)
            if ((names_.is_type(word) || is_vector(word)) && is_there(word)) return true;
        if (!known && !number) return true;
    }
    return text.operands.empty();
}

/// Whether the text may be that of a function whose calls give way to it: it is called by its name.
bool Waiting::may_be_inlined(std::string_view name, const Text& text) const {
    return functions_.count(name) == 1 && macros_.find(name) == macros_.end() &&
           !called_implicitly(std::string(name), text) && !reaches_itself(std::string(name));
}

bool Waiting::waits(std::string_view function) const {
    std::vector<std::string_view> open{function};
    std::set<std::string_view> seen{function};
    while (!open.empty()) {
        const std::string_view name = open.back();
        open.pop_back();
        for (const Texts* texts : {&functions_, &macros_})
            for (auto [each, last] = texts->equal_range(name); each != last; ++each) {
                if (each->second.shared) return true;
                for (const auto* words : {&each->second.called, &each->second.named})
                    for (const std::string& word : *words) {
                        if (is_wait(word)) return true;
                        if (seen.insert(word).second) open.push_back(word);
                    }
                for (const std::string& word : each->second.members)
                    if (macros_.contains(word) && seen.insert(word).second) open.push_back(word);
            }
    }
    return false;
}

/// What a call of `word` in the text calls, where that is no function's name: an object with an operator(), or a value
/// of a type that a template leaves open.
Waiting::Callee Waiting::callee(std::string_view word, const Text& text) const {
    const auto object = text.objects.find(word);
    if (object == text.objects.end()) return Callee::unknown;
    // A class may have the name of a template's parameter.
    const bool parameter = text.any_types || parameters_.contains(object->second);
    const bool is_class = names_.is_class(object->second);
    if (is_class && !parameter) return Callee::object;
    const bool open =
        object->second == "auto" || is_class || (types_.contains(object->second) && !names_.is_type(object->second));
    // Another file says which functions a variable of its own points to.
    return open && !names_.has_device_variables_elsewhere() ? Callee::value : Callee::unknown;
}

/// The functions for the device whose addresses a program may take: they are named without being called.
WordSet Waiting::addressed() const {
    WordSet found;
    const auto take = [&](const std::string& word) {
        for (auto [each, last] = functions_.equal_range(word); each != last; ++each)
            if (!each->second.specifiers.contains("__global__") && is_of_device(word, each->second)) found.insert(word);
    };
    for (const Texts* texts : {&functions_, &macros_})
        for (const auto& [name, text] : *texts)
            for (const std::string& word : text.named) take(word);
    for (const std::string& word : names_.mentioned()) take(word);
    return found;
}

Waiting::Run Waiting::run_of(std::string_view kernel) const {
    const auto [first, last] = functions_.equal_range(kernel);
    if (unknown_ || first == last) return {};
    bool knows_block = false, place_elsewhere = false, atomics = false, spins = false, waits = false, reduces = false;
    std::vector<std::pair<std::string_view, const Text*>> open;
    // A name that is called is also a function's of which it is not known whether it is for the device.
    std::set<std::string_view> called_words{kernel}, named_words{kernel};
    // All words that come up, and what they are made of.
    WordSet words;
    // Most kernels call no values.
    std::optional<WordSet> pointed_to;
    const auto reach = [&](std::string_view word, bool called) {
        names_.add_parts(word, words);
        if (!(called ? called_words : named_words).insert(word).second) return;
        for (const Texts* texts : {&functions_, &macros_})
            for (auto [each, end] = texts->equal_range(word); each != end; ++each)
                if (called || texts == &macros_ || is_of_device(each->first, each->second))
                    open.emplace_back(each->first, &each->second);
    };
    bool any_types = false;
    for (auto each = first; each != last; ++each) {
        open.emplace_back(each->first, &each->second);
        any_types = any_types || each->second.any_types;
    }
    std::vector<std::pair<std::string_view, const Text*>> implicit;
    for (const auto& [name, text] : functions_)
        if (called_implicitly(name, text)) implicit.emplace_back(name, &text);
    // What macros write at file scope may be for any type; what they write in a class is for who comes to that.
    std::vector<std::pair<std::string_view, const Text*>> written;
    for (const auto& [name, text] : macros_)
        if (leads_to(name, "__device__") && !leads_to(name, "__global__")) written.emplace_back(name, &text);
    const auto reach_implicit = [&] {
        std::erase_if(written, [&](const auto& each) {
            const bool reached = any_types || words.contains(each.first) || writes_implicit(each.first);
            if (reached) open.push_back(each);
            return reached;
        });
        std::erase_if(implicit, [&](const auto& each) {
            const bool reached = any_types || has_operand(*each.second, words);
            if (reached) open.push_back(each);
            return reached;
        });
        return !open.empty();
    };
    while (!open.empty() || reach_implicit()) {
        const auto [name, text] = open.back();
        open.pop_back();
        const bool casts = std::all_of(text->types.begin(), text->types.end(),
                                       [&](const std::string& word) { return types_.contains(word); });
        knows_block = knows_block || text->knows_block;
        spins = spins || text->may_spin || reaches_itself(std::string(name));
        const bool own = name == kernel || may_be_inlined(name, *text);
        if (text->opaque || !casts || (text->shared && !own)) return {};
        waits = waits || text->shared;
        reduces = reduces || text->reduces;
        for (const std::string& word : text->named) {
            // A function that is not inlined would read another file's indices where two files have it.
            const bool index = is_builtin_index(word) && name != kernel;
            place_elsewhere = place_elsewhere || (name != kernel && (word == "threadIdx" || word == "blockIdx"));
            if (index && functions_.find(name) != functions_.end() && reaches_itself(std::string(name))) return {};
            reach(word, false);
        }
        for (const std::string& word : text->members)
            if (macros_.contains(word)) reach(word, false);
        for (const std::string& word : text->called) {
            if (is_keyword(word)) continue;
            if (is_wait(word) && own) {
                waits = true;
                continue;
            }
            const bool known = functions_.find(word) != functions_.end() || macros_.find(word) != macros_.end();
            atomics = atomics || is_atomic(word);
            if (!known && !computes(word) && !is_atomic(word) && !is_known_type(word) && !types_.contains(word)) {
                const Callee called = callee(word, *text);
                if (called == Callee::unknown) return {};
                if (called == Callee::value && !pointed_to) {
                    pointed_to = addressed();
                    for (const std::string& function : *pointed_to) reach(function, true);
                }
            }
            reach(word, true);
        }
    }
    const bool of_library = std::any_of(libraries_.begin(), libraries_.end(), [&](const std::string& library) {
        return any_types || words.contains(library) || opened_.contains(library);
    });
    if (of_library) return {};
    // Where a loop might not end by itself, an atomic operation's old value is nobody's between barriers.
    if (waits) return {atomics && spins ? ThreadOrder::fibers : ThreadOrder::regions, false};
    atomics = atomics || reduces;
    if (atomics && spins) return {};
    return {knows_block ? ThreadOrder::blocks : order_of_rows(kernel, place_elsewhere), atomics};
}

/// Every definition of that name has to be one whose threads take part in the same way.
ThreadOrder Waiting::order_of_rows(std::string_view kernel, bool place_elsewhere) const {
    const auto range = rounds_.equal_range(kernel);
    if (range.first == range.second || functions_.count(kernel) != rounds_.count(kernel)) return ThreadOrder::rows;
    const auto all = [&](bool strides) {
        return std::all_of(range.first, range.second,
                           [&](const auto& each) { return each.second && each.second->strides == strides; });
    };
    if (all(true) && !place_elsewhere) return ThreadOrder::strides;
    return all(false) ? ThreadOrder::guarded : ThreadOrder::rows;
}

void Waiting::add(const KernelRounds& rounds) { rounds_.insert(rounds.begin(), rounds.end()); }

}  // namespace lanework::cudafe
