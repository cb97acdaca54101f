// Reads a kernel from its first statement to the one in which its threads take part. What comes before may only compute
// from what all threads know, so that it can be done again; what a thread keeps from one round to the next is its
// index.
#include "src/cudafe/rounds.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "src/cudafe/index_sum.hpp"

namespace lanework::cudafe {
namespace {

/// What a name of a kernel's own stands for.
enum class Meaning {
    /// A number that all threads of a row have.
    uniform,
    /// The width of the grid in threads.
    stride,
    /// The thread's place in the grid.
    index,
    /// Another number.
    number,
    pointer,
    /// A parameter of a type of the program's.
    object,
    /// A reference: memory.
    reference,
};

bool keeps_value(Meaning meaning) { return meaning != Meaning::reference; }

class KernelReader {
public:
    KernelReader(const TokenizedFile& file, const Brackets& brackets, const RoundWords& words)
        : file_(file), stream_(file.code), tokens_(file.code.tokens), brackets_(brackets), words_(words) {}

    /// Of the kernel whose parameters are in the parenthesis at `open`, with `{` at `body`.
    std::optional<Rounds> read(std::size_t start, std::size_t open, std::size_t body) {
        end_ = brackets_.match(body);
        const bool branches =
            std::any_of(file_.conditionals.begin(), file_.conditionals.end(),
                        [&](const Conditional& each) { return each.token > start && each.token <= end_; });
        if (end_ == kNone || branches || !read_template(start, open) || !read_parameters(open)) return {};
        std::size_t at = body + 1;
        while (at < end_ && !is(at, "if") && !is(at, "for") && !is(at, "while"))
            if ((at = declaration_end(at)) == kNone) return {};
        if (at >= end_ || !is(at + 1, "(") || brackets_.match(at + 1) == kNone) return {};
        return is(at, "if") ? guard(at) : strides(at, body);
    }

private:
    using Range = std::pair<std::size_t, std::size_t>;

    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
    /// Two tokens that are one operator.
    bool pair(std::size_t i, std::string_view first, std::string_view second) const {
        return is(i, first) && is(i + 1, second) && brackets_.adjacent(i);
    }
    const Meaning* meaning(std::size_t i) const {
        if (!tokens_[i].identifier() || is(i - 1, ".") || (is(i - 1, ">") && is(i - 2, "-"))) return nullptr;
        const auto found = names_.find(tokens_[i].text);
        return found == names_.end() ? nullptr : &found->second;
    }
    std::size_t uses(std::string_view name) const {
        return static_cast<std::size_t>(std::count_if(tokens_.begin() + static_cast<std::ptrdiff_t>(first_),
                                                      tokens_.begin() + static_cast<std::ptrdiff_t>(end_),
                                                      [&](const Token& token) { return token.is(name); }));
    }
    /// The pieces between separators outside brackets.
    std::vector<Range> split(std::size_t begin, std::size_t end, std::string_view separator) const {
        std::vector<Range> pieces;
        std::size_t from = begin;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t close = brackets_.match(i);
            const bool operation = separator.size() == 2;
            const bool here = operation ? pair(i, separator.substr(0, 1), separator.substr(1)) : is(i, separator);
            if (here) {
                pieces.emplace_back(from, i);
                from = i + separator.size();
                i = from - 1;
            } else if (close != kNone && close > i) {
                i = close;
            }
        }
        pieces.emplace_back(from, end);
        return pieces;
    }

    // -- names -----------------------------------------------------------------------------------------------------

    /// template <int N, class T>: numbers of the first kind never change.
    bool read_template(std::size_t start, std::size_t open) {
        first_ = start;
        for (std::size_t i = start; i + 2 < open; ++i)
            if ((is_whole_number(tokens_[i].text) || is(i, "bool")) && tokens_[i + 1].identifier() &&
                (is(i + 2, ",") || is(i + 2, ">") || is(i + 2, "=")))
                names_[tokens_[i + 1].text] = Meaning::uniform;
        return true;
    }

