// One instruction of x86-64, decoded as far as its length, its kind and its operands go (Intel's Software Developer's
// Manual, volume 2, chapter 2 and appendix A).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanework {

/// Registers are numbered as in the machine's code: rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7, r8 to r15.
struct HostInstruction {
    static constexpr int kNone = -1, kStackPointer = 4;

    std::size_t length = 0;  // 0 where the bytes are none that compilers write
    int map = 0;             // 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A
    unsigned op = 0;         // in its map
    unsigned prefix = 0;     // 66, F2 or F3, the last one; 0 for none
    bool wide = false;       // 64 bits
    bool rex = false;        // a REX prefix: byte registers 4 to 7 are low halves
    bool segment = false;    // the operand is of a segment of its own: thread-local
    bool vex = false;
    bool has_operand = false;  // a ModRM byte
    unsigned mode = 0, reg = 0;
    bool stack = false;    // the operand lies on the stack
    bool indexed = false;  // at a place that a register says

    int first = kNone;                // the register that ModRM's reg names
    int second = kNone;               // the one that its r/m names, or the opcode itself
    int base = kNone, index = kNone;  // of the operand in memory
    std::int32_t displacement = 0;    // of the operand in memory
    std::int32_t constant = 0;        // one of four bytes or of one: how far a direct jump or call leads, too
    bool in_memory() const { return has_operand && mode != 3; }
    bool is_jump() const { return map == 0 && (op == 0xe9 || op == 0xeb); }
    bool is_return() const { return map == 0 && (op == 0xc3 || op == 0xc2); }
    bool is_conditional_jump() const {
        return map == 0 ? op >= 0x70 && op < 0x80 : map == 1 && op >= 0x80 && op < 0x90;
    }
};

HostInstruction decode_host_instruction(std::span<const std::uint8_t> code);

}  // namespace lanework
