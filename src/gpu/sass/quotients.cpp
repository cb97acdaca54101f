// Finds the sequences by which nvcc divides fractions: Newton's steps from an approximate reciprocal, and the quotient
// set right by its remainder. What comes out is the quotient rounded to nearest, whatever the reciprocal's last place,
// because each step is fused: no compiler and no GPU rounds a product of them by itself.
#include <algorithm>
#include <bitset>
#include <string_view>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework {
namespace {

using Kind = MachineOperand::Kind;

// A sequence, which other instructions are mixed with, has no branch in it before its last step.
constexpr std::size_t kMostApart = 48;

struct Sequence {
    std::string_view reciprocal, step, product;
    /// Steps that a reciprocal takes, and those that a quotient takes besides.
    unsigned of_reciprocal, of_quotient;
    unsigned registers;
};
constexpr Sequence kSingle{"MUFU.RCP", "FFMA", "", 2, 3, 1}, kDouble{"MUFU.RCP64H", "DFMA", "DMUL", 5, 2, 2};

/// By the first register of each number.
class Derived {
public:
    void take(unsigned index) { registers_.set(index); }
    bool holds(const MachineOperand& operand) const {
        return operand.is(Kind::reg) && operand.index != kZeroRegister && registers_.test(operand.index);
    }
    void leave(unsigned index) { registers_.reset(index); }

private:
    std::bitset<256> registers_;
};

bool is_one(const MachineOperand& operand) {
    return operand.is(Kind::number) && (operand.text == "1" || operand.text == "-1");
}
/// Whether the check that stands before a quotient of floats names the divisor.
bool checks_quotient(const MachineInstruction& instruction, const MachineOperand& divisor) {
    if (!instruction.name.starts_with("FCHK") || !divisor.is(Kind::reg)) return false;
    const auto operands = parse_operands(instruction.operands);
    return !operands.empty() && operands.back().is(Kind::reg) && operands.back().index == divisor.index;
}
/// Whether a step behind the reciprocal's has the shape of the quotient's: dividend times reciprocal, what the divisor
/// times that leaves of the dividend, and that times the reciprocal added. Others' products of a reciprocal are none.
bool is_of_quotient(const Sequence& sequence, unsigned place, const std::vector<MachineOperand>& operands,
                    unsigned divisor) {
    const bool multiplied_apart = !sequence.product.empty();  // by an instruction of its own
    if (place == 0 && !multiplied_apart) return operands.back().is(Kind::reg) && operands.back().index == kZeroRegister;
    if (place == (multiplied_apart ? 0U : 1U))
        return std::any_of(operands.begin() + 1, operands.end(),
                           [&](const MachineOperand& each) { return each.is(Kind::reg) && each.index == divisor; });
    return true;
}

/// Marks the steps of the sequence that begins behind the reciprocal at `first`, if one does.
void mark(const MachineKernel& kernel, std::size_t first, const Sequence& sequence, std::vector<bool>& steps) {
    const auto& all = kernel.instructions;
    const auto reciprocal = parse_operands(all[first].operands);
    if (reciprocal.size() < 2 || !reciprocal.front().is(Kind::reg)) return;
    const unsigned low = reciprocal.front().index + 1 - sequence.registers;
    Derived derived;
    derived.take(low);
    std::size_t begin = first, end = first;
    while (begin > 0 && first - begin < kMostApart && !is_branch(all[begin - 1])) --begin;
    while (end < all.size() && end - first < kMostApart && !is_branch(all[end])) ++end;
    // A quotient is checked, or the reciprocal is multiplied by the dividend.
    bool divides =
        std::any_of(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end),
                    [&](const MachineInstruction& each) { return checks_quotient(each, reciprocal[1]); });
    unsigned found = 0, divisor = kZeroRegister;
    for (std::size_t i = first + 1; i < end; ++i) {
        const auto operands = parse_operands(all[i].operands);
        if (operands.empty() || !operands.front().is(Kind::reg)) continue;
        const bool reads = std::any_of(operands.begin() + 1, operands.end(),
                                       [&](const MachineOperand& operand) { return derived.holds(operand); });
        bool step = all[i].name == sequence.step && reads && operands.size() == 4;
        // The first step is how far the reciprocal is from one.
        if (step && found == 0) {
            if (!is_one(operands.back())) return;
            divisor = operands[derived.holds(operands[1]) ? 2 : 1].index;
        }
        if (step && found >= sequence.of_reciprocal)
            step = is_of_quotient(sequence, found - sequence.of_reciprocal, operands, divisor);
        if (step && found < sequence.of_reciprocal + (divides ? sequence.of_quotient : 0)) {
            steps[i] = true;
            ++found;
            derived.take(operands.front().index);
        } else if (!sequence.product.empty() && all[i].name == sequence.product && reads &&
                   found == sequence.of_reciprocal) {
            divides = true;
            derived.take(operands.front().index);
        } else if (found > 0 || operands.front().index != low || width_of(all[i], operands.front()) != 1 ||
                   sequence.registers == 1) {
            // The lower word of a double's reciprocal alone is set by itself.
            derived.leave(operands.front().index);
        }
    }
}

}  // namespace

std::vector<bool> steps_of_quotients(const MachineKernel& kernel) {
    std::vector<bool> steps(kernel.instructions.size());
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
        for (const Sequence& sequence : {kSingle, kDouble})
            if (kernel.instructions[i].name == sequence.reciprocal) mark(kernel, i, sequence, steps);
    return steps;
}

}  // namespace lanework
