// Finds launches and the postfix expression that names the kernel, which is read backwards from the <<<.
#include "src/cudafe/launches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "src/cudafe/launch_arguments.hpp"

namespace lanework::cudafe {
namespace {

constexpr const char* kParameters = "(auto&... lanework_argument) { ";
constexpr const char* kCall = "(lanework_argument...); }, ";
constexpr const char* kConfigure = ").configure(";

/// An identifier, as opposed to a keyword that can precede an expression.
bool names(const Token& token) {
    constexpr std::array<std::string_view, 11> kKeywords{"return",   "else",      "do", "case",      "throw",   "goto",
                                                         "co_yield", "co_return", "if", "constexpr", "co_await"};
    return token.identifier() && std::find(kKeywords.begin(), kKeywords.end(), token.text) == kKeywords.end();
}

class LaunchRewriter {
public:
    LaunchRewriter(const Stream& stream, const Brackets& brackets, const Macro* macro, const Waiting& waiting,
                   const std::set<std::string, std::less<>>& cut_kernels, const KernelNames& kernels, Edits& edits)
        : tokens_(stream.tokens),
          brackets_(brackets),
          macro_(macro),
          waiting_(waiting),
          cut_kernels_(cut_kernels),
          kernels_(kernels),
          edits_(edits) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!three('<', i, true) || (i > 0 && tokens_[i - 1].is("operator"))) continue;
            rewrite(i);
            i += 2;
        }
    }

