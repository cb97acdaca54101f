// The state of a warp that executes machine code, and instructions as they are executed: of the files that do so alone.
#pragma once

#include <array>
#include <bitset>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework::machine {

inline constexpr unsigned kWarp = 32;
inline constexpr std::uint32_t kAll = ~std::uint32_t{0};

using Words = std::array<std::uint32_t, kWarp>;
using Longs = std::array<std::uint64_t, kWarp>;
/// Lanes by the space that they access (MachineSpace).
using LanesTold = std::array<std::uint32_t, 4>;

/// What an execution cannot go on with; the message is for the reader.
class Unsupported : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Warp;
struct Block;

/// Where a source operand's words come from.
struct Source {
    enum class From : std::uint8_t { value, reg, uniform } from = From::value;
    std::uint8_t index = 0;
    bool negative = false, absolute = false, inverted = false;
    MachineOperand::Half half = MachineOperand::Half::both;
    std::int8_t byte = -1;
    /// A literal or a constant; its second word too where the instruction takes two.
    std::uint64_t value = 0;

    bool plain() const { return !negative && !absolute && !inverted && half == MachineOperand::Half::both && byte < 0; }
};

/// A predicate that is read or written.
struct Predicate {
    std::uint8_t index = kTruePredicate;
    bool uniform = false, negated = false;
};

/// An address operand.
struct Address {
    std::uint8_t base = kZeroRegister, uniform_base = kZeroUniform;
    bool wide = false;
    std::uint8_t scale = 1;
    std::int64_t offset = 0;
};

struct Step;
/// Executes a step for these lanes; those that say where to go next change the warp's groups themselves.
using Action = void (*)(Warp&, const Step&, std::uint32_t lanes);

/// An instruction, decoded for one launch.
struct Step {
    Action action = nullptr;
    /// It says itself which lanes go where.
    bool steers = false;
    /// It asks in a loop for what others write, or for the time; the loop does nothing else.
    bool asks = false, idle = false;
    Predicate guard;
    std::uint8_t target = kZeroRegister;
    bool uniform_target = false;
    std::array<Predicate, 2> set;
    std::array<Source, 4> source;
    std::array<Predicate, 3> test;
    Address address;
    /// What the action needs to know besides: a comparison, a table of bits, a function.
    std::uint32_t variant = 0, flags = 0;
    std::uint8_t bytes = 4;
    std::uint32_t index = 0;
    /// The step that a branch goes to, or a barrier's number.
    std::uint32_t to = 0;
    std::uint8_t barrier = 0;
};

/// Lanes that are at one place and go on together.
struct Group {
    std::uint32_t lanes = 0;
    std::uint32_t at = 0;
    enum class State : std::uint8_t {
        ready,
        converging,  ///< at a BSYNC, for the others of its barrier
        warp_sync,   ///< at a WARPSYNC, for the lanes of `waits_for`
        block_sync,  ///< at a barrier of the block
    } state = State::ready;
    std::uint8_t barrier = 0;
    std::uint32_t waits_for = 0;
    /// Its turn ended between two instructions of which none is a branch. The warp's other groups do not come in
    /// between: all of them have the same uniform registers, and compilers use them where lanes are apart, too.
    bool midway = false;
    /// Its last turn ended in a loop that does nothing but ask.
    bool idle = false;
};

/// Registers, uniform registers, predicates and uniform predicates, one behind the other.
inline constexpr unsigned kUniformsBegin = 256, kPredicatesBegin = kUniformsBegin + 64,
                          kUniformPredicatesBegin = kPredicatesBegin + 8, kAllRegisters = kUniformPredicatesBegin + 8;
using Registers = std::bitset<kAllRegisters>;

struct Warp {
    Block* block = nullptr;
    unsigned number = 0;
    /// Lanes that have not left.
    std::uint32_t live = 0;
    std::vector<Group> groups;
    /// The group that executes, as an index: actions may add groups.
    std::size_t current = 0;
    /// Instructions of all groups, and those of them that did nothing but ask.
    std::uint64_t executed = 0, waited = 0;
    std::array<Words, 256> reg;
    std::array<std::uint32_t, 64> uniform;
    /// By predicate, a bit for each lane; of uniform ones all bits or none.
    std::array<std::uint32_t, 8> predicate, upredicate;
    /// The lanes that wait for each other, by convergence barrier and lane.
    std::array<Words, 16> convergence;
    /// Of a reduction over the block at a barrier.
    std::uint32_t result = 0;
    std::vector<std::byte> local;
    /// Where doubts are followed: by register the lanes whose value is in doubt, and a flag for each byte of `local`.
    std::array<std::uint32_t, kAllRegisters> doubtful;
    std::vector<std::uint8_t> doubtful_local;

