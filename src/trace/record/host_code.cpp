// Decodes x86-64 as far as lengths and kinds of instructions go (Intel's Software Developer's Manual, volume 2, chapter
// 2 and appendix A). Weights are of sm_80 and newer: a 64-bit operation is two instructions of 32 bits; divisions are
// short subroutines there.
#include "src/trace/record/host_code.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {
namespace {

#if defined(__x86_64__)
constexpr bool kReadable = true;
#else
constexpr bool kReadable = false;
#endif

/// A decoded instruction; `length` is 0 where the bytes are none that compilers write.
struct Instruction {
    std::size_t length = 0;
    int map = 0;          // 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A
    unsigned op = 0;      // in its map
    unsigned prefix = 0;  // 66, F2 or F3, the last one; 0 for none
    bool wide = false;    // 64 bits
    bool vex = false;
    bool has_operand = false;  // a ModRM byte
    unsigned mode = 0, reg = 0;
    bool stack = false;    // the operand lies on the stack
    bool indexed = false;  // at a place that a register says
};

class Decoder {
public:
    Decoder(std::span<const std::uint8_t> code) : code_(code) {}

    Instruction decode() {
        prefixes();
        opcode();
        if (has_operand()) operand();
        at_ += immediate();
        in_.length = at_ <= code_.size() ? at_ : 0;
        return in_;
    }

private:
    unsigned byte(std::size_t at) const { return at < code_.size() ? code_[at] : 0; }

    void prefixes() {
        for (;; ++at_) {
            const unsigned b = byte(at_);
            if (b == 0x66 || b == 0xf2 || b == 0xf3)
                in_.prefix = b;
            else if (b != 0x2e && b != 0x3e && b != 0x64 && b != 0x65 && b != 0xf0)
                break;
            if (at_ >= code_.size()) return;
        }
        if ((byte(at_) & 0xf0) == 0x40) rex_ = byte(at_++);
        in_.wide = (rex_ & 8) != 0;
    }
    void opcode() {
        const unsigned first = byte(at_++);
        if (first == 0xc5 || first == 0xc4) {
            in_.vex = true;
            in_.map = first == 0xc5 ? 1 : static_cast<int>(byte(at_) & 3);
            if (first == 0xc4) {
                if ((byte(at_) & 0x20) == 0) rex_ |= 1;
                if ((byte(at_) & 0x40) == 0) rex_ |= 2;
                ++at_;
                in_.wide = (byte(at_) & 0x80) != 0;
            }
            constexpr unsigned kPrefixes[] = {0, 0x66, 0xf3, 0xf2};
            in_.prefix = kPrefixes[byte(at_++) & 3];
            in_.op = byte(at_++);
        } else if (first != 0x0f) {
            in_.op = first;
        } else if (byte(at_) == 0x38 || byte(at_) == 0x3a) {
            in_.map = byte(at_++) == 0x38 ? 2 : 3;
            in_.op = byte(at_++);
        } else {
            in_.map = 1;
            in_.op = byte(at_++);
        }
    }
    bool has_operand() const {
        const unsigned op = in_.op;
        if (in_.map >= 2) return true;
        if (in_.map == 1)
            return !(op == 0x05 || op == 0x0b || op == 0x77 || op == 0xa2 || (op >= 0x80 && op < 0x90) ||
                     (op >= 0xc8 && op < 0xd0));
        if (op < 0x40) return (op & 7) < 4;
        return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op < 0x90) || op == 0xc0 || op == 0xc1 ||
               op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op < 0xd4) || (op >= 0xd8 && op < 0xe0) || op == 0xf6 ||
               op == 0xf7 || op >= 0xfe;
    }
    void operand() {
        const unsigned modrm = byte(at_++), rm = modrm & 7;
        in_.has_operand = true;
        in_.mode = modrm >> 6;
        in_.reg = modrm >> 3 & 7;
        if (in_.mode == 3) return;
        unsigned base = rm;
        if (rm == 4) {
            const unsigned sib = byte(at_++), index = (sib >> 3 & 7) + ((rex_ & 2) != 0 ? 8 : 0);
            base = sib & 7;
            in_.stack = base == 4 && (rex_ & 1) == 0;
            in_.indexed = index != 4;
        }
        if (in_.mode == 1) ++at_;
        if (in_.mode == 2 || (in_.mode == 0 && base == 5)) at_ += 4;
    }
    std::size_t immediate() const {
        const unsigned op = in_.op;
        const std::size_t word = in_.prefix == 0x66 ? 2 : 4;
        if (in_.map == 3) return 1;
        if (in_.map == 2) return 0;
        if (in_.map == 1) {
            if (op >= 0x80 && op < 0x90 && !in_.vex) return 4;
            return (op >= 0x70 && op < 0x74) || op == 0xa4 || op == 0xac || op == 0xba || op == 0xc2 ||
                           (op >= 0xc4 && op < 0xc7)
                       ? 1
                       : 0;
        }
        if (op < 0x40) return (op & 7) == 4 ? 1 : (op & 7) == 5 ? word : 0;
        if (op >= 0xb8 && op < 0xc0) return in_.wide ? 8 : word;
        if (op == 0xf6 || op == 0xf7) return in_.reg > 1 ? 0 : op == 0xf6 ? 1 : word;
        if (op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7) return word;
        if (op == 0xe8 || op == 0xe9) return 4;
        if (op == 0xc2) return 2;
        return op == 0x6a || op == 0x6b || (op >= 0x70 && op < 0x81) || op == 0x83 || op == 0xa8 ||
                       (op >= 0xb0 && op < 0xb8) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xeb
                   ? 1
                   : 0;
    }

    std::span<const std::uint8_t> code_;
    std::size_t at_ = 0;
    unsigned rex_ = 0;
    Instruction in_;
};

