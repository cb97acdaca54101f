// The proof starts from the belief that every variable beside barriers is uniform, and takes back what the text does
// not bear out until nothing more is taken back.
#include "src/cudafe/uniformity.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/waiting.hpp"
#include "src/cudafe/warp_calls.hpp"

namespace lanework::cudafe {
namespace {

bool is_operand_end(const Token& token) {
    const bool value = token.kind != TokenKind::punctuation && !is_statement_word(token);
    return value || token.is(")") || token.is("]");
}

/// The variables that a list of statements declares, with what stands in it.
void add_declared(const std::vector<Statement>& list, std::set<std::size_t>& declared) {
    for (const Statement& each : list) {
        for (const DeclaredVariable& variable : each.variables) declared.insert(variable.name);
        add_declared(each.inner, declared);
    }
}

/// Whether a macro's body is an expression that changes nothing by itself, and hands on no address.
bool is_expression(const Stream& body) {
    constexpr std::array<std::string_view, 12> kOthers{";",        "{",          "}",           "#",
                                                       "##",       "return",     "continue",    "break",
                                                       "__LINE__", "__shared__", "__COUNTER__", "__syncthreads"};
    const Brackets brackets(body, {});
    const auto& tokens = body.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (std::ranges::find(kOthers, token.text) != kOthers.end() || warp_operation(token.text)) return false;
        const bool touches = i > 0 && brackets.adjacent(i - 1);
        const auto before = [&](std::string_view sign) { return touches && tokens[i - 1].is(sign); };
        if ((token.is("+") || token.is("-")) && before(token.text)) return false;
        if (token.is("&") && !before("&") && (i == 0 || !is_operand_end(tokens[i - 1]))) return false;
        const bool compares = before("=") || before("!") || before("<") || before(">") ||
                              (i + 1 < tokens.size() && tokens[i + 1].is("=") && brackets.adjacent(i));
        const bool shift = i > 1 && before(tokens[i - 2].text) && !before("=");
        if (token.is("=") && (!compares || shift)) return false;
    }
    return true;
}

/// Adds the texts beside barriers that may change a uniform variable: expressions, and the heads of loops around
/// barriers; with the statements around each that have a condition.
void add_beside(const std::vector<Statement>& list, std::vector<const Statement*>& around,
                std::vector<Uniformity::Beside>& beside) {
    for (const Statement& each : list) {
        if (each.kind == Statement::Kind::expression) beside.push_back({{each.all.begin, each.all.end - 1}, around});
        if (!each.waits) continue;
        const bool conditional = !each.condition.empty();
        if (conditional) around.push_back(&each);
        if (each.kind == Statement::Kind::for_loop) beside.push_back({each.step, around});
        add_beside(each.inner, around, beside);
        if (conditional) around.pop_back();
    }
}

}  // namespace

// -- what a program declares -----------------------------------------------------------------------------------------

void ProgramNames::add(const TokenizedFile& file, const Brackets& brackets) {
    for (const Macro& macro : file.macros) macros_.emplace(std::string(macro.name), macro);
    add_constants(file, brackets);
    add_enumerators(file, brackets);
    add_functions(file, brackets);
    for (std::size_t i = 0; i + 1 < file.code.tokens.size(); ++i)
        if (file.code.tokens[i].is("~") && file.code.tokens[i + 1].identifier())
            destroyed_.emplace(file.code.tokens[i + 1].text);
}

void ProgramNames::add_constants(const TokenizedFile& file, const Brackets& brackets) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("(") && brackets.match(i) != kNone) i = brackets.match(i);
        const bool constant = tokens[i].is("const") || tokens[i].is("constexpr") || tokens[i].is("__constant__");
        if (!constant || brackets.in_function(i)) continue;
        for (; i + 1 < tokens.size() && !tokens[i].is(";") && !tokens[i].is("{") && !tokens[i].is("("); ++i) {
            if (tokens[i].is("*") || tokens[i].is("&")) break;
            const bool ends = tokens[i + 1].is("=") || tokens[i + 1].is(";") || tokens[i + 1].is("{");
            if (tokens[i].identifier() && ends && (tokens[i - 1].identifier() || tokens[i - 1].is(">")))
                constants_.emplace(tokens[i].text);
        }
    }
}