    bool read_parameters(std::size_t open) {
        const std::size_t close = brackets_.match(open);
        if (open + 1 == close) return true;
        for (const auto& [begin, whole_end] : split(open + 1, close, ",")) {
            const std::size_t end = split(begin, whole_end, "=").front().second;
            bool known = true, pointer = false, reference = false;
            std::size_t name = kNone;
            for (std::size_t i = begin; i < end; ++i) {
                pointer = pointer || is(i, "*") || is(i, "[");
                reference = reference || is(i, "&") || is(i, "(");
                if (!tokens_[i].identifier()) continue;
                if (name != kNone) known = known && is_number_type(tokens_[name].text);
                name = i;
            }
            if (name == kNone || is_number_type(tokens_[name].text)) continue;  // it has no name
            names_[tokens_[name].text] = reference ? Meaning::reference
                                         : pointer ? Meaning::pointer
                                         : known   ? Meaning::uniform
                                                   : Meaning::object;
        }
        return true;
    }

    static bool is_number_type(std::string_view word) {
        constexpr std::array<std::string_view, 8> kOthers{"const",  "constexpr", "bool",  "float",
                                                          "double", "char",      "short", "signed"};
        return is_whole_number(word) || among(word, kOthers);
    }

    /// Behind the `;` of `T name = value, …;`, whose names are then known; kNone for another statement, or a value that
    /// is more than computed.
    std::size_t declaration_end(std::size_t at) {
        std::size_t type = at;
        bool whole = true;
        for (; is_number_type(tokens_[type].text) || is(type, "auto"); ++type)
            whole = whole && is_index_type(tokens_[type]);
        const std::size_t end = statement_end(at);
        if (type == at || end > end_ || !is(end - 1, ";")) return kNone;
        for (const auto& [begin, behind] : split(type, end - 1, ",")) {
            std::size_t name = begin;
            const bool pointer = is(name, "*");
            while (is(name, "*") || is(name, "const") || is(name, "__restrict__")) ++name;
            if (name + 2 >= behind || !tokens_[name].identifier() || !is(name + 1, "=")) return kNone;
            const auto value = value_of(name + 2, behind, pointer, whole);
            if (!value) return kNone;
            names_[tokens_[name].text] = *value;
        }
        return end;
    }

    std::optional<Meaning> value_of(std::size_t begin, std::size_t end, bool pointer, bool whole) {
        if (!computed(begin, end, pointer)) return {};
        const IndexSum sum(stream_, begin, end);
        if (!pointer && whole && sum.is_all()) return Meaning::index;
        if (!pointer && whole && sum.is_stride()) return Meaning::stride;
        const bool uniform = is_uniform(begin, end);
        follows_index_ = follows_index_ || !uniform;
        return pointer ? Meaning::pointer : uniform ? Meaning::uniform : Meaning::number;
    }
    static bool is_index_type(const Token& token) {
        return is_whole_number(token.text) || token.is("auto") || token.is("const");
    }

    /// Whether an expression reads nothing but numbers that are the thread's own, and changes nothing.
    bool computed(std::size_t begin, std::size_t end, bool pointers = false) const {
        constexpr std::array<std::string_view, 16> kSigns{"+", "-", "*", "/", "%", "(", ")", "<",
                                                          ">", "!", "&", "|", "^", "?", ":", ","};
        for (std::size_t i = begin; i < end; ++i) {
            const Token& token = tokens_[i];
            if (token.kind == TokenKind::number) continue;
            if (token.identifier()) {
                if (is_builtin(i)) {
                    i += 2;
                } else if (is(i + 1, "(") && i + 1 < end) {
                    if (pointers || (!computes(token.text) && !is_number_type(token.text))) return false;
                } else if (const Meaning* const known = meaning(i)) {
                    if (*known == Meaning::reference || *known == Meaning::object) return false;
                    if (*known == Meaning::pointer && !pointers) return false;
                } else if (!is_number_type(token.text) && !token.is("static_cast") && !is_fixed(token.text)) {
                    return false;
                }
            } else if (token.is("=")) {
                const bool compares = pair(i, "=", "=") || pair(i - 1, "=", "=") || pair(i - 1, "<", "=") ||
                                      pair(i - 1, ">", "=") || pair(i - 1, "!", "=");
                if (!compares) return false;
            } else if (!among(token.text, kSigns) || pair(i, "+", "+") || pair(i, "-", "-")) {
                return false;
            } else if (token.is("*") || (token.is("&") && !pair(i, "&", "&") && !pair(i - 1, "&", "&"))) {
                if (i == begin || !ends_operand(i - 1)) return false;
            }
        }
        return begin < end;
    }
    bool is_builtin(std::size_t i) const {
        constexpr std::array<std::string_view, 4> kVariables{"threadIdx", "blockIdx", "blockDim", "gridDim"};
        return among(tokens_[i].text, kVariables) && is(i + 1, ".") && i + 2 < end_ && tokens_[i + 2].identifier();
    }
    bool is_fixed(std::string_view word) const { return words_.is_number(word) || words_.is_constant(word); }

