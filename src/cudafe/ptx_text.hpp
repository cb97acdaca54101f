// Reads the text of an inline assembly statement as PTX: instructions, their operands, and declarations of registers.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanework::cudafe {

/// Something in the text that has no counterpart here, or is no PTX; `offset` is its place in the text.
class PtxError : public std::runtime_error {
public:
    PtxError(std::size_t offset, const std::string& message) : std::runtime_error(message), offset_(offset) {}
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

struct PtxOperand {
    enum class Kind {
        name,     ///< a register, an operand of the statement (%0, %[sum]) or a special register
        integer,  ///< spelled as in C++
        real,     ///< 1.5, 0f3f800000, 0d3ff0000000000000
        address,  ///< [base + offset]
        list,     ///< {a, b}
        nothing,  ///< _
    };
    Kind kind = Kind::nothing;
    std::string text;
    /// Of a predicate: !p.
    bool negated = false;
    /// Of a list; of an address its base.
    std::vector<PtxOperand> parts;
    /// Of an address.
    long long displacement = 0;
    std::size_t offset = 0;
};

struct PtxInstruction {
    /// "ld" and {"global", "nc", "v2", "f32"} of ld.global.nc.v2.f32.
    std::string name;
    std::vector<std::string> modifiers;
    /// The two of a destination `a|b` follow each other.
    std::vector<PtxOperand> operands;
    bool has_second_destination = false;
    /// The predicate before it, @p or @!p.
    std::optional<PtxOperand> guard;
    std::size_t offset = 0;

    std::string opcode() const;
};

/// A declaration, an instruction, or the braces around some.
struct PtxStatement {
    enum class Kind { declaration, instruction, open, close } kind;
    PtxInstruction instruction;
    /// Of a declaration: the type, and the names; a name<n> stands for name0 … name(n − 1).
    std::string type;
    std::vector<std::string> names;
};

/// Whether the text is PTX rather than the host's assembly: it is neither empty nor a word without a dot.
bool looks_like_ptx(std::string_view text);

/// Throws PtxError.
std::vector<PtxStatement> read_ptx(std::string_view text);

}  // namespace lanework::cudafe