void ProgramNames::add_enumerators(const TokenizedFile& file, const Brackets& brackets) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("enum")) continue;
        while (i < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";")) ++i;
        if (i >= tokens.size() || brackets.match(i) == kNone) continue;
        for (const std::size_t close = brackets.match(i); i < close; ++i)
            if (tokens[i].identifier() && (tokens[i - 1].is("{") || tokens[i - 1].is(",")))
                constants_.emplace(tokens[i].text);
    }
}

void ProgramNames::add_functions(const TokenizedFile& file, const Brackets& brackets) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].identifier() || !tokens[i + 1].is("(") || brackets.in_function(i)) continue;
        const std::size_t close = brackets.match(i + 1);
        if (close == kNone || close + 1 >= tokens.size() || !tokens[close + 1].is("{")) continue;
        bool refers = false;
        for (std::size_t k = i + 1; k < close; ++k) refers = refers || tokens[k].is("&");
        const auto known = takes_values_.emplace(tokens[i].text, !refers).first;
        known->second = known->second && !refers;
    }
}

bool ProgramNames::takes_values(std::string_view function, unsigned depth) const {
    constexpr unsigned kDeepest = 16;  // of macros within macros
    const auto macros = this->macros(function);
    if (macros.empty()) {
        const auto known = takes_values_.find(function);
        return known != takes_values_.end()
                   ? known->second
                   : computes(function) || is_atomic(function) || is_known_type(function) || warp_operation(function);
    }
    return depth < kDeepest && std::ranges::all_of(macros, [&](const Macro* macro) {
               const auto& tokens = macro->body.tokens;
               for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
                   if (tokens[i].identifier() && tokens[i + 1].is("(") && !is_statement_word(tokens[i]) &&
                       !takes_values(tokens[i].text, depth + 1))
                       return false;
               return true;
           });
}

void ProgramNames::define(std::string_view macro) {
    const std::size_t equals = macro.find('=');
    const std::string value(equals == macro.npos ? "1" : macro.substr(equals + 1));
    lines_.push_back("#define M " + value + "\n");
    of_command_line_.push_back(tokenize(lines_.back()));
    const std::string name(macro.substr(0, std::min(equals, macro.find('('))));
    for (const Macro& each : of_command_line_.back().macros) macros_.emplace(name, each);
}

std::vector<const Macro*> ProgramNames::macros(std::string_view name) const {
    std::vector<const Macro*> found;
    for (auto [each, last] = macros_.equal_range(name); each != last; ++each) found.push_back(&each->second);
    return found;
}

// -- variables -------------------------------------------------------------------------------------------------------

Uniformity::Uniformity(const Stream& stream, const Brackets& brackets, const ProgramNames& names,
                       const KernelText& kernel, const std::vector<Statement>& body)
    : stream_(stream), brackets_(brackets), names_(names), kernel_(kernel) {
    for (std::size_t i = kernel.template_parameters.begin; i < kernel.template_parameters.end; ++i)
        if (stream.tokens[i].identifier()) template_words_.insert(stream.tokens[i].text);
    collect_parameters();
    for (const Statement& each : body) collect(each, kernel.body.end);
    note_mentions(body);
    settle(body);
}

void Uniformity::collect_parameters() {
    for (const TokenRange& each : brackets_.split(kernel_.parameters)) {
        KernelVariable variable;
        variable.scope = kernel_.body;
        for (std::size_t i = each.begin; i < each.end && !is(i, "=") && !is(i, "["); ++i) {
            if (stream_.tokens[i].identifier()) variable.name = stream_.tokens[i].text;
            variable.reference = variable.reference || is(i, "&");
            variable.pointer = variable.pointer || is(i, "*") || is(i + 1, "[");
            // A pointer to a function, or to an array.
            unclear_ = unclear_ || is(i, "(");
        }
        if (!variable.name.empty() && !is_known_type(variable.name)) variables_.push_back(variable);
    }
}

