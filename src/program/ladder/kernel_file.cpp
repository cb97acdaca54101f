// Finds the heads of functions among a file's tokens. What the preprocessor makes of them is not looked at.
#include "src/program/ladder/kernel_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <lanework/error.hpp>

#include "src/cudafe/tokenizer.hpp"
#include "src/io/file.hpp"
#include "src/program/ladder/expression.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;
using cudafe::Token;
using Tokens = std::vector<Token>;

/// A host function of this name launches a rung's kernels; another one does where it is named.
constexpr std::string_view kLauncher = "launch";
/// What the first comment of a file may state.
constexpr std::array<std::string_view, 8> kKeys{"climbs from", "kernel",    "grid",   "block",
                                                "shared",      "workspace", "expect", "build"};

std::size_t behind_bracket(const Tokens& tokens, std::size_t open, char opening, char closing) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is(std::string_view(&opening, 1))) ++depth;
        if (tokens[i].is(std::string_view(&closing, 1)) && --depth == 0) return i + 1;
    }
    return tokens.size();
}

int line_of(std::string_view text, std::size_t offset) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

bool is_restrict(const Token& token) {
    return token.is("__restrict__") || token.is("__restrict") || token.is("restrict");
}

/// "const float* __restrict__ x" or "const float x[]".
KernelParameter read_parameter(const Tokens& tokens, std::size_t begin, std::size_t end) {
    KernelParameter parameter;
    for (std::size_t i = begin; i < end; ++i)  // a default value says nothing about the type
        if (tokens[i].is("=")) end = i;
    bool array = false;
    while (end > begin && tokens[end - 1].is("]")) {
        array = true;
        while (end > begin && !tokens[end - 1].is("[")) --end;
        if (end > begin) --end;
    }
    if (end > begin + 1 && tokens[end - 1].identifier() && !is_restrict(tokens[end - 1]))
        parameter.name = tokens[--end].text;
    for (std::size_t i = begin; i < end; ++i) {
        if (is_restrict(tokens[i])) continue;
        const bool glued = tokens[i].is("::") || (i > begin && tokens[i - 1].is("::"));
        if (!parameter.type.empty() && !glued) parameter.type += ' ';
        parameter.type += tokens[i].text;
    }
    if (array) parameter.type += " *";
    return parameter;
}

std::vector<KernelParameter> read_parameters(const Tokens& tokens, std::size_t open, std::size_t end) {
    std::vector<KernelParameter> parameters;
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t i = open + 1; i < end; ++i) {
        const bool last = i + 1 == end;
        if (tokens[i].is("(") || tokens[i].is("<") || tokens[i].is("[")) ++depth;
        if (!last && (tokens[i].is(")") || tokens[i].is(">") || tokens[i].is("]"))) --depth;
        if (!last && (depth > 0 || !tokens[i].is(","))) continue;
        const bool nothing = i == begin || (i == begin + 1 && tokens[begin].is("void"));
        if (!nothing) parameters.push_back(read_parameter(tokens, begin, i));
        begin = i + 1;
    }
    return parameters;
}

/// The types among "template <class T, typename U, int kTile>", whose `<` this is.
std::vector<std::string> read_type_parameters(const Tokens& tokens, std::size_t open, std::size_t end) {
    std::vector<std::string> names;
    for (std::size_t i = open + 1; i + 1 < end; ++i)
        if ((tokens[i].is("class") || tokens[i].is("typename")) && tokens[i + 1].identifier())
            names.emplace_back(tokens[i + 1].text);
    return names;
}

class FunctionFinder {
public:
    FunctionFinder(std::string_view text, const Tokens& tokens) : text_(text), tokens_(tokens) {}

    std::vector<KernelFunction> find() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.is("template") && i + 1 < tokens_.size() && tokens_[i + 1].is("<")) {
                const std::size_t end = behind_bracket(tokens_, i + 1, '<', '>');
                types_ = read_type_parameters(tokens_, i + 1, end);
                i = end - 1;
            } else if (token.is("__global__")) {
                kernel_ = true;
            } else if (token.is(";") || token.is("}")) {
                forget();
            } else if (token.is("{")) {
                // Reads inside namespaces, and inside nothing else.
                if (!opens_namespace(i)) i = behind_bracket(tokens_, i, '{', '}') - 1;
                forget();
            } else if (token.is("(") && i > 0) {
                const std::size_t end = behind_bracket(tokens_, i, '(', ')');
                take(i, end);
                i = end - 1;
            }
        }
        return std::move(found_);
    }

