// From a macro and the arguments of a use to the text that the preprocessor would make of both.
#include "src/cudafe/spelled_macros.hpp"

#include <algorithm>
#include <optional>

namespace lanework::cudafe {
namespace {

/// A use: its tokens, and the arguments' texts.
struct Use {
    TokenRange tokens;
    std::vector<std::string> arguments;
};

std::string text_between(std::string_view text, const Token& first, const Token& last) {
    return std::string(text.substr(first.offset, last.end() - first.offset));
}

/// Whether nothing else is rewritten in them: names, numbers, literals, template arguments.
bool is_plain(const Token& token) {
    if (token.identifier())
        return !token.is("threadIdx") && !token.is("blockIdx") && !token.is("blockDim") && !token.is("gridDim") &&
               !token.text.starts_with("__");
    if (token.kind != TokenKind::punctuation) return true;
    for (const char* each : {"<", ">", "::", "*", "&", "-", "+", "."})
        if (token.is(each)) return true;
    return false;
}

std::optional<Use> use_at(const TokenizedFile& file, const Brackets& brackets, const Macro& macro, std::size_t name) {
    const auto& tokens = file.code.tokens;
    if (!tokens[name].is(macro.name) || name + 1 >= tokens.size() || !tokens[name + 1].is("(")) return {};
    const std::size_t close = brackets.match(name + 1);
    if (close == kNone || tokens[name].offset < macro.offset) return {};
    Use use{{name, close + 1}, {}};
    for (std::size_t i = name + 2, begin = i; i <= close; ++i) {
        if (i != close && !tokens[i].is(",")) {
            if (!is_plain(tokens[i])) return {};
            continue;
        }
        use.arguments.push_back(i == begin ? "" : text_between(file.text, tokens[begin], tokens[i - 1]));
        begin = i + 1;
    }
    return use.arguments.size() == macro.parameters.size() ? std::optional(use) : std::nullopt;
}

bool is_plain_literal(std::string_view text) { return text.size() >= 2 && text.front() == '"' && text.back() == '"'; }

/// The body on one line, with the arguments in it; literals side by side are one.
std::string with_arguments(std::string_view text, const Macro& macro, const std::vector<std::string>& arguments) {
    const auto& tokens = macro.body.tokens;
    const auto parameter = [&](std::size_t i) -> const std::string* {
        if (i >= tokens.size() || !tokens[i].identifier()) return nullptr;
        const auto found = std::ranges::find(macro.parameters, tokens[i].text);
        return found == macro.parameters.end() ? nullptr : &arguments[std::size_t(found - macro.parameters.begin())];
    };
    std::vector<std::string> pieces;
    bool joins = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("##")) {
            joins = true;
            continue;
        }
        std::string piece;
        if (tokens[i].is("#") && parameter(i + 1))
            piece = string_literal(*parameter(++i));
        else if (const std::string* const argument = parameter(i))
            piece = *argument;
        else
            piece = tokens[i].text;
        const std::size_t written = tokens[i].offset;
        const bool apart = i == 0 || text[written - 1] == ' ' || text[written - 1] == '\n';
        if (!pieces.empty() && (joins || !apart) && !is_plain_literal(piece)) {
            pieces.back() += piece;
        } else if (!pieces.empty() && is_plain_literal(piece) && is_plain_literal(pieces.back())) {
            pieces.back().pop_back();
            pieces.back() += piece.substr(1);
        } else {
            pieces.push_back(piece);
        }
        joins = false;
    }
    std::string body;
    for (const std::string& piece : pieces) body += " " + piece;
    std::erase(body, '\n');
    return body;
}

std::size_t line_of(std::string_view text, std::size_t offset) {
    return std::size_t(std::ranges::count(text.substr(0, offset), '\n')) + 1;
}

/// Where the directive ends: at a newline without a backslash before it.
std::size_t end_of_directive(std::string_view text, const Macro& macro) {
    std::size_t at = macro.body.tokens.back().end();
    while (at < text.size() && (text[at] != '\n' || text[at - 1] == '\\')) ++at;
    return at;
}

}  // namespace

void spell_out(const TokenizedFile& file, const Brackets& brackets, const Macro& macro, bool replaces_uses,
               const std::function<std::string(const std::string& definition)>& translate, Edits& edits) {
    if (!macro.function_like || macro.body.tokens.empty()) return;
    const std::size_t end = end_of_directive(file.text, macro);
    const std::string defined_at = std::to_string(line_of(file.text, macro.offset));
    std::string definitions;
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i) {
        const auto use = use_at(file, brackets, macro, i);
        if (!use) continue;
        const Token &first = file.code.tokens[use->tokens.begin], &last = file.code.tokens[use->tokens.end - 1];
        const std::string name = "lanework_" + std::string(macro.name) + "_" + std::to_string(first.offset);
        definitions += "\n#undef " + name + "\n#line " + defined_at +
                       translate("\n#define " + name + with_arguments(file.text, macro, use->arguments) + "\n");
        definitions.pop_back();
        if (!replaces_uses) continue;
        edits.replace(first.offset, last.end() - first.offset, name);
    }
    if (definitions.empty()) return;
    edits.insert(end, definitions + "\n#line " + std::to_string(line_of(file.text, end) + 1));
}

}  // namespace lanework::cudafe