/// Of a statement that stands beside barriers; its scope ends at a token.
void Uniformity::collect(const Statement& statement, std::size_t scope_end) {
    add_variables(statement, scope_end, false);
    if (!statement.waits) return;
    if (statement.kind == Statement::Kind::compound) {
        for (const Statement& each : statement.inner) collect(each, statement.all.end);
        return;
    }
    const bool loop = statement.kind == Statement::Kind::for_loop;
    if (loop) add_variables(statement.inner[0], statement.all.end, true);
    for (std::size_t i = loop ? 1 : 0; i < statement.inner.size(); ++i) {
        const Statement& inner = statement.inner[i];
        if (inner.kind != Statement::Kind::compound) {
            collect(inner, inner.all.end);
            continue;
        }
        for (const Statement& each : inner.inner) collect(each, inner.all.end);
    }
}

void Uniformity::add_variables(const Statement& statement, std::size_t scope_end, bool of_head) {
    for (const DeclaredVariable& declared : statement.variables) {
        KernelVariable variable;
        variable.name = stream_.tokens[declared.name].text;
        variable.statement = &statement;
        variable.declared = &declared;
        variable.scope = {declared.name, scope_end};
        variable.of_head = of_head;
        variable.array = !declared.subscripts.empty();
        for (std::size_t i = declared.pointers.begin; i < declared.pointers.end; ++i) {
            variable.reference = variable.reference || is(i, "&");
            variable.pointer = variable.pointer || is(i, "*");
        }
        for (std::size_t i = statement.type.begin; i < statement.type.end; ++i) {
            variable.shared = variable.shared || is(i, "__shared__");
            variable.constant = variable.constant || is(i, "constexpr");
            unclear_ = unclear_ ||
                       (is(i, "static") && !is(i + 1, "__shared__") && !is(i + 1, "constexpr") && !is(i + 1, "const"));
        }
        variables_.push_back(variable);
    }
}

const KernelVariable* Uniformity::declared_at(std::size_t token) const {
    for (const KernelVariable& each : variables_)
        if (each.declared && each.declared->name == token) return &each;
    return nullptr;
}

bool Uniformity::names_variable(std::size_t i) const {
    return !is(i - 1, ".") && !is(i - 1, "::") && !(is(i - 1, ">") && is(i - 2, "-"));
}

const KernelVariable* Uniformity::variable_at(std::size_t site, std::string_view name) const {
    for (const KernelVariable& each : variables_)
        if (each.name == name && each.scope.contains(site)) return &each;
    return nullptr;
}

void Uniformity::note_mentions(const std::vector<Statement>& body) {
    std::set<std::size_t> declared;
    add_declared(body, declared);
    for (std::size_t i = kernel_.body.begin; i < kernel_.body.end; ++i) {
        if (!stream_.tokens[i].identifier() || !names_variable(i)) continue;
        note_mention(i, declared);
        if (!names_.macros(stream_.tokens[i].text).empty()) note_macro(i);
    }
}

void Uniformity::note_mention(std::size_t i, const std::set<std::size_t>& declared) {
    for (KernelVariable& each : variables_) {
        if (each.name != stream_.tokens[i].text || (each.declared && each.declared->name == i)) continue;
        if (each.scope.contains(i)) {
            const Token& before = stream_.tokens[i - 1];
            const bool again = declared.contains(i) || (before.identifier() && !is_statement_word(before));
            unclear_ = unclear_ || again;
            each.mentions.push_back(i);
            if (may_change(i, each)) each.changes.push_back(i);
        } else if (each.declared && !each.of_head && !declared.contains(i)) {
            // Named ahead of its declaration, where another variable of that name may be meant.
            const bool ahead = i < each.scope.begin && brackets_.brace(i) == brackets_.brace(each.scope.begin) &&
                               !variable_at(i, each.name);
            unclear_ = unclear_ || ahead;
        }
    }
}

