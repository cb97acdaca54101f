// Cuts unpreprocessed CUDA C++ into tokens, and tells code, the bodies of macros and the other directives apart.
#pragma once

#include <deque>

#include "src/cudafe/source.hpp"

namespace lanework::cudafe {

enum class TokenKind { identifier, number, string, character, punctuation };

/// Punctuation is one character a token, so that `>>` closes two templates; only `::` and `##` are kept whole.
struct Token {
    TokenKind kind;
    std::size_t offset, length;
    /// The spelling, without backslash-newlines (literals keep theirs).
    std::string_view text;

    std::size_t end() const { return offset + length; }
    bool is(std::string_view spelling) const { return text == spelling && kind != TokenKind::string; }
    bool identifier() const { return kind == TokenKind::identifier; }
};

/// Tokens that are read one after the other: a file's code, or the body of one macro. Comments are left out.
struct Stream {
    std::vector<Token> tokens;
};

struct Macro {
    std::string_view name;
    /// Of a function-like macro; holds __VA_ARGS__ where there is an ellipsis.
    std::vector<std::string_view> parameters;
    bool function_like = false;
    Stream body;
    /// Of the directive.
    std::size_t offset = 0;
};

/// An include: the bytes between its quotes or angle brackets.
struct Include {
    std::size_t offset, length;
    std::string_view path;
    bool angled;
};

/// Where a conditional group of the preprocessor begins, goes on with another branch, or ends in the code's tokens.
struct Conditional {
    enum class Kind { open, branch, close } kind;
    std::size_t token;
    /// Of the directive.
    std::size_t offset = 0;
    /// What stands behind #if, #ifdef, #ifndef or #elif.
    std::vector<Token> condition = {};
};

/// Refers to the text that it was made from.
struct TokenizedFile {
    std::string_view text;
    Stream code;
    std::vector<Macro> macros;
    std::vector<Include> includes;
    std::vector<Conditional> conditionals;
    /// Spellings of words that a backslash-newline splits.
    std::deque<std::string> spliced;
};

/// Throws MalformedError for a literal or comment that does not end. In directives and conditional groups, whose text
/// need not be C++, an open literal ends with its line and is left to the compiler to judge. The branch of an `#if 0`
/// is left out.
TokenizedFile tokenize(std::string_view text);

}  // namespace lanework::cudafe
