// One pass over the declarations of a file that stand outside of functions.
#include "src/cudafe/declared_names.hpp"

#include <algorithm>
#include <vector>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

bool is_class_key(const Token& token) { return token.is("struct") || token.is("class") || token.is("union"); }

/// The first `struct`, `class`, `union` or `enum` of a range that heads a class: none of a template's parameters.
std::size_t class_key(const Stream& stream, TokenRange range) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Token& token = stream.tokens[i];
        const bool parameter = i > 0 && (stream.tokens[i - 1].is("<") || stream.tokens[i - 1].is(","));
        if (!parameter && (is_class_key(token) || token.is("enum"))) return i;
    }
    return kNone;
}

bool opens_namespace(const Stream& stream, std::size_t brace) {
    for (std::size_t i = declaration_start(stream, brace); i < brace; ++i)
        if (stream.tokens[i].is("namespace") || stream.tokens[i].is("extern")) return true;
    return false;
}

/// What stands between the braces, without the bodies of functions.
void collect(const Stream& stream, const Brackets& brackets, TokenRange range, WordSet& words) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (stream.tokens[i].identifier()) words.emplace(stream.tokens[i].text);
        const bool body = stream.tokens[i].is("{") && brackets.match(i) != kNone && brackets.in_function(i + 1);
        if (body) i = brackets.match(i);
    }
}

/// Whether a statement of these words may declare variables; a function ends with its parameters.
bool may_declare_variables(const Stream& stream, TokenRange statement, const WordSet& words) {
    bool pointer = words.contains("__attribute__");
    for (std::size_t i = statement.begin; i + 1 < statement.end; ++i)
        pointer =
            pointer || (stream.tokens[i].is("(") && (stream.tokens[i + 1].is("*") || stream.tokens[i + 1].is("&")));
    return pointer || !stream.tokens[statement.end - 1].is(")");
}

}  // namespace

std::string_view class_name(const Stream& stream, const Brackets& brackets, std::size_t brace) {
    const std::size_t key = class_key(stream, {declaration_start(stream, brace), brace});
    if (key == kNone) return {};
    std::string_view name;
    for (std::size_t i = key + 1; i < brace; ++i) {
        const Token& token = stream.tokens[i];
        if (token.is(":") || token.is("<") || token.is("final")) break;
        if ((token.is("(") || token.is("[")) && brackets.match(i) != kNone) {
            // What is said of a class ahead of its name: alignas(16), [[nodiscard]].
            i = brackets.match(i);
            name = {};
        } else if (token.identifier() && !is_class_key(token)) {
            name = token.text;
        }
    }
    return name;
}

void DeclaredNames::add_class(const Stream& stream, const Brackets& brackets, TokenRange head, std::size_t close) {
    const std::string name(class_name(stream, brackets, head.end));
    WordSet words;
    collect(stream, brackets, {head.begin, head.end}, words);
    collect(stream, brackets, {head.end + 1, close}, words);
    const bool enumeration = stream.tokens[class_key(stream, head)].is("enum");
    if (!name.empty()) types_.insert(name);
    if (!name.empty() && !enumeration) classes_.insert(name);
    for (std::size_t i = head.end + 1; enumeration && i < close; ++i)
        if (stream.tokens[i].identifier()) made_of_.emplace(stream.tokens[i].text, WordSet{name});
    if (!name.empty() && !enumeration) made_of_.emplace(name, words);
    // `typedef struct {…} name, *pointer;` and `struct {…} variable;`
    const bool alias = stream.tokens[head.begin].is("typedef");
    for (std::size_t i = close + 1; i < stream.tokens.size() && !stream.tokens[i].is(";"); ++i) {
        if (stream.tokens[i].is("=") || stream.tokens[i].is("{")) break;
        if (!stream.tokens[i].identifier()) continue;
        if (alias) types_.emplace(stream.tokens[i].text);
        made_of_.emplace(stream.tokens[i].text, words);
        if (!name.empty()) (alias ? aliases_ : made_of_).emplace(stream.tokens[i].text, WordSet{name});
    }
    add_members(stream, brackets, {head.end + 1, close});
    // Classes of classes have names of their own.
    for (std::size_t i = head.end + 1; i < close; ++i) {
        if (!stream.tokens[i].is("{") || brackets.match(i) == kNone) continue;
        const std::size_t start = declaration_start(stream, i);
        if (!brackets.in_function(i + 1) && class_key(stream, {start, i}) != kNone)
            add_class(stream, brackets, {start, i}, brackets.match(i));
        i = brackets.match(i);
    }
}

