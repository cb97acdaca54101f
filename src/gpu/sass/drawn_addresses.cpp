// Where values that atomic operations returned go: through registers, in the order of the code, and through shared and
// local memory, as wholes of one width.
#include <algorithm>
#include <bitset>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework {
namespace {

using Kind = MachineOperand::Kind;

// Registers, uniform registers, predicates and uniform predicates, one behind the other.
constexpr unsigned kUniforms = kZeroRegister + 1, kPredicates = kUniforms + kZeroUniform + 1,
                   kUniformPredicates = kPredicates + kTruePredicate + 1,
                   kRegistersOfAllKinds = kUniformPredicates + kTruePredicate + 1;
using Values = std::bitset<kRegistersOfAllKinds>;

void add(Values& values, unsigned kind, unsigned first, unsigned count, unsigned zero) {
    for (unsigned i = first; i < first + count && i < zero; ++i) values.set(kind + i);
}

/// What an operand stands for. Of what is read the first of several registers says enough: addresses are summed there.
Values values_of(const MachineOperand& operand, unsigned width = 1) {
    Values values;
    if (operand.is(Kind::reg)) add(values, 0, operand.index, width, kZeroRegister);
    if (operand.is(Kind::uniform)) add(values, kUniforms, operand.index, width, kZeroUniform);
    if (operand.is(Kind::predicate)) add(values, kPredicates, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::upredicate)) add(values, kUniformPredicates, operand.index, 1, kTruePredicate);
    if (operand.is(Kind::memory) || operand.is(Kind::constant)) {
        add(values, 0, operand.base, width, kZeroRegister);
        add(values, kUniforms, operand.uniform_base, 1, kZeroUniform);
    }
    return values;
}

/// How many of the operands are written: the first and the predicates behind it; of an exchange between lanes or with
/// memory the predicate and the register behind it.
std::size_t written(std::string_view name, std::span<const MachineOperand> operands) {
    std::size_t count = std::min<std::size_t>(1, operands.size());
    while (count < operands.size() && operands[count].is_predicate()) ++count;
    const bool behind = name.starts_with("SHFL") || name.starts_with("ATOM");
    return behind && count < operands.size() && operands[0].is_predicate() ? count + 1 : count;
}

/// Where an instruction stores or loads: the space, and how wide, since words are read as they were written. Empty for
/// global memory, through which values are not followed.
std::string shelf_of(std::string_view name) {
    const bool shared = name.starts_with("LDS") || name.starts_with("STS");
    const bool local = name.starts_with("LDL") || name.starts_with("STL");
    if (!shared && !local) return {};
    const std::string space = shared ? "shared" : "local";
    for (const char* wide : {"128", "64", "16", "8"})
        if (name.ends_with(wide)) return space + wide;
    return space;
}

class Draws {
public:
    /// Whether the instruction accesses memory at such an address.
    bool step(const MachineInstruction& instruction) {
        if (is_branch(instruction)) return false;
        const std::string_view name = instruction.name;
        const std::vector<MachineOperand> operands = parse_operands(instruction.operands);
        const bool atomic = name.starts_with("ATOM"), load = name.starts_with("LD");
        const bool store = name.starts_with("ST") || name.starts_with("RED.") || name.starts_with("REDG");
        const std::size_t results = store ? 0 : written(name, operands);
        bool reads = false, here = false;
        for (std::size_t k = results; k < operands.size(); ++k) {
            const bool drawn = (values_of(operands[k]) & drawn_).any();
            reads = reads || drawn;
            here = here || (drawn && operands[k].is(Kind::memory) && (atomic || load || store));
        }
        if (store) {
            if (reads && !here && !shelf_of(name).empty()) kept_.insert(shelf_of(name));
            return here;
        }
        const std::string_view guarded = instruction.guard;  // "@!P0"
        for (const MachineOperand& guard : parse_operands(guarded.substr(guarded.starts_with('@') ? 1 : 0)))
            reads = reads || (values_of(guard) & drawn_).any();
        const bool draws = atomic || reads || (load && kept_.contains(shelf_of(name)));
        for (std::size_t k = 0; k < results; ++k) {
            const Values values = values_of(operands[k], width_of(instruction, operands[k]));
            if (draws)
                drawn_ |= values;
            else if (instruction.guard.empty())
                drawn_ &= ~values;
        }
        return here;
    }

private:
    Values drawn_;
    std::set<std::string> kept_;
};

}  // namespace

std::vector<bool> drawn_accesses(const MachineKernel& kernel) {
    const auto& all = kernel.instructions;
    Draws draws;
    std::vector<bool> drawn(all.size()), again(all.size());
    for (std::size_t i = 0; i < all.size();) {
        if (draws.step(all[i])) drawn[i] = true;
        // What a turn of a loop draws its next turn may use.
        const auto target = branch_target(kernel, all[i]);
        const bool back = target && *target <= all[i].address && !again[i];
        if (back) again[i] = true;
        const auto at = back ? std::ranges::find(all, *target, &MachineInstruction::address) : all.end();
        i = at == all.end() ? i + 1 : static_cast<std::size_t>(at - all.begin());
    }
    return drawn;
}

}  // namespace lanework
