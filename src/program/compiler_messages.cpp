// g++ and clang++ write "file:line:column: error: what is wrong", with notes and lines of the code around it.
#include "src/program/compiler_messages.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <system_error>
#include <utility>

#include "src/program/call.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Without the way through our headers to a kernel that a launch calls wrongly: g++ tells it
/// ahead of the error, clang++ behind it, with lines of the code under each. What a launch makes the compiler say
/// several times is said once.
std::string without_launch_headers(std::string_view text) {
    const auto has = [](std::string_view line, std::string_view part) { return line.find(part) != line.npos; };
    std::string kept;
    std::set<std::string_view> errors;
    bool left_out = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end == text.npos ? text.size() : end + 1);
        text.remove_prefix(line.size());
        const bool way = has(line, "required from") || has(line, "in instantiation of");
        const bool ours = has(line, "/lanework_simt/launch.hpp") || has(line, "lanework_simt::ConfiguredLaunch<") ||
                          (left_out && has(line, "required from here"));
        const bool of_call = has(line, "In instantiation of") && has(line, "<lambda(auto");
        const bool says = way || has(line, "In instantiation of") || has(line, "error:") || has(line, "note:") ||
                          has(line, "warning:") || has(line, " generated.") || has(line, "In file included") ||
                          has(line, "sorry, unimplemented:");
        const bool of_macro = has(line, "note:") && has(line, "LANEWORK_SIGNATURE");
        const bool of_headers = has(line, "In file included from") && has(line, "/lanework_simt/");
        // The linker's: the line of the program that launches it stands beside.
        if (has(line, "undefined reference") && has(line, "/lanework_simt/")) continue;
        const bool again = has(line, "error:") && !errors.insert(line).second;
        if (says) left_out = (way && ours) || of_call || of_macro || of_headers || again;
        if (!left_out) kept += line;
    }
    return kept;
}

/// Whether a line of a compiler's says that there is no type of this name.
bool misses_type(std::string_view line, std::string_view name) {
    for (const char* says : {"does not name a type", "no template named", "unknown type name"})
        if (line.find(says) != line.npos && line.find(name) != line.npos) return line.find("error:") != line.npos;
    return false;
}

/// What is right in place of texture<…> and surface<…>, which programs of CUDA 11 and older declare beside kernels.
std::string refused_reference(std::string_view kind) {
    const bool texture = kind == "texture";
    return std::string(kind) + " references (" + std::string(kind) +
           "<…> at file scope) went with CUDA 12 and are refused: make a " + std::string(kind) +
           " object with cudaCreate" + (texture ? "Texture" : "Surface") +
           "Object, pass it to the kernel as an argument, and " +
           (texture ? "read tex2D<float>(object, x, y)" : "write surf2Dwrite(value, object, x, y)");
}

/// Of inline PTX that is refused, "a.cu:3: error: inline PTX: wgmma… is not available on the simt device": the compiler
/// tells it of a call, in columns of what was written in the statement's place. Empty for any other line.
std::string refused_assembly(std::string_view line) {
    constexpr std::string_view kSays = "inline PTX: ";
    const std::size_t error = line.find(": error: "), reason = line.find(kSays);
    if (error == line.npos || reason == line.npos || line.find("lanework_refused_") == line.npos) return {};
    return std::string(line.substr(0, line.rfind(':', error - 1))) + ": error: " + std::string(line.substr(reason));
}

/// One line for each header, reference and piece of inline PTX that is refused, each told once: "a.cu:1: error:
/// cufft.h: cuFFT is not available on the simt device: …". What else a compiler says follows from what is missing.
/// Empty where nothing is refused.
std::string refusals(std::string_view text) {
    constexpr std::string_view kIncluded = "In file included from ", kError = "error: ";
    std::string said, includer, before;
    std::set<std::string> reasons;
    while (!text.empty()) {
        const std::string line = without_colours(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), text.find('\n')) + (text.find('\n') == text.npos ? 0 : 1));
        // Of several files, g++ begins with the one that includes the header, and clang++ ends with it.
        if (line.starts_with(kIncluded)) includer = line.substr(kIncluded.size(), line.size() - kIncluded.size() - 1);
        // The line of the program stands below the complaint about it.
        for (const char* kind : {"texture", "surface"})
            if (misses_type(before, kind) && line.find(std::string(kind) + "<") != line.npos &&
                reasons.insert(kind).second)
                said += before.substr(0, before.find(kError)) + std::string(kError) + refused_reference(kind) + "\n";
        before = line;
        if (const std::string refused = refused_assembly(line); !refused.empty()) {
            if (reasons.insert(refused.substr(refused.find(kError))).second) said += refused + "\n";
            continue;
        }
        const std::size_t error = line.find(kError), begin = line.find('"', error);
        if (error == line.npos || begin == line.npos || line.find("not available on the simt device") == line.npos)
            continue;
        const std::string reason = line.substr(begin + 1, line.rfind('"') - begin - 1);
        if (reasons.insert(reason).second) said += includer + ": " + std::string(kError) + reason + "\n";
    }
    return said;
}

}  // namespace

