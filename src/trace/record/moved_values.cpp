// Follows a value through registers and the stack, along every path that the code may take, until no copy of it is
// left. What is not understood ends the search: the value then counts as used.
#include "src/trace/record/moved_values.hpp"

#include <algorithm>
#include <compare>
#include <lanework_simt/barrier.hpp>
#include <lanework_simt/warp.hpp>
#include <optional>
#include <set>

#include "src/trace/record/host_instruction.hpp"
#include "src/trace/record/program_memory.hpp"

// The hooks of instrumented kernels, whose code is src/simt/hooks.cpp.
#define LANEWORK_ACCESS_HOOKS(bytes) \
    void __tsan_read##bytes(void*);  \
    void __tsan_write##bytes(void*); \
    void __tsan_read_write##bytes(void*);
extern "C" {
LANEWORK_ACCESS_HOOKS(1)
LANEWORK_ACCESS_HOOKS(2)
LANEWORK_ACCESS_HOOKS(4)
LANEWORK_ACCESS_HOOKS(8)
LANEWORK_ACCESS_HOOKS(16)
void __sanitizer_cov_trace_pc();
void __ubsan_handle_out_of_bounds(void*, void*);
}
#undef LANEWORK_ACCESS_HOOKS

namespace lanework {
namespace {

/// States that are looked at before the search is given up.
constexpr std::size_t kMostStates = 1 << 14;

using Mask = std::uint32_t;
constexpr Mask bit(int number) { return Mask{1} << number; }
constexpr int kRax = 0, kRcx = 1, kRdx = 2, kRsp = 4, kRsi = 6, kRdi = 7;
/// Of the System V calling convention (AMD64 psABI, 3.2.1 and 3.2.3): what a call may change, where arguments are, and
/// where results are.
constexpr Mask kCallerSaved = 0x0fc7, kFirstArguments = bit(kRdi) | bit(kRsi), kArguments = 0x03c6, kResults = 0x0005;
constexpr Mask kFloatArguments = 0x00ff, kFloatResults = 0x0003;
/// What instructions without operands read, or may.
constexpr Mask kImplied = bit(kRax) | bit(kRcx) | bit(kRdx) | bit(kRsi) | bit(kRdi);
/// Bytes that an access to the stack may have whose width is not looked at, and those of a call's arguments there.
constexpr int kWidest = 64, kStackArguments = 48;

/// A copy on the stack; offsets count from where the stack pointer was at the load.
struct Slot {
    int offset, bytes;
    auto operator<=>(const Slot&) const = default;
    bool overlaps(int begin, int count) const { return offset < begin + count && begin < offset + bytes; }
};

/// What is known when an instruction is reached.
struct State {
    std::size_t at = 0;
    Mask general = 0, vector = 0;  // registers that hold the value
    std::vector<Slot> slots;
    int stack = 0;         // the stack pointer, from where it was at the load
    std::size_t hook = 0;  // where the hook of the next store returned to; 0 for none
    bool again = false;    // the load ran once more: these are copies of an older value

