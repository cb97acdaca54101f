// An entry of the cache is what nvdisasm printed, with the files that the compiler read and a number for what each
// held. An entry that cannot be read or does not fit is made anew; one that cannot be written is left out.
#include "src/profile/compiled_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <lanework/error.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "src/core/compilation_error.hpp"
#include "src/io/file.hpp"
#include "src/profile/child_process.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// FNV-1a: tells texts apart, and needs nothing.
std::uint64_t number_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::optional<std::string> text_of(const fs::path& file) {
    try {
        return file_text(file);
    } catch (const FileError&) {
        return std::nullopt;
    }
}

/// Of a tool: one that was replaced makes other code.
std::string identity(const fs::path& program) {
    std::error_code code;
    const auto size = fs::file_size(program, code);
    const auto time = fs::last_write_time(program, code).time_since_epoch().count();
    return fmt::format("{} {} {}", program.string(), size, time);
}

/// The files that a makefile rule names behind its colon, with \ before blanks that are theirs.
std::vector<std::string> dependencies(std::string_view rule) {
    std::vector<std::string> files;
    const auto colon = rule.find(": ");
    if (colon == rule.npos) return files;
    std::string name;
    const auto end = [&] {
        if (!name.empty()) files.push_back(std::exchange(name, {}));
    };
    for (std::size_t at = colon + 2; at < rule.size(); ++at) {
        const char c = rule[at];
        if (c == '\\' && at + 1 < rule.size()) {
            if (rule[++at] == ' ') name += ' ';
        } else if (c == ' ' || c == '\n' || c == '\t') {
            end();
        } else {
            name += c;
        }
    }
    end();
    return files;
}

constexpr std::string_view kMark = "lanework machine code 1\n";

/// "lanework machine code 1", a line for each file, an empty line, and what nvdisasm printed.
std::string entry_of(const std::vector<std::string>& files, const std::string& disassembly) {
    std::string text(kMark);
    for (const std::string& file : files)
        text += fmt::format("{:016x} {}\n", number_of(text_of(file).value_or("")), file);
    return text + "\n" + disassembly;
}

/// What nvdisasm printed, where every file still holds what it held.
std::optional<std::string> valid(const std::string& entry) {
    if (!entry.starts_with(kMark)) return std::nullopt;
    std::size_t at = kMark.size();
    while (at < entry.size() && entry[at] != '\n') {
        const auto end = entry.find('\n', at);
        if (end == entry.npos || end - at < 18) return std::nullopt;
        const auto text = text_of(entry.substr(at + 17, end - at - 17));
        if (!text || fmt::format("{:016x}", number_of(*text)) != std::string_view(entry).substr(at, 16))
            return std::nullopt;
        at = end + 1;
    }
    return entry.substr(std::min(at + 1, entry.size()));
}

std::string first_error(const std::string& messages) {
    std::istringstream lines(messages);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (first.empty()) first = line;
        if (line.find("error") != line.npos) return line;
    }
    return first;
}

}  // namespace

std::string missing_for_machine_code(const CodeTools& tools) {
    if (tools.nvcc.empty())
        return "nvcc was not found on PATH, in CUDA_HOME, in /usr/local/cuda/bin or among Python's packages: `pip "
               "install "
               "nvidia-cuda-nvcc` or the CUDA toolkit bring it";
    if (tools.nvdisasm.empty())
        return "nvdisasm was not found on PATH, in CUDA_HOME, in /usr/local/cuda/bin or among Python's packages: `pip "
               "install nvidia-cuda-nvdisasm` or the CUDA toolkit bring it";
    return {};
}

