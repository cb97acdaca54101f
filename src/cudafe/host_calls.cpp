// Functions by their declarations outside of functions and classes, and calls by the words before their parentheses.
#include "src/cudafe/host_calls.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {
namespace {

/// Functions of C and of CUDA's runtime that nvcc 13.0 refused in a kernel, each tried.
bool is_of_host_library(std::string_view word) {
    constexpr std::array<std::string_view, 62> kNames{"rand",
                                                      "srand",
                                                      "rand_r",
                                                      "random",
                                                      "srandom",
                                                      "drand48",
                                                      "lrand48",
                                                      "srand48",
                                                      "time",
                                                      "clock_gettime",
                                                      "getenv",
                                                      "system",
                                                      "exit",
                                                      "abort",
                                                      "puts",
                                                      "putchar",
                                                      "fputs",
                                                      "fprintf",
                                                      "sprintf",
                                                      "snprintf",
                                                      "fflush",
                                                      "fopen",
                                                      "fclose",
                                                      "fgets",
                                                      "fread",
                                                      "fwrite",
                                                      "fscanf",
                                                      "sscanf",
                                                      "scanf",
                                                      "getchar",
                                                      "perror",
                                                      "qsort",
                                                      "calloc",
                                                      "realloc",
                                                      "atoi",
                                                      "atol",
                                                      "atof",
                                                      "strtol",
                                                      "strtod",
                                                      "strcmp",
                                                      "strncmp",
                                                      "strcpy",
                                                      "strncpy",
                                                      "strcat",
                                                      "memcmp",
                                                      "memmove",
                                                      "toupper",
                                                      "tolower",
                                                      "isalpha",
                                                      "isdigit",
                                                      "usleep",
                                                      "sleep",
                                                      "getpid",
                                                      "div",
                                                      "gettimeofday",
                                                      "cudaMemcpy",
                                                      "cudaMemset",
                                                      "cudaDeviceSynchronize",
                                                      "cudaStreamSynchronize",
                                                      "cudaEventCreate",
                                                      "cudaStreamCreate",
                                                      "omp_get_thread_num"};
    return among(word, kNames);
}

/// Of C++'s library alone, each tried likewise; with relaxed rules those that are constexpr are taken.
bool is_of_host_std(std::string_view word) {
    constexpr std::array<std::string_view, 15> kNames{"max",     "min",         "clamp", "max_element", "make_pair",
                                                      "sort",    "swap",        "fill",  "copy",        "accumulate",
                                                      "reverse", "lower_bound", "iota",  "find",        "count"};
    return among(word, kNames);
}

bool is_unevaluated(std::string_view word) {
    constexpr std::array<std::string_view, 8> kWords{"sizeof",  "decltype",      "noexcept", "typeid",
                                                     "alignof", "static_assert", "requires", "__attribute__"};
    return among(word, kWords);
}

/// Words before a parenthesis, or before a name, that belong to no declaration.
bool is_statement_word(std::string_view word) {
    constexpr std::array<std::string_view, 14> kWords{"return", "if",  "while",    "for",   "switch",
                                                      "else",   "do",  "case",     "goto",  "throw",
                                                      "sizeof", "new", "decltype", "delete"};
    return among(word, kWords);
}

/// Words that say nothing of whom a function is for; a name in capitals may be a macro that does.
bool may_be_macro(std::string_view word) {
    constexpr std::array<std::string_view, 5> kOwn{"__inline__", "__forceinline__", "__inline", "__noinline__",
                                                   "__restrict__"};
    if (among(word, kOwn)) return false;
    return word.starts_with("__") ||
           (word.size() > 1 && std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
}

}  // namespace

/// One file's tokens with what is asked of them.
class HostCalls::Reader {
public:
    Reader(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device)
        : file_(file), tokens_(file.code.tokens), brackets_(brackets), device_(device) {}

    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// The parenthesis of a call or a parameter list behind the name at `i`, template arguments stepped over.
    std::size_t parenthesis(std::size_t i) const {
        std::size_t open = i + 1;
        if (is(open, "<") && brackets_.closing_angle(open) != kNone) open = brackets_.closing_angle(open) + 1;
        return is(open, "(") && brackets_.match(open) != kNone ? open : kNone;
    }

