// Which view of __CUDA_ARCH__ each place of a file has.
#include "src/cudafe/architecture.hpp"

#include <algorithm>
#include <vector>

namespace lanework::cudafe {
namespace {

constexpr std::string_view kAsked = "__CUDA_ARCH__";
/// What the simt device's headers define everywhere.
constexpr const char* kGiven = "LANEWORK_SIMT_ARCH";

bool mentions(const std::vector<Token>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.is(kAsked); });
}

/// Whether the macro is made of words that may stand before a function and nothing else.
bool is_specifier_macro(const Macro& macro) {
    return !macro.function_like && !macro.body.tokens.empty() &&
           std::all_of(macro.body.tokens.begin(), macro.body.tokens.end(), [](const Token& token) {
               return token.identifier() || token.is("(") || token.is(")") || token.is("[") || token.is("]");
           });
}

class ArchitectureRewriter {
public:
    ArchitectureRewriter(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits)
        : file_(file), tokens_(file.code.tokens), brackets_(brackets), device_(device), edits_(edits) {}

    void run() {
        conditions();
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (tokens_[i].is(kAsked)) give(tokens_[i], device_.around(file_.code, brackets_, i));
        for (const Macro& macro : file_.macros)
            for (const Token& token : macro.body.tokens)
                if (token.is(kAsked)) edits_.replace(token.offset, token.length, kGiven);
        for (const std::size_t brace : twice_) repeat(brace);
    }

private:
    using Function = DeviceCode::Function;

    void conditions() {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < file_.conditionals.size(); ++i) {
            const Conditional& each = file_.conditionals[i];
            if (each.kind == Conditional::Kind::open) open.push_back(i);
            if (open.empty()) continue;
            if (mentions(each.condition)) {
                const Function function = function_at(each.token);
                const bool group = function.brace == kNone && !in_any_function(each.token) && is_of_device(open.back());
                for (const Token& token : each.condition)
                    if (token.is(kAsked))
                        group ? edits_.replace(token.offset, token.length, kGiven) : give(token, function);
            }
            if (each.kind == Conditional::Kind::close) open.pop_back();
        }
    }

    /// The first token that is not yet read may close the braces which are still open before it.
    Function function_at(std::size_t token) const {
        if (token >= tokens_.size()) return {};
        const std::size_t inner = tokens_[token].is("}") ? brackets_.match(token) : kNone;
        return device_.around(file_.code, brackets_, inner != kNone ? inner + 1 : token);
    }
    bool in_any_function(std::size_t token) const {
        if (token >= tokens_.size()) return false;
        if (brackets_.in_function(token)) return true;
        const std::size_t inner = tokens_[token].is("}") ? brackets_.match(token) : kNone;
        return inner != kNone && brackets_.in_function(inner + 1);
    }

    void give(const Token& token, const Function& function) {
        if (function.brace == kNone || !function.execution.device) return;
        if (function.execution.device_alone()) {
            edits_.replace(token.offset, token.length, kGiven);
        } else {
            edits_.replace_in_first_copy(token.offset, token.length, kGiven);
            twice_.insert(function.brace);
        }
    }

    void repeat(std::size_t brace) {
        const std::size_t close = brackets_.match(brace);
        if (close == kNone) return;
        const std::size_t begin = tokens_[brace].end();
        const auto line =
            1 + std::count(file_.text.begin(), file_.text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
        edits_.repeat(begin, tokens_[close].offset, " if (::lanework_simt::on_device()) {",
                      "} else {\n#line " + std::to_string(line) + "\n", "}");
    }

    /// Whether a group outside functions is for the device: by what it defines, or by who uses its macros.
    bool is_of_device(std::size_t group) const {
        const std::size_t last = end_of_group(group);
        if (last == kNone) return false;
        const std::size_t begin = file_.conditionals[group].token, end = file_.conditionals[last].token;
        bool device = false, host = false;
        for (std::size_t i = begin; i < end; ++i) {
            if (tokens_[i].is("{") && brackets_.in_function(i + 1) && !brackets_.in_function(i)) {
                const Execution execution = device_.execution(file_.code, brackets_, i);
                device = device || execution.device_alone();
                host = host || !execution.device_alone();
                if (brackets_.match(i) != kNone) i = brackets_.match(i);
            } else {
                const Execution said = tokens_[i].identifier() ? device_.said_by(tokens_[i].text) : Execution{};
                device = device || said.device;
                host = host || said.host;
            }
        }
        if (begin == end) return !defines_for_host(group, last);
        return device && !host;
    }

    bool defines_for_host(std::size_t group, std::size_t last) const {
        const std::size_t begin = file_.conditionals[group].offset, end = file_.conditionals[last].offset;
        return std::any_of(file_.macros.begin(), file_.macros.end(), [&](const Macro& macro) {
            return begin < macro.offset && macro.offset < end && device_.used_by_host(macro.name);
        });
    }

    std::size_t end_of_group(std::size_t group) const {
        std::size_t depth = 0;
        for (std::size_t i = group; i < file_.conditionals.size(); ++i) {
            if (file_.conditionals[i].kind == Conditional::Kind::open) ++depth;
            if (file_.conditionals[i].kind == Conditional::Kind::close && --depth == 0) return i;
        }
        return kNone;
    }

    const TokenizedFile& file_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const DeviceCode& device_;
    Edits& edits_;
    /// The bodies that stand twice.
    std::set<std::size_t> twice_;
};

}  // namespace

