// Decodes what follows the hook, up to the first access that goes the same way and neither to the stack nor to a
// constant.
#include "src/trace/record/vector_access.hpp"

#include "src/trace/record/host_instruction.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

constexpr int kMostInstructions = 64;  // between a hook and its access

/// An access to memory; of no bytes where it is none that is known.
struct Access {
    int bytes = 0;
    bool stores = false, aligned = false;
};

/// Moves and arithmetic of SSE, and moves of general registers (Intel's Software Developer's Manual, volume 2).
Access access_of(const HostInstruction& in) {
    constexpr unsigned k66 = 0x66, kF2 = 0xf2, kF3 = 0xf3;
    const int general = in.wide ? 8 : 4, scalar = in.prefix == kF3 ? 4 : in.prefix == kF2 ? 8 : 16;
    if (in.map == 0) return in.op == 0x89 || in.op == 0x8b ? Access{general, in.op == 0x89} : Access{};
    if (in.map != 1) return {};
    switch (in.op) {
        case 0x10:
        case 0x11: return {scalar, in.op == 0x11};  // MOVUPS, MOVUPD, MOVSS, MOVSD
        case 0x12:
        case 0x13:
        case 0x16:
        case 0x17: return {8, in.op % 2 != 0};  // MOVLPS, MOVHPS and of doubles
        case 0x28:
        case 0x29: return {16, in.op == 0x29, true};  // MOVAPS, MOVAPD
        case 0x6f:
        case 0x7f: return in.prefix == 0 ? Access{8, in.op == 0x7f} : Access{16, in.op == 0x7f, in.prefix == k66};
        case 0x7e: return in.prefix == kF3 ? Access{8, false} : Access{general, true};
        case 0xd6: return {8, true};
        default:  // square roots, logic, sums, products, minima, quotients, maxima
            return in.op >= 0x51 && in.op <= 0x5f ? Access{scalar, false, scalar == 16 && !in.vex} : Access{};
    }
}

/// A constant lies at a distance from the instruction: no register says where.
bool is_elsewhere(const HostInstruction& in) {
    const bool by_register = in.base != HostInstruction::kNone || in.index != HostInstruction::kNone;
    return in.in_memory() && !in.stack && !in.segment && by_register;
}
bool leaves(const HostInstruction& in) { return in.is_jump() || in.is_conditional_jump() || in.is_return(); }

}  // namespace

WideAccess wide_access(std::span<const std::uint8_t> code, std::size_t hook, bool stores) {
    for (int i = 0; i < kMostInstructions && hook < code.size(); ++i) {
        const HostInstruction in = decode_host_instruction(code.subspan(hook));
        if (in.length == 0 || leaves(in)) break;
        const Access access = access_of(in);
        if (access.bytes != 0 && access.stores == stores && is_elsewhere(in)) {
            if (access.bytes == 16) return access.aligned ? WideAccess::vector : WideAccess::words;
            // One member after the other. Structures of words of 4 bytes have a hook of their own.
            return access.bytes == 4 ? WideAccess::vector : WideAccess::unknown;
        }
        hook += in.length;
    }
    return WideAccess::unknown;
}

#ifdef __x86_64__
WideAccess wide_access_of_program(std::uint64_t hook, bool stores) {
    const AddressRange range = program_code(hook);
    if (range.high == 0) return WideAccess::unknown;
    return wide_access({reinterpret_cast<const std::uint8_t*>(range.low), range.high - range.low}, hook - range.low,
                       stores);
}
#else
WideAccess wide_access_of_program(std::uint64_t, bool) { return WideAccess::unknown; }
#endif

}  // namespace lanework
