// Reads the second argument of each launch from a file's tokens.
#include "src/program/ladder/launched_block.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>
#include <set>

#include "src/cudafe/tokenizer.hpp"
#include "src/io/file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;
using cudafe::Token;
using cudafe::TokenKind;
using Tokens = std::vector<Token>;

std::string text_of_tokens(const Tokens& tokens) {
    std::string text;
    for (const Token& token : tokens) text += token.text;
    return text;
}

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

/// The arguments from `begin` up to what closes them, which is not theirs, or to `>>>`.
std::vector<Tokens> arguments_from(const Tokens& tokens, std::size_t begin) {
    std::vector<Tokens> arguments(1);
    int depth = 0;
    for (std::size_t i = begin; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const bool ends_launch =
            token.is(">") && i + 2 < tokens.size() && tokens[i + 1].is(">") && tokens[i + 2].is(">");
        if (depth == 0 && (closes(token) || token.is(";") || ends_launch)) break;
        depth += opens(token) ? 1 : closes(token) ? -1 : 0;
        if (depth == 0 && token.is(","))
            arguments.emplace_back();
        else
            arguments.back().push_back(token);
    }
    return arguments;
}

class BlockReader {
public:
    BlockReader(const std::vector<TunableConstant>& constants, const Tokens& tokens)
        : constants_(constants), tokens_(tokens) {}

    /// The blocks of the launches as they are written; those that are lengths of constants and numbers.
    void read(std::set<std::string>& written, std::vector<SweptConstants>& blocks) const {
        for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
            if (!tokens_[i].is("<") || !tokens_[i + 1].is("<") || !tokens_[i + 2].is("<")) continue;
            const std::vector<Tokens> arguments = arguments_from(tokens_, i + 3);
            if (arguments.size() < 2) continue;
            if (!written.insert(text_of_tokens(arguments[1])).second) continue;
            if (const auto block = block_of(arguments[1])) blocks.push_back(*block);
        }
    }

private:
    std::optional<SweptConstants> block_of(const Tokens& argument) const {
        if (argument.size() > 2 && argument[0].is("dim3") && argument[1].is("("))
            return lengths_of(arguments_from(argument, 2));
        if (const auto length = lengths_of({argument})) return length;
        return argument.size() == 1 && argument[0].identifier() ? block_of_variable(argument[0].text) : std::nullopt;
    }

    /// `dim3 block(kCols, kRows)`, alone or behind another variable, and `block = dim3(kCols, kRows)`.
    std::optional<SweptConstants> block_of_variable(std::string_view name) const {
        for (std::size_t i = 1; i + 2 < tokens_.size(); ++i) {
            if (!tokens_[i].is(name)) continue;
            if (tokens_[i + 1].is("=") && tokens_[i + 2].is("dim3")) return lengths_of(arguments_from(tokens_, i + 4));
            if (!tokens_[i + 1].is("(") || !(tokens_[i - 1].is("dim3") || tokens_[i - 1].is(","))) continue;
            std::size_t begin = i;
            while (begin > 0 && !tokens_[begin - 1].is(";") && !tokens_[begin - 1].is("{") &&
                   !tokens_[begin - 1].is("}"))
                --begin;
            if (tokens_[begin].is("dim3") || tokens_[begin + 1].is("dim3"))
                return lengths_of(arguments_from(tokens_, i + 2));
        }
        return {};
    }

    std::optional<SweptConstants> lengths_of(const std::vector<Tokens>& arguments) const {
        SweptConstants block;
        for (const Tokens& argument : arguments) {
            const std::string text = text_of_tokens(argument);
            const auto known = std::ranges::find(constants_, text, &TunableConstant::spelled);
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_number = error == std::errc() && end == text.data() + text.size();
            if (known == constants_.end() && !is_number) return {};
            block.constants.push_back(known == constants_.end() ? nullptr : &*known);
            block.lengths.push_back(known == constants_.end() ? number : known->value);
        }
        if (std::ranges::all_of(block.constants, [](auto* each) { return each == nullptr; })) return {};
        return block;
    }

    const std::vector<TunableConstant>& constants_;
    const Tokens& tokens_;
};

