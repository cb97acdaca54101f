// Reads the section headers of each loaded file. A symbol that the linker makes of a section's name would do for the
// program that this code is linked into, and the device may as well be a library that programs load.
#include "src/trace/record/program_memory.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/simt/observer.hpp"

namespace lanework {
namespace {

// As __constant__ and __managed__ name them, and as cudafe names those of constant variables that are const or inline.
constexpr const char* kConstants[] = {"lanework_constant", "lanework_constant_const", "lanework_constant_inline",
                                      "lanework_constant_const_inline"};
constexpr const char* kManaged[] = {"lanework_managed"};

/// Sections that are looked for, and where they were found.
struct Sections {
    std::span<const char* const> names;
    std::vector<AddressRange> found = {};
};

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* into, std::size_t count = 1) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(sizeof(T) * count)));
}

/// The sections of a file, in the file's own addresses.
std::vector<AddressRange> sections_of(const char* path, std::span<const char* const> wanted) {
    std::ifstream file(path, std::ios::binary);
    ElfW(Ehdr) header;
    if (!read_at(file, 0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shnum == 0)
        return {};
    std::vector<ElfW(Shdr)> sections(header.e_shnum);
    if (header.e_shstrndx >= sections.size() || !read_at(file, header.e_shoff, sections.data(), sections.size()))
        return {};
    std::string names(sections[header.e_shstrndx].sh_size, '\0');
    if (!read_at(file, sections[header.e_shstrndx].sh_offset, names.data(), names.size())) return {};
    std::vector<AddressRange> found;
    for (const ElfW(Shdr) & section : sections)
        for (const char* name : wanted)
            if (section.sh_name < names.size() && std::strcmp(names.c_str() + section.sh_name, name) == 0)
                found.push_back({section.sh_addr, section.sh_addr + section.sh_size});
    return found;
}

int add_file(dl_phdr_info* info, std::size_t, void* of_file) {
    auto& sections = *static_cast<Sections*>(of_file);
    const bool program = !info->dlpi_name || !*info->dlpi_name;
    for (const AddressRange& found : sections_of(program ? "/proc/self/exe" : info->dlpi_name, sections.names))
        if (found.high > found.low)
            sections.found.push_back({found.low + info->dlpi_addr, found.high + info->dlpi_addr});
    return 0;
}

std::vector<AddressRange> sections_named(std::span<const char* const> names) {
    Sections sections{names};
    dl_iterate_phdr(add_file, &sections);
    return std::move(sections.found);
}

/// What is loaded with one of these permissions and none else.
template <unsigned... permissions>
int add_segments(dl_phdr_info* info, std::size_t, void* list) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !((segment.p_flags == permissions) || ...)) continue;
        const std::uint64_t low = info->dlpi_addr + segment.p_vaddr;
        static_cast<std::vector<AddressRange>*>(list)->push_back({low, low + segment.p_memsz});
    }
    return 0;
}

/// The sections first: an address in a segment may be in one of them.
std::vector<AddressRange> constants() {
    std::vector<AddressRange> all = sections_named(kConstants);
    dl_iterate_phdr(add_segments<PF_R>, &all);
    return all;
}

std::vector<AddressRange> code_segments() {
    std::vector<AddressRange> all;
    dl_iterate_phdr(add_segments<PF_X, PF_R | PF_X, PF_R | PF_W | PF_X>, &all);
    return all;
}

}  // namespace

AddressRange constant_variables(std::uint64_t address) {
    // Never destroyed: it is asked by what runs at the program's end, too.
    static const auto& ranges = *new const std::vector<AddressRange>(constants());
    for (const AddressRange& range : ranges)
        if (range.contains(address)) return range;
    return {};
}

std::span<const AddressRange> managed_variables() {
    static const auto& ranges = *new const std::vector<AddressRange>(sections_named(kManaged));
    return ranges;
}

AddressRange program_code(std::uint64_t address) {
    static const auto& segments = *new const std::vector<AddressRange>(code_segments());
    for (const AddressRange& segment : segments)
        if (segment.contains(address)) return segment;
    return {};
}

bool is_program_code(std::uint64_t address, std::uint64_t bytes) {
    return program_code(address).contains(address + bytes - 1);
}

/// jmp *table(%rip), with the marks of branch targets before it.
std::uint64_t behind_linkage_table(std::uint64_t code) {
    constexpr std::uint32_t kBranchTarget = 0xfa1e0ff3;
    constexpr std::uint8_t kBounded = 0xf2;
    constexpr std::uint16_t kJumpByTable = 0x25ff;
    constexpr std::uint64_t kLongest = 16;
    if (!is_program_code(code, kLongest)) return code;  // what looked like a call was none
    std::uint64_t at = code;
    if (read_code<std::uint32_t>(at) == kBranchTarget) at += sizeof kBranchTarget;
    if (read_code<std::uint8_t>(at) == kBounded) ++at;
    if (read_code<std::uint16_t>(at) != kJumpByTable) return code;
    const auto distance = read_code<std::int32_t>(at + sizeof kJumpByTable);
    const std::uint64_t slot =
        at + sizeof kJumpByTable + sizeof distance + static_cast<std::uint64_t>(std::int64_t{distance});
    return lanework_simt::is_program_data(reinterpret_cast<const void*>(slot)) ? read_code<std::uint64_t>(slot) : code;
}

}  // namespace lanework
