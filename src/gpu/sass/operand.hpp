// Operands of machine code: "-R4.reuse", "c[0x0][0x210]", "desc[UR8][R4.64+0x10]", "!P0", "0x1f", "1.5".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// RZ, URZ, PT and UPT: what reads as zero or true and keeps nothing.
inline constexpr unsigned kZeroRegister = 255, kZeroUniform = 63, kTruePredicate = 7;

struct MachineOperand {
    enum class Kind : std::uint8_t {
        none,
        reg,         ///< R4
        uniform,     ///< UR4
        predicate,   ///< P0
        upredicate,  ///< UP0
        predicates,  ///< PR: all predicates of a lane
        number,      ///< a literal, whose text the instruction's type reads
        constant,    ///< c[bank][offset], c[bank][R4+offset]
        memory,      ///< [R4.64+UR4+offset]
        special,     ///< SR_TID.X
        label,       ///< `(.L_x_3)
        low_place,   ///< 32@lo((f + .L_x_3@srel)), 32@lo(v): the lower word of a label's or a variable's address
        high_place,  ///< 32@hi(…)
        barrier,     ///< B0: where lanes of a warp wait for each other
        other,       ///< what says nothing to an execution
    };

    Kind kind = Kind::none;
    /// Of the register, the predicate, the barrier; of a constant: its bank.
    unsigned index = 0;
    /// -x, |x|, ~x, !p.
    bool negative = false, absolute = false, inverted = false, negated = false;
    /// R4.64, [R4.64]: two registers side by side.
    bool wide = false;
    /// .H0_H0, .H1_H1: one half of the register, twice; else 0 and 1 are none.
    enum class Half : std::uint8_t { both, low, high } half = Half::both;
    /// .B0 … .B3, or negative.
    int byte = -1;
    /// [R4.X8]: what the register is multiplied by.
    unsigned scale = 1;
    /// Of memory and constants: registers that are added (RZ and URZ for none), and the literal.
    unsigned base = kZeroRegister, uniform_base = kZeroUniform;
    std::int64_t offset = 0;
    /// Of numbers and specials, and the name of a label or of a place.
    std::string text;

    bool is(Kind which) const { return kind == which; }
    bool is_predicate() const { return kind == Kind::predicate || kind == Kind::upredicate; }
};

/// The operands of an instruction: commas within brackets part nothing.
std::vector<MachineOperand> parse_operands(std::string_view text);

}  // namespace lanework