/// A macro's body is an expression that changes nothing, or nothing is clear. It may name the kernel's variables.
void Uniformity::note_macro(std::size_t site) {
    std::vector<std::string_view> open{stream_.tokens[site].text};
    std::set<std::string_view> seen{open.front()};
    while (!open.empty()) {
        const auto macros = names_.macros(open.back());
        open.pop_back();
        for (const Macro* macro : macros) {
            unclear_ = unclear_ || !is_expression(macro->body);
            for (const Token& each : macro->body.tokens) {
                if (!each.identifier()) continue;
                if (seen.insert(each.text).second) open.push_back(each.text);
                if (const KernelVariable* const variable = variable_at(site, each.text))
                    const_cast<KernelVariable*>(variable)->mentions.push_back(site);
            }
        }
    }
}

// -- changes ---------------------------------------------------------------------------------------------------------

/// Whether the expression that names a variable at a token may give it another value, or hand on its address.
bool Uniformity::may_change(std::size_t i, const KernelVariable& variable) const {
    std::size_t behind = i + 1;
    const bool through = variable.pointer && (is(behind, "[") || (is(behind, "-") && is(behind + 1, ">")));
    while (is(behind, "[") || is(behind, ".")) {
        if (is(behind, "[") && brackets_.match(behind) == kNone) return true;
        behind = is(behind, "[") ? brackets_.match(behind) + 1 : behind + 2;
    }
    if (through) return false;
    const bool unary_before = i > 1 && !is_operand_end(stream_.tokens[i - 2]);
    if (is(i - 1, "*") && unary_before && variable.pointer && behind == i + 1 && !is(behind, "+") && !is(behind, "-"))
        return false;  // what it points to is changed
    const bool calls_member = behind > i + 1 && is(behind, "(");
    return takes_address(i) || calls_member || is_assigned(i, behind) || may_be_referred(i, behind);
}

/// Whether `&` before the name at a token has one operand: nothing stands before it, or what may be a cast.
bool Uniformity::takes_address(std::size_t i) const {
    if (!is(i - 1, "&") || is(i - 2, "&")) return false;
    if (!is(i - 2, ")")) return !is_operand_end(stream_.tokens[i - 2]);
    const std::size_t open = brackets_.match(i - 2);
    for (std::size_t k = open; k != kNone && ++k < i - 2;)
        if (!stream_.tokens[k].identifier() && !is(k, "*") && !is(k, "::") && !is(k, "<") && !is(k, ">")) return false;
    return true;
}

/// Whether the operand of tokens [first, behind) is assigned to, or counted up or down.
bool Uniformity::is_assigned(std::size_t first, std::size_t behind) const {
    const auto doubled = [&](std::size_t i) {
        return ((is(i, "+") && is(i + 1, "+")) || (is(i, "-") && is(i + 1, "-"))) && brackets_.adjacent(i);
    };
    if (first > 1 && doubled(first - 2)) return true;
    if (doubled(behind)) return true;
    std::size_t sign = behind;
    for (const char* each : {"+", "-", "*", "/", "%", "&", "|", "^"})
        if (is(behind, each)) sign = behind + 1;
    const bool shift = (is(behind, "<") && is(behind + 1, "<")) || (is(behind, ">") && is(behind + 1, ">"));
    if (shift) sign = behind + 2;
    if (sign != behind && !brackets_.adjacent(sign - 1)) sign = behind;
    if (is(sign, "=") && !(is(sign + 1, "=") && brackets_.adjacent(sign))) return true;
    return is(first - 1, "(") && is(behind, ")") && is_assigned(first - 1, behind + 1);
}

