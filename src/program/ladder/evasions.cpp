// Words are tokens, so that comments and texts say nothing; symbols are those of ELF.
#include "src/program/ladder/evasions.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "src/cudafe/inline_assembly.hpp"
#include "src/cudafe/tokenizer.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/io/file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Parts of words that a kernel has no use for.
constexpr std::string_view kWords[] = {
    "no_sanitize", "no_address_safety_analysis", "disable_sanitizer", "lanework_simt", "__tsan_", "__sanitizer_"};
/// Beginnings of words for instructions of the host's processor, which no hook stands beside.
constexpr std::string_view kInstructions[] = {"__builtin_ia32_", "_mm_", "_mm256_", "_mm512_"};
/// Hooks that a library may call and not define.
constexpr std::string_view kHooks[] = {"__tsan_", "__sanitizer_", "__ubsan_"};
/// What stops the watch, or finds what does by its name.
constexpr std::string_view kCalls[] = {"dlsym",
                                       "dlvsym",
                                       "dlopen",
                                       "dlmopen",
                                       "dl_iterate_phdr",
                                       "syscall",
                                       "mprotect",
                                       "pkey_mprotect",
                                       "_ZN13lanework_simt12set_observer",
                                       "_ZN13lanework_simt8observerEv",
                                       "_ZN13lanework_simt10memory_mapEv"};

/// What a rung's code may not call, and the beginnings of such names.
constexpr std::string_view kForbidden[] = {"pthread_create",
                                           "thrd_create",
                                           "fork",
                                           "vfork",
                                           "clone",
                                           "posix_spawn",
                                           "posix_spawnp",
                                           "execv",
                                           "execve",
                                           "execvp",
                                           "execl",
                                           "execlp",
                                           "system",
                                           "popen",
                                           "signal",
                                           "sigaction",
                                           "sigset",
                                           "bsd_signal",
                                           "sysv_signal",
                                           "__sysv_signal",
                                           "sigaltstack",
                                           "timer_create",
                                           "timer_settime",
                                           "setitimer",
                                           "alarm",
                                           "ptrace",
                                           "process_vm_readv",
                                           "process_vm_writev"};
constexpr std::string_view kForbiddenBeginnings[] = {"_ZNSt6thread15_M_start_thread"};

std::ptrdiff_t line_of(std::string_view text, std::size_t offset) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

bool is_evading(std::string_view word) {
    return std::ranges::any_of(kWords, [&](std::string_view part) { return word.find(part) != word.npos; }) ||
           std::ranges::any_of(kInstructions, [&](std::string_view part) { return word.starts_with(part); });
}

std::string evading_token(const fs::path& file, std::string_view text, const cudafe::Stream& stream) {
    for (const cudafe::Token& token : stream.tokens)
        if (is_evading(token.text))
            return fmt::format("{}:{}: `{}` takes code away from those who watch it", file.filename().string(),
                               line_of(text, token.offset), token.text);
    if (const cudafe::Token* const assembly = cudafe::host_assembly(stream))
        return fmt::format("{}:{}: assembly of the host's processor, which nobody watches; PTX is what a GPU takes",
                           file.filename().string(), line_of(text, assembly->offset));
    return {};
}

/// One file after the other, until `visit` says something.
template <class Visit>
std::string first_said(std::span<const fs::path> files, Visit visit) {
    for (const fs::path& each : files) {
        const std::string text = text_of(each);
        try {
            if (std::string said = visit(each, text, cudafe::tokenize(text)); !said.empty()) return said;
        } catch (const cudafe::MalformedError&) {
            continue;  // the compiler says what is wrong with it
        }
    }
    return {};
}

template <class T>
bool read_at(const std::string& bytes, std::uint64_t offset, T& value) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return true;
}

std::string evading(std::string_view name, bool defined) {
    for (const std::string_view hook : kHooks)
        if (defined && name.starts_with(hook))
            return fmt::format("it defines `{}` itself: nobody would hear of what it does", name);
    for (const std::string_view call : kCalls)
        if (!defined && (name.starts_with("_Z") ? name.starts_with(call) : name == call))
            return fmt::format("it calls `{}`, which can stop the watch", name);
    return {};
}