    /// Whether all threads of a row have the value of such an expression.
    bool is_uniform(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            const bool of_thread = (is(i, "threadIdx") || is(i, "blockIdx")) && is(i + 2, "x");
            const Meaning* const known = meaning(i);
            if (of_thread || (known && (*known == Meaning::index || *known == Meaning::number))) return false;
        }
        return true;
    }

    // -- conditions ------------------------------------------------------------------------------------------------

    /// Where a condition compares the index with what all threads of a row have, so that it holds up to one of them:
    /// i < n, i <= n, n > i, n >= i; with `behind` from one of them on. The token of the index; kNone for another one.
    std::size_t compared_index(std::size_t begin, std::size_t end, bool behind) const {
        const std::string_view less = behind ? ">" : "<", more = behind ? "<" : ">";
        const auto is_limit = [&](std::size_t from, std::size_t to) {
            for (const char* sign : {"<", ">", "?", ",", "!", "&&", "||", "=="})
                if (split(from, to, sign).size() > 1) return false;
            for (std::size_t i = from; i < to; ++i)
                if (is(i, "&") || is(i, "|") || is(i, "^") || is(i, "=")) return false;
            return computed(from, to) && is_uniform(from, to);
        };
        const auto is_index = [&](std::size_t i) { return meaning(i) && *meaning(i) == Meaning::index; };
        if (end < begin + 3) return kNone;
        if (is_index(begin) && is(begin + 1, less)) {
            const std::size_t limit = begin + (pair(begin + 1, less, "=") ? 3 : 2);
            if (is_limit(limit, end)) return begin;
        }
        if (is_index(end - 1) && !is(end - 2, "-")) {
            const bool equal = pair(end - 3, more, "=");
            const std::size_t limit = end - (equal ? 3 : 2);
            if ((equal || is(end - 2, more)) && is_limit(begin, limit)) return end - 1;
        }
        return kNone;
    }

    std::optional<Rounds> guard(std::size_t head) const {
        const std::size_t open = head + 1, close = brackets_.match(open);
        if (is(open - 1, "constexpr")) return {};
        const std::size_t body = close + 1, end = statement_end(body);
        const bool leaves = (is(body, "return") && is(body + 1, ";")) ||
                            (is(body, "{") && is(body + 1, "return") && is(body + 2, ";") && is(body + 3, "}"));
        if (end > end_ || is(end, "else") || (!leaves && end != end_)) return {};
        bool of_index = false;
        for (const auto& [begin, behind] : split(open + 1, close, leaves ? "||" : "&&")) {
            if (compared_index(begin, behind, leaves) != kNone)
                of_index = true;
            else if (!computed(begin, behind) || !is_uniform(begin, behind))
                return {};
        }
        if (!of_index || split(open + 1, close, leaves ? "&&" : "||").size() > 1 ||
            split(open + 1, close, "?").size() > 1 || split(open + 1, close, ",").size() > 1)
            return {};
        return Rounds{head, end, open + 1, close, close, false, leaves};
    }

    // -- loops -----------------------------------------------------------------------------------------------------