    /// Whether the name at `i` can be one that a declaration gives: a type stands before it.
    bool behind_type(std::size_t i) const {
        if (i == 0) return false;
        const Token& before = tokens_[i - 1];
        if (before.identifier()) return !is_statement_word(before.text);
        return before.is("*") || before.is("&") || before.is(">") || before.is("]");
    }

    bool is_member(std::size_t i) const {
        return i > 0 && (is(i - 1, ".") || (is(i - 1, ">") && i > 1 && is(i - 2, "-")));
    }

    /// Where the outermost function around `i` begins; kNone outside of all.
    std::size_t function_start(std::size_t i) const {
        std::size_t outermost = kNone;
        for (std::size_t brace = brackets_.brace(i); brace != kNone; brace = brackets_.brace(brace))
            if (brackets_.in_function(brace + 1)) outermost = brace;
        return outermost == kNone ? kNone : start(outermost);
    }

    /// Whether the functions around `i` may declare its name: it stands there as no call.
    bool may_be_declared_around(std::size_t i) const {
        const std::size_t begin = function_start(i);
        if (begin == kNone) return true;
        for (std::size_t k = begin; k <= i; ++k)
            if (is(k, tokens_[i].text) && !is_member(k) && (parenthesis(k) == kNone || behind_type(k))) return true;
        return false;
    }

    /// The same of a name that is launched: with a type before it.
    bool is_declared_around(std::size_t i) const {
        for (std::size_t k = function_start(i); k < i; ++k)
            if (is(k, tokens_[i].text) && !is_member(k) && behind_type(k)) return true;
        return false;
    }

    /// Where the declaration around `i` begins; labels of access are no part of it.
    std::size_t start(std::size_t i) const {
        while (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}") && !is(i - 1, ":")) --i;
        return i;
    }

    /// What stands before the brace says that it opens a class.
    bool in_class(std::size_t i) const {
        const std::size_t brace = brackets_.brace(i);
        if (brace == kNone) return false;
        for (std::size_t k = start(brace); k < brace; ++k)
            if (is(k, "struct") || is(k, "class") || is(k, "union")) return true;
        return false;
    }

    /// Whether a condition of the preprocessor decides over the token; one around the whole file is its guard.
    bool is_conditional(std::size_t token) const {
        std::vector<std::size_t> open;
        for (const Conditional& each : file_.conditionals) {
            if (each.token > token) break;
            if (each.kind == Conditional::Kind::open) open.push_back(each.token);
            if (each.kind == Conditional::Kind::close && !open.empty()) open.pop_back();
        }
        return std::any_of(open.begin(), open.end(), [](std::size_t from) { return from > 0; });
    }

    /// Whether all brackets of the body that opens at the brace are closed: else the compiler says which is not.
    bool is_closed(std::size_t brace) const {
        const std::size_t end = brackets_.match(brace);
        for (std::size_t i = brace; end != kNone && i < end; ++i)
            if ((is(i, "(") || is(i, "[") || is(i, "{")) && brackets_.match(i) == kNone) return false;
        return end != kNone;
    }

    /// Whether the kernel that is declared with the name at `i` returns a number. A word that is no type of the
    /// language may be a macro.
    bool returns_number(std::size_t i) const {
        constexpr std::array<std::string_view, 9> kNumbers{"int",   "float",  "double",   "bool",  "char",
                                                           "short", "signed", "unsigned", "size_t"};
        bool number = false;
        for (std::size_t k = start(i); k < i; ++k) {
            if (is(k, "(") && brackets_.match(k) != kNone) k = brackets_.match(k);
            if (is(k, "<") && brackets_.closing_angle(k) != kNone) k = brackets_.closing_angle(k);
            if (is(k, "void")) return false;
            number = number || among(tokens_[k].text, kNumbers);
        }
        return number;
    }

    bool mentions(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i)
            if (is(i, word)) return true;
        return false;
    }