/// Whether the operand is by itself an argument of a function that might take it by reference, or what a reference is
/// bound to.
bool Uniformity::may_be_referred(std::size_t first, std::size_t behind) const {
    const bool alone = (is(first - 1, "(") || is(first - 1, ",") || is(first - 1, "{")) &&
                       (is(behind, ")") || is(behind, ",") || is(behind, "}"));
    const bool value = is(first - 1, "=") && (is(behind, ";") || is(behind, ","));
    if (value) {
        std::size_t i = first - 1;
        while (i > kernel_.body.begin && !is(i, ";") && !is(i, "{") && !is(i, "}") && !is(i, "(")) --i;
        for (; i < first; ++i)
            if (is(i, "&") && stream_.tokens[i + 1].identifier() && is(i + 2, "=")) return true;
    }
    if (!alone) return false;
    for (std::size_t i = first; i-- > kernel_.body.begin;) {
        if (is(i, ")") || is(i, "]") || is(i, "}")) {
            if (brackets_.match(i) == kNone) return true;
            i = brackets_.match(i);
        } else if (is(i, "(")) {
            const std::size_t angle = is(i - 1, ">") ? brackets_.opening_angle(i - 1) : i;
            if (angle == kNone) return true;
            const Token& call = stream_.tokens[angle - 1];
            if (!call.identifier() || is_statement_word(call) || call.is("decltype")) return false;
            return !names_.takes_values(call.text) && !template_words_.contains(call.text);
        } else if (is(i, "{")) {
            return true;  // a class may have a reference as its member
        } else if (is(i, ";")) {
            return false;
        }
    }
    return true;
}

// -- the proof -------------------------------------------------------------------------------------------------------

void Uniformity::settle(const std::vector<Statement>& body) {
    std::vector<const Statement*> around;
    std::vector<Beside> beside;
    add_beside(body, around, beside);
    using Role = KernelVariable::Role;
    for (KernelVariable& each : variables_)
        each.role = each.constant || !(each.reference || each.array || each.shared) ? Role::uniform : Role::own;
    for (bool more = true; more;) {
        more = false;
        for (KernelVariable& each : variables_) {
            if (each.role != Role::uniform || stays_uniform(each, beside)) continue;
            each.role = Role::own;
            more = true;
        }
    }
    for (KernelVariable& each : variables_)  // in the order of their declarations: of those before
        if (each.role == Role::own && is_recomputed(each)) each.role = Role::recomputed;
}

bool Uniformity::stays_uniform(const KernelVariable& variable, const std::vector<Beside>& beside) const {
    if (variable.constant) return true;
    const bool given = variable.declared && !variable.declared->initializer.empty();
    if (given && !is_uniform(value_of(*variable.declared))) return false;
    return std::ranges::all_of(variable.changes, [&](std::size_t change) {
        return std::ranges::any_of(beside, [&](const Beside& each) {
            return each.text.contains(change) && changes_uniform(each.text) && of_all_that_have(variable, each);
        });
    });
}

/// Whether all threads come to a text beside barriers that came to a variable's declaration.
bool Uniformity::of_all_that_have(const KernelVariable& variable, const Beside& beside) const {
    return std::ranges::all_of(beside.around, [&](const Statement* each) {
        const bool has = variable.declared && each->all.contains(variable.declared->name);
        return has || is_uniform(each->condition);
    });
}

bool Uniformity::is_recomputed(const KernelVariable& variable) const {
    if (!variable.declared || variable.reference || variable.array || variable.shared || !variable.changes.empty())
        return false;
    const TokenRange given = value_of(*variable.declared);
    if (given.empty() || is(given.begin, "{") || given.begin == variable.declared->initializer.begin) return false;
    return is_made({stream_, brackets_, Made::for_each, &variable}, given);
}

/// The expression behind `=`, or between braces where it is the only one; else the initializer as it stands.
TokenRange Uniformity::value_of(const DeclaredVariable& declared) const {
    const TokenRange given = declared.initializer;
    if (given.empty()) return given;
    if (is(given.begin, "=")) return {given.begin + 1, given.end};
    const bool braced = is(given.begin, "{") && brackets_.match(given.begin) + 1 == given.end;
    const TokenRange inner{given.begin + 1, given.end - 1};
    return braced && brackets_.split(inner).size() == 1 ? inner : given;
}

/// Whether a uniform value is the same wherever the variable is used that is computed from it.
bool Uniformity::lasts(const KernelVariable& value, const KernelVariable& user) const {
    if (value.changes.empty()) return true;
    // Changed between the rounds of a loop, each of which has a variable of its own.
    return value.of_head && user.scope.begin > value.scope.begin && user.scope.end <= value.scope.end &&
           std::ranges::all_of(value.changes, [&](std::size_t change) { return change < user.scope.begin; });
}

bool Uniformity::is_uniform(TokenRange expression) const {
    return is_made({stream_, brackets_, Made::for_all}, expression);
}

