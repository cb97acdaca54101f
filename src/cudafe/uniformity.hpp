// Which values are the same for all threads of a block: proved from the text of a kernel, of what is allowed alone. A
// kernel's barriers can be told apart only where the conditions around them are such values.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/cudafe/statements.hpp"

namespace lanework::cudafe {

/// What a program's files declare outside functions, by name.
class ProgramNames {
public:
    void add(const TokenizedFile& file, const Brackets& brackets);
    /// Adds a macro of the command line, NAME or NAME=TEXT.
    void define(std::string_view macro);

    /// A number that does not change while a kernel runs: const, constexpr, __constant__, an enumerator.
    bool is_constant(std::string_view name) const { return constants_.contains(name); }
    /// A class with a destructor of its own.
    bool is_destroyed(std::string_view name) const { return destroyed_.contains(name); }
    /// A function or macro that changes none of its arguments: its parameters are values.
    bool takes_values(std::string_view function, unsigned depth = 0) const;
    /// The macros of that name.
    std::vector<const Macro*> macros(std::string_view name) const;

private:
    void add_constants(const TokenizedFile& file, const Brackets& brackets);
    void add_enumerators(const TokenizedFile& file, const Brackets& brackets);
    void add_functions(const TokenizedFile& file, const Brackets& brackets);

    std::set<std::string, std::less<>> constants_, destroyed_;
    std::map<std::string, bool, std::less<>> takes_values_;
    std::multimap<std::string, Macro, std::less<>> macros_;
    std::deque<std::string> lines_;
    std::deque<TokenizedFile> of_command_line_;
};

/// A kernel as its text shows it.
struct KernelText {
    std::string_view name;
    /// Its template parameters, between the parentheses, and between the braces.
    TokenRange template_parameters{}, parameters{}, body{};
};

/// A parameter, or a variable that is declared beside barriers, not within what runs between two of them.
struct KernelVariable {
    enum class Role {
        /// One value for all threads, changed beside barriers alone.
        uniform,
        /// Computed anew, wherever it is used, from a thread's index and uniform values.
        recomputed,
        /// Each thread has its own.
        own,
    };
    std::string_view name;
    /// Null for a parameter.
    const Statement* statement = nullptr;
    const DeclaredVariable* declared = nullptr;
    /// From its declaration to the end of its scope.
    TokenRange scope;
    bool reference = false, pointer = false, array = false, shared = false;
    /// constexpr.
    bool constant = false;
    /// It is declared at the head of a for.
    bool of_head = false;
    Role role = Role::own;
    /// Where it is named behind its declaration, and those where it may be given another value or its address be taken.
    std::vector<std::size_t> mentions, changes;
};

/// The variables of a kernel, and what is proved of them.
class Uniformity {
public:
    Uniformity(const Stream& stream, const Brackets& brackets, const ProgramNames& names, const KernelText& kernel,
               const std::vector<Statement>& body);

    /// Nothing can be said: a name is declared twice in one scope, say.
    bool unclear() const { return unclear_; }
    const std::deque<KernelVariable>& variables() const { return variables_; }
    /// The variable that a declaration's token names; null where that is none of these.
    const KernelVariable* declared_at(std::size_t token) const;
    /// Whether an expression has one value for all threads of a block.
    bool is_uniform(TokenRange expression) const;
    /// Whether a statement, or the third part of a for, only gives uniform variables uniform values.
    bool changes_uniform(TokenRange expression) const;
    /// Whether the name at a token is the variable's, not another thing's member.
    bool names_variable(std::size_t token) const;
    /// Whether the address of the variable is taken that a token names.
    bool takes_address(std::size_t token) const;
    /// The variable that a name stands for at a token; null where it is none of these.
    const KernelVariable* variable_at(std::size_t site, std::string_view name) const;

    /// A text beside barriers, and the statements around it that have a condition.
    struct Beside {
        TokenRange text;
        std::vector<const Statement*> around;
    };

private:
    enum class Made { for_all, for_each };

    bool is(std::size_t i, std::string_view spelling) const {
        return i < stream_.tokens.size() && stream_.tokens[i].is(spelling);
    }
    void collect_parameters();
    void collect(const Statement& statement, std::size_t scope_end);
    void add_variables(const Statement& statement, std::size_t scope_end, bool of_head);
    void note_mentions(const std::vector<Statement>& body);
    void note_mention(std::size_t token, const std::set<std::size_t>& declared);
    void settle(const std::vector<Statement>& body);
    bool stays_uniform(const KernelVariable& variable, const std::vector<Beside>& beside) const;
    bool of_all_that_have(const KernelVariable& variable, const Beside& beside) const;
    bool is_recomputed(const KernelVariable& variable) const;
    TokenRange value_of(const DeclaredVariable& declared) const;
    bool lasts(const KernelVariable& value, const KernelVariable& user) const;

    /// A text that is read for what its values are made of.
    struct Reading {
        const Stream& stream;
        const Brackets& brackets;
        Made made;
        /// The variable that is computed so; null for none.
        const KernelVariable* user = nullptr;
        /// Of a macro's body, where it is used, and how deep within others.
        std::size_t site = kNone;
        const Macro* macro = nullptr;
        unsigned depth = 0;
    };
    bool is_made(const Reading& reading, TokenRange range) const;
    bool is_made_of_name(const Reading& reading, TokenRange range, std::size_t i) const;
    bool is_made_with_sign(const Reading& reading, TokenRange range, std::size_t i) const;
    std::size_t end_of_element_address(const Reading& reading, TokenRange range, std::size_t i) const;
    bool changes_one(TokenRange expression) const;

    bool may_change(std::size_t token, const KernelVariable& variable) const;
    bool is_assigned(std::size_t first, std::size_t behind) const;
    bool may_be_referred(std::size_t first, std::size_t behind) const;
    void note_macro(std::size_t site);

    const Stream& stream_;
    const Brackets& brackets_;
    const ProgramNames& names_;
    const KernelText& kernel_;
    std::deque<KernelVariable> variables_;
    std::set<std::string_view> template_words_;
    bool unclear_ = false;
};

}  // namespace lanework::cudafe
