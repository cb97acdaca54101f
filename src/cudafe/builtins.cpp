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

}  // namespace

namespace {

/// Whether a token stands in a function of the device alone.
bool in_device_function(const Stream& stream, const Brackets& brackets, std::size_t token) {
    std::size_t outermost = kNone;
    for (std::size_t brace = brackets.brace(token); brace != kNone; brace = brackets.brace(brace))
        if (brackets.in_function(brace) || brackets.in_function(brace + 1)) outermost = brace;
    if (outermost == kNone) return false;
    bool device = false;
    for (std::size_t i = outermost; i-- > 0;) {
        const Token& word = stream.tokens[i];
        if (word.is(";") || word.is("}") || word.is("{") || word.is("__host__")) return device && !word.is("__host__");
        device = device || word.is("__global__") || word.is("__device__");
    }
    return device;
}

}  // namespace

void rewrite_builtins(const Stream& stream, const Brackets& brackets, Edits& edits) {
    const OwnNames own(stream, brackets, [](std::string_view word) { return builtin(word) != nullptr; });
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        const Builtin* const found = token.identifier() ? builtin(token.text) : nullptr;
        if (found && !own.is_member(i) && !own.declared(i))
            edits.replace(token.offset, token.length, std::string(found->value));
        // The C library has a clock() of its own, which counts processor time.
        const bool clock = token.is("clock") && i + 2 < stream.tokens.size() && stream.tokens[i + 1].is("(") &&
                           stream.tokens[i + 2].is(")") && !own.is_member(i);
        if (clock && in_device_function(stream, brackets, i)) edits.replace(token.offset, token.length, "__clk");
    }
}

}  // namespace lanework::cudafe