bool Uniformity::changes_uniform(TokenRange expression) const {
    const auto parts = brackets_.split(expression);
    return !parts.empty() && std::ranges::all_of(parts, [&](const TokenRange& each) { return changes_one(each); });
}

/// name = value, name op= value, ++name, name++.
bool Uniformity::changes_one(TokenRange expression) const {
    const auto counts = [&](std::size_t i) {
        return ((is(i, "+") && is(i + 1, "+")) || (is(i, "-") && is(i + 1, "-"))) && brackets_.adjacent(i);
    };
    const auto is_variable = [&](std::size_t i) {
        const KernelVariable* const variable =
            stream_.tokens[i].identifier() ? variable_at(i, stream_.tokens[i].text) : nullptr;
        return variable && variable->role == KernelVariable::Role::uniform;
    };
    const std::size_t begin = expression.begin, length = expression.end - expression.begin;
    if (length == 3 && counts(begin)) return is_variable(begin + 2);
    if (length == 3 && is_variable(begin) && counts(begin + 1)) return true;
    if (length < 3 || !is_variable(begin)) return false;
    std::size_t sign = begin + 1;
    while (sign < expression.end && !is(sign, "=")) ++sign;
    return sign <= begin + 3 && sign + 1 < expression.end && !is(sign + 1, "=") && is_assigned(begin, begin + 1) &&
           is_uniform({sign + 1, expression.end});
}

bool Uniformity::is_made(const Reading& reading, TokenRange range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Token& token = reading.stream.tokens[i];
        if (token.kind == TokenKind::number || token.kind == TokenKind::character) continue;
        if (token.kind == TokenKind::string) return false;
        if (const std::size_t end = end_of_element_address(reading, range, i); end != kNone) {
            if (!is_made(reading, {i + 3, end})) return false;
            i = end;
            continue;
        }
        if (token.identifier() ? !is_made_of_name(reading, range, i) : !is_made_with_sign(reading, range, i))
            return false;
    }
    return true;
}

/// Of `&p[n]`, which is p + n and reads nothing, the closing bracket, where `p` is a pointer that may be read as the
/// rest, or an array in shared memory; kNone elsewhere.
std::size_t Uniformity::end_of_element_address(const Reading& reading, TokenRange range, std::size_t i) const {
    const auto& tokens = reading.stream.tokens;
    const auto at = [&](std::size_t k, std::string_view sign) { return k < range.end && tokens[k].is(sign); };
    const bool alone = i == range.begin || (!is_operand_end(tokens[i - 1]) && !tokens[i - 1].is("&"));  // nor in `&&`
    if (!at(i, "&") || !alone || i + 1 >= range.end || !tokens[i + 1].identifier() || !at(i + 2, "[")) return kNone;
    const KernelVariable* const pointer = variable_at(reading.site == kNone ? i : reading.site, tokens[i + 1].text);
    if (!pointer || (pointer->shared ? !pointer->array || pointer->pointer : !pointer->pointer || pointer->array))
        return kNone;
    if (!pointer->shared && !is_made_of_name(reading, range, i + 1)) return kNone;
    const std::size_t end = reading.brackets.match(i + 2);
    const bool goes_on = at(end + 1, "[") || at(end + 1, ".") || at(end + 1, "-") || at(end + 1, "(");
    return end == kNone || end >= range.end || goes_on ? kNone : end;
}

