// One call after the other: the text is read anew behind each, until no call of a function that waits is left, or one
// that cannot be put in place.
#include "src/cudafe/inlined_functions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {
namespace {

using Definition = DeviceFunctions::Definition;

bool is_specifier(const Token& token) {
    constexpr std::array<std::string_view, 8> kWords{"__device__", "__host__",  "__forceinline__", "inline",
                                                     "static",     "constexpr", "__inline__",      "extern"};
    return among(token.text, kWords);
}

/// The call stays where it is.
struct NotInlined {};

void add_declared(const Stream& stream, const std::vector<Statement>& list, std::set<std::string_view>& names) {
    for (const Statement& each : list) {
        for (const DeclaredVariable& variable : each.variables) names.insert(stream.tokens[variable.name].text);
        add_declared(stream, each.inner, names);
    }
}

/// A parameter of a function or template, by its tokens.
struct Parameter {
    TokenRange type{}, otherwise{};
    std::string_view name;
    bool reference = false, pointer = false, array = false;
};

Parameter parameter(const Stream& stream, TokenRange range) {
    Parameter result;
    std::size_t end = range.begin, name = kNone;
    for (; end < range.end && !stream.tokens[end].is("=") && !stream.tokens[end].is("["); ++end) {
        const Token& token = stream.tokens[end];
        if (token.is("(")) throw NotInlined();
        if (token.identifier()) name = end;
        result.reference = result.reference || token.is("&");
        result.pointer = result.pointer || token.is("*");
    }
    if (name == kNone || name + 1 != end || name == range.begin) throw NotInlined();
    result.type = {range.begin, name};
    result.name = stream.tokens[name].text;
    while (end < range.end && stream.tokens[end].is("[")) {
        result.array = true;
        while (end < range.end && !stream.tokens[end].is("]")) ++end;
        ++end;
        if (end < range.end && stream.tokens[end].is("[")) throw NotInlined();
    }
    if (end < range.end) result.otherwise = {end + 1, range.end};
    return result;
}

/// A kernel whose body is text.
class Kernel {
public:
    Kernel(const std::string& head, const std::string& body)
        : text(head + body + "}"), file(tokenize(text)), brackets(file.code, {}) {
        while (begin < tokens().size() && tokens()[begin].offset < head.size()) ++begin;
        const auto read = read_statements(file.code, brackets, {begin, tokens().size() - 1});
        if (!read) throw NotInlined();
        statements = *read;
        names_of_head();
        add_declared(file.code, statements, names);
    }
    const std::vector<Token>& tokens() const { return file.code.tokens; }
    std::string_view spelled(TokenRange range) const {
        if (range.empty()) return {};
        const std::size_t first = tokens()[range.begin].offset;
        return std::string_view(text).substr(first, tokens()[range.end - 1].end() - first);
    }

    const std::string text;
    const TokenizedFile file;
    const Brackets brackets;
    /// The body's first token.
    std::size_t begin = 0;
    std::vector<Statement> statements;
    /// What its parameters and variables are called.
    std::set<std::string_view> names;

private:
    /// A name stands in front of what ends a parameter.
    void names_of_head() {
        for (std::size_t i = 0; i + 1 < begin; ++i) {
            const Token& behind = tokens()[i + 1];
            if (tokens()[i].identifier() &&
                (behind.is(",") || behind.is(")") || behind.is("=") || behind.is("[") || behind.is(">")))
                names.insert(tokens()[i].text);
        }
    }
};

/// A call, and the statement that it is evaluated ahead of.
struct Call {
    const Statement* statement = nullptr;
    /// The statement stands in a list of statements.
    bool listed = false;
    TokenRange expression{}, all{}, template_arguments{}, arguments{};
    std::string_view function;
};

class Inliner {
public:
    Inliner(const std::string& head, const DeviceFunctions& functions, const Waiting& waiting)
        : head_(head), functions_(functions), waiting_(waiting) {}

