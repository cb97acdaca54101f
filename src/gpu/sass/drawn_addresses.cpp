// Where values that atomic operations returned go: through registers, in the order of the code, and through shared and
// local memory as wholes.
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
                if (part.find('[') == part.npos && drawn(part)) kept_in(name) = true;
            return here;
        }
        const std::size_t results = written(name, parts);
        bool draws = atomic || drawn(instruction.guard) || (load && kept_in(name));
        for (std::size_t k = results; k < parts.size(); ++k) draws = draws || drawn(parts[k]);
        for (std::size_t k = 0; k < results; ++k)
            for (const std::string& name_of_result : registers_in(parts[k])) {
                if (draws)
                    drawn_.insert(name_of_result);
                else if (instruction.guard.empty())
                    drawn_.erase(name_of_result);
            }
        return here;
    }

private:
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
    /// Whether such a value was stored where the instruction loads and stores. Of global memory that is not followed.
    bool& kept_in(std::string_view name) {
        const bool shared = name.starts_with("LDS") || name.starts_with("STS");
        const bool local = name.starts_with("LDL") || name.starts_with("STL");
        nowhere_ = false;
        return shared ? in_shared_ : local ? in_local_ : nowhere_;
    }

    std::set<std::string> drawn_;
    bool in_shared_ = false, in_local_ = false, nowhere_ = false;
};

}  // namespace

bool draws_addresses(const MachineKernel& kernel) {
    Draws draws;
    constexpr int kPasses = 2;  // what a loop draws its next turn uses
    for (int pass = 0; pass < kPasses; ++pass)
        for (const MachineInstruction& instruction : kernel.instructions)
            if (draws.step(instruction)) return true;
    return false;
}

}  // namespace lanework