    std::uint32_t test(const Predicate& p) const {
        const std::uint32_t value = p.uniform ? upredicate[p.index] : predicate[p.index];
        return p.negated ? ~value : value;
    }
    void set(const Predicate& p, std::uint32_t value, std::uint32_t lanes) {
        if (p.index == kTruePredicate) return;
        if (p.uniform)
            upredicate[p.index] = value & lanes ? kAll : 0;
        else
            predicate[p.index] = (predicate[p.index] & ~lanes) | (value & lanes);
    }
    Group& group() { return groups[current]; }
};

/// The bits of a warp's words that an instruction of the uniform datapath looks at: one lane stands for all.
inline constexpr std::uint32_t kUniformLane = 1;

struct Launch;

struct Block {
    Launch* launch = nullptr;
    std::array<unsigned, 3> index{};
    std::uint64_t number = 0;
    std::vector<std::byte> shared;
    /// Where doubts are followed: a flag for each byte.
    std::vector<std::uint8_t> doubtful_shared;
    std::vector<Warp> warps;
    /// Threads that are there, and by barrier how many have arrived, with what they bring to a reduction.
    unsigned threads = 0;
    struct Arrivals {
        enum Reduction : std::uint32_t { none, count_true, any_true, all_true };
        unsigned count = 0, expected = 0, sum = 0;
        bool any = false, every = true;
        std::uint32_t reduction = none;

        std::uint32_t result() const {
            return reduction == count_true ? sum : std::uint32_t{reduction == any_true ? any : every};
        }
    };
    std::array<Arrivals, 16> barriers{};
    /// Times that all of its threads met at one of them.
    std::uint64_t met = 0;
};

/// What an instruction reads and writes, where doubts are followed, as lists of registers.
struct Flow {
    /// What it does.
    Action action;
    std::vector<std::uint16_t> reads, writes;
    /// What it writes of `writes` for certain, as a whole.
    std::vector<std::uint16_t> certain;
    std::vector<std::uint16_t> guard, address;
    bool steers, accesses, compares, checks_quotient, copies, fetches, crosses_lanes, takes_parameter;
};

struct Launch {
    const MachineKernel& kernel;
    const MachineLaunch& about;
    MachineWorld& world;
    MachineRun& run;
    std::vector<Step> steps;
    /// Why a step is not known, by its index: that matters where it is executed.
    std::map<std::uint32_t, std::string> unknown;
    /// Step by address / 16.
    std::vector<std::uint32_t> step_at;
    std::vector<std::byte> bank0;
    std::uint64_t executed = 0;
    /// What the clock has gone on by while nobody did anything but wait.
    std::uint64_t waited_for_clock = 0;
    /// Whether since a round of blocks began nobody did.
    bool only_waits = false;
    /// No time of a GPU's, but one that goes on.
    std::uint64_t clock() const { return executed + waited_for_clock; }
    /// Of what is varied; 0 where nothing is.
    std::uint64_t lot = 0;
    /// By step: what is done where its result is varied.
    std::vector<Action> unvaried = {};
    /// By step, where doubts are followed; what is in doubt as the launch begins, as DoubtfulMemory::Why.
    std::vector<Flow> flows = {};
    unsigned doubts = 0;
    /// The access that an instruction told the world of, where doubts are followed, and its lanes; `last` names one
    /// space at a time.
    LanesTold told{};
    Longs last_address{};
    MachineAccess last{0, MachineSpace::global, MachineAccessKind::load, 0, 0, last_address, 0, 0};
    /// Null where nobody looks for accesses in no order.
    AccessOrder* order = nullptr;
    std::uint32_t shared_bytes = 0, stack_bytes = 0;
    /// The words that the blocks of a cooperative launch meet by.
    std::array<std::byte, 64> meeting{};
    /// What a load finds beside the kernel's memory: nobody knows, and it had better not matter.
    std::array<std::byte, 16> beside{};
    /// The last range of global memory that was asked for.
    std::uint64_t known_base = 0;
    std::span<std::byte> known;

