// Which brackets belong together in a stream of tokens, and what the braces around a token enclose.
#pragma once

#include "src/cudafe/tokenizer.hpp"

namespace lanework::cudafe {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Tokens from `begin` up to `end`.
struct TokenRange {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
    bool contains(std::size_t token) const { return token >= begin && token < end; }
};

/// Where the declaration that a token stands in begins.
std::size_t declaration_start(const Stream& stream, std::size_t token);

class Brackets {
public:
    /// Branches of a conditional group may open the same bracket twice: each branch starts from what was open at #if.
    Brackets(const Stream& stream, const std::vector<Conditional>& conditionals);

    /// The other end of the (, [, {, ), ] or } at a token; kNone for an unmatched one and for other tokens.
    std::size_t match(std::size_t token) const { return match_[token]; }
    /// The innermost { around a token; kNone outside of all.
    std::size_t brace(std::size_t token) const { return brace_[token]; }
    /// True when the braces around the token include a function's body.
    bool in_function(std::size_t token) const;

    /// The `>` that closes the template argument list which opens at a `<`, and the other way around; kNone when
    /// there is none before the statement's end. Operators -> <= >= << are stepped over.
    std::size_t closing_angle(std::size_t open) const;
    std::size_t opening_angle(std::size_t close) const;
    /// The parts of a range between its commas, those in brackets and template arguments left alone; none of an empty
    /// one.
    std::vector<TokenRange> split(TokenRange range) const;
    /// True when a token follows its neighbour without a blank.
    bool adjacent(std::size_t left) const;

private:
    bool is(std::size_t token, std::string_view spelling) const {
        return token < stream_.tokens.size() && stream_.tokens[token].is(spelling);
    }
    bool shift_or_comparison(std::size_t token) const;
    bool opens_function(std::size_t brace) const;
    bool is_class_word(std::size_t macro) const;
    void close(std::size_t token, std::vector<std::size_t>& open);

    const Stream& stream_;
    std::vector<std::size_t> match_;
    /// For each token the innermost `{` around it.
    std::vector<std::size_t> brace_;
};

}  // namespace lanework::cudafe