    std::string run(std::string body) {
        constexpr unsigned kMost = 64;
        for (number_ = 1; number_ <= kMost; ++number_) {
            const Kernel kernel(head_, body);
            const auto call = find(kernel, kernel.statements, true);
            if (!call) return shared_ + body;
            body = inlined(kernel, *call);
        }
        throw NotInlined();
    }

private:
    // -- the next call -------------------------------------------------------------------------------------------

    std::optional<Call> find(const Kernel& kernel, const std::vector<Statement>& list, bool listed) const {
        for (const Statement& each : list)
            if (auto call = find(kernel, each, listed)) return call;
        return {};
    }
    std::optional<Call> find(const Kernel& kernel, const Statement& statement, bool listed) const {
        using Kind = Statement::Kind;
        TokenRange expression{};
        if (statement.kind == Kind::expression) expression = {statement.all.begin, statement.all.end - 1};
        if (statement.kind == Kind::declaration && statement.variables.size() == 1)
            expression = statement.variables[0].initializer;
        if (statement.kind == Kind::branch) expression = statement.condition;
        if (auto call = find_in(kernel, expression)) {
            call->statement = &statement;
            call->listed = listed;
            return call;
        }
        if (statement.kind == Kind::for_loop) return find(kernel, statement.inner[1], false);
        if (statement.kind == Kind::other) return {};
        return find(kernel, statement.inner, statement.kind == Kind::compound);
    }

    /// The call in an expression that closes first.
    std::optional<Call> find_in(const Kernel& kernel, TokenRange expression) const {
        const auto& tokens = kernel.tokens();
        std::optional<Call> first;
        std::vector<std::size_t> calls;
        for (std::size_t i = expression.begin; i < expression.end; ++i) {
            if (!tokens[i].identifier() || !waiting_.waits(tokens[i].text)) continue;
            Call call{.expression = expression, .function = tokens[i].text};
            std::size_t open = i + 1;
            if (open < expression.end && tokens[open].is("<")) {
                const std::size_t close = kernel.brackets.closing_angle(open);
                if (close == kNone) throw NotInlined();
                call.template_arguments = {open + 1, close};
                open = close + 1;
            }
            if (open >= expression.end || !tokens[open].is("(") || kernel.brackets.match(open) == kNone)
                throw NotInlined();
            call.arguments = {open + 1, kernel.brackets.match(open)};
            call.all = {i, call.arguments.end + 1};
            calls.push_back(i);
            if (!first || call.all.end < first->all.end) first = call;
        }
        if (!may_be_called_ahead(kernel.file.code, kernel.brackets, expression, calls)) throw NotInlined();
        return first;
    }

    // -- its text ------------------------------------------------------------------------------------------------

    using Renames = std::map<std::string_view, std::string>;

    std::string suffixed(std::string_view name) const {
        return std::string(name) + "_lanework_" + std::to_string(number_);
    }

    std::string inlined(const Kernel& kernel, const Call& call) {
        const Definition* const function = functions_.find(call.function);
        if (!function) throw NotInlined();
        const auto statements = read_statements(function->file->code, *function->brackets, function->body);
        if (!statements) throw NotInlined();
        Renames renames;
        std::string ahead = given_template(kernel, call, *function, renames), result;
        ahead += given(kernel, call, *function, renames);
        ahead += body_of(kernel, call, *function, *statements, renames, result);

        const bool alone = call.statement->kind == Statement::Kind::expression &&
                           call.all.begin == call.statement->all.begin && call.all.end + 1 == call.statement->all.end;
        if (result.empty() && !alone) throw NotInlined();
        const auto& tokens = kernel.tokens();
        const std::size_t first = tokens[call.statement->all.begin].offset,
                          last = tokens[call.statement->all.end - 1].end(), at = tokens[call.all.begin].offset,
                          behind = tokens[call.all.end - 1].end();
        const auto part = [&](std::size_t from, std::size_t to) { return kernel.text.substr(from, to - from); };
        const std::size_t body = head_.size();
        const std::string statement = alone && result.empty() ? "" : part(first, at) + result + part(behind, last);
        return part(body, first) + (call.listed ? "" : "{ ") + ahead + statement + (call.listed ? "" : " }") +
               part(last, kernel.text.size() - 1);
    }