    static bool has_bank(unsigned index) { return index == 0 || (index >= 2 && index <= 4); }
    std::span<const std::byte> bank(unsigned index) const {
        switch (index) {
            case 0: return bank0;
            case 2: return kernel.tables;
            case 3: return about.constants;
            default: return about.addresses;
        }
    }
};

/// Where generic addresses of shared memory and of a thread's own begin: far from what the host uses.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{0x7f} << 56, kLocalWindow = std::uint64_t{0x7e} << 56;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 24;
/// Where the words lie that the blocks of a cooperative launch meet by.
inline constexpr std::uint64_t kMeetingPlace = std::uint64_t{0x7d} << 56;

// -- reading and writing ------------------------------------------------------------------------------------------

inline constexpr Words kZeros{};

/// The words of a source without its signs; `spare` is used where they do not stand in a register.
inline const Words& raw(const Warp& warp, const Source& source, Words& spare, unsigned word = 0) {
    switch (source.from) {
        case Source::From::reg: return source.index == kZeroRegister ? kZeros : warp.reg[source.index + word];
        case Source::From::uniform:
            spare.fill(source.index == kZeroUniform ? 0 : warp.uniform[source.index + word]);
            return spare;
        default: spare.fill(static_cast<std::uint32_t>(source.value >> 32 * word)); return spare;
    }
}

/// With ~ and, as integers in two's complement, - and |x|.
inline const Words& integers(const Warp& warp, const Source& source, Words& spare) {
    const Words& words = raw(warp, source, spare);
    if (source.plain()) return words;
    for (unsigned i = 0; i < kWarp; ++i) {
        std::uint32_t value = words[i];
        if (source.byte >= 0) value = value >> 8 * source.byte & 0xff;
        if (source.half == MachineOperand::Half::low) value &= 0xffff;
        if (source.half == MachineOperand::Half::high) value >>= 16;
        if (source.absolute && static_cast<std::int32_t>(value) < 0) value = 0 - value;
        if (source.inverted) value = ~value;
        if (source.negative) value = 0 - value;
        spare[i] = value;
    }
    return spare;
}

/// With - and |x| as single-precision numbers.
inline const Words& floats(const Warp& warp, const Source& source, Words& spare) {
    const Words& words = raw(warp, source, spare);
    if (source.plain()) return words;
    const std::uint32_t keep = source.absolute ? 0x7fffffffu : kAll, flip = source.negative ? 0x80000000u : 0;
    for (unsigned i = 0; i < kWarp; ++i) spare[i] = (words[i] & keep) ^ flip;
    return spare;
}

/// Two words of each lane, with ~ and - of all 64 bits.
inline void longs(const Warp& warp, const Source& source, Longs& out) {
    Words low_spare, high_spare;
    const Words &low = raw(warp, source, low_spare), &high = raw(warp, source, high_spare, 1);
    for (unsigned i = 0; i < kWarp; ++i) {
        out[i] = low[i] | std::uint64_t{high[i]} << 32;
        if (source.inverted) out[i] = ~out[i];
        if (source.negative) out[i] = 0 - out[i];
    }
}

/// With - and |x| as double-precision numbers.
inline void doubles(const Warp& warp, const Source& source, std::array<double, kWarp>& out) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    Source unsigned_source = source;
    unsigned_source.negative = unsigned_source.inverted = false;
    Longs bits;
    longs(warp, unsigned_source, bits);
    for (unsigned i = 0; i < kWarp; ++i) {
        if (source.absolute) bits[i] &= ~kSign;
        if (source.negative) bits[i] ^= kSign;
        std::memcpy(&out[i], &bits[i], sizeof bits[i]);
    }
}

/// Into the target's register, or the word after it.
inline void put(Warp& warp, const Step& step, const Words& value, std::uint32_t lanes, unsigned word = 0) {
    if (step.uniform_target) {
        if (step.target != kZeroUniform) warp.uniform[step.target + word] = value[0];
        return;
    }
    if (step.target == kZeroRegister) return;
    Words& reg = warp.reg[step.target + word];
    if (lanes == kAll) {
        reg = value;
        return;
    }
    for (unsigned i = 0; i < kWarp; ++i) reg[i] = lanes >> i & 1 ? value[i] : reg[i];
}