    std::optional<Rounds> strides(std::size_t head, std::size_t kernel) {
        const std::size_t open = head + 1, close = brackets_.match(open);
        const std::size_t body = close + 1, end = statement_end(body);
        // Nothing else asks for the thread's place: it is another one in each round.
        if (end != end_ || follows_index_ || places_in(kernel) != 2 || in_directive(head)) return {};
        Range condition{open + 1, close}, step, work{body, end};
        if (is(head, "for")) {
            const auto parts = split(open + 1, close, ";");
            if (parts.size() != 3 || !begins_at_index(parts[0].first, parts[0].second)) return {};
            condition = parts[1];
            step = parts[2];
        } else {
            if (!is(body, "{") || has_word(body, end, "continue")) return {};
            const std::size_t last = declaration_start(stream_, end - 2);
            if (!is(end - 2, ";") || last <= body) return {};
            step = {last, end - 2};
            work = {body, last};
        }
        const std::size_t index = compared_index(condition.first, condition.second, false);
        if (index == kNone || !steps(tokens_[index].text, step) || !starts_once(tokens_[index].text) ||
            !keeps_nothing(work.first, work.second))
            return {};
        return Rounds{head, end, condition.first, condition.second, close, true, false};
    }

    /// How often the kernel asks for the x of its thread or block.
    std::size_t places_in(std::size_t kernel) const {
        std::size_t places = 0;
        for (std::size_t i = kernel; i < end_; ++i)
            places += (is(i, "threadIdx") || is(i, "blockIdx")) && !(is(i + 2, "y") || is(i + 2, "z")) ? 1 : 0;
        return places;
    }
    /// A directive such as #pragma unroll wants its loop right behind it.
    bool in_directive(std::size_t head) const {
        const std::size_t before = tokens_[head - 1].end();
        return file_.text.substr(before, tokens_[head].offset - before).find('#') != std::string_view::npos;
    }
    bool has_word(std::size_t begin, std::size_t end, std::string_view word) const {
        for (std::size_t i = begin; i < end; ++i)
            if (is(i, word)) return true;
        return false;
    }

