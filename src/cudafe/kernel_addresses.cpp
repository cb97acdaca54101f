// Finds kernels by their declarations, and the casts that lose the types of their parameters.
#include "src/cudafe/kernel_addresses.hpp"

#include <algorithm>
#include <array>

namespace lanework::cudafe {
namespace {

class AddressRewriter {
public:
    AddressRewriter(const Stream& stream, const Brackets& brackets, const KernelNames& names, Edits& edits)
        : tokens_(stream.tokens), brackets_(brackets), names_(names), edits_(edits) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::size_t operand = behind_cast(i);
            if (operand == kNone) continue;
            const std::size_t end = operand_end(operand);
            if (end == kNone || !is_kernel(operand, end)) {
                if (is_launched(i)) rewrite(operand, argument_end(operand));
            } else {
                rewrite(operand, end);
            }
        }
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// The operand of the cast to void* that begins at `i`; kNone where there is none.
    std::size_t behind_cast(std::size_t i) const {
        if (is(i, "(")) {
            const std::size_t close = brackets_.match(i);
            return close != kNone && is_void_pointer(i + 1, close) ? close + 1 : kNone;
        }
        if ((is(i, "reinterpret_cast") || is(i, "static_cast")) && is(i + 1, "<")) {
            const std::size_t close = brackets_.closing_angle(i + 1);
            return close != kNone && is_void_pointer(i + 2, close) && is(close + 1, "(") ? close + 2 : kNone;
        }
        return kNone;
    }

    bool is_void_pointer(std::size_t begin, std::size_t end) const {
        bool is_void = false, pointer = false;
        for (std::size_t i = begin; i < end; ++i) {
            is_void |= is(i, "void");
            pointer |= is(i, "*");
            if (!is(i, "void") && !is(i, "*") && !is(i, "const")) return false;
        }
        return is_void && pointer;
    }

    /// Behind `&name`, `ns::name` or `name<arguments>` at `i`.
    std::size_t operand_end(std::size_t i) const {
        if (is(i, "&")) ++i;
        for (;;) {
            if (is(i, "::")) ++i;
            if (i >= tokens_.size() || !tokens_[i].identifier()) return kNone;
            ++i;
            if (is(i, "<")) {
                const std::size_t close = brackets_.closing_angle(i);
                if (close == kNone) return kNone;
                i = close + 1;
            }
            if (!is(i, "::")) return i;
        }
    }

    bool is_kernel(std::size_t begin, std::size_t end) const {
        std::size_t name = kNone;
        for (std::size_t i = begin; i < end; ++i) {
            if (is(i, "<")) break;
            if (tokens_[i].identifier()) name = i;
        }
        return name != kNone && names_.contains(tokens_[name].text) && !is(end, "(");
    }

    /// Whether the cast is the first argument of a call that launches.
    bool is_launched(std::size_t i) const {
        constexpr std::array<std::string_view, 3> kCalls{"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                                         "cudaLaunchKernelExC"};
        if (i < 2 || !is(i - 1, "(") || !tokens_[i - 2].identifier()) return false;
        return std::ranges::find(kCalls, tokens_[i - 2].text) != kCalls.end();
    }

    std::size_t argument_end(std::size_t i) const {
        for (; i < tokens_.size() && !is(i, ",") && !is(i, ")") && !is(i, ";"); ++i)
            if (brackets_.match(i) != kNone && brackets_.match(i) > i) i = brackets_.match(i);
        return i;
    }

    void rewrite(std::size_t begin, std::size_t end) {
        if (end <= begin) return;
        edits_.insert(tokens_[begin].offset, "::lanework_simt::launchable(");
        edits_.insert(tokens_[end - 1].end(), ")");
    }

    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const KernelNames& names_;
    Edits& edits_;
};

}  // namespace

namespace {

/// Adds the parameters that are references, of a list that opens at `open`.
void collect_references(const Stream& stream, const Brackets& brackets, std::size_t open,
                        std::set<std::size_t>& references) {
    const auto& tokens = stream.tokens;
    const std::size_t close = brackets.match(open);
    if (close == kNone) return;
    std::size_t parameter = 0;
    bool default_value = false;
    for (std::size_t i = open + 1; i < close; ++i) {
        if (tokens[i].is(",")) {
            ++parameter;
            default_value = false;
        } else if (tokens[i].is("=")) {
            default_value = true;
        } else if (tokens[i].is("&") && !default_value) {
            references.insert(parameter);
        } else if (tokens[i].is("<") && brackets.closing_angle(i) != kNone) {
            i = brackets.closing_angle(i);
        } else if (brackets.match(i) != kNone && brackets.match(i) > i) {
            // A reference to an array: T (&name)[n].
            if (tokens[i].is("(") && tokens[i + 1].is("&")) references.insert(parameter);
            i = brackets.match(i);
        }
    }
}

}  // namespace

void collect_kernel_names(const Stream& stream, const Brackets& brackets, KernelNames& names) {
    const auto& tokens = stream.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__")) continue;
        // The name stands before the first parenthesis that is no attribute's.
        for (std::size_t k = i + 1; k + 1 < tokens.size() && !tokens[k].is(";") && !tokens[k].is("{"); ++k) {
            if (!tokens[k].identifier() || !tokens[k + 1].is("(")) continue;
            const bool attribute = tokens[k].text.starts_with("__") || tokens[k].is("alignas");
            if (!attribute) {
                auto& references = names.emplace(tokens[k].text, std::set<std::size_t>()).first->second;
                collect_references(stream, brackets, k + 1, references);
                break;
            }
            if (brackets.match(k + 1) == kNone) break;
            k = brackets.match(k + 1);
        }
    }
}

void rewrite_kernel_addresses(const Stream& stream, const Brackets& brackets, const KernelNames& names, Edits& edits) {
    AddressRewriter(stream, brackets, names, edits).run();
}

}  // namespace lanework::cudafe
