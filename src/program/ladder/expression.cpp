// Reads by recursive descent, keeps the steps in the order in which they are computed.
#include "src/program/ladder/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>

namespace lanework {
namespace {

struct Function {
    std::string_view name;
    std::size_t arguments;
    double (*compute)(double, double);
};

constexpr Function kFunctions[] = {{"ceil", 1, [](double a, double) { return std::ceil(a); }},
                                   {"floor", 1, [](double a, double) { return std::floor(a); }},
                                   {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
                                   {"log2", 1, [](double a, double) { return std::log2(a); }},
                                   {"min", 2, [](double a, double b) { return std::min(a, b); }},
                                   {"max", 2, [](double a, double b) { return std::max(a, b); }}};

/// Whole numbers are exact up to here.
constexpr double kExact = 0x1p53;
/// Brackets within brackets.
constexpr int kDeepest = 64;

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

class ExpressionReader {
public:
    explicit ExpressionReader(std::string_view text) : rest_(text) { result_.text_ = trimmed(text); }

    Expression read() {
        sum();
        blanks();
        if (!rest_.empty()) fail(fmt::format("`{}` is not expected", rest_));
        return std::move(result_);
    }

private:
    using Kind = Expression::Kind;

    [[noreturn]] void fail(const std::string& what) const {
        throw UsageError(fmt::format("`{}` is no expression: {}", result_.text_, what));
    }

    void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

    bool take(char c) {
        blanks();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void add(Kind kind) { result_.steps_.push_back({.kind = kind}); }

    void sum() {
        if (++depth_ > kDeepest) fail("it is nested too deeply");
        product();
        for (;;) {
            const Kind kind = take('+') ? Kind::add : take('-') ? Kind::subtract : Kind::number;
            if (kind == Kind::number) break;
            product();
            add(kind);
        }
        --depth_;
    }

    void product() {
        factor();
        for (;;) {
            const Kind kind = take('*')   ? Kind::multiply
                              : take('/') ? Kind::divide
                              : take('%') ? Kind::remainder
                                          : Kind::number;
            if (kind == Kind::number) return;
            factor();
            add(kind);
        }
    }

    void factor() {
        if (++depth_ > kDeepest) fail("it is nested too deeply");
        blanks();
        if (take('-')) {
            factor();
            add(Kind::negate);
        } else if (take('(')) {
            sum();
            if (!take(')')) fail("a `)` is missing");
        } else if (rest_.empty()) {
            fail("it ends where a number or a name should be");
        } else if (starts_name(rest_.front())) {
            name();
        } else {
            number();
        }
        --depth_;
    }

    void number() {
        double value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) fail(fmt::format("`{}` is neither a number nor a name", rest_));
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        result_.steps_.push_back({.kind = Kind::number, .number = value});
    }

    void name() {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), continues_name);
        const std::string word(rest_.begin(), end);
        rest_.remove_prefix(word.size());
        if (take('(')) return call(word);
        auto& names = result_.names_;
        const auto found = std::find(names.begin(), names.end(), word);
        const auto which = static_cast<std::size_t>(found - names.begin());
        if (found == names.end()) names.push_back(word);
        result_.steps_.push_back({.kind = Kind::name, .which = which});
    }

    void call(const std::string& word) {
        const auto function = std::ranges::find(kFunctions, word, &Function::name);
        if (function == std::end(kFunctions))
            fail(fmt::format("there is no function `{}`; there are ceil, floor, sqrt, log2, min, max", word));
        std::size_t arguments = 0;
        do {
            sum();
            ++arguments;
        } while (take(','));
        if (!take(')')) fail("a `)` is missing");
        if (arguments != function->arguments)
            fail(fmt::format("{} takes {} value{}, not {}", word, function->arguments,
                             function->arguments == 1 ? "" : "s", arguments));
        result_.steps_.push_back({.kind = Kind::call,
                                  .which = static_cast<std::size_t>(function - std::begin(kFunctions)),
                                  .arguments = arguments});
    }

    std::string_view rest_;
    Expression result_;
    int depth_ = 0;
};

Expression Expression::read(std::string_view text) { return ExpressionReader(text).read(); }

double Expression::value(const NamedValues& values) const {
    std::vector<double> stack;
    const auto pop = [&] {
        const double top = stack.back();
        stack.pop_back();
        return top;
    };
    for (const Step& step : steps_) {
        if (step.kind == Kind::number) {
            stack.push_back(step.number);
            continue;
        }
        if (step.kind == Kind::name) {
            const auto found = values.find(names_[step.which]);
            if (found == values.end())
                throw UsageError(fmt::format("`{}`: `{}` is not known here", text_, names_[step.which]));
            stack.push_back(found->second);
            continue;
        }
        if (step.kind == Kind::call) {
            const double second = step.arguments > 1 ? pop() : 0, first = pop();
            stack.push_back(kFunctions[step.which].compute(first, second));
            continue;
        }
        const double right = pop();
        if (step.kind == Kind::negate) {
            stack.push_back(-right);
            continue;
        }
        const double left = pop();
        if ((step.kind == Kind::divide || step.kind == Kind::remainder) && right == 0)
            throw UsageError(fmt::format("`{}` divides by zero", text_));
        stack.push_back(step.kind == Kind::add        ? left + right
                        : step.kind == Kind::subtract ? left - right
                        : step.kind == Kind::multiply ? left * right
                        : step.kind == Kind::divide   ? left / right
                                                      : std::fmod(left, right));
    }
    return stack.back();
}

std::int64_t Expression::whole(const NamedValues& values) const {
    const double result = value(values);
    if (!(result >= 0) || result > kExact)
        throw UsageError(fmt::format("`{}` is {}: no number of things", text_, result));
    if (result != std::floor(result))
        throw UsageError(fmt::format("`{0}` is {1}, which is not whole; ceil({0}) or floor({0}) is", text_, result));
    return static_cast<std::int64_t>(result);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c != ',' || (depth > 0 && i < text.size())) continue;
        parts.emplace_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

bool is_taken(std::string_view word) {
    constexpr std::string_view kTaken =
        " alignas alignof and as asm assert async auto await bitand bitor bool break case catch char class compl "
        "concept "
        "const consteval constexpr constinit continue decltype def default del delete do double elif else enum except "
        "explicit export extern False finally float for friend from global goto if import in inline int is lambda long "
        "mutable namespace new noexcept None nonlocal not nullptr operator or pass private protected public raise "
        "register "
        "requires return short signed sizeof static struct switch template this throw True try typedef typeid typename "
        "union unsigned using virtual void volatile while with xor yield threadIdx blockIdx blockDim gridDim warpSize ";
    return kTaken.find(" " + std::string(word) + " ") != kTaken.npos;
}

bool is_name(std::string_view text) {
    return !text.empty() && starts_name(text.front()) && std::all_of(text.begin(), text.end(), continues_name);
}

}  // namespace lanework