private:
    void forget() {
        kernel_ = false;
        types_.clear();
    }

    bool opens_namespace(std::size_t brace) const {
        std::size_t i = brace;
        while (i > 0 && (tokens_[i - 1].identifier() || tokens_[i - 1].is("::")) && !tokens_[i - 1].is("namespace"))
            --i;
        const bool linkage = i > 1 && tokens_[i - 1].kind == cudafe::TokenKind::string && tokens_[i - 2].is("extern");
        return linkage || (i > 0 && tokens_[i - 1].is("namespace"));
    }

    /// The brackets [open, end) may be the parameters of a function that is wanted.
    void take(std::size_t open, std::size_t end) {
        const Token& name = tokens_[open - 1];
        const bool attribute = name.is("__launch_bounds__") || name.is("__cluster_dims__") || name.is("__attribute__");
        if (!name.identifier() || attribute) return;
        const bool launcher = !kernel_ && open > 1 && tokens_[open - 2].is("void");
        const bool device = open > 2 && tokens_[open - 3].is("__device__");
        const bool defined = end < tokens_.size() && tokens_[end].is("{");
        if (!defined || device || !(kernel_ || launcher)) return;
        found_.push_back({.name = std::string(name.text),
                          .type_parameters = types_,
                          .parameters = read_parameters(tokens_, open, end),
                          .kernel = kernel_,
                          .line = line_of(text_, name.offset)});
    }

    std::string_view text_;
    const Tokens& tokens_;
    std::vector<std::string> types_;
    bool kernel_ = false;
    std::vector<KernelFunction> found_;
};

