// Reads declarations with `volatile` for the names that they declare, and functions for what they access.
#include "src/cudafe/volatile_names.hpp"

#include <algorithm>
#include <vector>

#include "src/cudafe/volatile_reader.hpp"

namespace lanework::cudafe {
namespace {

/// The name of the type that a statement with a volatile word names; empty for another statement.
std::string_view named_type(const Stream& stream, const VolatileReader& read, std::size_t word) {
    const auto& tokens = stream.tokens;
    const std::size_t start = read.statement_start(word);
    if (read.is(start, "using") && read.identifier(start + 1) && read.is(start + 2, "=")) return tokens[start + 1].text;
    if (!read.is(start, "typedef")) return {};
    const std::vector<VolatileReader::Declared> found = read.declared(word);
    return found.empty() ? std::string_view() : tokens[found.front().token].text;
}

}  // namespace

void collect_volatile_words(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    for (const Macro& macro : file.macros) {
        const auto& body = macro.body.tokens;
        const bool qualifies = std::all_of(body.begin(), body.end(),
                                           [](const Token& token) { return token.identifier() || token.is("*"); });
        const bool is_volatile =
            std::any_of(body.begin(), body.end(), [](const Token& token) { return token.is("volatile"); });
        const bool assembly = !body.empty() && body.front().text.starts_with("asm");
        if (!macro.function_like && qualifies && is_volatile && !assembly)
            names.words.emplace(macro.name, body.size() > 1);
    }
    const VolatileReader read(file.code, brackets, names);
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i)
        if (read.is_word(i))
            if (const std::string_view type = named_type(file.code, read, i); !type.empty())
                names.words.emplace(type, true);
}

void collect_volatile_variables(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const auto collect = [&](const Stream& stream, const Brackets& of_stream) {
        const VolatileReader read(stream, of_stream, names, &stream != &file.code);
        for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
            if (!read.is_word(i) || !named_type(stream, read, i).empty()) continue;
            for (const VolatileReader::Declared& each : read.declared(i)) {
                (read.of_function(each.token) ? names.of_functions : names.variables)
                    .insert(stream.tokens[each.token].text);
                if (each.scalar) names.scalars.insert(stream.tokens[each.token].text);
            }
            if (const std::size_t function = read.declared_function(i); function != kNone)
                names.returning.insert(stream.tokens[function].text);
        }
    };
    collect(file.code, brackets);
    for (const Macro& macro : file.macros) collect(macro.body, Brackets(macro.body, {}));
    // `auto& s = part.values;`
    const VolatileReader read(file.code, brackets, names);
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i)
        if (const std::size_t name = read.deduced_from_variable(i); name != kNone)
            names.variables.insert(file.code.tokens[name].text);
}

bool hands_volatile_to_templates(const TokenizedFile& file, const Brackets& brackets, const VolatileNames& names) {
    const VolatileReader read(file.code, brackets, names);
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (read.is_word(i) ? read.is_template_argument(i) || read.is_cast_of_argument(i) : read.is_argument(i))
            return true;
    }
    return false;
}

void collect_volatile_parameters(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::size_t close =
            tokens[i].is("template") && tokens[i + 1].is("<") ? brackets.closing_angle(i + 1) : kNone;
        if (close == kNone) continue;
        for (std::size_t word = i + 2; word + 1 < close; ++word)
            if ((tokens[word].is("typename") || tokens[word].is("class")) && tokens[word + 1].identifier())
                names.words.emplace(tokens[word + 1].text, true);
    }
}

bool collect_volatile_functions(const TokenizedFile& file, const Brackets& brackets, VolatileNames& names) {
    const std::size_t known = names.functions.size();
    for (const Macro& macro : file.macros) {
        const Brackets of_body(macro.body, {});
        if (VolatileReader(macro.body, of_body, names, true).accesses(0, macro.body.tokens.size()))
            names.functions.insert(macro.name);
    }
    const auto& tokens = file.code.tokens;
    const VolatileReader read(file.code, brackets, names);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::size_t close = read.is(i + 1, "(") ? brackets.match(i + 1) : kNone;
        if (!tokens[i].identifier() || close == kNone || brackets.in_function(i)) continue;
        const std::size_t body = read.body_behind(close);
        if (body == kNone || brackets.match(body) == kNone) continue;
        if (read.accesses(body, brackets.match(body))) names.functions.insert(tokens[i].text);
    }
    return names.functions.size() != known;
}

}  // namespace lanework::cudafe
