// Tells CUDA's variables from a program's own, and writes their values in their place.
#include "src/cudafe/builtins.hpp"

#include <algorithm>
#include <array>

#include "src/cudafe/own_names.hpp"

namespace lanework::cudafe {
namespace {

struct Builtin {
    std::string_view name, value;
};
constexpr std::array<Builtin, 4> kBuiltins{
    {{"threadIdx", "__thrdIdx"}, {"blockIdx", "__blkIdx"}, {"blockDim", "__blkDim"}, {"gridDim", "__grdDm"}}};

const Builtin* builtin(std::string_view word) {
    const auto* const found = std::ranges::find(kBuiltins, word, &Builtin::name);
    return found != kBuiltins.end() ? found : nullptr;
}

/// The kernel's heap: a program's host code has the C library's.
const Builtin* heap_function(std::string_view word) {
    static constexpr std::array<Builtin, 2> kFunctions{
        {{"malloc", "::lanework_simt::device_malloc"}, {"free", "::lanework_simt::device_free"}}};
    const auto* const found = std::ranges::find(kFunctions, word, &Builtin::name);
    return found != kFunctions.end() ? found : nullptr;
}

/// The elementary functions on float, which kernels have of their own: each name is as long as CUDA's.
const Builtin* float_function(std::string_view word) {
    static constexpr std::array<Builtin, 20> kFunctions{
        {{"sinf", "__sn"},     {"cosf", "__cs"},   {"tanf", "__tn"},     {"asinf", "__asn"},
         {"acosf", "__acs"},   {"atanf", "__atn"}, {"sinhf", "__snh"},   {"coshf", "__csh"},
         {"tanhf", "__tnh"},   {"expf", "__ep"},   {"exp2f", "__ep2"},   {"exp10f", "__ep10"},
         {"expm1f", "__epm1"}, {"logf", "__lg"},   {"log2f", "__lg2"},   {"log10f", "__lg10"},
         {"log1pf", "__lg1p"}, {"powf", "__pw"},   {"atan2f", "__atn2"}, {"sincosf", "__sncos"}}};
    const auto* const found = std::ranges::find(kFunctions, word, &Builtin::name);
    return found != kFunctions.end() ? found : nullptr;
}

class BuiltinRewriter {
public:
    BuiltinRewriter(const Stream& stream, const Brackets& brackets, const DeviceCode& device, bool macro_body,
                    Edits& edits)
        : stream_(stream),
          tokens_(stream.tokens),
          brackets_(brackets),
          device_(device),
          macro_body_(macro_body),
          edits_(edits) {}

    void run() {
        const OwnNames own(stream_, brackets_, [](std::string_view word) {
            return builtin(word) != nullptr || float_function(word) != nullptr;
        });
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (!token.identifier()) continue;
            const Builtin* const found = builtin(token.text);
            if (found && !own.is_member(i) && !own.declared(i))
                edits_.replace(token.offset, token.length, std::string(found->value));
            const bool call = i + 1 < tokens_.size() && tokens_[i + 1].is("(");
            if (call && token.is("clock") && is(i + 2, ")")) rewrite_clock(i);
            if (const Builtin* const heap = call ? heap_function(token.text) : nullptr) rewrite_heap(i, heap->value);
            const Builtin* const function = call ? float_function(token.text) : nullptr;
            if (function && !own.is_member(i) && !own.declared(i)) rewrite_float_function(i, *function);
        }
    }

private:
    Execution execution(std::size_t i) const { return device_.around(stream_, brackets_, i).execution; }
    bool is(std::size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

    /// The C library has a clock() of its own, which counts processor time: a function for both, or a macro, has that
    /// of who calls it.
    void rewrite_clock(std::size_t i) {
        const bool scoped = i > 1 && is(i - 1, "::") && tokens_[i - 2].identifier() && !is(i - 2, "return");
        if (is(i - 1, ".") || (i > 1 && is(i - 1, ">") && is(i - 2, "-"))) return;
        const bool declared = i > 0 && tokens_[i - 1].identifier() && !is(i - 1, "return") && !is(i - 1, "else");
        const Execution here = execution(i);
        if (scoped || declared || !(macro_body_ || here.device)) return;
        const bool global = i > 0 && is(i - 1, "::");
        if (global) edits_.remove(tokens_[i - 1].offset, tokens_[i - 1].length);
        edits_.replace(tokens_[i].offset, tokens_[i].length,
                       here.device_alone() ? "__clk" : "(::lanework_simt::on_device() ? ::__clk : ::clock)");
    }

    /// Host code has the C library's: a function for both, or a macro, has those of who calls it.
    void rewrite_float_function(std::size_t i, const Builtin& function) {
        const Execution here = execution(i);
        if ((!macro_body_ && !here.device) || declares(i)) return;
        const Token& token = tokens_[i];
        const std::string name(function.name), value(function.value);
        edits_.replace(
            token.offset, token.length,
            here.device_alone() ? value : "(::lanework_simt::on_device() ? ::" + value + " : ::" + name + ")");
    }
    /// Whether a type stands before the name.
    bool declares(std::size_t i) const {
        constexpr std::array<std::string_view, 7> kAhead{"return", "else", "do", "case", "and", "or", "not"};
        return i > 0 && tokens_[i - 1].identifier() && std::ranges::find(kAhead, tokens_[i - 1].text) == kAhead.end();
    }

    void rewrite_heap(std::size_t i, std::string_view value) {
        const bool member = is(i - 1, ".") || (i > 1 && is(i - 1, ">") && is(i - 2, "-"));
        const bool type = i > 0 && tokens_[i - 1].identifier() && !is(i - 1, "return");
        if (member || type || !execution(i).device) return;
        const bool scoped = is(i - 1, "::");
        if (scoped && i > 1 && tokens_[i - 2].identifier() && !is(i - 2, "std") && !is(i - 2, "return")) return;
        if (scoped) edits_.remove(tokens_[i - 1].offset, tokens_[i - 1].length);
        if (scoped && is(i - 2, "std")) edits_.remove(tokens_[i - 2].offset, tokens_[i - 2].length);
        edits_.replace(tokens_[i].offset, tokens_[i].length, std::string(value));
    }

    const Stream& stream_;
    const std::vector<Token>& tokens_;
    const Brackets& brackets_;
    const DeviceCode& device_;
    const bool macro_body_;
    Edits& edits_;
};

}  // namespace

void rewrite_builtins(const Stream& stream, const Brackets& brackets, const DeviceCode& device, bool macro_body,
                      Edits& edits) {
    BuiltinRewriter(stream, brackets, device, macro_body, edits).run();
}

}  // namespace lanework::cudafe
