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

void rewrite_builtins(const Stream& stream, const Brackets& brackets, Edits& edits) {
    const OwnNames own(stream, brackets, [](std::string_view word) { return builtin(word) != nullptr; });
    for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        const Token& token = stream.tokens[i];
        const Builtin* const found = token.identifier() ? builtin(token.text) : nullptr;
        if (found && !own.is_member(i) && !own.declared(i))
            edits.replace(token.offset, token.length, std::string(found->value));
    }
}

}  // namespace lanework::cudafe
