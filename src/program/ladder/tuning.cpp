// Reads constants from the tokens of a file; nothing of it is evaluated. What is computed from them follows by itself.
#include "src/program/ladder/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "src/cudafe/tokenizer.hpp"
#include "src/io/file.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;
using cudafe::Token;
using cudafe::TokenKind;

/// An aggregate of this name is the rung's tuning itself: its members are named without it.
constexpr std::string_view kTuning = "tuning";

/// "kBlocksPerProcessor" → "blocks_per_processor"; other names stay.
std::string axis_name(std::string_view spelled) {
    if (spelled.size() < 2 || spelled[0] != 'k' || !std::isupper(static_cast<unsigned char>(spelled[1])))
        return std::string(spelled);
    std::string name;
    for (const char c : spelled.substr(1)) {
        const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
        if (capital && !name.empty()) name += '_';
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

bool read_whole(std::string_view text, std::int64_t& value) {
    std::string digits(text);
    std::erase(digits, '\'');
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
}

class ConstantFinder {
public:
    ConstantFinder(const fs::path& file, const std::vector<Token>& tokens) : file_(file), tokens_(tokens) {}

    std::vector<TunableConstant> find() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (is(i, "constexpr")) {
                i = read_declaration(i + 1);
            } else if (is(i, "{") && !opens_namespace(i)) {
                i = behind_braces(i) - 1;
            }
        }
        return std::move(found_);
    }

private:
    bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && tokens_[i].is(text); }

    std::size_t behind_braces(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < tokens_.size(); ++i) {
            if (tokens_[i].is("{")) ++depth;
            if (tokens_[i].is("}") && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }

    bool opens_namespace(std::size_t brace) const {
        std::size_t i = brace;
        while (i > 0 && !tokens_[i - 1].is("namespace") && (tokens_[i - 1].identifier() || tokens_[i - 1].is("::")))
            --i;
        return i > 0 && tokens_[i - 1].is("namespace");
    }

    /// `name = 256` with `,` or `;` behind it, at `i`.
    bool add(std::size_t i, const std::string& aggregate) {
        std::int64_t value = 0;
        const bool stated = i + 3 < tokens_.size() && tokens_[i].identifier() && is(i + 1, "=") &&
                            tokens_[i + 2].kind == TokenKind::number && (is(i + 3, ",") || is(i + 3, ";"));
        if (!stated || !read_whole(tokens_[i + 2].text, value)) return false;
        const std::string spelled(tokens_[i].text), of = axis_name(aggregate);
        found_.push_back({.name = aggregate.empty() || of == kTuning ? axis_name(spelled) : of + "." + spelled,
                          .spelled = aggregate.empty() ? spelled : aggregate + "." + spelled,
                          .value = value,
                          .file = file_,
                          .offset = tokens_[i + 2].offset,
                          .length = tokens_[i + 2].length});
        return true;
    }

    /// Behind `constexpr`; the declaration's last token.
    std::size_t read_declaration(std::size_t begin) {
        if (is(begin, "struct") && is(begin + 1, "{")) {
            const std::size_t end = behind_braces(begin + 1);
            if (end < tokens_.size() && tokens_[end].identifier())
                for (std::size_t i = begin + 2; i + 1 < end; ++i) add(i, std::string(tokens_[end].text));
            return end;
        }
        std::size_t i = begin;
        for (; i < tokens_.size() && !tokens_[i].is(";"); ++i) {
            if (tokens_[i].is("{") || tokens_[i].is("(")) return i - 1;  // a function, or what is no plain number
            add(i, {});
        }
        return i;
    }

    const fs::path& file_;
    const std::vector<Token>& tokens_;
    std::vector<TunableConstant> found_;
};

}  // namespace

std::string tuned_name(std::string_view rung, const Tunings& tunings) {
    std::string name(rung);
    for (const Tuning& tuning : tunings) name += fmt::format(" {}={}", tuning.name, tuning.value);
    return name;
}

std::vector<TunableConstant> constants_of_text(const fs::path& file, std::string_view text) {
    try {
        const cudafe::TokenizedFile tokenized = cudafe::tokenize(text);
        return ConstantFinder(file, tokenized.code.tokens).find();
    } catch (const cudafe::MalformedError&) {
        return {};  // the compiler says what is wrong with it
    }
}

std::vector<fs::path> sources_of(const fs::path& file, const IncludeRoot& root) {
    const fs::path folder = file.lexically_normal().parent_path();
    std::vector<fs::path> found;
    for (const fs::path& each : files_of(file, root))
        if (each.string().starts_with(folder.string() + "/")) found.push_back(each);
    return found;
}

std::vector<TunableConstant> tunable_constants(const fs::path& file, const IncludeRoot& root) {
    std::vector<TunableConstant> all;
    for (const fs::path& each : sources_of(file, root))
        for (TunableConstant& constant : constants_of_text(each, text_of(each))) all.push_back(std::move(constant));
    return all;
}

const TunableConstant* find_constant(const std::vector<TunableConstant>& constants, std::string_view name,
                                     const fs::path& file) {
    for (const TunableConstant& constant : constants)
        if (constant.name == name || constant.spelled == name) return &constant;
    if (name != "block" && name != "grid") return nullptr;
    const auto is_called_so = [&](std::string_view own) {
        if (name == "grid") return own == "blocks" || own.ends_with("_blocks") || own.starts_with("blocks_per_");
        return own == "threads" || own.ends_with("_threads") || own.ends_with("_block");
    };
    for (const bool own : {true, false}) {
        const TunableConstant* only = nullptr;
        int several = 0;
        for (const TunableConstant& constant : constants) {
            if (!is_called_so(constant.name) || (own && constant.file != file)) continue;
            only = &constant;
            ++several;
        }
        if (several == 1) return only;
        if (several > 1) return nullptr;
    }
    return nullptr;
}

std::string listed(const std::vector<TunableConstant>& constants) {
    std::string text;
    for (const TunableConstant& constant : constants)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", constant.name, constant.value);
    return text;
}

SourceTexts with_values(const std::vector<std::pair<const TunableConstant*, std::int64_t>>& values) {
    auto ordered = values;
    std::ranges::sort(ordered, std::ranges::greater(), [](const auto& each) { return each.first->offset; });
    SourceTexts texts;
    for (const auto& [constant, value] : ordered) {
        if (constant->value == value) continue;
        std::string& text = texts.try_emplace(constant->file, text_of(constant->file)).first->second;
        text.replace(constant->offset, constant->length, std::to_string(value));
    }
    return texts;
}

}  // namespace lanework