/// The one block of these launches.
std::optional<SweptConstants> only_one(const std::set<std::string>& written, const std::vector<SweptConstants>& blocks,
                                       std::string& why) {
    if (written.empty()) return {};
    const bool equal = std::ranges::all_of(
        blocks, [&](const SweptConstants& each) { return each.constants == blocks.front().constants; });
    if (blocks.size() == written.size() && equal) return blocks.front();
    why = written.size() == 1 ? fmt::format("its block is `{}`, which is computed", *written.begin())
                              : fmt::format("its kernels have blocks of their own: {}", fmt::join(written, ", "));
    return {};
}

void read_text(const std::vector<TunableConstant>& constants, std::string_view text, std::set<std::string>& written,
               std::vector<SweptConstants>& blocks) {
    try {
        const cudafe::TokenizedFile tokenized = cudafe::tokenize(text);
        BlockReader(constants, tokenized.code.tokens).read(written, blocks);
    } catch (const cudafe::MalformedError&) {  // the compiler says what is wrong with it
    }
}

}  // namespace

std::int64_t SweptConstants::value() const {
    std::int64_t product = 1;
    for (const std::int64_t length : lengths) product *= length;
    return product;
}

std::string SweptConstants::spelled() const {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < lengths.size(); ++k)
        words.push_back(constants[k] ? constants[k]->spelled : std::to_string(lengths[k]));
    return fmt::format("{}", fmt::join(words, " × "));
}

std::vector<std::pair<const TunableConstant*, std::int64_t>> SweptConstants::with(std::int64_t value) const {
    const TunableConstant* changed = nullptr;
    for (const TunableConstant* const each : constants)
        if (each) changed = each;
    const auto times = static_cast<std::size_t>(std::ranges::count(constants, changed));
    std::int64_t others = 1;
    for (std::size_t k = 0; k < lengths.size(); ++k)
        if (constants[k] != changed) others *= lengths[k];
    const auto length = static_cast<std::int64_t>(std::llround(
        std::pow(static_cast<double>(value) / static_cast<double>(others), 1.0 / static_cast<double>(times))));
    std::int64_t product = others;
    for (std::size_t k = 0; k < times; ++k) product *= length;
    if (product != value || (length == 0 && times > 1))
        throw UsageError(times == 1 ? fmt::format("a block is {} here; a multiple of {} is right", spelled(), others)
                                    : fmt::format("a block is {} here; {}, {}, {} and their like are right", spelled(),
                                                  others * 64, others * 256, others * 1024));
    return {{changed, length}};
}

std::optional<SweptConstants> block_of_text(const std::vector<TunableConstant>& constants, std::string_view text,
                                            std::string& why) {
    std::set<std::string> written;
    std::vector<SweptConstants> blocks;
    read_text(constants, text, written, blocks);
    return only_one(written, blocks, why);
}

std::optional<SweptConstants> block_of_launches(const std::vector<TunableConstant>& constants, const fs::path& file,
                                                const IncludeRoot& root, std::string& why) {
    std::set<std::string> written;
    std::vector<SweptConstants> blocks;
    for (const fs::path& each : sources_of(file, root)) {  // its own first
        read_text(constants, text_of(each), written, blocks);
        if (each == file.lexically_normal() && !written.empty()) break;
    }
    if (written.empty()) why = "its launches are not in its folder";
    return only_one(written, blocks, why);
}

std::optional<SweptConstants> find_swept(const std::vector<TunableConstant>& constants, std::string_view name,
                                         const fs::path& file, const IncludeRoot& root, std::string& why) {
    if (const TunableConstant* const found = find_constant(constants, name, file))
        return SweptConstants{{found}, {found->value}};
    if (name == "block") return block_of_launches(constants, file, root, why);
    if (name == "grid") why = "its grid follows from the problem or the device";
    return {};
}

}  // namespace lanework