inline void put_longs(Warp& warp, const Step& step, const Longs& value, std::uint32_t lanes) {
    Words low, high;
    for (unsigned i = 0; i < kWarp; ++i) {
        low[i] = static_cast<std::uint32_t>(value[i]);
        high[i] = static_cast<std::uint32_t>(value[i] >> 32);
    }
    put(warp, step, low, lanes);
    put(warp, step, high, lanes, 1);
}

template <class To, class From>
To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

template <class Condition>
std::uint32_t mask_of(Condition condition) {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < kWarp; ++i) mask |= std::uint32_t{condition(i)} << i;
    return mask;
}

// -- decoding -----------------------------------------------------------------------------------------------------

/// An instruction while it is decoded. Every modifier has to be taken by somebody.
class Decoding {
public:
    Decoding(const MachineInstruction& instruction, const Launch& launch);

    std::string_view name() const { return name_; }
    /// Whether the modifier stands there; it is gone then.
    bool take(std::string_view modifier);
    /// The modifiers that change nothing here.
    void ignore(std::initializer_list<std::string_view> modifiers);
    /// Ends the execution: this form of the instruction is not known.
    [[noreturn]] void refuse(std::string_view why = {}) const;
    /// Refuses where a modifier or an operand is left.
    void finish() const;

    bool more() const { return next_ < operands_.size(); }
    const MachineOperand& peek() const;
    MachineOperand next();

    /// The next operand as the target; then as predicates that are set.
    void target(Step& step);
    /// As many predicates as stand next, at most two; where `shared` one may be left for the tests.
    void set(Step& step, std::size_t most = 2);
    enum class Type { integer, single, two_halves, double_high, long_integer };
    Source source(Type type = Type::integer);
    Predicate test();
    Address address();
    std::uint32_t label();
    std::uint64_t literal();

    const Launch& launch;
    const MachineInstruction& instruction;

private:
    Source constant(const MachineOperand& operand) const;
    std::uint64_t place(const MachineOperand& operand) const;

    std::string_view name_;
    std::vector<std::string_view> modifiers_;
    std::vector<MachineOperand> operands_;
    std::size_t next_ = 0;
};

using Decoder = void (*)(Decoding&, Step&);
/// By the operation's name; null for one that is not known. Each of these is one file's.
Decoder integer_decoder(std::string_view name);
Decoder float_decoder(std::string_view name);
Decoder conversion_decoder(std::string_view name);
Decoder half_decoder(std::string_view name);
Decoder move_decoder(std::string_view name);
Decoder memory_decoder(std::string_view name);
Decoder control_decoder(std::string_view name);
Decoder warp_decoder(std::string_view name);
Decoder texture_decoder(std::string_view name);
Decoder matrix_decoder(std::string_view name);

Step decode(const MachineInstruction& instruction, const Launch& launch);
/// The predicate that an instruction is executed under.
Predicate guard_of(const MachineInstruction& instruction, const Launch& launch);

/// The lanes in which a quotient (FCHK) takes the short way, whose steps stay within the range of normal numbers, by a
/// margin of so many binary exponents.
std::uint32_t short_quotients(const Warp& warp, const Step& step, int margin);

// -- what is varied -----------------------------------------------------------------------------------------------

/// A number below `end` by lot; only where something is varied.
std::uint64_t draw(Launch& launch, std::uint64_t end);
/// Has the step's result varied where a GPU's may differ from ours in its last places, or unfused arithmetic would;
/// `of_quotient`: it is a step of a division, which nobody has unfused.
void vary(Launch& launch, const MachineInstruction& instruction, Step& step, bool of_quotient);
/// Has the step follow what is in doubt. Of each step in turn.
void follow_doubts(Launch& launch, const MachineInstruction& instruction, Step& step);

// -- going on -----------------------------------------------------------------------------------------------------

/// Sends the lanes of the current group that `lanes` names to a step, the others to the one behind it. Both may be all.
void branch(Warp& warp, std::uint32_t lanes, std::uint32_t to);
/// Lets go on whoever waited for lanes that have come or will not come.
void release(Warp& warp);

}  // namespace lanework::machine