std::string without_colours(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const std::size_t colour = text.find('\x1b');
        plain += text.substr(0, colour);
        text.remove_prefix(std::min(text.size(), colour));
        text.remove_prefix(std::min(text.size(), text.find_first_of("mK")) + (text.empty() ? 0 : 1));
    }
    return plain;
}

std::string as_user_sees(std::string text) {
    std::error_code error;
    const std::string here = fs::current_path(error).string() + "/";
    for (std::size_t at = 0; !error && (at = text.find(here, at)) != text.npos;) {
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == 'm';
        if (begins)
            text.erase(at, here.size());
        else
            at += here.size();
    }
    return naming_statements(std::move(text));
}

std::string shown_messages(std::string_view text) {
    const std::string refused = refusals(text);
    return as_user_sees(refused.empty() ? without_launch_headers(text) : refused);
}

std::string first_error(const std::string& said) {
    constexpr std::string_view kError = "error: ";
    const std::size_t at = said.find(kError);
    if (at == said.npos) return said.substr(0, said.find('\n'));
    const std::size_t begin = at + kError.size();
    return said.substr(begin, said.find('\n', begin) - begin);
}

namespace {

/// What stands between two texts, each once.
std::vector<std::string> names_between(std::string_view text,
                                       std::initializer_list<std::pair<const char*, const char*>> pairs) {
    std::vector<std::string> names;
    const std::string plain = without_colours(text);
    for (const auto& [before, behind] : pairs)
        for (std::size_t at = 0; (at = plain.find(before, at)) != plain.npos;) {
            at += std::string_view(before).size();
            std::string name = plain.substr(at, plain.find(behind, at) - at);
            if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        }
    return names;
}

}  // namespace

// GNU's linkers, lld.
std::vector<std::string> undefined_names(std::string_view text) {
    return names_between(
        text, {{"undefined reference to `", "'"}, {"undefined reference to '", "'"}, {"undefined symbol: ", "\n"}});
}

std::vector<std::string> names_defined_twice(std::string_view text) {
    return names_between(
        text, {{"multiple definition of `", "'"}, {"multiple definition of '", "'"}, {"duplicate symbol: ", "\n"}});
}

std::string missing_header(std::string_view text) {
    const std::string plain = without_colours(text);
    // g++: "fatal error: a.h: No such file or directory", clang++: "fatal error: 'a.h' file not found"
    constexpr std::string_view kError = "fatal error: ", kOfGcc = ": No such file or directory",
                               kOfClang = "' file not found";
    for (std::size_t at = 0; (at = plain.find(kError, at)) != plain.npos;) {
        at += kError.size();
        const std::string_view line = std::string_view(plain).substr(at, plain.find('\n', at) - at);
        if (line.ends_with(kOfGcc)) return std::string(line.substr(0, line.size() - kOfGcc.size()));
        if (line.starts_with("'") && line.ends_with(kOfClang))
            return std::string(line.substr(1, line.size() - 1 - kOfClang.size()));
    }
    return {};
}

std::string first_error_with_place(const std::string& said) {
    const std::size_t error = said.find("error: ");
    if (error == said.npos) return {};
    const std::size_t begin = said.rfind('\n', error);
    const std::string line =
        said.substr(begin == said.npos ? 0 : begin + 1, said.find('\n', error) - (begin == said.npos ? 0 : begin + 1));
    return fs::path(line.substr(0, line.find(':'))).filename().string() +
           line.substr(std::min(line.find(':'), line.size()));
}

}  // namespace lanework