    /// The arguments of its template, given or found from those of the call.
    std::string given_template(const Kernel& kernel, const Call& call, const Definition& function,
                               Renames& renames) const {
        const Stream& stream = function.file->code;
        const auto wanted = function.brackets->split(function.template_parameters);
        const auto explicitly = kernel.brackets.split(call.template_arguments);
        if (explicitly.size() > wanted.size()) throw NotInlined();
        std::string text;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const Parameter parameter = cudafe::parameter(stream, wanted[i]);
            const bool type =
                stream.tokens[wanted[i].begin].is("typename") || stream.tokens[wanted[i].begin].is("class");
            const std::string name = suffixed(parameter.name);
            std::string value;
            if (i < explicitly.size())
                value = kernel.spelled(explicitly[i]);
            else if (type)
                value = found_type(kernel, call, function, parameter.name);
            else
                value = found_size(kernel, call, function, parameter.name);
            if (value.empty() && !parameter.otherwise.empty()) value = spelled(function, parameter.otherwise, renames);
            if (value.empty()) throw NotInlined();
            text += (type ? "using " + name : "constexpr " + spelled(function, parameter.type, renames) + name) +
                    " = " + value + "; ";
            renames.emplace(parameter.name, name);
        }
        return text;
    }

    /// The type of a template's parameter, where one of the function's is T, T* or const T*.
    static std::string found_type(const Kernel& kernel, const Call& call, const Definition& function,
                                  std::string_view name) {
        const Stream& stream = function.file->code;
        const auto wanted = function.brackets->split(function.parameters);
        const auto arguments = kernel.brackets.split(call.arguments);
        for (std::size_t i = 0; i < wanted.size() && i < arguments.size(); ++i) {
            const Parameter parameter = cudafe::parameter(stream, wanted[i]);
            bool other = false, found = false;
            for (std::size_t k = parameter.type.begin; k < parameter.type.end; ++k) {
                const Token& token = stream.tokens[k];
                found = found || token.is(name);
                other = other || !(token.is(name) || token.is("const") || token.is("*") || token.is("&") ||
                                   token.is("__restrict__") || token.is("volatile"));
            }
            // What a tile is part of: it becomes any tile of its size.
            if (found && is_tile(stream, parameter.type)) return "void";
            if (!found || other) continue;
            const std::string type = "::std::decay_t<decltype(" + std::string(kernel.spelled(arguments[i])) + ")>";
            return parameter.pointer || parameter.array ? "::std::remove_cv_t<::std::remove_pointer_t<" + type + ">>"
                                                        : type;
        }
        return "";
    }

    static bool is_tile(const Stream& stream, TokenRange type) {
        for (std::size_t i = type.begin; i < type.end; ++i)
            if (stream.tokens[i].is("thread_block_tile")) return true;
        return false;
    }
    /// The number of a template's parameter, where one of the function's is a tile of so many threads.
    static std::string found_size(const Kernel& kernel, const Call& call, const Definition& function,
                                  std::string_view name) {
        const auto& tokens = function.file->code.tokens;
        const auto wanted = function.brackets->split(function.parameters);
        const auto arguments = kernel.brackets.split(call.arguments);
        for (std::size_t i = 0; i < wanted.size() && i < arguments.size(); ++i)
            for (std::size_t k = wanted[i].begin; k + 2 < wanted[i].end; ++k)
                if (tokens[k].is("thread_block_tile") && tokens[k + 1].is("<") && tokens[k + 2].is(name))
                    return "::std::decay_t<decltype(" + std::string(kernel.spelled(arguments[i])) + ")>::size()";
        return "";
    }

