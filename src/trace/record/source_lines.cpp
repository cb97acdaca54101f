// Walks DWARF with elfutils: module → compilation unit → function → the functions inlined into it at the address.
#include "src/trace/record/source_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace lanework {
namespace {

constexpr std::string_view kProjectRoot = LANEWORK_SOURCE_DIR "/";

// Machine code with debugging information; addresses are those of its own file.
template <class Owner>
struct Stretch {
    Dwarf_Addr begin, end;
    Owner owner;
};

// Stretches that do not overlap, by address.
template <class Owner>
class Stretches {
public:
    void add(Dwarf_Die& die, const Owner& owner) {
        Dwarf_Addr base = 0, begin = 0, end = 0;
        for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
            all_.push_back({begin, end, owner});
    }
    void sort() {
        std::sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }
    const Owner* find(Dwarf_Addr address) const {
        auto after = std::upper_bound(all_.begin(), all_.end(), address,
                                      [](Dwarf_Addr value, const auto& stretch) { return value < stretch.begin; });
        return after != all_.begin() && address < (--after)->end ? &after->owner : nullptr;
    }

private:
    std::vector<Stretch<Owner>> all_;
};

template <class Visit>
void for_children(Dwarf_Die& die, Visit visit) {
    Dwarf_Die child;
    if (dwarf_child(&die, &child) != 0) return;
    do visit(child);
    while (dwarf_siblingof(&child, &child) == 0);
}

// One source file as the compiler read it.
struct Unit {
    explicit Unit(const Dwarf_Die& unit) : die(unit) {
        dwarf_getsrcfiles(&die, &files, nullptr);
        Dwarf_Attribute attribute;
        if (const char* folder = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute))) directory = folder;
        collect(die);
        functions.sort();
    }

    std::string file(const char* name) const {
        return name ? project_file((std::filesystem::path(directory) / name).string()) : std::string();
    }

    Dwarf_Die die;
    Dwarf_Files* files = nullptr;
    std::string directory;
    Stretches<Dwarf_Die> functions;

private:
    void collect(Dwarf_Die& scope) {
        for_children(scope, [this](Dwarf_Die& child) {
            switch (dwarf_tag(&child)) {
                case DW_TAG_subprogram: functions.add(child, child); [[fallthrough]];
                case DW_TAG_namespace:
                case DW_TAG_structure_type:
                case DW_TAG_class_type: collect(child); break;
                default: break;
            }
        });
    }
};

unsigned number(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(&die, name, &attribute), &value);
    return static_cast<unsigned>(value);
}

bool artificial(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    bool flag = false;
    dwarf_formflag(dwarf_attr_integrate(&function, DW_AT_artificial, &attribute), &flag);
    return flag;
}

std::string name_of(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    const char* name = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_name, &attribute));
    return name ? name : "";
}

// The function, and those inlined into it that hold the address, from the outermost to the innermost.
std::vector<Dwarf_Die> frames_at(const Dwarf_Die& function, Dwarf_Addr address) {
    std::vector<Dwarf_Die> frames{function};
    for (std::optional<Dwarf_Die> inner = function; inner;) {
        Dwarf_Die scope = *inner;
        inner.reset();
        for_children(scope, [&](Dwarf_Die& child) {
            const int tag = dwarf_tag(&child);
            if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, address) > 0)
                inner = child;
        });
        if (inner && dwarf_tag(&*inner) == DW_TAG_inlined_subroutine) frames.push_back(*inner);
    }
    return frames;
}

// Where the instruction itself is from.
SourcePlace place_of_line(Unit& unit, Dwarf_Addr address) {
    SourcePlace place;
    Dwarf_Line* line = dwarf_getsrc_die(&unit.die, address);
    if (!line || dwarf_lineno(line, &place.line) != 0) return {};
    dwarf_linecol(line, &place.column);
    place.file = unit.file(dwarf_linesrc(line, nullptr, nullptr));
    return place;
}

// Where a function that was inlined is called.
SourcePlace place_of_call(const Unit& unit, Dwarf_Die& inlined) {
    SourcePlace place;
    if (unit.files)
        place.file = unit.file(dwarf_filesrc(unit.files, number(inlined, DW_AT_call_file), nullptr, nullptr));
    place.line = static_cast<int>(number(inlined, DW_AT_call_line));
    place.column = static_cast<int>(number(inlined, DW_AT_call_column));
    return place;
}

constexpr std::string_view kHalves = "include/lanework/half.hpp";

bool is_device_header(const std::string& file) {
    return file.starts_with("src/simt/include/") || file.find("/lanework_simt/") != std::string::npos ||
           file.find("/lanework_cuda/") != std::string::npos;
}

bool is_plumbing_in(Dwarf_Die& function, const std::string& file) { return artificial(function) || is_plumbing(file); }
bool is_system_in(Dwarf_Die&, const std::string& file) { return file.starts_with("/usr/") && !is_device_header(file); }

/// In the innermost function that is not passed over.
SourcePlace place_in(Unit& unit, Dwarf_Addr address, bool (*passed_over)(Dwarf_Die&, const std::string& file)) {
    SourcePlace place = place_of_line(unit, address);
    const Dwarf_Die* function = unit.functions.find(address);
    if (!function) return place;
    std::vector<Dwarf_Die> frames = frames_at(*function, address);
    while (frames.size() > 1 && passed_over(frames.back(), place.file)) {
        place = place_of_call(unit, frames.back());
        frames.pop_back();
    }
    place.function = name_of(frames.back());
    return place;
}