bool Uniformity::is_made_with_sign(const Reading& reading, TokenRange range, std::size_t i) const {
    const auto& tokens = reading.stream.tokens;
    const Token& token = tokens[i];
    const auto at = [&](std::size_t k, std::string_view sign) {
        return k >= range.begin && k < range.end && tokens[k].is(sign);
    };
    const auto touches = [&](std::size_t k, std::string_view sign) {
        return i > range.begin && k + 1 == i && at(k, sign) && reading.brackets.adjacent(k);
    };
    if (token.is("(") || token.is(")") || token.is("?") || token.is(":") || token.is(",") || token.is(".") ||
        token.is("::") || token.is("/") || token.is("%") || token.is("^") || token.is("|") || token.is("~") ||
        token.is("!") || token.is("<"))
        return true;
    if (token.is(">")) return !touches(i - 1, "-");
    if (token.is("+") || token.is("-")) return !touches(i - 1, token.text);
    if (token.is("=")) {
        const bool shift = i > range.begin + 1 && at(i - 1, tokens[i - 2].text) && !at(i - 1, "=");
        const bool compares = touches(i - 1, "=") || touches(i - 1, "!") || touches(i - 1, "<") ||
                              touches(i - 1, ">") || (at(i + 1, "=") && reading.brackets.adjacent(i));
        return compares && !shift;
    }
    if (token.is("&") && (touches(i - 1, "&") || (at(i + 1, "&") && reading.brackets.adjacent(i)))) return true;
    if (!token.is("*") && !token.is("&")) return false;
    // With two operands; behind a cast it has one.
    if (i == range.begin || !is_operand_end(tokens[i - 1])) {
        // Of a type in a cast.
        return token.is("*") && i > range.begin && (at(i + 1, ")") || at(i + 1, ">"));
    }
    const Token& last = tokens[i - 1];
    if (last.identifier()) return !is_known_type(last.text) || at(i + 1, ")") || at(i + 1, ">");
    if (!last.is(")")) return true;
    const std::size_t open = reading.brackets.match(i - 1);
    const Token& inner = tokens[i - 2];
    if (open == kNone) return false;
    const bool type = inner.is("*") || is_known_type(inner.text) || template_words_.contains(inner.text);
    const bool size = open > range.begin && at(open - 1, "sizeof");
    return !type || size;
}

bool Uniformity::is_made_of_name(const Reading& reading, TokenRange range, std::size_t i) const {
    const auto& tokens = reading.stream.tokens;
    const std::string_view name = tokens[i].text;
    const auto at = [&](std::size_t k, std::string_view sign) {
        return k >= range.begin && k < range.end && tokens[k].is(sign);
    };
    if (i > range.begin && at(i - 1, ".")) return !at(i + 1, "(");
    if (at(i + 1, "::")) return true;  // the scope of what follows
    const std::size_t site = reading.site == kNone ? i : reading.site;
    if (const KernelVariable* const variable = variable_at(site, name)) {
        // The address of shared memory, not what is there.
        if (variable->shared) return variable->array && !at(i + 1, "[");
        if (variable->role == KernelVariable::Role::uniform) return !reading.user || lasts(*variable, *reading.user);
        return reading.made == Made::for_each && variable->role == KernelVariable::Role::recomputed &&
               variable->scope.begin < reading.user->scope.begin;
    }
    if (name == "threadIdx") return reading.made == Made::for_each;
    for (const char* known : {"blockIdx", "blockDim", "gridDim", "warpSize", "true", "false", "nullptr", "static_cast",
                              "sizeof", "const", "constexpr", "std"})
        if (name == known) return true;
    if (is_known_type(name)) return true;
    if (at(i + 1, "(") || at(i + 1, "<")) {
        // Computed anew is only what costs no more than to keep it.
        const bool cheap = name == "min" || name == "max" || name == "abs" || name.starts_with("make_");
        // A tile whose size is known when the program runs has the mask of its thread.
        if (name == "tiled_partition" && !at(i + 1, "<")) return false;
        if (computes(name)) return reading.made == Made::for_all ? !name.starts_with("__ld") : cheap;
    }
    // The arguments of a macro stand where it is used.
    if (reading.macro && std::ranges::find(reading.macro->parameters, name) != reading.macro->parameters.end())
        return true;
    const auto macros = names_.macros(name);
    for (const Macro* macro : macros) {
        const Stream& body = macro->body;
        const Brackets brackets(body, {});
        constexpr unsigned kDeepest = 16;  // of one that names itself there is no end
        const Reading inside{body, brackets, reading.made, reading.user, site, macro, reading.depth + 1};
        if (inside.depth > kDeepest || !is_made(inside, {0, body.tokens.size()})) return false;
    }
    return !macros.empty() || names_.is_constant(name) || template_words_.contains(name);
}

}  // namespace lanework::cudafe