    /// `T i = blockIdx.x * blockDim.x + threadIdx.x`, `T i = index` or nothing.
    bool begins_at_index(std::size_t begin, std::size_t end) {
        if (begin == end) return true;
        std::size_t name = begin;
        while (name < end && (is_number_type(tokens_[name].text) || is(name, "auto"))) ++name;
        const bool whole = std::all_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       tokens_.begin() + static_cast<std::ptrdiff_t>(name), is_index_type);
        if (name == begin || !whole || name + 2 >= end || !tokens_[name].identifier() || !is(name + 1, "="))
            return false;
        const std::size_t value = name + 2;
        const bool other = value + 1 == end && meaning(value) && *meaning(value) == Meaning::index;
        if (names_.contains(tokens_[name].text) || (!other && !IndexSum(stream_, value, end).is_all())) return false;
        // The other name is the loop's beginning and nothing else.
        if (other && uses(tokens_[value].text) != 2) return false;
        names_[tokens_[name].text] = Meaning::index;
        return true;
    }
    /// Only the loop's own name stands for the thread's place.
    bool starts_once(std::string_view index) const {
        return std::none_of(names_.begin(), names_.end(), [&](const auto& each) {
            return each.second == Meaning::index && each.first != index && uses(each.first) != 2;
        });
    }

    /// i += stride, i = i + stride, i = stride + i
    bool steps(std::string_view index, const Range& step) const {
        const auto [begin, end] = step;
        const auto is_stride = [&](std::size_t from, std::size_t to) {
            const bool named = to == from + 1 && meaning(from) && *meaning(from) == Meaning::stride;
            return named || IndexSum(stream_, from, to).is_stride();
        };
        if (end < begin + 4 || !is(begin, index)) return false;
        if (pair(begin + 1, "+", "=")) return is_stride(begin + 3, end);
        if (!is(begin + 1, "=")) return false;
        return (is(begin + 2, index) && is(begin + 3, "+") && is_stride(begin + 4, end)) ||
               (is(end - 1, index) && is(end - 2, "+") && is_stride(begin + 2, end - 2));
    }

    /// Behind the statement at `at`.
    std::size_t statement_end(std::size_t at) const {
        if (at >= tokens_.size()) return kNone;
        if (is(at, "{")) return brackets_.match(at) == kNone ? kNone : brackets_.match(at) + 1;
        if (is(at, "do")) {
            const std::size_t end = statement_end(at + 1);
            return end == kNone ? kNone : statement_end(end);
        }
        if ((is(at, "if") || is(at, "for") || is(at, "while") || is(at, "switch")) && is(at + 1, "(")) {
            if (brackets_.match(at + 1) == kNone) return kNone;
            const std::size_t condition = brackets_.match(at + 1) + 1;
            if (is(at, "while") && is(condition, ";")) return condition + 1;
            const std::size_t end = statement_end(condition);
            return is(at, "if") && end != kNone && is(end, "else") ? statement_end(end + 1) : end;
        }
        for (std::size_t i = at; i < tokens_.size(); ++i) {
            if (is(i, ";")) return i + 1;
            if (is(i, "}")) return kNone;
            const std::size_t close = brackets_.match(i);
            if (close != kNone && close > i) i = close;
        }
        return kNone;
    }

    // -- what a thread does in a round -----------------------------------------------------------------------------

    /// Whether tokens [begin, end) leave the kernel's own values as they are, and go on to the next round.
    bool keeps_nothing(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            const Token& token = tokens_[i];
            // A lambda; an assignment to an expression in parentheses.
            if (token.is("[") && !ends_operand(i - 1)) return false;
            if (token.is(")") && assigns(i + 1) && !is(brackets_.match(i) - 1, "*")) return false;
            if (!token.identifier()) continue;
            if (token.is("return") || token.is("goto") || words_.is_macro_that_acts(token.text)) return false;
            if (token.is("break") && !in_inner_loop(i, begin)) return false;
            const Meaning* const known = meaning(i);
            if (known && keeps_value(*known) && !only_read(i, *known)) return false;
        }
        return true;
    }

    bool opens_block(std::size_t brace) const {
        constexpr std::array<std::string_view, 6> kAhead{")", ";", "{", "}", "else", "do"};
        return among(tokens_[brace - 1].text, kAhead);
    }
    bool ends_operand(std::size_t i) const {
        return (tokens_[i].identifier() && !is(i, "return")) || tokens_[i].kind == TokenKind::number || is(i, ")") ||
               is(i, "]");
    }

    /// Whether an assignment's sign stands there: =, +=, <<=, ++, …
    bool assigns(std::size_t i) const {
        if (is(i, "=")) return !pair(i, "=", "=");
        if (pair(i, "+", "+") || pair(i, "-", "-")) return true;
        for (const char* sign : {"+", "-", "*", "/", "%", "&", "|", "^"})
            if (pair(i, sign, "=")) return true;
        for (const char* sign : {"<", ">"})
            if (pair(i, sign, sign) && pair(i + 1, sign, "=")) return true;
        return false;
    }

    /// Whether a loop or switch of braces between `begin` and the token holds the token.
    bool in_inner_loop(std::size_t i, std::size_t begin) const {
        for (std::size_t brace = brackets_.brace(i); brace != kNone && brace > begin; brace = brackets_.brace(brace)) {
            if (is(brace - 1, "do")) return true;
            const std::size_t open = is(brace - 1, ")") ? brackets_.match(brace - 1) : kNone;
            if (open != kNone && (is(open - 1, "for") || is(open - 1, "while") || is(open - 1, "switch"))) return true;
        }
        return false;
    }

    bool only_read(std::size_t i, Meaning meaning) const {
        std::size_t before = i - 1, behind = i + 1;
        while (is(before, "(") && is(behind, ")") && !ends_operand(before - 1)) {
            --before;
            ++behind;
        }
        if (assigns(behind)) return false;
        if (meaning == Meaning::pointer && before == i - 1 && is(behind, "[")) {
            // &p[i]: of memory. What is in front of p[i] is about memory, too.
            return true;
        }
        // ++i, &i, T& name = i
        if (is(before, "+") && is(before - 1, "+") && brackets_.adjacent(before - 1)) return false;
        if (is(before, "-") && is(before - 1, "-") && brackets_.adjacent(before - 1)) return false;
        if (is(before, "&") && !pair(before - 1, "&", "&") && !ends_operand(before - 1)) return false;
        if (is(before, "&") && is(before - 1, ")")) return false;  // perhaps a cast
        if (is(before, "=") && is(before - 2, "&")) return false;
        if (is(before, "{") && !opens_block(before)) return false;
        if (meaning == Meaning::object) {
            if (words_.defines_operators() || is(behind, ".") || is(behind, "[") || is(behind, "(") || is(behind, "-"))
                return false;
        } else if (is(behind, ".")) {
            return false;
        }
        const bool begins = is(before, "(") || is(before, ",");
        return !begins || !(is(behind, ",") || is(behind, ")")) || is_given_by_value(before);
    }

    /// Of a whole argument behind `before`, a parenthesis or a comma.
    bool is_given_by_value(std::size_t before) const {
        std::size_t open = before;
        while (!is(open, "(")) {
            if (is(open, ")") || is(open, "]") || is(open, "}")) open = brackets_.match(open);
            if (open == kNone || is(open, "{") || is(open, ";")) return false;
            --open;
        }
        if (!tokens_[open - 1].identifier()) {
            // A function of a template, or a cast.
            const std::size_t angle = is(open - 1, ">") ? brackets_.opening_angle(open - 1) : kNone;
            if (angle == kNone) return !is(open - 1, "]") && !is(open - 1, ">");
            return takes_values(tokens_[angle - 1].text);
        }
        return takes_values(tokens_[open - 1].text);
    }
    bool takes_values(std::string_view function) const {
        return is_keyword(function) || is_known_type(function) || computes(function) || is_atomic(function) ||
               words_.takes_values(function);
    }

    const TokenizedFile& file_;
    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const RoundWords& words_;
    std::map<std::string_view, Meaning> names_;
    /// The first token of the kernel's declaration, and the `}` at its end.
    std::size_t first_ = 0, end_ = 0;
    /// A value ahead of the statement depends on the thread's place.
    bool follows_index_ = false;
};

}  // namespace