    auto operator<=>(const State&) const = default;
    bool holds_nothing() const { return general == 0 && vector == 0 && slots.empty(); }
};

enum class File { general, vector };

/// A move between a register and a register or memory.
struct Move {
    File first, second;
    int bytes;
    bool to_first;
};

/// The moves that compilers write; nothing for all else. An extension of a byte or of two is one.
std::optional<Move> move_of(const HostInstruction& in) {
    using enum File;
    if (in.vex) return {};
    const int word = in.wide ? 8 : in.prefix == 0x66 ? 2 : 4;
    if (in.map == 0) {
        if (in.op == 0x8a || in.op == 0x88) return Move{general, general, 1, in.op == 0x8a};
        if (in.op == 0x8b || in.op == 0x89) return Move{general, general, word, in.op == 0x8b};
        return {};
    }
    if (in.map != 1) return {};
    switch (in.op) {
        case 0xb6:
        case 0xbe: return Move{general, general, 1, true};
        case 0xb7:
        case 0xbf: return Move{general, general, 2, true};
        case 0x10:
        case 0x11: return Move{vector, vector, in.prefix == 0xf3 ? 4 : in.prefix == 0xf2 ? 8 : 16, in.op == 0x10};
        case 0x28:
        case 0x29: return Move{vector, vector, 16, in.op == 0x28};
        case 0x6f:
        case 0x7f:
            if (in.prefix == 0) return {};
            return Move{vector, vector, 16, in.op == 0x6f};
        case 0x6e:
            if (in.prefix != 0x66) return {};
            return Move{vector, general, in.wide ? 8 : 4, true};
        case 0x7e:
            if (in.prefix == 0xf3) return Move{vector, vector, 8, true};
            if (in.prefix != 0x66) return {};
            return Move{vector, general, in.wide ? 8 : 4, false};
        case 0xd6:
            if (in.prefix != 0x66) return {};
            return Move{vector, vector, 8, false};
        default: return {};
    }
}

bool is_byte_half(const HostInstruction& in, const Move& move) {
    return move.bytes == 1 && !in.rex && (in.first >= kRsp || (!in.in_memory() && in.second >= kRsp));
}

bool is_call(const HostInstruction& in) { return in.map == 0 && (in.op == 0xe8 || (in.op == 0xff && in.reg == 2)); }
bool is_end(const HostInstruction& in) {
    return (in.map == 0 && (in.op == 0xcc || in.op == 0xf4)) || (in.map == 1 && in.op == 0x0b);
}
bool is_nop(const HostInstruction& in) {
    return (in.map == 0 && in.op == 0x90 && in.second == kRax) || (in.map == 1 && in.op >= 0x18 && in.op < 0x20);
}
/// lea, of no address that is accessed.
bool is_address(const HostInstruction& in) { return in.map == 0 && in.op == 0x8d; }
/// Of an array, or behind a pointer: not the stack, not a constant of the code, not thread-local.
bool accesses_data(const HostInstruction& in) {
    return in.in_memory() && !is_address(in) && !is_nop(in) && !in.stack && !in.segment &&
           (in.base != HostInstruction::kNone || in.index != HostInstruction::kNone);
}

/// Registers that the instruction reads without naming them, or may.
Mask implied(const HostInstruction& in) {
    const unsigned op = in.op;
    if (in.map == 0) {
        if (op < 0x40) return (op & 7) >= 4 ? bit(kRax) : 0;
        if (op == 0xf6 || op == 0xf7) return in.reg >= 4 ? bit(kRax) | bit(kRdx) : 0;
        if (op == 0xd2 || op == 0xd3) return bit(kRcx);
        if (op == 0x98 || op == 0x99 || op == 0xa8 || op == 0xa9 || (op > 0x90 && op < 0x98)) return bit(kRax);
        const bool none = op == 0x63 || op == 0x68 || op == 0x69 || op == 0x6a || op == 0x6b ||
                          (op >= 0x80 && op < 0x90) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
                          op == 0xd0 || op == 0xd1 || op >= 0xfe;
        return none ? 0 : kImplied;
    }
    const bool named = op < 0xa0 || op == 0xa3 || op == 0xab || op == 0xaf || op == 0xb3 || op >= 0xb6;
    return in.map != 1 || (named && op != 0xc7) ? 0 : kImplied;
}

/// Which files the registers that it names may be of.
bool may_name_general(const HostInstruction& in) {
    if (in.map == 0 || in.vex) return true;
    if (in.map > 1) return in.op >= 0xf0 || in.map == 3;
    const unsigned op = in.op;
    const bool both = op == 0x2a || op == 0x2c || op == 0x2d || op == 0x50 || op == 0x6e || op == 0x7e || op == 0xc4 ||
                      op == 0xc5 || op == 0xd7;
    return both || (op >= 0x40 && op < 0x50) || (op >= 0x90 && op < 0xc2) || (op >= 0xc3 && op < 0xd0 && op != 0xc6);
}
bool may_name_vector(const HostInstruction& in) {
    if (in.map == 0) return in.vex;
    const unsigned op = in.op;
    return in.map > 1 || !((op >= 0x40 && op < 0x50) || (op >= 0x90 && op < 0xc2) || (op >= 0xc7 && op < 0xd0));
}

/// Writes the register that it names first, or the opcode does, without reading it.
int overwritten(const HostInstruction& in) {
    const unsigned op = in.op;
    if (in.vex) return HostInstruction::kNone;
    if (in.map == 0) {
        if (op == 0x63 || op == 0x69 || op == 0x6b || is_address(in)) return in.first;
        if (op >= 0xb8 && op < 0xc0) return in.second;
        return (op == 0xc6 || op == 0xc7) && !in.in_memory() ? in.second : HostInstruction::kNone;
    }
    if (in.map != 1) return HostInstruction::kNone;
    if (op == 0x2c || op == 0x2d || op == 0x50 || op == 0xd7) return in.first;
    return op >= 0x90 && op < 0xa0 && !in.in_memory() ? in.second : HostInstruction::kNone;
}

class Search {
public:
    Search(std::span<const std::uint8_t> code, std::size_t load, const std::function<Callee(std::int64_t)>& called)
        : code_(code), load_(load), called_(called) {}

