#include "src/program/call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <lanework/error.hpp>
#include <sstream>
#include <vector>

#include "src/io/file.hpp"
#include "src/program/ladder/kernel_file.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Arrays and lengths that fit each other: a kernel with one length has an array of it, one with more a square.
constexpr int kElements = 1024, kSide = 32;

/// Of the text that program_that_calls() makes, those ahead of the statements.
constexpr int kLinesBefore = 9;

/// Of src/program/call.cuh.
constexpr const char* kWords[] = {"empty", "zeros", "ones", "arange", "full", "random", "load", "save"};

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The file's kernels and functions; none where it cannot be read as they are looked for.
std::vector<KernelFunction> functions_of(const fs::path& file) {
    try {
        return read_kernel_file(file).functions;
    } catch (const FileError&) {  // cut off in a comment, say: the compiler tells
        return {};
    }
}

/// The end of the literal that begins at `at`.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}
bool is_quote(char c) { return c == '"' || c == '\''; }

/// The parenthesis that closes the one at `open`; the text's end where none does.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size();) {
        if (is_quote(text[i])) {
            i = end_of_literal(text, i);
            continue;
        }
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i;
        ++i;
    }
    return text.size();
}

/// A literal of C++ that says the text.
std::string quoted(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c == '\n' ? ' ' : c;
    }
    return literal + "\"";
}

/// The statements with calls of ours for `zeros(…)` and the like, where the file has no function of the name.
std::string with_arrays(std::string_view statements, const std::vector<KernelFunction>& functions) {
    std::string text;
    int place = 0;
    for (std::size_t i = 0; i < statements.size();) {
        if (is_quote(statements[i])) {
            const std::size_t end = end_of_literal(statements, i);
            text += statements.substr(i, end - i);
            i = end;
            continue;
        }
        if (!is_word_letter(statements[i])) {
            text += statements[i++];
            continue;
        }
        std::size_t end = i;
        while (end < statements.size() && is_word_letter(statements[end])) ++end;
        const std::string_view word = statements.substr(i, end - i);
        const std::size_t open = std::min(statements.find_first_not_of(' ', end), statements.size());
        const bool called = open < statements.size() && statements[open] == '(';
        const bool member = text.ends_with('.') || text.ends_with("->") || text.ends_with("::");
        const bool own = std::ranges::find(functions, word, &KernelFunction::name) != functions.end();
        if (!called || member || own || std::ranges::find(kWords, word) == std::end(kWords)) {
            text += word;
            i = end;
            continue;
        }
        const std::size_t close = closing(statements, open);
        const bool nothing = statements.find_first_not_of(' ', open + 1) == close;
        text +=
            fmt::format("::lanework_call::{}({{{}, {}}}{}", word, place++,
                        quoted(statements.substr(i, std::min(close + 1, statements.size()) - i)), nothing ? "" : ", ");
        i = open + 1;
    }
    return text;
}

/// A type as it is written, without const: "int", "unsigned int".
std::string bare_type(const KernelParameter& parameter) {
    std::string bare;
    std::istringstream words(parameter.type);
    for (std::string word; words >> word;)
        if (word != "const" && word != "volatile") bare += (bare.empty() ? "" : " ") + word;
    return bare;
}

bool is_length(const KernelParameter& parameter) {
    const std::string type = bare_type(parameter);
    for (const char* whole :
         {"int", "unsigned", "unsigned int", "long", "long long", "size_t", "std::size_t", "int32_t", "uint32_t",
          "int64_t", "uint64_t", "uint", "short", "unsigned long", "unsigned long long"})
        if (type == whole) return true;
    return false;
}

bool is_callable(const KernelFunction& function) {
    const auto known = [](const KernelParameter& parameter) {
        if (parameter.pointer())
            return std::ranges::count(parameter.type, '*') == 1 && parameter.type.find("void") == std::string::npos;
        const std::string type = bare_type(parameter);
        return is_length(parameter) || type == "float" || type == "double" || type == "bool";
    };
    return function.kernel && function.type_parameters.empty() && std::ranges::all_of(function.parameters, known);
}

}  // namespace

std::string program_that_calls(const fs::path& file, std::string_view statements) {
    const fs::path sources = find_sources();
    if (sources.empty())
        throw UnavailableError("--call needs src/program/call.cuh, which is installed with lanework's sources");
    return fmt::format(
        "#include \"{}\"\n"
        "#define main lanework_main_of_the_file\n"
        "#pragma GCC diagnostic push\n"
        "#pragma GCC diagnostic ignored \"-Wreturn-type\"\n"  // a main needs no return
        "#include \"{}\"\n"
        "#pragma GCC diagnostic pop\n"
        "#undef main\n"
        "int main() {{\n"
        "#line 1 \"--call\"\n"
        "{}\n"
        ";\n"
        "#line 100 \"--call\"\n"
        "    return lanework_call::finish();\n"
        "}}\n",
        (sources / "src/program/call.cuh").string(), fs::absolute(file).lexically_normal().string(),
        with_arrays(statements, functions_of(file)));
}

std::string naming_statements(std::string message) {
    const std::string folder = fmt::format("/lanework/programs/{}/", kCalls);
    for (std::size_t at = 0; (at = message.find(folder, at)) != message.npos;) {
        // A path may hold blanks: it begins where a line does, behind "from", or behind what paints it on a terminal.
        std::size_t begin = 0;
        for (const std::string_view before : {"\n", "from ", "m\x1b[K"})
            if (const std::size_t found = message.rfind(before, at); found != message.npos)
                begin = std::max(begin, found + before.size());
        std::size_t end = std::min(message.find_first_of(": \n", at), message.size());
        std::string place = "--call";
        if (const std::size_t digits = std::min(message.find_first_not_of("0123456789", end + 1), message.size());
            message.substr(end).starts_with(':') && digits > end + 1) {
            const int line = std::atoi(message.c_str() + end + 1);
            if (line > kLinesBefore) place += fmt::format(":{}", line - kLinesBefore);
            end = digits;
        }
        message.replace(begin, end - begin, place);
        at = begin + place.size();
    }
    // Columns are of the text that the statements became.
    for (std::size_t at = 0; (at = message.find("--call:", at)) != message.npos;) {
        at = std::min(message.find_first_not_of("0123456789", at + std::strlen("--call:")), message.size());
        const std::size_t end = std::min(message.find_first_not_of("0123456789", at + 1), message.size());
        if (message.substr(at).starts_with(':') && end > at + 1) message.erase(at, end - at);
    }
    return message;
}

std::string example_call(const fs::path& file) {
    const std::vector<KernelFunction> functions = functions_of(file);
    const auto found = std::ranges::find_if(functions, is_callable);
    const std::string text = text_of(file);
    // In a namespace it has another name.
    if (found == functions.end() || text.find("namespace") != std::string::npos) return {};
    const auto lengths = std::ranges::count_if(found->parameters, is_length);
    std::vector<std::string> arguments;
    for (const KernelParameter& parameter : found->parameters) {
        if (parameter.pointer())
            arguments.push_back(fmt::format(
                "{}({})", parameter.type.find("const") == std::string::npos ? "zeros" : "random", kElements));
        else
            arguments.push_back(!is_length(parameter) ? "1" : std::to_string(lengths > 1 ? kSide : kElements));
    }
    return fmt::format("{}<<<{}>>>({})", found->name,
                       text.find("threadIdx.y") == std::string::npos ? "4, 256" : "dim3(4, 4), dim3(8, 8)",
                       fmt::join(arguments, ", "));
}

}  // namespace lanework