void DeviceCode::add_macros(const TokenizedFile& file) {
    for (const Macro& macro : file.macros) {
        if (!is_specifier_macro(macro)) continue;
        Execution& execution = macros_[std::string(macro.name)];
        for (const Token& token : macro.body.tokens) {
            const Execution said = said_by(token.text);
            execution.host = execution.host || said.host;
            execution.device = execution.device || said.device;
        }
    }
}

void DeviceCode::add_uses(const TokenizedFile& file, const Brackets& brackets) {
    for (std::size_t i = 0; i < file.code.tokens.size(); ++i)
        if (file.code.tokens[i].identifier() && !around(file.code, brackets, i).execution.device_alone())
            used_by_host_.emplace(file.code.tokens[i].text);
}

Execution DeviceCode::said_by(std::string_view word) const {
    if (word == "__host__") return {.host = true};
    if (word == "__device__" || word == "__global__" || word == "__constant__") return {.device = true};
    const auto found = macros_.find(word);
    return found != macros_.end() ? found->second : Execution{};
}

Execution DeviceCode::execution(const Stream& stream, const Brackets& brackets, std::size_t brace) const {
    Execution result;
    for (std::size_t i = brace; i-- > 0;) {
        const Token& token = stream.tokens[i];
        if (token.is(";") || token.is("{") || token.is("}")) break;
        // Parameters, and what a lambda's call stands in, say nothing; a lambda may be one of them.
        if (token.is(")") && brackets.match(i) != kNone) i = brackets.match(i);
        const Execution said = stream.tokens[i].identifier() ? said_by(stream.tokens[i].text) : Execution{};
        result.host = result.host || said.host;
        result.device = result.device || said.device;
    }
    return result;
}

DeviceCode::Function DeviceCode::around(const Stream& stream, const Brackets& brackets, std::size_t token) const {
    if (token >= stream.tokens.size()) return {};
    for (std::size_t brace = brackets.brace(token); brace != kNone; brace = brackets.brace(brace)) {
        if (!brackets.in_function(brace + 1)) return {};
        const Execution found = execution(stream, brackets, brace);
        if (found.device) return {brace, found};
    }
    return {};
}

void rewrite_architecture(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits) {
    ArchitectureRewriter(file, brackets, device, edits).run();
}

}  // namespace lanework::cudafe