/// The declarations of a class that may be of static variables.
void DeclaredNames::add_members(const Stream& stream, const Brackets& brackets, TokenRange range) {
    std::size_t start = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (stream.tokens[i].is("{") && brackets.match(i) != kNone) {
            const bool function = brackets.in_function(i + 1);
            i = brackets.match(i);
            if (function) start = i + 1;
        }
        if (!stream.tokens[i].is(";")) continue;
        WordSet words;
        collect(stream, brackets, {start, i}, words);
        if (i > start && may_declare_variables(stream, {start, i}, words)) declarations_.push_back({words, true});
        start = i + 1;
    }
}

bool DeclaredNames::has_device_variables_elsewhere() const {
    if (device_variables_elsewhere_) return *device_variables_elsewhere_;
    device_variables_elsewhere_ = std::ranges::any_of(declarations_, [&](const Declaration& declaration) {
        WordSet words;
        for (const std::string& word : declaration.words) add_meanings(word, words);
        const bool of_device =
            words.contains("__device__") || words.contains("__constant__") || words.contains("__managed__");
        return of_device && (words.contains("extern") ||
                             (declaration.of_class && words.contains("static") && !words.contains("constexpr")));
    });
    return *device_variables_elsewhere_;
}

void DeclaredNames::add_statement(const Stream& stream, const Brackets& brackets, TokenRange statement) {
    const auto& tokens = stream.tokens;
    if (statement.empty()) return;
    const std::size_t first = statement.begin;
    WordSet words;
    collect(stream, brackets, statement, words);
    for (std::size_t i = first; i < statement.end; ++i)
        if (tokens[i].identifier() && !(i + 1 < statement.end && tokens[i + 1].is("(")))
            mentioned_.emplace(tokens[i].text);
    if (may_declare_variables(stream, statement, words)) declarations_.push_back({words, false});
    std::size_t use = first;
    while (use < statement.end && !tokens[use].is("using") && !tokens[use].is("typedef") &&
           !tokens[use].is("namespace"))
        ++use;
    const bool alias = use < statement.end;
    bool value = false;
    for (std::size_t i = alias ? use + 1 : first; i < statement.end; ++i) {
        const Token& token = tokens[i];
        if (token.is(",")) value = false;
        value = value || token.is("=");
        const bool named = token.identifier() && !value;
        const bool ends = i + 1 == statement.end || tokens[i + 1].is("=") || tokens[i + 1].is("[") ||
                          tokens[i + 1].is(",") || tokens[i + 1].is("{") || tokens[i + 1].is("(") ||
                          (alias && tokens[i + 1].is(")"));
        if (named && ends) {
            if (alias) types_.emplace(token.text);
            (alias ? aliases_ : made_of_).emplace(token.text, words);
        }
        // A pointer to a function has its name within parentheses.
        const bool skips =
            brackets.match(i) != kNone && brackets.match(i) > i && !(i + 1 < statement.end && tokens[i + 1].is("*"));
        if (skips) i = brackets.match(i);
    }
}

void DeclaredNames::add(const Stream& stream, const Brackets& brackets) {
    device_variables_elsewhere_.reset();
    const auto& tokens = stream.tokens;
    std::size_t start = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is(";")) {
            add_statement(stream, brackets, {start, i});
            start = i + 1;
        } else if (tokens[i].is("}")) {
            start = i + 1;
        } else if (tokens[i].is("{")) {
            const std::size_t close = brackets.match(i);
            if (close == kNone || opens_namespace(stream, i)) {
                start = i + 1;
                continue;
            }
            const std::size_t head = declaration_start(stream, i);
            const bool declares = !brackets.in_function(i + 1) && class_key(stream, {head, i}) != kNone;
            if (declares) add_class(stream, brackets, {head, i}, close);
            i = close;
            // A value in braces, and a class, end with a semicolon.
            const bool goes_on = i + 1 < tokens.size() && (tokens[i + 1].is(";") || tokens[i + 1].is(","));
            if (declares || !goes_on) start = i + 1;
            if (declares)
                while (start < tokens.size() && !tokens[start - 1].is(";")) ++start;
            if (declares) i = start - 1;
        }
    }
}

void DeclaredNames::follow(std::string_view word, bool aliases_alone, WordSet& words) const {
    std::vector<std::string> open;
    const auto take = [&](std::string_view each) {
        if (words.emplace(each).second) open.emplace_back(each);
    };
    take(word);
    while (!open.empty()) {
        const std::string last = std::move(open.back());
        open.pop_back();
        for (const Names* names : {&aliases_, &made_of_}) {
            if (aliases_alone && names == &made_of_) continue;
            for (auto [each, end] = names->equal_range(last); each != end; ++each)
                for (const std::string& next : each->second) take(next);
        }
    }
}

void DeclaredNames::add_parts(std::string_view word, WordSet& words) const { follow(word, false, words); }

void DeclaredNames::add_meanings(std::string_view word, WordSet& words) const { follow(word, true, words); }

}  // namespace lanework::cudafe
