// Reads the symbol table of the file that an address was loaded from: kernels and variables are often static or in an
// unnamed namespace, which dladdr(3) does not see.
#include "src/simt/module_symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>

namespace lanework_simt {
namespace {

/// The file that an address was loaded from, and what was added to the addresses in it; without a path where there is
/// none.
struct Loaded {
    std::uintptr_t address;
    std::uintptr_t bias = 0;
    std::string path;
};

Loaded loaded_from(const void* address) {
    Loaded result{.address = reinterpret_cast<std::uintptr_t>(address), .path = {}};
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* wanted) {
            auto& found = *static_cast<Loaded*>(wanted);
            for (int i = 0; i < module->dlpi_phnum; ++i) {
                const ElfW(Phdr)& segment = module->dlpi_phdr[i];
                const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
                if (segment.p_type != PT_LOAD || found.address < begin || found.address - begin >= segment.p_memsz)
                    continue;
                found.bias = module->dlpi_addr;
                found.path = module->dlpi_name && *module->dlpi_name ? module->dlpi_name : "/proc/self/exe";
                return 1;
            }
            return 0;
        },
        &result);
    return result;
}

/// A file in memory, for reading; empty where it cannot be read.
class MappedFile {
public:
    explicit MappedFile(const std::string& path) {
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        struct stat facts {};
        if (fstat(file, &facts) == 0 && facts.st_size > 0) {
            void* const memory =
                mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            if (memory != MAP_FAILED) {
                bytes_ = static_cast<const std::byte*>(memory);
                size_ = static_cast<std::size_t>(facts.st_size);
            }
        }
        close(file);
    }
    ~MappedFile() {
        if (bytes_) munmap(const_cast<std::byte*>(bytes_), size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// `count` objects at an offset; null where they are not all in the file.
    template <class T>
    const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
        if (offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0) return nullptr;
        return reinterpret_cast<const T*>(bytes_ + offset);
    }

private:
    const std::byte* bytes_ = nullptr;
    std::size_t size_ = 0;
};

/// Calls `see` with the name and the entry of each symbol until it returns true.
template <class See>
void each_symbol(const MappedFile& file, See see) {
    const auto* const header = file.at<ElfW(Ehdr)>(0);
    if (!header || std::string_view(reinterpret_cast<const char*>(header->e_ident), SELFMAG) != ELFMAG) return;
    const auto* const sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
    if (!sections) return;
    for (unsigned s = 0; s < header->e_shnum; ++s) {
        const ElfW(Shdr)& table = sections[s];
        if ((table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) || table.sh_link >= header->e_shnum) continue;
        const std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
        const auto* const symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
        const ElfW(Shdr)& names = sections[table.sh_link];
        const char* const text = file.at<char>(names.sh_offset, names.sh_size);
        if (!symbols || !text) continue;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (symbols[i].st_name >= names.sh_size) continue;
            const std::string_view rest(text + symbols[i].st_name, names.sh_size - symbols[i].st_name);
            if (see(rest.substr(0, rest.find('\0')), symbols[i])) return;
        }
    }
}

}  // namespace

std::string bare_symbol(std::string_view symbol) {
    constexpr std::string_view kVoid = "void ", kUnnamed = "(anonymous namespace)::";
    if (symbol.starts_with(kVoid)) symbol.remove_prefix(kVoid.size());
    if (symbol.ends_with(')')) {
        std::size_t depth = 0, open = symbol.size();
        do {
            --open;
            if (symbol[open] == ')') ++depth;
            if (symbol[open] == '(') --depth;
        } while (depth != 0 && open != 0);
        symbol = symbol.substr(0, open);
    }
    std::string name(symbol);
    for (std::size_t at; (at = name.find(kUnnamed)) != name.npos;) name.erase(at, kUnnamed.size());
    return name;
}

std::string symbol_name(const void* function) {
    const Loaded loaded = loaded_from(function);
    if (loaded.path.empty()) return {};
    std::string symbol;
    each_symbol(MappedFile(loaded.path), [&](std::string_view name, const ElfW(Sym) & entry) {
        const bool begins = ELF64_ST_TYPE(entry.st_info) == STT_FUNC && entry.st_value == loaded.address - loaded.bias;
        if (begins) symbol = name;
        return begins;
    });
    if (symbol.empty()) return {};
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    return status == 0 ? bare_symbol(plain.get()) : symbol;
}

std::vector<ModuleVariable> module_variables(const void* code) {
    std::vector<ModuleVariable> variables;
    const Loaded loaded = loaded_from(code);
    if (loaded.path.empty()) return variables;
    std::set<std::uintptr_t> seen;  // an exported one stands in both tables
    std::string file;               // whose own symbols follow
    each_symbol(MappedFile(loaded.path), [&](std::string_view name, const ElfW(Sym) & entry) {
        if (ELF64_ST_TYPE(entry.st_info) == STT_FILE) file = name;
        const bool variable = ELF64_ST_TYPE(entry.st_info) == STT_OBJECT && entry.st_shndx != SHN_UNDEF;
        const bool own = ELF64_ST_BIND(entry.st_info) == STB_LOCAL;
        if (variable && entry.st_size > 0 && seen.insert(entry.st_value).second)
            variables.push_back({std::string(name), reinterpret_cast<std::byte*>(loaded.bias + entry.st_value),
                                 static_cast<std::size_t>(entry.st_size), own ? file : std::string()});
        return false;
    });
    return variables;
}

}  // namespace lanework_simt