    MovedValue run() {
        if (!begin()) return {};
        while (!open_.empty()) {
            const State state = std::move(open_.back());
            open_.pop_back();
            if (state.holds_nothing() || !seen_.insert(state).second) continue;
            if (seen_.size() > kMostStates || state.at >= code_.size() || !step(state)) return {};
        }
        return {true, {stores_.begin(), stores_.end()}};
    }

private:
    HostInstruction decode(std::size_t at) const { return decode_host_instruction(code_.subspan(at)); }

    /// Up to the load and past it: it must be a move into a register.
    bool begin() {
        for (std::size_t at = load_; at < code_.size();) {
            const HostInstruction in = decode(at);
            if (in.length == 0 || in.is_conditional_jump() || in.is_jump() || is_call(in) || in.is_return())
                return false;
            at += in.length;
            if (!accesses_data(in)) continue;
            const std::optional<Move> move = move_of(in);
            if (!move || !move->to_first || is_byte_half(in, *move)) return false;
            access_ = at - in.length;
            State state{.at = at, .general = 0, .vector = 0, .slots = {}, .stack = 0, .hook = 0, .again = false};
            registers(state, move->first) |= bit(in.first);
            open_.push_back(std::move(state));
            return true;
        }
        return false;
    }

    static Mask& registers(State& state, File file) { return file == File::general ? state.general : state.vector; }

    /// False where the value is used, or may be.
    bool step(State state) {
        const HostInstruction in = decode(state.at);
        if (in.length == 0) return false;
        if (state.at == access_) state.again = true;
        state.at += in.length;
        if (is_end(in)) return true;
        if (in.is_return()) return !(state.general & kResults) && !(state.vector & kFloatResults);
        if (in.map == 0 && in.op == 0xff && in.reg == 4) return false;  // a jump to where a register says
        if (is_call(in)) return call(in, std::move(state));
        if (in.is_jump() || in.is_conditional_jump()) return jump(in, std::move(state));
        if (!is_nop(in) && !(changes_stack(in) ? stack(in, state) : execute(in, state))) return false;
        open_.push_back(std::move(state));
        return true;
    }

    bool jump(const HostInstruction& in, State state) {
        const std::int64_t to = static_cast<std::int64_t>(state.at) + in.constant;
        if (to < 0) return false;
        if (!in.is_jump()) open_.push_back(state);
        state.at = static_cast<std::size_t>(to);
        open_.push_back(std::move(state));
        return true;
    }

    bool call(const HostInstruction& in, State state) {
        const Callee callee =
            in.op == 0xe8 ? called_(static_cast<std::int64_t>(state.at) + in.constant) : Callee::other;
        const bool other = callee == Callee::other;
        if (state.general & (other ? kArguments : kFirstArguments)) return false;
        if (other && (state.vector & kFloatArguments)) return false;
        if (other && (in.in_memory() || (state.general && in.op == 0xff))) return false;
        if (other && overlaps(state, state.stack, kStackArguments)) return false;
        state.general &= ~kCallerSaved;
        state.vector = 0;
        state.hook = callee == Callee::store_hook ? state.at : 0;
        open_.push_back(std::move(state));
        return true;
    }

    static bool overlaps(const State& state, int begin, int bytes) {
        return std::ranges::any_of(state.slots, [&](const Slot& slot) { return slot.overlaps(begin, bytes); });
    }