    /// Its parameters as variables. A reference is what it refers to.
    std::string given(const Kernel& kernel, const Call& call, const Definition& function, Renames& renames) const {
        const Stream& stream = function.file->code;
        auto wanted = function.brackets->split(function.parameters);
        if (wanted.size() == 1 && wanted[0].end == wanted[0].begin + 1 && stream.tokens[wanted[0].begin].is("void"))
            wanted.clear();
        const auto arguments = kernel.brackets.split(call.arguments);
        if (arguments.size() > wanted.size()) throw NotInlined();
        std::string text;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const Parameter parameter = cudafe::parameter(stream, wanted[i]);
            const bool written = i < arguments.size();
            if (!written && parameter.otherwise.empty()) throw NotInlined();
            const std::string value =
                written ? std::string(kernel.spelled(arguments[i])) : spelled(function, parameter.otherwise, renames);
            if (parameter.reference) {
                const bool named = written && arguments[i].end == arguments[i].begin + 1 &&
                                   kernel.tokens()[arguments[i].begin].identifier();
                if (!named) throw NotInlined();
                renames.emplace(parameter.name, value);
                continue;
            }
            text += spelled(function, parameter.type, renames) + (parameter.array ? "* " : "") +
                    suffixed(parameter.name) + " = " + value + "; ";
            renames.emplace(parameter.name, suffixed(parameter.name));
        }
        return text;
    }

    std::string body_of(const Kernel& kernel, const Call& call, const Definition& function,
                        const std::vector<Statement>& statements, Renames& renames, std::string& result) {
        const Stream& stream = function.file->code;
        std::set<std::string_view> own;
        add_declared(stream, statements, own);
        for (const std::string_view name : own)
            if (!renames.emplace(name, suffixed(name)).second) throw NotInlined();
        for (const Statement& each : statements) name_shared(call, function, each, renames);
        require_understood(kernel, function, renames);
        std::string text;
        for (std::size_t i = 0; i < statements.size(); ++i) {
            const Statement& each = statements[i];
            const bool returns = each.kind == Statement::Kind::jump && i + 1 == statements.size();
            if (returns && stream.tokens[each.all.begin].is("return")) {
                if (each.all.end == each.all.begin + 2) continue;
                result = suffixed("result");
                text += spelled(function, function.result, renames) + result + " = " +
                        spelled(function, {each.all.begin + 1, each.all.end - 1}, renames) + "; ";
                continue;
            }
            for (std::size_t k = each.all.begin; k < each.all.end; ++k)
                if (stream.tokens[k].is("return")) throw NotInlined();
            if (!hoisted_.contains(&stream.tokens[each.all.begin])) text += spelled(function, each.all, renames);
        }
        return text;
    }

    /// Shared memory is the function's, not the call's: it is declared once, ahead of the kernel's text.
    void name_shared(const Call& call, const Definition& function, const Statement& statement, Renames& renames) {
        const Stream& stream = function.file->code;
        const auto names = [&](std::string_view word, TokenRange range) {
            for (std::size_t i = range.begin; i < range.end; ++i)
                if (stream.tokens[i].is(word)) return true;
            return false;
        };
        if (!names("__shared__", statement.all) || names("extern", statement.all)) return;
        if (statement.kind != Statement::Kind::declaration) throw NotInlined();
        const Token* const declaration = &stream.tokens[statement.all.begin];
        for (const DeclaredVariable& each : statement.variables)
            renames[stream.tokens[each.name].text] =
                std::string(stream.tokens[each.name].text) + "_lanework_of_" + std::string(call.function);
        if (hoisted_.contains(declaration)) return;
        bool of_template = false;
        for (std::size_t i = function.template_parameters.begin; i < function.template_parameters.end; ++i)
            of_template = of_template || (stream.tokens[i].identifier() && names(stream.tokens[i].text, statement.all));
        if (of_template) {
            // Another call may be of another function of the template.
            if (!of_templates_.insert(declaration).second) throw NotInlined();
            return;
        }
        hoisted_.insert(declaration);
        shared_ += spelled(function, statement.all, renames);
    }

    /// Whether the text means here what it means there.
    static void require_understood(const Kernel& kernel, const Definition& function, const Renames& renames) {
        const auto& tokens = function.file->code.tokens;
        for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
            const Token& token = tokens[i];
            const bool kept = token.is("static") && !tokens[i + 1].is("__shared__") &&
                              !tokens[i - 1].is("__shared__") && !tokens[i + 1].is("const") &&
                              !tokens[i + 1].is("constexpr");
            if (kept) throw NotInlined();
            if (!token.identifier() || is_member(tokens, i) || renames.contains(token.text)) continue;
            if (kernel.names.contains(token.text)) throw NotInlined();
        }
    }
    static bool is_member(const std::vector<Token>& tokens, std::size_t i) {
        return tokens[i - 1].is(".") || tokens[i - 1].is("::") || (tokens[i - 1].is(">") && tokens[i - 2].is("-"));
    }

    static std::string spelled(const Definition& function, TokenRange range, const Renames& renames) {
        const auto& tokens = function.file->code.tokens;
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (tokens[i].is("static")) continue;  // of shared memory and constants
            const auto renamed =
                tokens[i].identifier() && !is_member(tokens, i) ? renames.find(tokens[i].text) : renames.end();
            text += renamed != renames.end() ? renamed->second : std::string(tokens[i].text);
            if (!function.brackets->adjacent(i) || i + 1 == range.end) text += ' ';
        }
        return text;
    }

    const std::string& head_;
    const DeviceFunctions& functions_;
    const Waiting& waiting_;
    unsigned number_ = 0;
    /// The declarations of shared memory that stand ahead of the kernel, and those of templates that stand in it.
    std::string shared_;
    std::set<const Token*> hoisted_, of_templates_;
};

}  // namespace