std::string forbidden(std::string_view name, bool defined) {
    const bool known =
        std::ranges::find(kForbidden, name) != std::end(kForbidden) ||
        std::ranges::any_of(kForbiddenBeginnings, [&](std::string_view each) { return name.starts_with(each); });
    return known && !defined ? fmt::format("it calls `{}`", demangled(std::string(name).c_str())) : std::string();
}

/// What `visit` says first of a file's symbols and whether it defines them.
template <class Visit>
std::string first_said_of_symbols(const fs::path& file, Visit visit) {
    const std::string bytes = text_of(file);
    Elf64_Ehdr header;
    if (!read_at(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr section, names;
        if (!read_at(bytes, header.e_shoff + std::uint64_t{i} * header.e_shentsize, section)) break;
        if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
        if (!read_at(bytes, header.e_shoff + std::uint64_t{section.sh_link} * header.e_shentsize, names)) continue;
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            if (!read_at(bytes, section.sh_offset + at, symbol)) break;
            const std::uint64_t begin = names.sh_offset + symbol.st_name;
            if (begin >= bytes.size()) continue;
            std::string_view name(bytes.data() + begin, strnlen(bytes.data() + begin, bytes.size() - begin));
            name = name.substr(0, name.find('@'));
            if (std::string said = visit(name, symbol.st_shndx != SHN_UNDEF); !said.empty()) return said;
        }
    }
    return {};
}

template <class Visit>
std::string first_said_of_symbols(std::span<const fs::path> files, Visit visit) {
    for (const fs::path& each : files)
        if (std::string said = first_said_of_symbols(each, visit); !said.empty()) return said;
    return {};
}

}  // namespace

std::string evading_word(std::span<const fs::path> files) {
    return first_said(files, [](const fs::path& each, const std::string& text, const cudafe::TokenizedFile& tokens) {
        std::string said = evading_token(each, text, tokens.code);
        for (const cudafe::Macro& macro : tokens.macros)
            if (said.empty()) said = evading_token(each, text, macro.body);
        return said;
    });
}

bool pastes_words(std::span<const fs::path> files) {
    const auto pastes = [](const fs::path&, const std::string&, const cudafe::TokenizedFile& tokens) {
        for (const cudafe::Macro& macro : tokens.macros)
            for (const cudafe::Token& token : macro.body.tokens)
                if (token.is("##") || token.is("%:%:") || token.is("asm") || token.is("__asm__") || token.is("__asm"))
                    return std::string("it does");
        return std::string();
    };
    return !first_said(files, pastes).empty();
}

std::string evading_word_of_preprocessed(const fs::path& file, const std::string& text) {
    // `# 12 "path" flags` says where the lines that follow come from.
    const std::string folder = file.parent_path().string();
    std::string own;
    bool is_own = false;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t end = std::min(text.find('\n', offset), text.size());
        const std::string_view line = std::string_view(text).substr(offset, end - offset);
        offset = end + 1;
        if (line.starts_with("# "))
            is_own = line.find(folder) != line.npos;
        else if (is_own)
            own.append(line).append("\n");
    }
    const std::string name = file.filename().string();
    const cudafe::TokenizedFile tokens = cudafe::tokenize(own);
    for (const cudafe::Token& token : tokens.code.tokens)
        if (is_evading(token.text))
            return fmt::format("{}: a macro makes `{}` of its parts, which takes code away from those who watch it",
                               name, token.text);
    return cudafe::host_assembly(tokens.code)
               ? fmt::format("{}: a macro makes assembly of the host's processor, which nobody watches", name)
               : std::string();
}

std::string evading_symbol(std::span<const fs::path> objects) { return first_said_of_symbols(objects, evading); }

std::string forbidden_symbol(std::span<const fs::path> objects) { return first_said_of_symbols(objects, forbidden); }

bool makes_textures(const fs::path& library) {
    const auto makes = [](std::string_view name, bool) {
        const bool texture = name.find("TextureObject") != name.npos || name.find("SurfaceObject") != name.npos;
        return texture ? std::string(name) : std::string();
    };
    return !first_said_of_symbols(library, makes).empty();
}

}  // namespace lanework