    /// push, pop, and sums with the stack pointer.
    static bool changes_stack(const HostInstruction& in) {
        if (in.map != 0) return false;
        const bool sum = (in.op == 0x81 || in.op == 0x83) && !in.in_memory() && in.second == kRsp;
        return (in.op >= 0x50 && in.op < 0x60) || in.op == 0x68 || in.op == 0x6a || in.op == 0xc9 || sum ||
               (is_address(in) && in.first == kRsp);
    }
    static bool stack(const HostInstruction& in, State& state) {
        constexpr int kPushed = 8;
        if (in.op == 0xc9) {  // leave: what is on the stack is gone
            state.slots.clear();
            return true;
        }
        if (is_address(in)) {
            state.stack += in.displacement;
            return in.base == kRsp && in.index == HostInstruction::kNone;
        }
        if (in.op == 0x81 || in.op == 0x83) {
            state.stack += in.reg == 5 ? -in.constant : in.constant;
            return in.reg == 0 || in.reg == 5;
        }
        if (in.op < 0x58 || in.op >= 0x60) {
            state.stack -= kPushed;
            const bool holds = in.op < 0x60 && (state.general & bit(in.second));
            return write(state, state.stack, kPushed, holds);
        }
        const std::optional<bool> holds = read(state, state.stack, kPushed);
        if (!holds) return false;
        state.general = (state.general & ~bit(in.second)) | (*holds ? bit(in.second) : 0);
        state.stack += kPushed;
        return true;
    }

    /// Whether a slot is the value; nothing where a part of one is.
    static std::optional<bool> read(const State& state, int offset, int bytes) {
        for (const Slot& slot : state.slots) {
            if (slot.offset == offset && bytes <= slot.bytes) return true;
            if (slot.overlaps(offset, bytes)) return std::nullopt;
        }
        return false;
    }
    static bool write(State& state, int offset, int bytes, bool holds) {
        std::erase_if(state.slots, [&](const Slot& slot) {
            return offset <= slot.offset && slot.offset + slot.bytes <= offset + bytes;
        });
        if (overlaps(state, offset, bytes)) return false;
        if (holds) state.slots.push_back({offset, bytes});
        std::ranges::sort(state.slots);
        return true;
    }

    bool execute(const HostInstruction& in, State& state) {
        if (in.in_memory() && !addresses(in, state)) return false;
        if (const std::optional<Move> move = move_of(in)) return this->move(in, *move, state);
        const bool clears =
            (in.map == 0 ? in.op == 0x31 || in.op == 0x33 : in.map == 1 && (in.op == 0x57 || in.op == 0xef)) &&
            !in.vex && !in.in_memory() && in.first == in.second;
        if (clears) {  // exclusive or with itself
            registers(state, in.map == 0 ? File::general : File::vector) &= ~bit(in.first);
            return true;
        }
        const bool constant = in.map == 0 && (in.op == 0xc6 || in.op == 0xc7) && in.in_memory();
        if (constant) {
            if (!in.stack) return state.hook = 0, true;
            return write(state, state.stack + in.displacement,
                         in.op == 0xc6 ? 1
                         : in.wide     ? 8
                         : in.prefix   ? 2
                                       : 4,
                         false);
        }
        const int over = overwritten(in);
        if (over != HostInstruction::kNone && over != in.base && over != in.index &&
            !(over == in.first && over == in.second))
            state.general &= ~bit(over);
        if (reads(in, state)) return false;
        if (accesses_data(in)) state.hook = 0;
        return true;
    }

    /// False where the value is an address, or where the operand may be a copy of it.
    static bool addresses(const HostInstruction& in, const State& state) {
        for (const int each : {in.base, in.index})
            if (each != HostInstruction::kNone && (state.general & bit(each))) return false;
        if (!in.stack || state.slots.empty()) return true;
        if (in.index != HostInstruction::kNone) return false;
        const int offset = state.stack + in.displacement;
        // Who has the address of a place may read what is behind it.
        if (is_address(in)) return state.slots.back().offset < offset;
        const bool understood = move_of(in) || (in.map == 0 && (in.op == 0xc6 || in.op == 0xc7));
        return understood || !overlaps(state, offset, kWidest);
    }

    static bool reads(const HostInstruction& in, const State& state) {
        if (state.general & implied(in)) return true;
        for (const int each : {in.first, in.second}) {
            if (each == HostInstruction::kNone) continue;
            if (may_name_general(in) && each == kRsp && !state.slots.empty() && each == in.second && in.map == 0)
                return true;
            if (may_name_general(in) && (state.general & bit(each)) && names(in, each)) return true;
            if (may_name_vector(in) && (state.vector & bit(each))) return true;
        }
        return in.vex && state.vector != 0;
    }
    /// In a group of instructions, ModRM's reg is a part of the opcode.
    static bool names(const HostInstruction& in, int number) {
        const bool group =
            in.map == 0 && (in.op == 0x80 || in.op == 0x81 || in.op == 0x83 || in.op == 0xc0 || in.op == 0xc1 ||
                            (in.op >= 0xd0 && in.op < 0xd4) || in.op == 0xf6 || in.op == 0xf7 || in.op >= 0xfe);
        return number == in.second || (number == in.first && !group);
    }