    /// Whether the function whose body opens at the brace is a template that nobody makes for certain: its own
    /// specifiers, or the class around it, say so.
    bool may_never_be_made(std::size_t brace, const std::set<std::string, std::less<>>& kernels_in_use) const {
        for (std::size_t outer = brackets_.brace(brace); outer != kNone; outer = brackets_.brace(outer))
            if (mentions(start(outer), outer, "template")) return true;
        const std::size_t from = start(brace);
        if (!mentions(from, brace, "template") && !mentions(from, brace, "auto")) return false;
        for (std::size_t i = from; i < brace; ++i)
            if (is(i + 1, "(") && tokens_[i].identifier() && kernels_in_use.contains(tokens_[i].text)) return false;
        return true;
    }

    /// Whether the token stands among what a macro is given, which may make a launch of it.
    bool is_given_to_macro(std::size_t i, const std::set<std::string, std::less<>>& macros) const {
        for (std::size_t k = i; k-- > 0 && !is(k, ";") && !is(k, "{") && !is(k, "}");) {
            if (is(k, ")") && brackets_.match(k) != kNone)
                k = brackets_.match(k);
            else if (is(k, "(") && k > 0 && tokens_[k - 1].identifier() &&
                     (macros.contains(tokens_[k - 1].text) || may_be_macro(tokens_[k - 1].text)))
                return true;
        }
        return false;
    }

    /// Whether the operands around a call are not evaluated.
    bool is_unevaluated_at(std::size_t i, std::size_t brace) const {
        for (std::size_t k = i; k-- > brace;) {
            if (is(k, ")") || is(k, "]") || is(k, "}")) {
                if (brackets_.match(k) == kNone) return true;
                k = brackets_.match(k);
            } else if (is(k, "(") && k > 0 && is_unevaluated(tokens_[k - 1].text)) {
                return true;
            } else if (is(k, ";") || is(k, "{")) {
                return k > 0 && is(k, "{") && is_unevaluated(tokens_[k - 1].text);
            }
        }
        return false;
    }

    const TokenizedFile& file_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const DeviceCode& device_;
};

void HostCalls::add(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device) {
    for (const Macro& macro : file.macros) macros_.emplace(macro.name);
    const Reader reader(file, brackets, device);
    const std::vector<Token>& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].identifier()) continue;
        if (reader.is(i + 1, "<")) kernels_in_use_.emplace(tokens[i].text);
        if (brackets.in_function(i)) continue;
        const std::size_t open = reader.parenthesis(i);
        const bool scoped = i > 0 && (tokens[i - 1].is("::") || tokens[i - 1].is("~"));
        if (open == kNone || scoped || reader.in_class(i) || !reader.behind_type(i)) {
            // A class, a variable, a member, an alias, a using declaration: whatever has the name may be meant.
            const bool used = open == kNone && i > 0 && (tokens[i - 1].is("=") || tokens[i - 1].is(","));
            Known& known = known_[std::string(tokens[i].text)];
            known.other = known.other || !used;
            known.beside_kernel = known.beside_kernel || !used;
            continue;
        }
        Known& known = known_[std::string(tokens[i].text)];
        Execution execution;
        for (std::size_t k = reader.start(i); k < i; ++k) {
            const std::string_view word = tokens[k].text;
            if (!tokens[k].identifier()) continue;
            const Execution said = device.said_by(word);
            execution.host = execution.host || said.host;
            execution.device = execution.device || said.device;
            if (word == "constexpr" || word == "consteval") known.constant = true;
            if (!said.host && !said.device && word != "__attribute__" && may_be_macro(word) && !macros_.contains(word))
                known.other = true;
            if (word == "friend" || word == "operator" || word == "typedef" || word == "using") known.other = true;
        }
        (execution.device ? known.other : known.host) = true;
        const bool kernel = reader.mentions(reader.start(i), i, "__global__");
        (kernel ? known.kernel : known.beside_kernel) = true;
        if (kernel && !reader.is_conditional(i) && reader.returns_number(i))
            throw MalformedError(tokens[i].offset,
                                 "a __global__ function returns nothing: nvcc refuses any type but void");
    }
}

void HostCalls::define(std::string_view macro) { macros_.emplace(macro.substr(0, macro.find_first_of("=("))); }

