// Where a program declares variables of its own under names that mean something else around them.
#pragma once

#include <functional>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

class OwnNames {
public:
    /// Looks for declarations of the names that `watched` picks.
    OwnNames(const Stream& stream, const Brackets& brackets, const std::function<bool(std::string_view)>& watched);

    /// Whether the name at a token stands behind . -> or ::, where it is another thing's member.
    bool is_member(std::size_t token) const;
    /// Whether the braces around the token, or the parameter list before them, declare its name.
    bool declared(std::size_t token) const;
    /// The same, but for declarations outside of all braces.
    bool shadowed(std::size_t token) const;

private:
    /// Where a name is known: tokens [begin, end).
    struct Scope {
        std::string_view name;
        std::size_t begin, end;
        bool of_file;
    };

    bool is(std::size_t token, std::string_view spelling) const {
        return token < tokens_.size() && tokens_[token].is(spelling);
    }
    bool declares(std::size_t token) const;
    bool is_type(std::size_t token) const;
    bool is_parameter(std::size_t token) const;
    void note_scope(std::size_t token);
    std::size_t end_of_statement(std::size_t i) const;
    std::size_t template_list(std::size_t i) const;
    std::size_t end_of_template_list(std::size_t open) const;
    std::size_t last_of_type(std::size_t i) const;
    bool is_introducer(std::size_t close) const;
    std::size_t end_of(std::size_t brace) const;
    std::size_t enclosing_parenthesis(std::size_t token) const;
    std::size_t body_behind(std::size_t close) const;

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    std::vector<Scope> scopes_;
};

}  // namespace lanework::cudafe
