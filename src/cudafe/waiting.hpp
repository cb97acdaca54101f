// Which kernels never wait for other threads: such a kernel may run as a plain loop over its threads, which a compiler
// can vectorise. Every other one needs a fiber for each thread that waits.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "src/cudafe/declared_names.hpp"
#include "src/cudafe/kernel_addresses.hpp"
#include "src/cudafe/rounds.hpp"

namespace lanework::cudafe {

/// How the threads of a kernel may run.
enum class ThreadOrder {
    /// It may wait: a fiber for each thread.
    fibers,
    /// In a loop over the threads of a block.
    blocks,
    /// It waits at barriers and operations of the warp alone, in its own body or in functions: in loops between them,
    /// where these are found (barrier_regions.hpp).
    regions,
    /// In a loop over the threads of neighbouring blocks with the same y and z: it asks for the x of its block and
    /// thread only together, for the thread's x in the grid.
    rows,
    /// The same where the threads of a row do something up to one of them (src/cudafe/rounds.hpp).
    guarded,
    /// The same where they do so again and again, each a grid further.
    strides,
};

/// Collects the functions and macros of a program's files, and answers by what their text can reach. The text is not
/// preprocessed and names are not resolved, so that every answer errs on one side: a name stands for all functions of
/// that name, both branches of a condition count, and whatever is not known to compute only is taken to wait.
/// docs/decisions/ loops-over-threads.md has the rules.
class Waiting {
public:
    /// Adds a macro of the command line, NAME or NAME=TEXT.
    void define(std::string_view macro);
    /// Adds the macros of a file.
    void add_macros(const TokenizedFile& file);
    /// Adds the functions and types of a file, behind the macros of all files and of the command line: these say which
    /// functions are called without their names.
    void add(const TokenizedFile& file, const Brackets& brackets);
    /// Adds how the threads of a file's kernels take part.
    void add(const KernelRounds& rounds);
    /// No kernel of the program is known well enough.
    void give_up() { unknown_ = true; }

    /// Of the kernel of that name, without scope and template arguments.
    ThreadOrder order_of(std::string_view kernel) const { return run_of(kernel).order; }
    struct Run {
        ThreadOrder order = ThreadOrder::fibers;
        /// It may come to an atomic operation.
        bool atomics = false;
    };
    Run run_of(std::string_view kernel) const;
    /// Whether a function of the program, or one that it comes to, waits or has shared memory of its own.
    bool waits(std::string_view function) const;

private:
    /// A stretch of text, cut into what matters about it.
    struct Text {
        /// Words that are called like functions, and all other words.
        WordSet called, named;
        /// Words behind . and -> that are not called: those of macros count.
        WordSet members;
        /// Words that have to be types for the rest to be understood.
        WordSet types;
        /// Its variables and parameters, with the words of their types; none for one that has several.
        std::map<std::string, std::string, std::less<>> objects;
        /// Something in it is not understood, or waits.
        bool opaque = false;
        /// Declares shared memory.
        bool shared = false;
        /// Calls atomic functions whose old values nobody uses.
        bool reduces = false;
        /// Asks for threadIdx.x or blockIdx.x otherwise than for blockIdx.x * blockDim.x + threadIdx.x.
        bool knows_block = false;
        /// Has a loop whose end might depend on what other threads write: with an atomic operation in it or in what it
        /// calls, that is a lock.
        bool may_spin = false;
        /// A function that is called without its name: an operator, a destructor, a lambda; a macro that writes some.
        bool implicit = false;
        /// Of a function: the words ahead of its name.
        WordSet specifiers;
        /// Of a function that is called without its name: the words of its class, or of each of its parameters, one
        /// of which has a class. None for what values of any type may call.
        std::vector<WordSet> operands;
        /// Of a macro: the word that is all of it.
        std::string sole_word;
        /// Its name has a scope: it may be declared elsewhere, and what it is for with it.
        bool scoped = false;
        /// Its parameters may have types that the text does not name: those of a template, `auto`.
        bool any_types = false;

        void add(Text other);
        void add_object(std::string_view name, std::string_view type);
    };
    using Texts = std::multimap<std::string, Text, std::less<>>;

    static Text read(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end);
    static void add_object(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t i,
                           std::size_t end, Text& text);
    void add_operands(const Stream& stream, const Brackets& brackets, std::size_t i, std::size_t open,
                      Text& text) const;
    static bool takes_any_types(const Stream& stream, const Brackets& brackets, TokenRange head, std::size_t open);
    static void add_initializers(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end,
                                 Text& text);
    bool is_of_device(const std::string& name, const Text& text) const;
    bool called_implicitly(const std::string& name, const Text& text) const;
    bool leads_to(std::string_view macro, std::string_view word) const;
    bool writes_implicit(std::string_view macro) const;
    /// By the names of macros that write functions for the device: whether some of these are called without their
    /// names.
    using Writers = std::map<std::string, bool, std::less<>>;
    const Writers& writers() const;
    bool stands_for_operator(std::string_view word) const;
    void add_macro_use(const Stream& stream, std::size_t i);
    bool leads_to_body(const Stream& stream, const Brackets& brackets, std::size_t close, std::size_t body) const;
    enum class Callee { unknown, object, value };
    Callee callee(std::string_view word, const Text& text) const;
    WordSet addressed() const;
    bool has_operand(const Text& text, const WordSet& words) const;
    bool may_be_inlined(std::string_view name, const Text& text) const;
    void add_macro(std::string_view name, const Stream& body);
    void add_types(const Stream& stream, const Brackets& brackets);
    void add_lambda(const Stream& stream, const Brackets& brackets, std::size_t at);
    void add_functions(const Stream& stream, const Brackets& brackets);
    bool reaches_itself(const std::string& function) const;
    ThreadOrder order_of_rows(std::string_view kernel, bool place_elsewhere) const;

    Texts functions_, macros_;
    /// By the names of macros: the words ahead of them, outside of functions.
    std::map<std::string, WordSet, std::less<>> ahead_of_macros_;
    /// Worked out at the first question behind what was added last.
    mutable std::optional<Writers> writers_;
    /// Of functions that are declared and defined apart: the words ahead of their names.
    std::multimap<std::string, WordSet, std::less<>> declarations_;
    DeclaredNames names_;
    KernelRounds rounds_;
    /// Names of classes, of other types and of template parameters.
    WordSet types_;
    /// Names of template parameters.
    WordSet parameters_;
    /// Namespaces of libraries whose functions may wait.
    WordSet libraries_;
    /// Namespaces whose names stand for themselves in all of a file.
    WordSet opened_;
    bool unknown_ = false;
};

}  // namespace lanework::cudafe
