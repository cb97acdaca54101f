// Where values that atomic operations returned go: through registers, in the order of the code, and through shared and
// local memory, as wholes of one width.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/gpu/sass/instructions.hpp"

namespace lanework {
namespace {

/// The registers and predicates that a text names: R4, UR5, P0, UP1. Those that are constant (RZ, PT) have no number.
std::vector<std::string> registers_in(std::string_view text) {
    std::vector<std::string> found;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        const std::size_t number = word.starts_with('U') ? 2 : 1;
        const bool named = word.size() > number && (word[number - 1] == 'R' || word[number - 1] == 'P');
        if (named && word.substr(number).find_first_not_of("0123456789") == word.npos) found.emplace_back(word);
        at = std::max(end, at + 1);
    }
    return found;
}

std::vector<std::string_view> parts_of(std::string_view operands) {
    std::vector<std::string_view> parts;
    while (!operands.empty()) {
        const std::size_t comma = std::min(operands.find(", "), operands.size());
        parts.push_back(operands.substr(0, comma));
        operands.remove_prefix(std::min(comma + 2, operands.size()));
    }
    return parts;
}

bool is_predicate(std::string_view part) { return part.starts_with('P') || part.starts_with("UP"); }

/// How many of the operands are written: the first and the predicates behind it; of an exchange between lanes or with
/// memory the predicate and the register behind it.
std::size_t written(std::string_view name, const std::vector<std::string_view>& parts) {
    std::size_t count = std::min<std::size_t>(1, parts.size());
    while (count < parts.size() && is_predicate(parts[count])) ++count;
    const bool behind = name.starts_with("SHFL") || name.starts_with("ATOM");
    return behind && count < parts.size() && is_predicate(parts[0]) ? count + 1 : count;
}

/// Registers that one result takes, side by side.
unsigned width_of(std::string_view name) {
    if (name.find(".128") != name.npos) return 4;
    const bool two = name.find(".64") != name.npos || name.find(".WIDE") != name.npos || name == "CS2R" ||
                     name.starts_with("DADD") || name.starts_with("DMUL") || name.starts_with("DFMA");
    return two ? 2 : 1;
}

/// A register's name, and those of the registers behind it that belong to it.
std::vector<std::string> whole(const std::string& name, unsigned width) {
    std::vector<std::string> names{name};
    const std::size_t number = name.find_first_of("0123456789");
    if (name[number - 1] != 'R') return names;
    for (unsigned k = 1; k < width; ++k)
        names.push_back(name.substr(0, number) + std::to_string(std::stoul(name.substr(number)) + k));
    return names;
}

/// Where a jump leads to, by instruction; the number of instructions for all others, and for places that are not known.
std::size_t target_of(const MachineKernel& kernel, std::size_t jump) {
    const std::string& operands = kernel.instructions[jump].operands;
    const std::size_t nowhere = kernel.instructions.size(), open = operands.find("`(");
    if (!kernel.instructions[jump].name.starts_with("BRA") || open == std::string::npos) return nowhere;
    const auto label = kernel.labels.find(operands.substr(open + 2, operands.find(')', open) - open - 2));
    if (label == kernel.labels.end()) return nowhere;
    const auto at = std::ranges::find(kernel.instructions, label->second, &MachineInstruction::address);
    return static_cast<std::size_t>(at - kernel.instructions.begin());
}

class Draws {
public:
    /// Whether the instruction accesses memory at such an address.
    bool step(const MachineInstruction& instruction) {
        const std::string_view name = instruction.name;
        const std::vector<std::string_view> parts = parts_of(instruction.operands);
        if (is_branch(instruction)) return false;
        const bool atomic = name.starts_with("ATOM"), load = name.starts_with("LD");
        const bool store = name.starts_with("ST") || name.starts_with("RED.") || name.starts_with("REDG");
        const bool here = (atomic || load || store) && at_drawn_address(parts);
        if (store) {
            for (const std::string_view part : parts)
                if (part.find('[') == part.npos && drawn(part)) keep(shelf_of(name));
            return here;
        }
        const std::size_t results = written(name, parts);
        bool draws = atomic || drawn(instruction.guard) || (load && kept_.contains(shelf_of(name)));
        for (std::size_t k = results; k < parts.size(); ++k) draws = draws || drawn(parts[k]);
        for (std::size_t k = 0; k < results; ++k)
            for (const std::string& result : registers_in(parts[k]))
                for (const std::string& each : whole(result, width_of(name))) {
                    if (draws)
                        drawn_.insert(each);
                    else if (instruction.guard.empty())
                        drawn_.erase(each);
                }
        return here;
    }

private:
    void keep(const std::string& shelf) {
        if (!shelf.empty()) kept_.insert(shelf);
    }
    bool drawn(std::string_view text) const {
        for (const std::string& each : registers_in(text))
            if (drawn_.contains(each)) return true;
        return false;
    }
    bool at_drawn_address(const std::vector<std::string_view>& parts) const {
        for (const std::string_view part : parts)
            if (part.find('[') != part.npos && drawn(part)) return true;
        return false;
    }
    /// Where an instruction stores or loads: the space, and how wide, since words are read as they were written. Of
    /// global memory, which has no shelf, it is not followed.
    static std::string shelf_of(std::string_view name) {
        const bool shared = name.starts_with("LDS") || name.starts_with("STS");
        const bool local = name.starts_with("LDL") || name.starts_with("STL");
        std::string shelf = shared ? "shared" : local ? "local" : "";
        if (shelf.empty()) return shelf;
        for (const char* wide : {"128", "64", "16", "8"})
            if (name.ends_with(wide)) return shelf + wide;
        return shelf;
    }

    std::set<std::string> drawn_, kept_;
};

}  // namespace

bool draws_addresses(const MachineKernel& kernel) {
    Draws draws;
    std::vector<bool> again(kernel.instructions.size());
    for (std::size_t i = 0; i < kernel.instructions.size();) {
        if (draws.step(kernel.instructions[i])) return true;
        const std::size_t target = target_of(kernel, i);
        // What a turn of a loop draws its next turn may use.
        const bool back = target <= i && !again[i];
        if (back) again[i] = true;
        i = back ? target : i + 1;
    }
    return false;
}

}  // namespace lanework