void RoundWords::add_macro(std::string_view name, const Macro& macro) {
    const auto& tokens = macro.body.tokens;
    MacroFacts facts{.number = !macro.function_like && !tokens.empty(), .acts = tokens.empty()};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        constexpr std::array<std::string_view, 15> kSigns{"+", "-", "*", "/", "%", "(", ")", "<",
                                                          ">", "?", ":", ",", "[", "]", "."};
        const Token& token = tokens[i];
        const bool parameter =
            std::find(macro.parameters.begin(), macro.parameters.end(), token.text) != macro.parameters.end();
        const bool number = token.kind == TokenKind::number || is_known_type(token.text);
        const bool twice = i > 0 && (token.is("+") || token.is("-")) && tokens[i - 1].is(token.text);
        const bool sign = token.kind == TokenKind::punctuation && among(token.text, kSigns) && !twice;
        facts.number = facts.number && (number || sign);
        facts.acts = facts.acts || !(number || sign || parameter);
    }
    hidden_references_ = hidden_references_ || (!tokens.empty() && tokens.back().is("&"));
    auto& known = macros_.emplace(name, facts).first->second;
    known.number = known.number && facts.number;
    known.acts = known.acts || facts.acts;
}

void RoundWords::define(std::string_view macro) {
    const std::size_t equals = macro.find('=');
    const std::string line = "#define M " + std::string(equals == macro.npos ? "1" : macro.substr(equals + 1)) + "\n";
    const TokenizedFile file = tokenize(line);
    for (const Macro& each : file.macros) add_macro(macro.substr(0, std::min(equals, macro.find('('))), each);
}