bool has_directives(const TokenizedFile& file, TokenRange body) {
    const auto& tokens = file.code.tokens;
    const std::size_t begin = tokens[body.begin - 1].offset, end = tokens[body.end].offset;
    const auto inside = [&](std::size_t offset) { return offset > begin && offset < end; };
    return std::ranges::any_of(file.macros, inside, &Macro::offset) ||
           std::ranges::any_of(file.includes, inside, &Include::offset) ||
           std::ranges::any_of(file.conditionals, [&](const Conditional& each) {
               return each.token >= body.begin && each.token <= body.end;
           });
}

void DeviceFunctions::add(const TokenizedFile& file, const Brackets& brackets) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].identifier() || !tokens[i + 1].is("(") || is_keyword(tokens[i].text) || brackets.in_function(i))
            continue;
        const std::size_t close = brackets.match(i + 1);
        if (close == kNone || close + 1 >= tokens.size() || !tokens[close + 1].is("{")) continue;
        const std::size_t end = brackets.match(close + 1);
        if (end == kNone) continue;
        Definition definition{&file, &brackets, {}, {}, {i + 2, close}, {close + 2, end}};
        std::size_t at = declaration_start(file.code, i);
        if (tokens[at].is("template") && brackets.closing_angle(at + 1) != kNone) {
            definition.template_parameters = {at + 2, brackets.closing_angle(at + 1)};
            at = definition.template_parameters.end + 1;
        }
        while (at < i && is_specifier(tokens[at])) ++at;
        definition.result = {at, i};
        definitions_.emplace(std::string(tokens[i].text), definition);
    }
}

const Definition* DeviceFunctions::find(std::string_view name) const {
    const auto [first, last] = definitions_.equal_range(name);
    if (first == last || std::next(first) != last) return nullptr;
    const Definition& found = first->second;
    const auto& tokens = found.file->code.tokens;
    // A function of a class, or of a namespace, whose names mean something else outside.
    if (found.result.empty() || found.brackets->brace(found.result.begin) != kNone) return nullptr;
    for (std::size_t i = found.result.begin; i < found.result.end; ++i)
        if (is_specifier(tokens[i]) || tokens[i].is("[") || tokens[i].is("(")) return nullptr;
    return has_directives(*found.file, found.body) ? nullptr : &found;
}

std::string with_inlined_functions(const std::string& head, std::string body, const DeviceFunctions& functions,
                                   const Waiting& waiting) {
    try {
        return Inliner(head, functions, waiting).run(body);
    } catch (const NotInlined&) {
        return body;
    }
}

}  // namespace lanework::cudafe