// What a GPU executes for them.
constexpr double kWideDivision = 40, kDivision = 18, kFloatDivision = 9, kDoubleDivision = 20, kFunction = 20;

bool moves(const Instruction& in) {
    const unsigned op = in.op;
    if (in.map == 0)
        return (op >= 0x50 && op < 0x60) || op == 0x68 || op == 0x6a || (op >= 0x86 && op < 0x8d) || op == 0x8f ||
               op == 0x90 || op == 0x98 || op == 0x99 || (op >= 0xb0 && op < 0xc0) || op == 0xc3 || op == 0xc6 ||
               op == 0xc7 || op == 0xc9 || op == 0xcc || op == 0xe9 || op == 0xeb;
    if (in.map == 1)
        return (op >= 0x0b && op < 0x20) || op == 0x28 || op == 0x29 || op == 0x2b || op == 0x57 || op == 0xef ||
               op == 0x6e || op == 0x6f || op == 0x7e || op == 0x7f || op == 0xb6 || op == 0xb7 || op == 0xd6 ||
               op == 0xe7;
    return false;
}

double of_sse(const Instruction& in) {
    const bool of_double = in.prefix == 0xf2 || in.prefix == 0x66;
    if (in.op == 0x51 || in.op == 0x5e) return of_double ? kDoubleDivision : kFloatDivision;
    return 1;
}

double weight(const Instruction& in) {
    if (moves(in)) return 0;
    const double simple = in.wide ? 2 : 1;
    if (in.map == 1 && in.op >= 0x10 && in.op < 0x80 && !(in.op >= 0x40 && in.op < 0x50)) return of_sse(in);
    if (in.map != 0) return in.map == 1 && in.op == 0xaf && in.wide ? 3 : 1;
    if (in.op == 0x8d) return in.stack ? 0 : simple;
    if (in.op == 0xf6 || in.op == 0xf7) return in.reg < 6 ? simple : in.wide ? kWideDivision : kDivision;
    if (in.op == 0x69 || in.op == 0x6b) return in.wide ? 3 : 1;
    return in.op == 0x63 || (in.op >= 0x70 && in.op < 0x80) ? 1 : simple;
}

/// Of integers, of any width.
bool multiplies(const Instruction& in) {
    if (in.map == 1) return in.op == 0xaf;
    return in.map == 0 &&
           (in.op == 0x69 || in.op == 0x6b || ((in.op == 0xf6 || in.op == 0xf7) && (in.reg == 4 || in.reg == 5)));
}

/// Reads or writes there, rather than computing the address.
bool indexes_the_stack(const Instruction& in) {
    return in.has_operand && in.mode != 3 && in.stack && in.indexed && !(in.map == 0 && in.op == 0x8d);
}

}  // namespace

CodeOnGpu code_on_gpu(std::span<const std::uint8_t> code, const std::function<bool(std::size_t)>& emulates,
                      const std::function<double(std::int64_t)>& called) {
    CodeOnGpu sum;
    if (!kReadable) return sum;
    constexpr unsigned kCall = 0xe8;
    for (std::size_t at = 0; at < code.size();) {
        const Instruction in = Decoder(code.subspan(at)).decode();
        if (in.length == 0) break;
        const std::size_t next = at + in.length;
        if (in.map == 0 && in.op == kCall) {
            std::uint32_t distance = 0;
            for (std::size_t i = 0; i < 4; ++i) distance |= std::uint32_t{code[next - 4 + i]} << (8 * i);
            sum.instructions += called(static_cast<std::int64_t>(next) + static_cast<std::int32_t>(distance));
        } else if (!emulates(at)) {
            sum.instructions += weight(in);
            sum.multiplications += multiplies(in) ? weight(in) : 0;
            sum.indexed_on_stack += indexes_the_stack(in) ? 1 : 0;
        }
        at = next;
    }
    return sum;
}

double gpu_instructions_of_function(std::uint64_t code) {
    // Functions that a GPU has an instruction for.
    static const std::vector<const void*> single = [] {
        std::vector<const void*> found;
        for (const char* name : {"fma", "fmin", "fmax", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "lrint",
                                 "lround", "fabs", "copysign"})
            for (const char* type : {"", "f"}) found.push_back(dlsym(RTLD_DEFAULT, (std::string(name) + type).c_str()));
        return found;
    }();
    const auto* const address = reinterpret_cast<const void*>(code);
    Dl_info where{};
    if (dladdr(address, &where) == 0 || !where.dli_fname) return 0;
    if (std::string_view(where.dli_fname).find("/libm.so") == std::string_view::npos) return 0;
    return std::ranges::find(single, address) != single.end() ? 1 : kFunction;
}

}  // namespace lanework