/// The lines of the file's first comment, which only lines of the preprocessor may stand ahead of.
std::vector<std::string> first_comment(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (lines.empty() && line.starts_with('#')) {
            text.remove_prefix(std::min(end + 1, text.size()));
            continue;
        }
        if (line.empty() ? !lines.empty() : !line.starts_with("//")) break;
        if (!line.empty()) lines.emplace_back(trimmed(line.substr(2)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void read_comment(KernelFile& file, std::string_view text) {
    for (const std::string& line : first_comment(text)) {
        const auto key = std::ranges::find_if(kKeys, [&](std::string_view each) {
            return line.starts_with(each) && line.size() > each.size() && line[each.size()] == ':';
        });
        if (key != kKeys.end())
            file.stated[std::string(*key)] = trimmed(std::string_view(line).substr(key->size() + 1));
        else
            file.lesson += (file.lesson.empty() ? "" : " ") + line;
    }
}

/// The files and what they include, each once, as far as they are found in the places that are looked at.
template <class Places>
std::vector<fs::path> closure(std::vector<fs::path> open, Places places) {
    std::vector<fs::path> found;
    for (std::size_t at = 0; at < open.size(); ++at) {
        const fs::path next = open[at].lexically_normal();
        std::error_code error;
        if (!fs::is_regular_file(next, error) || std::ranges::find(found, next) != found.end()) continue;
        found.push_back(next);
        const std::string text = text_of(next);  // tokens point into it
        try {
            for (const cudafe::Include& include : cudafe::tokenize(text).includes)
                for (fs::path& place : places(next, fs::path(include.path))) open.push_back(std::move(place));
        } catch (const cudafe::MalformedError&) {
            continue;  // the compiler says what is wrong with it
        }
    }
    return found;
}

}  // namespace

std::string KernelFile::state(std::string_view key) const {
    const auto found = stated.find(key);
    return found == stated.end() ? std::string() : found->second;
}

const KernelFunction& KernelFile::function(std::string_view name) const {
    std::vector<std::string_view> kernels, all;
    for (const KernelFunction& each : functions) {
        if (name.empty() ? !each.kernel && each.name == kLauncher : each.name == name) return each;
        if (each.kernel) kernels.push_back(each.name);
        all.push_back(each.name);
    }
    const std::string file = path.filename().string();
    if (!name.empty() && !all.empty())
        throw UsageError(fmt::format("{} defines no kernel `{}`; it has: {}", file, name, fmt::join(all, ", ")));
    if (kernels.empty())
        throw UsageError(fmt::format("{} defines no kernel{}", file, name.empty() ? "" : fmt::format(" `{}`", name)));
    if (kernels.size() > 1)
        throw UsageError(
            fmt::format("{} defines {} kernels ({}): say which with a first comment `// kernel: NAME`, or "
                        "launch them all from a function void launch(…)",
                        file, kernels.size(), fmt::join(kernels, ", ")));
    return *std::ranges::find(functions, true, &KernelFunction::kernel);
}

const KernelFunction& KernelFile::host_function(std::string_view name, std::string_view operation) const {
    const std::string stem = path.stem().string(), file = path.filename().string();
    std::vector<std::string_view> wanted{kLauncher, operation, stem}, all;
    if (!name.empty()) wanted = {name};
    for (const std::string_view each : wanted)
        for (const KernelFunction& function : functions)
            if (function.name == each) return function;
    for (const KernelFunction& function : functions) all.push_back(function.name);
    if (all.empty())
        throw UsageError(fmt::format("{} defines no function void {}(…) that writes its results", file, operation));
    if (!name.empty())
        throw UsageError(fmt::format("{} defines no function `{}`; it has: {}", file, name, fmt::join(all, ", ")));
    if (all.size() > 1)
        throw UsageError(fmt::format("{} defines {} functions ({}): say which with a first comment `// kernel: NAME`",
                                     file, all.size(), fmt::join(all, ", ")));
    return functions.front();
}

std::string shown_path(const fs::path& file) {
    std::error_code error;
    const fs::path near = fs::relative(file, fs::current_path(error), error);
    return error || near.empty() || near.string().starts_with("..") ? file.string() : near.string();
}

fs::path IncludeRoot::find(const fs::path& include) const {
    if (folder.empty()) return {};
    const fs::path inside = prefix.empty() ? include : include.lexically_relative(prefix);
    return inside.empty() || *inside.begin() == ".." ? fs::path() : (folder / inside).lexically_normal();
}

fs::path IncludeRoot::name_of(const fs::path& file) const {
    const fs::path inside = file.lexically_relative(folder);
    return prefix.empty() ? inside : prefix / inside;
}

std::vector<fs::path> files_of(const fs::path& file, const IncludeRoot& root) {
    return closure({file}, [&](const fs::path& from, const fs::path& include) {
        std::vector<fs::path> places{from.parent_path() / include};
        const fs::path named = root.find(include);
        if (!named.empty() && named.string().starts_with(file.parent_path().string())) places.push_back(named);
        return places;
    });
}

std::vector<fs::path> files_of(std::vector<fs::path> files, const std::vector<fs::path>& folders) {
    return closure(std::move(files), [&](const fs::path& from, const fs::path& include) {
        std::vector<fs::path> places{from.parent_path() / include};
        for (const fs::path& folder : folders) places.push_back(folder / include);
        return places;
    });
}

KernelFile parse_kernel_file(const std::filesystem::path& path, const std::string& text) {
    KernelFile file{.path = path, .functions = {}, .stated = {}, .lesson = {}};
    read_comment(file, text);
    try {
        const cudafe::TokenizedFile tokenized = cudafe::tokenize(text);
        file.functions = FunctionFinder(text, tokenized.code.tokens).find();
    } catch (const cudafe::MalformedError& error) {
        throw FileError(fmt::format("{}: {}", path.string(), error.what()));
    }
    return file;
}

KernelFile read_kernel_file(const std::filesystem::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) throw FileError(fmt::format("{} is a folder: name a file of it", path.string()));
    const auto text = readable_text(path);
    if (!text) throw FileError(fmt::format("{}: there is no such file", path.string()));
    return parse_kernel_file(path, *text);
}

}  // namespace lanework