void RoundWords::add(const TokenizedFile& file, const Brackets& brackets) {
    for (const Macro& macro : file.macros) add_macro(macro.name, macro);
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
        if ((tokens[i].is("const") || tokens[i].is("constexpr")) && !brackets.in_function(i)) {
            std::size_t name = i + 1;
            while (name + 1 < tokens.size() && (is_whole_number(tokens[name].text) || tokens[name].is("static")))
                ++name;
            if (name > i + 1 && name + 1 < tokens.size() && tokens[name].identifier() && tokens[name + 1].is("="))
                constants_.emplace(tokens[name].text);
        }
        if (tokens[i].is("operator")) changing_.emplace("operator");
        if (tokens[i].is("using") || tokens[i].is("typedef"))
            for (std::size_t k = i; k < tokens.size() && !tokens[k].is(";"); ++k)
                hidden_references_ = hidden_references_ || tokens[k].is("&");
        // A function's parameters, or what looks like them.
        if (!tokens[i].identifier() || !tokens[i + 1].is("(") || brackets.in_function(i)) continue;
        const std::size_t close = brackets.match(i + 1);
        for (std::size_t k = i + 1; close != kNone && k < close; ++k)
            if (tokens[k].is("&")) changing_.emplace(tokens[i].text);
    }
}

bool RoundWords::is_number(std::string_view word) const {
    const auto found = macros_.find(word);
    return found != macros_.end() && found->second.number;
}
bool RoundWords::is_macro_that_acts(std::string_view word) const {
    const auto found = macros_.find(word);
    return found != macros_.end() && found->second.acts;
}

KernelRounds rounds_of_kernels(const TokenizedFile& file, const Brackets& brackets, const RoundWords& words) {
    KernelRounds found;
    const auto& tokens = file.code.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__")) continue;
        for (std::size_t k = i + 1; k + 1 < tokens.size() && !tokens[k].is(";") && !tokens[k].is("{"); ++k) {
            if (!tokens[k + 1].is("(")) continue;
            const std::size_t close = brackets.match(k + 1);
            if (close == kNone) break;
            const bool attribute = tokens[k].text.starts_with("__") || tokens[k].is("alignas");
            if (tokens[k].identifier() && !attribute) {
                if (close + 1 < tokens.size() && tokens[close + 1].is("{"))
                    found.emplace(
                        tokens[k].text,
                        KernelReader(file, brackets, words).read(declaration_start(file.code, i), k + 1, close + 1));
                break;
            }
            k = close;
        }
    }
    return found;
}

void rewrite_rounds(const TokenizedFile& file, const Rounds& rounds, Edits& edits) {
    const auto& tokens = file.code.tokens;
    const std::size_t begin = tokens[rounds.condition].offset, end = tokens[rounds.condition_end - 1].end();
    if (!rounds.strides) {
        edits.insert(begin, rounds.leaves ? "!::lanework_simt::takes_part(!(" : "::lanework_simt::takes_part(");
        edits.insert(end, rounds.leaves ? "))" : ")");
        return;
    }
    const auto head = static_cast<std::ptrdiff_t>(tokens[rounds.head].offset);
    const auto line = 1 + std::count(file.text.begin(), file.text.begin() + head, '\n');
    edits.repeat(tokens[rounds.head].offset, tokens[rounds.end - 1].end(), "if (::lanework_simt::in_round()) { ",
                 " while (false); } else\n#line " + std::to_string(line) + "\n", "");
    edits.replace_in_first_copy(tokens[rounds.head].offset, tokens[rounds.head].length, "if");
    edits.replace_in_first_copy(begin, 0, "::lanework_simt::takes_part(");
    edits.replace_in_first_copy(end, 0, ")");
    const Token& close = tokens[rounds.close];
    if (tokens[rounds.head].is("for")) {
        // The step is not taken.
        const Token& semicolon = tokens[rounds.condition_end];
        edits.replace_in_first_copy(semicolon.offset, semicolon.length, " || (false && ((");
        edits.replace_in_first_copy(close.offset, 0, "), true))");
    }
    edits.replace_in_first_copy(close.end(), 0, " do ");
}

}  // namespace lanework::cudafe