    bool move(const HostInstruction& in, const Move& move, State& state) {
        if (is_byte_half(in, move)) return state.general == 0;
        Mask& first = registers(state, move.first);
        if (!in.in_memory()) {
            Mask& second = registers(state, move.second);
            const bool of_stack = move.first == File::general && (in.first == kRsp || in.second == kRsp);
            if (of_stack && !state.slots.empty()) return false;
            return move.to_first ? copy(second, in.second, first, in.first) : copy(first, in.first, second, in.second);
        }
        const int offset = state.stack + in.displacement;
        if (move.to_first) {
            const std::optional<bool> holds = in.stack ? read(state, offset, move.bytes) : false;
            if (!holds) return false;
            first = (first & ~bit(in.first)) | (*holds ? bit(in.first) : 0);
            return true;
        }
        const bool holds = first & bit(in.first);
        if (in.stack) return !(holds && state.hook != 0) && write(state, offset, move.bytes, holds);
        const std::size_t hook = state.hook;
        if (!in.segment) state.hook = 0;
        if (!holds) return true;
        if (hook == 0 || state.again || in.segment) return false;
        stores_.insert(hook);
        return true;
    }
    static bool copy(const Mask& from_file, int from, Mask& to_file, int to) {
        const bool holds = from_file & bit(from);
        to_file = (to_file & ~bit(to)) | (holds ? bit(to) : 0);
        return true;
    }

    std::span<const std::uint8_t> code_;
    std::size_t load_, access_ = 0;
    const std::function<Callee(std::int64_t)>& called_;
    std::vector<State> open_;
    std::set<State> seen_;
    std::set<std::uint64_t> stores_;
};

}  // namespace

bool MovedValue::is_stored_by(std::uint64_t pc) const { return std::ranges::find(stores, pc) != stores.end(); }

MovedValue moved_value(std::span<const std::uint8_t> code, std::size_t load,
                       const std::function<Callee(std::int64_t)>& called) {
    return Search(code, load, called).run();
}

#if defined(__x86_64__)
namespace {

std::uint64_t address_of(auto* function) { return reinterpret_cast<std::uint64_t>(function); }

Callee callee_at(std::uint64_t code) {
    static const auto stores = {address_of(&__tsan_write1), address_of(&__tsan_write2), address_of(&__tsan_write4),
                                address_of(&__tsan_write8), address_of(&__tsan_write16)};
    // A barrier is given its place in the source, or lanes.
    static const auto hooks = {address_of(&__tsan_read1),
                               address_of(&__tsan_read2),
                               address_of(&__tsan_read4),
                               address_of(&__tsan_read8),
                               address_of(&__tsan_read16),
                               address_of(&__tsan_read_write1),
                               address_of(&__tsan_read_write2),
                               address_of(&__tsan_read_write4),
                               address_of(&__tsan_read_write8),
                               address_of(&__tsan_read_write16),
                               address_of(&__sanitizer_cov_trace_pc),
                               address_of(&__ubsan_handle_out_of_bounds),
                               address_of(&lanework_simt::api::__syncthreads)};
    const std::uint64_t function = behind_linkage_table(code);
    if (std::ranges::find(stores, function) != stores.end()) return Callee::store_hook;
    return std::ranges::find(hooks, function) != hooks.end() ? Callee::hook : Callee::other;
}

}  // namespace

MovedValue moved_value_of_program(std::uint64_t load) {
    const AddressRange range = program_code(load);
    if (range.high == 0) return {};
    MovedValue found =
        moved_value({reinterpret_cast<const std::uint8_t*>(range.low), range.high - range.low}, load - range.low,
                    [&](std::int64_t to) { return callee_at(range.low + static_cast<std::uint64_t>(to)); });
    for (std::uint64_t& store : found.stores) store += range.low;
    return found;
}
#else
MovedValue moved_value_of_program(std::uint64_t) { return {}; }
#endif

}  // namespace lanework