namespace {

/// A file and the command of nvcc's that compiles it, which ends with the name of its output.
struct Compilation {
    std::vector<std::string> command;
    fs::path source;
};

void run_compiler(const std::vector<std::string>& command, const std::string& named) {
    const TemporaryFile messages;
    if (run_program(command, messages.path(), messages.path()) != 0)
        throw CompilationError(fmt::format("nvcc does not compile {}: {}", named, first_error(messages.text())));
}

/// What nvdisasm prints of what is made of files: of the one, or of all, joined by the command `link`, which their
/// objects and the name of its output follow.
CodeListing listing_of(std::vector<Compilation> compilations, std::vector<std::string> link, const std::string& named,
                       const CodeTools& tools, const fs::path& cache) {
    if (const std::string why = missing_for_machine_code(tools); !why.empty()) throw UnavailableError(why);
    std::string told, texts;
    for (Compilation& each : compilations) {
        const auto text = text_of(each.source);
        if (!text)
            throw UnavailableError(fmt::format("the source {} is not here to be compiled", each.source.string()));
        each.command.back() = "FILE";
        told += fmt::format("{}{}", told.empty() ? "" : "; ", fmt::join(each.command, " "));
        texts += *text + "\n";
    }
    if (!link.empty()) told += fmt::format("; {}", fmt::join(link, " "));
    const std::string key =
        fmt::format("{}; nvdisasm -gi -hex\n{}\n{}\n{}", told, identity(tools.nvcc), identity(tools.nvdisasm), texts);
    const fs::path kept =
        cache.empty() ? fs::path() : cache / "machine-code" / fmt::format("{:016x}.sass", number_of(key));
    if (!kept.empty())
        if (const auto entry = text_of(kept))
            if (auto disassembly = valid(*entry)) return {std::move(*disassembly), kept.string()};

    std::deque<TemporaryFile> objects;
    std::vector<std::string> made, read;
    for (Compilation& each : compilations) {
        const TemporaryFile rule;
        made.push_back(objects.emplace_back(".o").path().string());
        each.command.back() = made.back();
        each.command.insert(each.command.end(), {"-MD", "-MF", rule.path().string()});
        run_compiler(each.command, named);
        std::ranges::move(dependencies(rule.text()), std::back_inserter(read));
    }
    std::string linked = made.front();
    if (!link.empty()) {
        linked = objects.emplace_back(".cubin").path().string();
        link.insert(link.end(), made.begin(), made.end());
        link.insert(link.end(), {"-o", linked});
        run_compiler(link, named);
    }
    const TemporaryFile messages, listing;
    if (run_program({tools.nvdisasm.string(), "-gi", "-hex", linked}, listing.path(), messages.path()) != 0)
        throw UnavailableError(fmt::format("{} failed: {}", tools.nvdisasm.string(), first_error(messages.text())));
    std::string disassembly = listing.text();
    if (!kept.empty()) {
        const std::string entry = entry_of(read, disassembly);
        try {
            std::error_code code;
            fs::create_directories(kept.parent_path(), code);
            write_file(kept, {reinterpret_cast<const std::uint8_t*>(entry.data()), entry.size()});
        } catch (const FileError&) {  // it is made anew the next time
        }
    }
    return {std::move(disassembly), told};
}

}  // namespace

CompiledMachineCode compile_machine_code(const std::string& file, int architecture, const CodeTools& tools,
                                         const fs::path& cache) {
    const CodeRequest request{.form = CodeForm::sass, .file = file, .architecture = architecture};
    const CodeListing listing = listing_of({{nvcc_command(request, tools, "FILE"), tools.sources / file}}, {},
                                           fmt::format("{} for architecture {}", file, architecture), tools, cache);
    return {read_machine_code(listing.text), listing.origin};
}

std::vector<std::string> files_with_kernels(const std::string& file, const CodeTools& tools) {
    constexpr std::string_view kNames = "// kernels: ";
    std::vector<std::string> files{file};
    std::ifstream lines(tools.sources / file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(kNames)) files.push_back(line.substr(kNames.size()));
    return files;
}

std::vector<CodeListing> list_machine_code(std::span<const fs::path> sources, const CodeWords& words, int architecture,
                                           const CodeTools& tools, const fs::path& cache) {
    const std::string target = fmt::format("-arch=sm_{}", architecture);
    std::vector<Compilation> compilations;
    for (const fs::path& source : sources) {
        std::vector<std::string> command{tools.nvcc.string()};
        command.insert(command.end(), words.words.begin(), words.words.end());
        command.insert(command.end(), {"-lineinfo", target, words.relocatable ? "-dc" : "-cubin",
                                       fs::absolute(source).string(), "-o", "FILE"});
        compilations.push_back({std::move(command), source});
    }
    const auto named = [&](const fs::path& source) {
        return fmt::format("{} for architecture {}", source.string(), architecture);
    };
    if (words.relocatable && !sources.empty())
        return {listing_of(std::move(compilations), {tools.nvcc.string(), target, "-dlink", "-cubin"},
                           named(sources.front()), tools, cache)};
    std::vector<CodeListing> listings;
    for (Compilation& each : compilations) {
        const std::string name = named(each.source);
        listings.push_back(listing_of({std::move(each)}, {}, name, tools, cache));
    }
    return listings;
}

}  // namespace lanework