private:
    /// Three angle brackets from token `i`: without blanks, or as some editors set them, `<< <` and `>> >`.
    bool three(char angle, std::size_t i, bool spaced) const {
        if (i + 2 >= tokens_.size()) return false;
        const std::string_view spelling(&angle, 1);
        return tokens_[i].is(spelling) && tokens_[i + 1].is(spelling) && tokens_[i + 2].is(spelling) &&
               brackets_.adjacent(i) && (spaced || brackets_.adjacent(i + 1));
    }

    void rewrite(std::size_t open) {
        const std::size_t kernel = kernel_start(open), close = closing(open);
        refer(open, close + 3);  // before literals are taken out beside what it marks
        // A pointer to a kernel is read once, by the host: threads keep a copy of it. What a macro launches may be one.
        const bool pointer = is_pointer(kernel, open);
        const std::string launcher = pointer ? "pointed_launcher(" : launcher_of(open);
        edits_.insert(tokens_[kernel].offset, std::string("::lanework_simt::") + launcher + quoted_name(kernel, open) +
                                                  ", " +
                                                  (pointer ? "" : std::string(macro_ ? "[=]" : "[&]") + kParameters));
        edits_.insert(tokens_[open - 1].end(), pointer ? kConfigure
                                                       : kCall + signature(kernel, open, close + 3) +
                                                             literals(kernel, open, close + 3) + kConfigure);
        edits_.remove(tokens_[open].offset, tokens_[open + 2].end() - tokens_[open].offset);
        edits_.replace(tokens_[close].offset, tokens_[close + 2].end() - tokens_[close].offset, ")");
        for (std::size_t i = 0; i < 3; ++i) launches_.insert(close + i);
    }

    /// The name of the kernel k or k<arguments> that ends before `end`; kNone where a macro's parameter or an
    /// expression stands for it.
    std::size_t name_before(std::size_t end) const {
        std::size_t name = end - 1;
        if (tokens_[name].is(">")) {
            const std::size_t open = brackets_.opening_angle(name);
            if (open == kNone || open == 0) return kNone;
            name = open - 1;
        }
        return tokens_[name].identifier() && !is_parameter(tokens_[name]) ? name : kNone;
    }

    /// Whether the expression from `begin` to `end` is a variable, an element or a call whose value is a kernel, not
    /// the name of one. What a macro launches may be either: it stays as it is.
    bool is_pointer(std::size_t begin, std::size_t end) const {
        if (macro_ != nullptr) return false;
        const std::size_t last = end - 1;
        if (tokens_[last].is("]")) return true;
        if (tokens_[last].is(")")) {
            if (brackets_.match(last) != begin) return true;  // a call
            for (std::size_t i = begin + 1; i < last; ++i)
                if (tokens_[i].is("?") || tokens_[i].is("*") || tokens_[i].is("[")) return true;
            return false;
        }
        if (!tokens_[last].identifier() || kernels_.contains(tokens_[last].text)) return false;
        return before_member_access(last) != kNone || variables().contains(tokens_[last].text);
    }

    /// The names of variables and parameters that are declared somewhere: behind a type or (*, before the end of it.
    const std::set<std::string_view>& variables() const {
        if (variables_) return *variables_;
        variables_.emplace();
        for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
            if (!tokens_[i].identifier()) continue;
            const Token &before = tokens_[i - 1], &behind = tokens_[i + 1];
            const bool type = (before.identifier() && !before.is("return")) || before.is("*") || before.is("&");
            const bool ends = behind.is("=") || behind.is(";") || behind.is(",") || behind.is(")") || behind.is("{");
            if (type && ends) variables_->insert(tokens_[i].text);
        }
        return *variables_;
    }

    /// Of the kernel that ends before `end`, by how its threads may run.
    std::string launcher_of(std::size_t end) const {
        const std::size_t name = name_before(end);
        if (name != kNone && cut_kernels_.contains(tokens_[name].text)) return "region_launcher(";
        const Waiting::Run run = name == kNone ? Waiting::Run{} : waiting_.run_of(tokens_[name].text);
        const std::string atomics = run.atomics ? "<true>(" : "(";
        switch (run.order) {
            case ThreadOrder::blocks: return "loop_launcher" + atomics;
            case ThreadOrder::rows: return "row_launcher" + atomics;
            case ThreadOrder::guarded: return "guarded_launcher" + atomics;
            case ThreadOrder::strides: return "stride_launcher" + atomics;
            default: return "launcher(";
        }
    }

    /// Marks the arguments, in the parenthesis at `open`, of the kernel's reference parameters.
    void refer(std::size_t end_of_name, std::size_t open) {
        const std::size_t name = name_before(end_of_name);
        const auto kernel = name == kNone ? kernels_.end() : kernels_.find(tokens_[name].text);
        if (kernel == kernels_.end() || kernel->second.empty() || open >= tokens_.size()) return;
        const auto arguments = split_arguments(tokens_, brackets_, open);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto [begin, end] = arguments[i];
            const bool whole = end > begin && !depends_on_parameter(tokens_, arguments[i]) && !tokens_[end - 1].is(".");
            if (!whole || !kernel->second.contains(i)) continue;
            edits_.insert(tokens_[begin].offset, "::lanework_simt::refer(");
            edits_.insert(tokens_[end - 1].end(), ")");
        }
    }

    /// What asks for the kernel's signature. g++ gives no name to a type with a pointer to a member in it (offset_ref):
    /// with one among the template's arguments nobody asks.
    std::string signature(std::size_t begin, std::size_t end, std::size_t arguments) const {
        for (std::size_t i = begin; i + 2 < end; ++i)
            if (tokens_[i].is("&") && tokens_[i + 1].identifier() && tokens_[i + 2].is("::")) return "nullptr";
        if (tokens_[end - 1].is(">") && has_pack(arguments)) {
            const std::size_t close = brackets_.match(arguments);
            // A lambda's type cannot be asked for.
            for (std::size_t i = arguments; i < close; ++i)
                if (tokens_[i].is("[") && !tokens_[i - 1].identifier() && !tokens_[i - 1].is(")") &&
                    !tokens_[i - 1].is("]"))
                    return "nullptr";
            return "LANEWORK_SIGNATURE_OF((" + spelled(arguments + 1, close) + "), " + spelled(begin, end) + ")";
        }
        return "LANEWORK_SIGNATURE(" + spelled(begin, end) + ")";
    }
    /// Whether a pack is expanded in the arguments in the parenthesis at `open`.
    bool has_pack(std::size_t open) const {
        if (open >= tokens_.size() || brackets_.match(open) == kNone) return false;
        for (std::size_t i = open + 1; i + 2 < brackets_.match(open); ++i)
            if (tokens_[i].is(".") && tokens_[i + 1].is(".") && tokens_[i + 2].is(".")) return true;
        return false;
    }

    /// What follows a launcher whose arguments, in the parenthesis at `open`, are not all values: empty for others.
    std::string literals(std::size_t kernel, std::size_t end_of_name, std::size_t open) const {
        if (macro_ != nullptr || open >= tokens_.size()) return {};
        const auto taken = take_literals(tokens_, brackets_, open, edits_);
        if (!taken) return {};
        return ").spelled([](auto& lanework_launch" + (taken->forwarded.empty() ? "" : ", " + taken->forwarded) +
               ") { lanework_launch(" + taken->given + "); }, [&](" + taken->kept + ") { " +
               spelled(kernel, end_of_name) + "(" + taken->spelled + "); }";
    }

    // -- the configuration -----------------------------------------------------------------------------------------

    /// The first >>> outside brackets that a parenthesis follows: of more than three in a row, the last three.
    std::size_t closing(std::size_t open) const {
        std::size_t bare = kNone;
        const bool spaced = !brackets_.adjacent(open + 1);
        for (std::size_t i = open + 3; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.is("(") || token.is("[") || token.is("{")) {
                if (brackets_.match(i) == kNone) throw MalformedError(token.offset, unclosed(token));
                i = brackets_.match(i);
            } else if (token.is(";") || token.is(")") || token.is("]") || token.is("}")) {
                break;
            } else if (three('>', i, spaced)) {
                if (arguments_follow(i + 3)) return i;
                bare = i;
            }
        }
        if (bare != kNone)
            throw MalformedError(tokens_[bare].offset,
                                 "this launch has no arguments: expected kernel<<<grid, block>>>(arguments)");
        throw MalformedError(tokens_[open].offset,
                             "this launch has no >>>: expected kernel<<<grid, block>>>(arguments)");
    }

    /// A macro may end with its launch's configuration; the arguments then follow its use.
    bool arguments_follow(std::size_t i) const {
        if (i == tokens_.size()) return macro_ != nullptr;
        if (!tokens_[i].is("(")) return false;
        if (brackets_.match(i) == kNone) throw MalformedError(tokens_[i].offset, unclosed(tokens_[i]));
        return true;
    }

    static std::string unclosed(const Token& token) {
        const std::string_view closing = token.is("(") ? ")" : token.is("[") ? "]" : "}";
        return "this " + std::string(token.text) + " in a launch is not closed: expected " + std::string(closing);
    }

    // -- the kernel ------------------------------------------------------------------------------------------------

    /// The first token of the postfix expression that ends before `end`.
    std::size_t kernel_start(std::size_t end) const {
        const std::size_t launch = end;
        for (;;) {
            const std::size_t operand = operand_start(end, launch);
            const std::size_t member = before_member_access(operand);
            if (member == kNone) return operand;
            end = member;
        }
    }

    [[noreturn]] void no_kernel(std::size_t launch) const {
        throw MalformedError(tokens_[launch].offset,
                             "this launch names no kernel: expected kernel<<<grid, block>>>(arguments), all in one "
                             "place (a macro cannot hold the configuration alone)");
    }

    /// Of a qualified name, a parenthesised expression, or one of them with calls and subscripts behind it.
    std::size_t operand_start(std::size_t end, std::size_t launch) const {
        if (end == 0) no_kernel(launch);
        const Token& last = tokens_[end - 1];
        if (last.is("]") && brackets_.match(end - 1) != kNone) return operand_start(brackets_.match(end - 1), launch);
        if (last.is(")") && brackets_.match(end - 1) != kNone) {
            const std::size_t open = brackets_.match(end - 1);
            return ends_operand(open) ? operand_start(open, launch) : open;
        }
        return name_start(end, launch);
    }

    /// Whether a parenthesis that opens at `open` is a call: what stands before it can be called.
    bool ends_operand(std::size_t open) const {
        if (open == 0) return false;
        const Token& before = tokens_[open - 1];
        if (before.identifier()) return names(before);
        if (before.is("]")) return true;
        if (before.is(">")) return launches_.contains(open - 1) || brackets_.opening_angle(open - 1) != kNone;
        if (!before.is(")") || brackets_.match(open - 1) == kNone) return false;
        return !is_condition(brackets_.match(open - 1));
    }

    /// if (…), while (…), for (…), switch (…): what follows is a statement of its own.
    bool is_condition(std::size_t open) const {
        if (open == 0) return false;
        const Token& before = tokens_[open - 1];
        const bool constexpr_if = before.is("constexpr") && open > 1 && tokens_[open - 2].is("if");
        return constexpr_if || before.is("if") || before.is("while") || before.is("for") || before.is("switch");
    }

    /// ns::t<x>::template k<y>, read backwards from `end`; ## joins names in macros.
    std::size_t name_start(std::size_t end, std::size_t launch) const {
        std::size_t i = end;
        if (tokens_[i - 1].is(">")) {
            i = brackets_.opening_angle(i - 1);
            if (i == kNone) no_kernel(launch);
        }
        if (i == 0 || !names(tokens_[i - 1])) no_kernel(launch);
        --i;
        while (i > 1 && tokens_[i - 1].is("##")) i -= 2;
        if (i > 0 && tokens_[i - 1].is("template")) --i;
        if (i == 0 || !tokens_[i - 1].is("::")) return i;
        --i;
        const bool qualified = i > 0 && (tokens_[i - 1].is(">") || names(tokens_[i - 1]));
        return qualified ? name_start(i, launch) : i;
    }

    /// The end of x in x.kernel and x->kernel when one of them precedes `operand`.
    std::size_t before_member_access(std::size_t operand) const {
        if (operand > 1 && tokens_[operand - 1].is(".")) return operand - 1;
        const bool arrow = operand > 2 && tokens_[operand - 1].is(">") && tokens_[operand - 2].is("-");
        return arrow ? operand - 2 : kNone;
    }

    // -- the kernel's name -----------------------------------------------------------------------------------------

    /// A string literal with the source of the tokens, blanks made one; a macro's parameters become #parameter.
    std::string quoted_name(std::size_t begin, std::size_t end) const {
        std::string pieces, text;
        for (std::size_t i = begin; i < end; ++i) {
            const bool blank =
                i > begin && !brackets_.adjacent(i - 1) && !tokens_[i].is("##") && !tokens_[i - 1].is("##");
            if (blank) text += ' ';
            if (is_parameter(tokens_[i])) {
                if (!text.empty()) pieces += string_literal(text) + ' ';
                text.clear();
                pieces += "#" + std::string(tokens_[i].text) + ' ';
            } else if (!tokens_[i].is("##")) {
                text += tokens_[i].text;
            }
        }
        if (!text.empty() || pieces.empty()) return pieces + string_literal(text);
        pieces.pop_back();
        return pieces;
    }

    /// The source of the tokens in one line.
    std::string spelled(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin && !brackets_.adjacent(i - 1)) text += ' ';
            text += tokens_[i].text;
        }
        return text;
    }

    bool is_parameter(const Token& token) const {
        return macro_ && token.identifier() &&
               std::find(macro_->parameters.begin(), macro_->parameters.end(), token.text) != macro_->parameters.end();
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const Macro* macro_;
    const Waiting& waiting_;
    const std::set<std::string, std::less<>>& cut_kernels_;
    const KernelNames& kernels_;
    Edits& edits_;
    /// The tokens of every >>> seen so far: no kernel's name reaches back over a launch.
    std::set<std::size_t> launches_;
    mutable std::optional<std::set<std::string_view>> variables_;
};

}  // namespace

void rewrite_launches(const Stream& stream, const Brackets& brackets, const Macro* macro, const Waiting& waiting,
                      const std::set<std::string, std::less<>>& cut_kernels, const KernelNames& kernels, Edits& edits) {
    LaunchRewriter(stream, brackets, macro, waiting, cut_kernels, kernels, edits).run();
}

}  // namespace lanework::cudafe
