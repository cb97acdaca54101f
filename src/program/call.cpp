#include "src/program/call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <lanework/error.hpp>
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
constexpr int kLinesBefore = 6;

bool is_length(const KernelParameter& parameter) {
    for (const char* whole : {"int", "size_t", "long", "unsigned", "int32_t", "uint32_t", "int64_t"})
        if (parameter.type.find(whole) != parameter.type.npos) return !parameter.pointer();
    return false;
}

bool is_number(const KernelParameter& parameter) {
    return is_length(parameter) || parameter.type.find("float") != parameter.type.npos ||
           parameter.type.find("double") != parameter.type.npos;
}

bool is_callable(const KernelFunction& function) {
    const auto known = [](const KernelParameter& parameter) {
        const bool one =
            std::ranges::count(parameter.type, '*') == 1 && parameter.type.find("void") == std::string::npos;
        return parameter.pointer() ? one : is_number(parameter);
    };
    return function.kernel && function.type_parameters.empty() && std::ranges::all_of(function.parameters, known);
}

}  // namespace

std::string program_that_calls(const fs::path& file, std::string_view statements) {
    const fs::path sources = find_sources();
    if (sources.empty())
        throw UnavailableError("--call needs src/program/call.cuh, which is installed with lanework's sources");
    return fmt::format(
        "#define main lanework_main_of_the_file\n"
        "#include \"{}\"\n"
        "#undef main\n"
        "#include \"{}\"\n"
        "int main() {{\n"
        "#line 1 \"--call\"\n"
        "{};\n"
        "#line 100 \"call\"\n"
        "    return lanework_call::finish();\n"
        "}}\n",
        fs::absolute(file).lexically_normal().string(), (sources / "src/program/call.cuh").string(), statements);
}

std::string naming_statements(std::string message) {
    const std::string folder = fmt::format("/lanework/programs/{}/", kCalls);
    for (std::size_t at = 0; (at = message.find(folder, at)) != message.npos;) {
        // The path begins behind a blank or behind what paints it on a terminal.
        const std::size_t before = message.find_last_of(" \n\x1b", at);
        const bool painted = before != message.npos && message[before] == '\x1b';
        const std::size_t begin =
            before == message.npos ? 0 : (painted ? message.find_first_of("mK", before) : before) + 1;
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
    return message;
}

std::string example_call(const fs::path& file) {
    try {
        const KernelFile kernels = read_kernel_file(file);
        const auto found = std::ranges::find_if(kernels.functions, is_callable);
        if (found == kernels.functions.end()) return {};
        const auto lengths = std::ranges::count_if(found->parameters, is_length);
        std::vector<std::string> arguments;
        for (const KernelParameter& parameter : found->parameters) {
            if (parameter.pointer())
                arguments.push_back(fmt::format(
                    "{}({})", parameter.type.find("const") == std::string::npos ? "zeros" : "random", kElements));
            else
                arguments.push_back(!is_length(parameter) ? "1" : std::to_string(lengths > 1 ? kSide : kElements));
        }
        const bool flat = file_text(file).find("threadIdx.y") == std::string::npos;
        return fmt::format("{}<<<{}>>>({})", found->name, flat ? "4, 256" : "dim3(4, 4), dim3(8, 8)",
                           fmt::join(arguments, ", "));
    } catch (const FileError&) {  // cut off in a comment, say: the compiler has told
        return {};
    }
}

}  // namespace lanework
