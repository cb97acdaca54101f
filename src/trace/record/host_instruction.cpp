// Decoding: prefixes, opcode, ModRM and what follows it.
#include "src/trace/record/host_instruction.hpp"

namespace lanework {
namespace {

class Decoder {
public:
    explicit Decoder(std::span<const std::uint8_t> code) : code_(code) {}

    HostInstruction decode() {
        prefixes();
        opcode();
        if (has_operand()) operand();
        named_by_opcode();
        const std::size_t bytes = immediate();
        if (bytes == 1) in_.constant = static_cast<std::int8_t>(byte(at_));
        if (bytes == 4) in_.constant = word();
        at_ += bytes;
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
            else if (b == 0x64 || b == 0x65)
                in_.segment = true;
            else if (b != 0x2e && b != 0x3e && b != 0xf0)
                break;
            if (at_ >= code_.size()) return;
        }
        if ((byte(at_) & 0xf0) == 0x40) rex_ = byte(at_++);
        in_.rex = rex_ != 0;
        in_.wide = (rex_ & 8) != 0;
    }
    void opcode() {
        const unsigned first = byte(at_++);
        if (first == 0xc5 || first == 0xc4) {
            in_.vex = true;
            in_.map = first == 0xc5 ? 1 : static_cast<int>(byte(at_) & 3);
            if ((byte(at_) & 0x80) == 0) rex_ |= 4;
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
        in_.first = extended(in_.reg, 4);
        if (in_.mode == 3) {
            in_.second = extended(rm, 1);
            return;
        }
        unsigned base = rm;
        if (rm == 4) {
            const unsigned sib = byte(at_++), index = (sib >> 3 & 7) + ((rex_ & 2) != 0 ? 8 : 0);
            base = sib & 7;
            in_.stack = base == 4 && (rex_ & 1) == 0;
            in_.indexed = index != 4;
            if (in_.indexed) in_.index = static_cast<int>(index);
        }
        const bool far = in_.mode == 2 || (in_.mode == 0 && base == 5);
        if (in_.mode != 0 || base != 5) in_.base = extended(base, 1);
        if (far) in_.displacement = word();
        if (in_.mode == 1) in_.displacement = static_cast<std::int8_t>(byte(at_));
        at_ += far ? 4 : in_.mode == 1 ? 1 : 0;
    }
    /// push, pop, xchg, bswap and moves of constants have a register in their opcode.
    void named_by_opcode() {
        const unsigned op = in_.op;
        const bool named = in_.map == 0
                               ? (op >= 0x50 && op < 0x60) || (op >= 0x90 && op < 0x98) || (op >= 0xb0 && op < 0xc0)
                               : in_.map == 1 && op >= 0xc8 && op < 0xd0;
        if (named) in_.second = extended(op & 7, 1);
    }
    int extended(unsigned number, unsigned bit) const { return static_cast<int>(number + ((rex_ & bit) != 0 ? 8 : 0)); }
    std::int32_t word() const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{byte(at_ + i)} << (8 * i);
        return static_cast<std::int32_t>(value);
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
    HostInstruction in_;
};

}  // namespace

HostInstruction decode_host_instruction(std::span<const std::uint8_t> code) { return Decoder(code).decode(); }

}  // namespace lanework
