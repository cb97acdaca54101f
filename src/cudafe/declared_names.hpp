// What the names that a program declares outside of functions are made of. It says of which types a kernel may have
// objects, and with that which operators, constructors and destructors it may come to without their names.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

using WordSet = std::set<std::string, std::less<>>;

class DeclaredNames {
public:
    void add(const Stream& stream, const Brackets& brackets);
    /// Adds a macro, which stands for the words of its body.
    void add_alias(std::string_view name, WordSet words) {
        aliases_.emplace(name, std::move(words));
        device_variables_elsewhere_.reset();
    }

    /// Adds a word and what it is made of, all the way: a class's bases and members, what an alias stands for, a
    /// variable's type, an enumerator's enumeration.
    void add_parts(std::string_view word, WordSet& words) const;
    /// Adds a word and what it stands for as an alias, but not what that is made of.
    void add_meanings(std::string_view word, WordSet& words) const;

    /// A class, an enumeration or an alias.
    bool is_type(std::string_view word) const { return types_.contains(word); }
    /// A class with its members, by its own name.
    bool is_class(std::string_view word) const { return classes_.contains(word); }

    /// Words in declarations outside of functions and classes, names of called functions left out.
    const WordSet& mentioned() const { return mentioned_; }
    /// Whether variables of the device are declared `extern`, or are static members of classes: what they are given may
    /// stand in another program file.
    bool has_device_variables_elsewhere() const;

private:
    void add_class(const Stream& stream, const Brackets& brackets, TokenRange head, std::size_t close);
    void add_members(const Stream& stream, const Brackets& brackets, TokenRange range);
    void add_statement(const Stream& stream, const Brackets& brackets, TokenRange statement);
    void follow(std::string_view word, bool aliases_alone, WordSet& words) const;

    using Names = std::multimap<std::string, WordSet, std::less<>>;
    Names made_of_, aliases_;
    WordSet types_, classes_, mentioned_;
    /// The words of what may declare variables, outside of functions.
    struct Declaration {
        WordSet words;
        bool of_class = false;
    };
    std::vector<Declaration> declarations_;
    /// Worked out at the first question behind what was added last.
    mutable std::optional<bool> device_variables_elsewhere_;
};

/// The class whose braces open at a token; empty for what has no name or is no class.
std::string_view class_name(const Stream& stream, const Brackets& brackets, std::size_t brace);

}  // namespace lanework::cudafe