std::vector<std::string> functions_in(Unit& unit, Dwarf_Addr address) {
    std::vector<std::string> names;
    if (const Dwarf_Die* function = unit.functions.find(address))
        for (Dwarf_Die& frame : frames_at(*function, address)) names.push_back(name_of(frame));
    return names;
}

// The debugging information of one loaded file. Units are read when an address of theirs is asked for.
class Module {
public:
    explicit Module(Dwfl_Module* module) {
        for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias_));) units_.add(*unit, *unit);
        units_.sort();
    }

    SourcePlace find(std::uint64_t address) {
        Unit* const unit = unit_of(address);
        return unit ? place_in(*unit, address - bias_, is_plumbing_in) : SourcePlace{};
    }
    std::string file_outside_system(std::uint64_t address) {
        Unit* const unit = unit_of(address);
        return unit ? place_in(*unit, address - bias_, is_system_in).file : std::string();
    }
    /// The file of the innermost function, whoever wrote it.
    std::string innermost_file(std::uint64_t address) {
        Unit* const unit = unit_of(address);
        return unit ? place_of_line(*unit, address - bias_).file : std::string();
    }
    std::vector<std::string> functions(std::uint64_t address) {
        Unit* const unit = unit_of(address);
        return unit ? functions_in(*unit, address - bias_) : std::vector<std::string>{};
    }

private:
    Unit* unit_of(std::uint64_t address) {
        const Dwarf_Die* found = units_.find(address - bias_);
        return found ? &read_.try_emplace(found->addr, *found).first->second : nullptr;
    }

    Dwarf_Addr bias_ = 0;
    Stretches<Dwarf_Die> units_;
    std::map<const void*, Unit> read_;
};

}  // namespace

// The files that this process has loaded.
class SourceLines::Program {
public:
    Program() : dwfl_(dwfl_begin(&kCallbacks)) { report(); }
    ~Program() { dwfl_end(dwfl_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    SourcePlace find(std::uint64_t address, std::string& reason) {
        Module* const module = module_of(address, reason);
        if (!module) return {};
        SourcePlace place = module->find(address);
        if (place.line == 0) reason = "the compiler recorded no line for part of the kernel's code";
        return place;
    }
    std::string innermost_file(std::uint64_t address) {
        std::string reason;
        Module* const module = module_of(address, reason);
        return module ? module->innermost_file(address) : std::string();
    }
    std::string file_outside_system(std::uint64_t address) {
        std::string reason;
        Module* const module = module_of(address, reason);
        return module ? module->file_outside_system(address) : std::string();
    }
    std::vector<std::string> functions(std::uint64_t address) {
        std::string reason;
        Module* const module = module_of(address, reason);
        return module ? module->functions(address) : std::vector<std::string>{};
    }

private:
    // Null where there is no debugging information: then the reason says so.
    Module* module_of(std::uint64_t address, std::string& reason) {
        Dwfl_Module* found = dwfl_addrmodule(dwfl_, address);
        if (!found) {  // perhaps it was loaded after the last look
            report();
            found = dwfl_addrmodule(dwfl_, address);
        }
        Dwarf_Addr bias = 0;
        if (!found) {
            reason = "no file that this process loaded holds the kernel's code";
            return nullptr;
        }
        if (!dwfl_module_getdwarf(found, &bias)) {
            reason =
                std::string(dwfl_module_info(found, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)) +
                " has no debugging information: it was stripped, or compiled without -g1";
            return nullptr;
        }
        return &modules_.try_emplace(found, found).first->second;
    }

    // Modules that were known stay the same objects.
    void report() {
        dwfl_report_begin_add(dwfl_);
        dwfl_linux_proc_report(dwfl_, getpid());
        dwfl_report_end(dwfl_, nullptr, nullptr);
    }

    // Separate files of debugging information are found on this machine by their build id, never over the network.
    static constexpr Dwfl_Callbacks kCallbacks{.find_elf = dwfl_linux_proc_find_elf,
                                               .find_debuginfo = dwfl_build_id_find_debuginfo,
                                               .section_address = nullptr,
                                               .debuginfo_path = nullptr};
    Dwfl* dwfl_;
    std::map<Dwfl_Module*, Module> modules_;
};

SourceLines::SourceLines() : program_(std::make_unique<Program>()) {}
SourceLines::~SourceLines() = default;

const SourcePlace& SourceLines::find(std::uint64_t pc) {
    const auto [place, added] = places_.try_emplace(pc);
    if (!added) return place->second;
    std::string reason;
    place->second = program_->find(pc - 1, reason);  // the call, not what follows it
    if (reason_.empty()) reason_ = std::move(reason);
    return place->second;
}

bool SourceLines::emulates(std::uint64_t pc) {
    const auto [known, added] = emulates_.try_emplace(pc);
    if (added) {
        const std::string file = program_->innermost_file(pc - 1);
        known->second = is_plumbing(file) || file == kHalves;
    }
    return known->second;
}

bool SourceLines::of_device(std::uint64_t pc) {
    const std::string file = program_->file_outside_system(pc - 1);
    return is_device_header(file) || file == kHalves;
}

std::vector<std::string> SourceLines::functions(std::uint64_t pc) { return program_->functions(pc - 1); }

std::string project_file(const std::string& file) {
    std::error_code error;
    const std::string path = std::filesystem::path(file).lexically_normal().string();
    for (const std::string& root : {std::string(kProjectRoot), std::filesystem::current_path(error).string() + "/"})
        if (path.starts_with(root)) return path.substr(root.size());
    return path;
}

bool is_plumbing(const std::string& file) { return file.starts_with("/usr/") || is_device_header(file); }

}  // namespace lanework