/// Whether the name at `i` is called, which is a kernel's and nothing else's.
bool HostCalls::calls_kernel(const Reader& reader, std::size_t i) const {
    const auto found = known_.find(reader.tokens_[i].text);
    if (found == known_.end() || !found->second.kernel || found->second.beside_kernel) return false;
    // `<<<` opens no template arguments.
    if (reader.is(i + 1, "<") && reader.is(i + 2, "<")) return false;
    if (reader.parenthesis(i) == kNone || reader.is_member(i) || reader.is(i - 1, "::")) return false;
    return !reader.behind_type(i) && !reader.is_conditional(i) && !reader.may_be_declared_around(i) &&
           !reader.is_given_to_macro(i, macros_);
}

/// Whether the name at `i` is launched, which is that of host functions alone.
bool HostCalls::launches_host_function(const Reader& reader, std::size_t i) const {
    const auto found = known_.find(reader.tokens_[i].text);
    if (found == known_.end() || !found->second.host || found->second.other || found->second.kernel) return false;
    const bool launch = reader.is(i + 1, "<") && reader.is(i + 2, "<") && reader.is(i + 3, "<");
    return launch && !reader.is_member(i) && !reader.is(i - 1, "::") && !reader.is_conditional(i) &&
           !reader.is_declared_around(i) && !reader.is_given_to_macro(i, macros_);
}

void HostCalls::check(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device,
                      const std::function<bool(std::string_view)>& has_other) const {
    const Reader reader(file, brackets, device);
    const std::vector<Token>& tokens = file.code.tokens;
    const auto of_program = [&](std::string_view word) {
        const auto found = known_.find(word);
        return found != known_.end() && found->second.host && !found->second.other &&
               !(relaxed_ && found->second.constant);
    };
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!tokens[i].identifier() || !brackets.in_function(i) || macros_.contains(tokens[i].text)) continue;
        const std::string_view word = tokens[i].text;
        if (launches_host_function(reader, i))
            throw MalformedError(tokens[i].offset, std::string(word) +
                                                       " is no kernel, and is launched: nvcc refuses that; "
                                                       "put __global__ before its definition, or call it");
        if (calls_kernel(reader, i))
            throw MalformedError(tokens[i].offset, std::string(word) +
                                                       " is a kernel, which is launched: " + std::string(word) +
                                                       "<<<grid, block>>>(...); nvcc refuses a call");
        const bool of_std = tokens[i - 1].is("::") && i > 1 && tokens[i - 2].is("std") && !reader.is(i - 3, "::");
        const bool plain = !tokens[i - 1].is("::") && !reader.is_member(i);
        const bool library = is_of_host_library(word) && (of_std || (plain && !known_.contains(word)));
        const bool standard = of_std && !relaxed_ && is_of_host_std(word);
        const bool program = plain && of_program(word);
        if (!library && !standard && !program) continue;
        if (reader.parenthesis(i) == kNone || (plain && reader.may_be_declared_around(i))) continue;
        const DeviceCode::Function function = device.around(file.code, brackets, i);
        if (!function.execution.device_alone() || reader.is_conditional(i) || !reader.is_closed(function.brace))
            continue;
        if (reader.may_never_be_made(function.brace, kernels_in_use_) || reader.is_unevaluated_at(i, function.brace))
            continue;
        bool discards = false;
        for (std::size_t k = function.brace; k < i; ++k)
            discards = discards || (reader.is(k, "if") && reader.is(k + 1, "constexpr"));
        if (discards || (program && has_other(word))) continue;
        const bool kernel = reader.mentions(reader.start(function.brace), function.brace, "__global__");
        const bool constant = standard || (program && known_.find(word)->second.constant);
        throw MalformedError(
            tokens[i].offset,
            std::string("a ") + (kernel ? "__global__" : "__device__") + " function calls " + (of_std ? "std::" : "") +
                std::string(word) + ", a function of the host: nvcc refuses that; " +
                (program ? "put __device__ before its definition" : "device code has no such function") +
                (constant ? ", or give --expt-relaxed-constexpr where it is constexpr" : ""));
    }
}

}  // namespace lanework::cudafe
