// Kernels whose threads all do something up to one of them, and do it once or again and again, a grid further: the
// threads of a row then take part together, with no condition among them, and one round of all threads comes before the
// next.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// What the files of a program say about the words of kernels.
class RoundWords {
public:
    void add(const TokenizedFile& file, const Brackets& brackets);
    /// Adds a macro of the command line, NAME or NAME=TEXT.
    void define(std::string_view macro);

    /// A macro that stands for a number.
    bool is_number(std::string_view word) const;
    /// Of whole numbers that never change, outside functions.
    bool is_constant(std::string_view word) const { return constants_.contains(word) && !macros_.contains(word); }
    /// A macro in which something may be assigned, left or begun.
    bool is_macro_that_acts(std::string_view word) const;
    /// Whether no function of that name could change what it is given.
    bool takes_values(std::string_view function) const { return !hidden_references_ && !changing_.contains(function); }
    bool defines_operators() const { return changing_.contains("operator"); }

private:
    struct MacroFacts {
        bool number = true, acts = false;
    };
    void add_macro(std::string_view name, const Macro& macro);

    std::map<std::string, MacroFacts, std::less<>> macros_;
    /// Constants, and the functions with a reference among their parameters.
    std::set<std::string, std::less<>> constants_, changing_;
    /// A type or a macro may make a parameter a reference.
    bool hidden_references_ = false;
};

/// Where a kernel's threads take part, by token.
struct Rounds {
    /// `for`, `while` or `if`, and the end of the statement.
    std::size_t head, end;
    /// Of the condition, without what stands around it.
    std::size_t condition, condition_end;
    /// The `)` of the statement's head.
    std::size_t close;
    /// The statement is a loop over the grid's stride.
    bool strides = false;
    /// On the condition a thread leaves.
    bool leaves = false;
};

/// By the names of kernels.
using KernelRounds = std::multimap<std::string, std::optional<Rounds>, std::less<>>;

/// Reads each kernel that the stream defines: nothing for one whose threads do not take part so.
KernelRounds rounds_of_kernels(const TokenizedFile& file, const Brackets& brackets, const RoundWords& words);

/// Writes what asks the threads:
///   if (i < n) BODY                if (::lanework_simt::takes_part(i < n)) BODY
///   if (i >= n) return;            if (!::lanework_simt::takes_part(!(i >= n))) return;
///   for (T i = I; i < n; i += S) BODY
///                                  if (::lanework_simt::in_round()) {
///                                      if (T i = I; ::lanework_simt::takes_part(i < n)) do BODY while (false);
///                                  } else for (T i = I; i < n; i += S) BODY
void rewrite_rounds(const TokenizedFile& file, const Rounds& rounds, Edits& edits);

}  // namespace lanework::cudafe
