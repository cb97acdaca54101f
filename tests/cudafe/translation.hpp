// What the tests of cudafe share: translating a piece of text, and a folder that goes with the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "src/cudafe/program.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework::cudafe {

/// The text as cudafe leaves it, without the lines that head an output file.
inline std::string translated(const std::string& text) {
    const TokenizedFile file = tokenize(text);
    Words words;
    collect_macros(file, words);
    collect_words(file, words);
    return translate(file, words).apply(text);
}

/// The same where nobody watches the threads.
inline std::string translated_in_rounds(const std::string& text) {
    const TokenizedFile file = tokenize(text);
    Words words;
    collect_macros(file, words);
    collect_words(file, words);
    collect_rounds(file, words);
    return translate(file, words).apply(text);
}

/// LINE:COLUMN: error: MESSAGE of a text that cannot be translated; empty for one that can.
inline std::string complaint(const std::string& text) {
    try {
        translated(text);
        return "";
    } catch (const MalformedError& error) {
        return describe({"", text}, error).substr(1);
    }
}

/// Without comments, and with a blank for a line's end.
inline std::string in_one_line(const std::string& text) {
    return std::regex_replace(text, std::regex(R"(\s*/\*.*?\*/\s*|\s+)"), " ");
}

/// What a launch of `kernel`, called `name`, becomes before `(arguments)`; in a macro the lambda captures by "=".
inline std::string launch(const std::string& name, const std::string& kernel, const std::string& configuration,
                          const std::string& capture = "&") {
    return "::lanework_simt::launcher(\"" + name + "\", [" + capture + "](auto&... lanework_argument) { " + kernel +
           "(lanework_argument...); }, LANEWORK_SIGNATURE(" + in_one_line(kernel) + ")).configure(" + configuration +
           ")";
}

/// The same where arguments are no values; in the lists #1 is the second argument that is one, @1 that argument
/// forwarded.
inline std::string launch_of(const std::string& kernel, const std::string& forwarded, const std::string& given,
                             const std::string& spelled, const std::string& kept, const std::string& configuration) {
    const auto named = [](const std::string& text) {
        const std::string cast = std::regex_replace(text, std::regex("@(.)"), "static_cast<decltype(#$1)>(#$1)");
        return std::regex_replace(cast, std::regex("#"), "lanework_argument_");
    };
    return "::lanework_simt::launcher(\"" + kernel + "\", [&](auto&... lanework_argument) { " + kernel +
           "(lanework_argument...); }, LANEWORK_SIGNATURE(" + kernel + ")).spelled([](auto& lanework_launch" +
           (forwarded.empty() ? "" : ", " + named(forwarded)) + ") { lanework_launch(" + named(given) + "); }, [&](" +
           named(kept) + ") { " + kernel + "(" + named(spelled) + "); }).configure(" + configuration + ")";
}

/// The same of an expression whose value is a kernel.
inline std::string launch_pointer(const std::string& kernel, const std::string& configuration) {
    return "::lanework_simt::pointed_launcher(\"" + kernel + "\", " + kernel + ").configure(" + configuration + ")";
}

inline const std::string kSlot =
    "[]() -> auto& { static thread_local ::lanework_simt::SharedSlot lanework_slot; return lanework_slot; }()";

/// Its name has a space in it, as people's folders have.
struct Folder : TemporaryFolder {
    Folder() : TemporaryFolder("cudafe test") {}
};

inline std::string read(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct Outcome {
    int status;
    std::string output;
};

/// Runs a shell command; its standard output and error together.
inline Outcome run(const std::string& command) {
    FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
    std::string output;
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

inline std::string shell_quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

}  // namespace lanework::cudafe
