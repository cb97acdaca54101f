// Loads, stores and atomic operations, lane by lane; each reports the addresses of its lanes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

using Kind = MachineAccessKind;
using Addresses = std::array<std::uint64_t, kWarp>;

enum Flag : std::uint32_t {
    kSignExtend = 1,
    kGeneric = 2,
    kZeroFill = 4,
    kExtended = 8,
    kReadsOnly = 16,
    kTransposed = 32
};

// -- addresses ------------------------------------------------------------------------------------------------------

void find_addresses(const Warp& warp, const Address& at, bool long_addresses, Addresses& out) {
    std::uint64_t common = static_cast<std::uint64_t>(at.offset);
    if (at.uniform_base != kZeroUniform) {
        common += warp.uniform[at.uniform_base];
        if (long_addresses) common += std::uint64_t{warp.uniform[at.uniform_base + 1]} << 32;
    }
    if (at.base == kZeroRegister) {
        out.fill(common);
    } else if (at.wide) {
        const Words &low = warp.reg[at.base], &high = warp.reg[at.base + 1];
        for (unsigned i = 0; i < kWarp; ++i) out[i] = (low[i] | std::uint64_t{high[i]} << 32) * at.scale + common;
    } else {
        const Words& low = warp.reg[at.base];
        for (unsigned i = 0; i < kWarp; ++i) out[i] = std::uint64_t{low[i]} * at.scale + common;
    }
    if (!long_addresses)
        for (std::uint64_t& address : out) address &= kAll;
}

/// The memory of an access, and the space that a generic address lies in.
struct Place {
    std::byte* bytes;
    MachineSpace space;
};

[[noreturn]] void outside(const Step& step, std::uint64_t address, std::string_view memory) {
    throw Unsupported(
        fmt::format("instruction {} accesses {:#x}, where there is no {} memory", step.index, address, memory));
}

Place place_of(Warp& warp, const Step& step, MachineSpace space, std::uint64_t address, unsigned lane) {
    Launch& launch = *warp.block->launch;
    if (step.flags & kGeneric) {
        if (address - kSharedWindow < kWindowBytes) {
            space = MachineSpace::shared;
            address -= kSharedWindow;
        } else if (address - kLocalWindow < kWindowBytes) {
            space = MachineSpace::local;
            address -= kLocalWindow;
        }
    }
    if (space == MachineSpace::shared) {
        auto& shared = warp.block->shared;
        if (address + step.bytes > shared.size()) outside(step, address, "shared");
        return {shared.data() + address, space};
    }
    if (space == MachineSpace::local) {
        if (address + step.bytes > launch.stack_bytes) outside(step, address, "local");
        return {warp.local.data() + std::size_t{lane} * launch.stack_bytes + address, space};
    }
    std::uint64_t offset = address - launch.known_base;
    if (offset + step.bytes > launch.known.size() || offset + step.bytes < offset) {
        const std::uint64_t into = address - kMeetingPlace;
        launch.known =
            into < launch.meeting.size() ? std::span(launch.meeting).subspan(into) : launch.world.global(address);
        launch.known_base = address;
        offset = 0;
        if (launch.known.size() < step.bytes) {
            launch.known = {};
            if (!(step.flags & kReadsOnly) || !launch.world.beside_memory(address)) outside(step, address, "global");
            launch.beside = {};
            return {launch.beside.data(), space};
        }
    }
    return {launch.known.data() + offset, space};
}

void tell(Warp& warp, const Step& step, MachineSpace space, Kind kind, std::uint32_t lanes, const Addresses& address) {
    if (lanes == 0) return;
    Launch& launch = *warp.block->launch;
    launch.world.accessed({step.index, space, kind, step.bytes, lanes, address, warp.block->number, warp.number});
    if (!launch.about.doubtful) return;
    launch.told[static_cast<std::size_t>(space)] = lanes;
    launch.last_address = address;
    launch.last.kind = kind;
    launch.last.bytes = step.bytes;
}

/// Whose access to global or shared memory it is, and where; nothing where nobody looks for accesses in no order.
struct OrderedAccess {
    AccessOrder& order;
    bool shared;
    std::uint64_t address;
    Accessor accessor;
};
std::optional<OrderedAccess> ordered_access(const Warp& warp, const Place& place, std::uint64_t address) {
    const Block& block = *warp.block;
    const Launch& launch = *block.launch;
    if (!launch.order || place.space == MachineSpace::local || address - kMeetingPlace < kWindowBytes) return {};
    const bool shared = place.space == MachineSpace::shared;
    if (shared) address = static_cast<std::uint64_t>(place.bytes - block.shared.data());
    return OrderedAccess{*launch.order, shared, address, {block.number, warp.number, block.met, launch.executed}};
}

/// The lanes of an access by the space that each one's address lies in. Where generic addresses of loads reach shared
/// memory and stacks, an H100 counts a request to each: measured of single bytes, and taken to hold up to a word of a
/// bank. How it counts other mixtures was not measured.
class LanesBySpace {
public:
    void add(MachineSpace space, unsigned lane) { lanes_[static_cast<std::size_t>(space)] |= 1u << lane; }
    void tell(Warp& warp, const Step& step, Kind kind, const Addresses& address) const {
        const bool mixed = lanes_.size() - static_cast<std::size_t>(std::ranges::count(lanes_, 0U)) > 1;
        const bool measured =
            kind == Kind::load && step.bytes <= 4 && lanes_[static_cast<std::size_t>(MachineSpace::global)] == 0;
        if (mixed && !measured)
            throw Unsupported(
                fmt::format("instruction {} reaches several kinds of memory at once, and how a GPU counts that "
                            "is not known here",
                            step.index));
        for (std::size_t space = 0; space < lanes_.size(); ++space)
            machine::tell(warp, step, static_cast<MachineSpace>(space), kind, lanes_[space], address);
    }

private:
    LanesTold lanes_{};
};

// -- loads and stores -----------------------------------------------------------------------------------------------

std::uint32_t extended(std::uint32_t value, const Step& step) {
    if (!(step.flags & kSignExtend)) return value;
    return step.bytes == 1 ? static_cast<std::uint32_t>(std::int32_t{static_cast<std::int8_t>(value)})
                           : static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(value)});
}

template <MachineSpace Space>
void load(Warp& warp, const Step& step, std::uint32_t lanes) {
    Addresses address;
    find_addresses(warp, step.address, Space == MachineSpace::global, address);
    std::array<Words, 4> value;
    LanesBySpace lanes_of;
    const unsigned words = std::max(1u, step.bytes / 4u);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const Place place = place_of(warp, step, Space, address[lane], lane);
        lanes_of.add(place.space, lane);
        if (const auto at = ordered_access(warp, place, address[lane]))
            at->order.load(at->shared, at->address, step.bytes, at->accessor);
        if (step.bytes < 4) {
            std::uint32_t narrow = 0;
            std::memcpy(&narrow, place.bytes, step.bytes);
            value[0][lane] = extended(narrow, step);
            continue;
        }
        std::uint32_t loaded[4];
        std::memcpy(loaded, place.bytes, step.bytes);
        for (unsigned word = 0; word < words; ++word) value[word][lane] = loaded[word];
    }
    lanes_of.tell(warp, step, Kind::load, address);
    for (unsigned word = 0; word < words; ++word) put(warp, step, value[word], lanes, word);
}

template <MachineSpace Space>
void store(Warp& warp, const Step& step, std::uint32_t lanes) {
    Addresses address;
    find_addresses(warp, step.address, Space == MachineSpace::global, address);
    std::array<Words, 4> spare;
    std::array<const Words*, 4> value{};
    const unsigned words = std::max(1u, step.bytes / 4u);
    for (unsigned word = 0; word < words; ++word) value[word] = &raw(warp, step.source[0], spare[word], word);
    LanesBySpace lanes_of;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const Place place = place_of(warp, step, Space, address[lane], lane);
        lanes_of.add(place.space, lane);
        std::uint32_t stored[4];
        for (unsigned word = 0; word < words; ++word) stored[word] = (*value[word])[lane];
        if (const auto at = ordered_access(warp, place, address[lane]))
            at->order.store(at->shared, at->address, step.bytes, at->accessor, place.bytes, stored);
        std::memcpy(place.bytes, stored, step.bytes);
    }
    lanes_of.tell(warp, step, Kind::store, address);
}

void take_width(Decoding& d, Step& step) {
    struct Named {
        std::string_view name;
        unsigned bytes;
        bool is_signed;
    };
    constexpr Named kNamed[] = {{"U8", 1, false}, {"S8", 1, true},  {"U16", 2, false},
                                {"S16", 2, true}, {"64", 8, false}, {"128", 16, false}};
    for (const Named& named : kNamed)
        if (d.take(named.name)) {
            step.bytes = static_cast<std::uint8_t>(named.bytes);
            if (named.is_signed) step.flags |= kSignExtend;
        }
    if (d.take("E")) step.flags |= kExtended;
    d.ignore({"32", "U", "EF", "EL", "LU", "CONSTANT", "STRONG", "WEAK", "GPU", "SM", "SYS", "CTA", "NA", "LTC64B",
              "LTC128B", "LTC256B", "MMIO", "RELAXED", "PRIVATE"});
}
/// An extended address has 64 bits, also where nvdisasm leaves .64 out: "ATOMG.E.CAS PT, R2, [R4], R6, R7".
void take_address(Decoding& d, Step& step) {
    step.address = d.address();
    if (step.flags & kExtended && step.address.uniform_base == kZeroUniform) step.address.wide = true;
}
template <MachineSpace Space, bool Generic = false>
void decode_load(Decoding& d, Step& step) {
    step.action = load<Space>;
    step.flags |= kReadsOnly;
    if (Generic) step.flags |= kGeneric;
    take_width(d, step);
    d.target(step);
    take_address(d, step);
}
template <MachineSpace Space, bool Generic = false>
void decode_store(Decoding& d, Step& step) {
    step.action = store<Space>;
    if (Generic) step.flags |= kGeneric;
    take_width(d, step);
    take_address(d, step);
    step.source[0] = d.source();
}

// -- matrices of 8 rows of 16 bytes -----------------------------------------------------------------------------------

// `variant` of them, at what so many groups of 8 lanes name; `flags` & kTransposed: rows and columns are exchanged.
void load_matrices(Warp& warp, const Step& step, std::uint32_t) {
    constexpr unsigned kRows = 8;
    Addresses address;
    find_addresses(warp, step.address, false, address);
    const unsigned rows = kRows * step.variant;
    std::array<std::array<std::uint16_t, kRows>, kWarp> half;
    for (unsigned row = 0; row < rows; ++row) {
        const Place place = place_of(warp, step, MachineSpace::shared, address[row], row);
        if (const auto at = ordered_access(warp, place, address[row]))
            at->order.load(at->shared, at->address, step.bytes, at->accessor);
        std::memcpy(half[row].data(), place.bytes, step.bytes);
    }
    tell(warp, step, MachineSpace::shared, Kind::load, rows == kWarp ? kAll : (1u << rows) - 1, address);
    for (unsigned matrix = 0; matrix < step.variant; ++matrix) {
        Words result;
        for (unsigned lane = 0; lane < kWarp; ++lane) {
            // Lane 4g + t gets two halves of row g, or of column g.
            const unsigned group = lane / 4, first = 2 * (lane % 4), begin = kRows * matrix;
            const bool by_columns = step.flags & kTransposed;
            const std::uint32_t low = by_columns ? half[begin + first][group] : half[begin + group][first];
            const std::uint32_t high = by_columns ? half[begin + first + 1][group] : half[begin + group][first + 1];
            result[lane] = low | high << 16;
        }
        put(warp, step, result, kAll, matrix);
    }
}
void decode_load_matrices(Decoding& d, Step& step) {
    step.action = load_matrices;
    step.bytes = 16;
    if (d.take("MT88"))
        step.flags |= kTransposed;
    else if (!d.take("M88"))
        d.refuse();
    if (!d.take("16")) d.refuse();
    step.variant = d.take("4") ? 4 : d.take("2") ? 2 : 1;
    d.target(step);
    step.address = d.address();
}

// -- copies from global to shared memory ----------------------------------------------------------------------------

// `source[0]` and `variant` are the shared side's register and offset.
void copy(Warp& warp, const Step& step, std::uint32_t lanes) {
    Addresses from, to;
    find_addresses(warp, step.address, true, from);
    const Address target{step.source[0].index, static_cast<std::uint8_t>(step.barrier), false, 1,
                         static_cast<std::int32_t>(step.variant)};
    find_addresses(warp, target, false, to);
    const std::uint32_t whole = step.flags & kZeroFill ? warp.test(step.test[0]) & lanes : lanes;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const Place into = place_of(warp, step, MachineSpace::shared, to[lane], lane);
        std::array<std::byte, 16> copied{};
        if (whole >> lane & 1) {
            const Place found = place_of(warp, step, MachineSpace::global, from[lane], lane);
            if (const auto at = ordered_access(warp, found, from[lane]))
                at->order.load(at->shared, at->address, step.bytes, at->accessor);
            std::memcpy(copied.data(), found.bytes, step.bytes);
        }
        if (const auto at = ordered_access(warp, into, to[lane]))
            at->order.store(at->shared, at->address, step.bytes, at->accessor, into.bytes, copied.data());
        std::memcpy(into.bytes, copied.data(), step.bytes);
    }
    tell(warp, step, MachineSpace::global, Kind::load, whole, from);
}
void decode_copy(Decoding& d, Step& step) {
    step.action = copy;
    take_width(d, step);
    d.ignore({"BYPASS", "ACCESS"});
    if (d.take("ZFILL")) step.flags |= kZeroFill;
    const Address target = d.address();
    step.source[0].index = target.base;
    step.barrier = target.uniform_base;
    step.variant = static_cast<std::uint32_t>(target.offset);
    step.address = d.address();
    if (d.more()) step.test[0] = d.test();
}

// -- constants --------------------------------------------------------------------------------------------------------

void load_constant(Warp& warp, const Step& step, std::uint32_t lanes) {
    Addresses address;
    find_addresses(warp, step.address, false, address);
    const std::span<const std::byte> bank = warp.block->launch->bank(step.variant);
    std::array<Words, 2> value;
    if (step.uniform_target) lanes &= 0 - lanes;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (address[lane] + step.bytes > bank.size()) outside(step, address[lane], "constant");
        std::uint32_t loaded[2] = {0, 0};
        std::memcpy(loaded, bank.data() + address[lane], step.bytes);
        value[0][step.uniform_target ? 0 : lane] = step.bytes < 4 ? extended(loaded[0], step) : loaded[0];
        value[1][step.uniform_target ? 0 : lane] = loaded[1];
    }
    put(warp, step, value[0], lanes);
    if (step.bytes == 8) put(warp, step, value[1], lanes, 1);
}
void decode_load_constant(Decoding& d, Step& step) {
    step.action = load_constant;
    take_width(d, step);
    if (step.bytes > 8) d.refuse();
    d.target(step);
    const MachineOperand operand = d.next();
    if (!operand.is(MachineOperand::Kind::constant) || !Launch::has_bank(operand.index))
        d.refuse("a constant of a bank that is not known here");
    step.variant = operand.index;
    step.address = {static_cast<std::uint8_t>(operand.base), static_cast<std::uint8_t>(operand.uniform_base), false, 1,
                    operand.offset};
}

// -- atomic operations ----------------------------------------------------------------------------------------------

constexpr std::uint32_t kAdd = 0, kLeast = 1, kGreatest = 2, kAnd = 3, kOr = 4, kXor = 5, kExchange = 6, kIncrement = 7,
                        kDecrement = 8, kCompare = 9;
constexpr std::uint32_t kSigned = 16, kFloat = 32, kTwoHalves = 64, kTwoBfloats = 128;
constexpr std::uint32_t kTellsSuccess = 1 << 8, kCountsLanes = 1 << 9;

/// Two sums of 16 bits each.
std::uint32_t sum_of_pairs(std::uint32_t variant, std::uint32_t a, std::uint32_t b) {
    const bool brain = variant & kTwoBfloats;
    std::uint32_t sums = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        const auto x = static_cast<std::uint16_t>(a >> shift), y = static_cast<std::uint16_t>(b >> shift);
        const std::uint16_t sum = brain ? bfloat_bits(double{bfloat_value(x)} + double{bfloat_value(y)})
                                        : half_bits(double{half_value(x)} + double{half_value(y)});
        sums |= std::uint32_t{sum} << shift;
    }
    return sums;
}

std::uint64_t after(std::uint32_t variant, unsigned bytes, std::uint64_t old, std::uint64_t operand) {
    const bool is_signed = variant & kSigned;
    const auto less = [&](std::uint64_t a, std::uint64_t b) {
        if (!is_signed) return a < b;
        return bytes == 8 ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b)
                          : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    };
    switch (variant & 15) {
        case kAdd:
            if (variant & (kTwoHalves | kTwoBfloats))
                return sum_of_pairs(variant, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(operand));
            if (variant & kFloat)
                return bytes == 8 ? bits_as<std::uint64_t>(bits_as<double>(old) + bits_as<double>(operand))
                                  : bits_as<std::uint32_t>(bits_as<float>(static_cast<std::uint32_t>(old)) +
                                                           bits_as<float>(static_cast<std::uint32_t>(operand)));
            return old + operand;
        case kLeast: return less(operand, old) ? operand : old;
        case kGreatest: return less(old, operand) ? operand : old;
        case kAnd: return old & operand;
        case kOr: return old | operand;
        case kXor: return old ^ operand;
        case kExchange: return operand;
        case kIncrement: return old >= operand ? 0 : old + 1;
        default: return old == 0 || old > operand ? operand : old - 1;
    }
}

/// The lane of `left` whose turn it is. Which order a GPU takes is not documented: it is varied.
unsigned next_of(Launch& launch, std::uint32_t left) {
    if (launch.lot != 0)
        for (auto skip = draw(launch, static_cast<unsigned>(std::popcount(left))); skip != 0; --skip) left &= left - 1;
    return static_cast<unsigned>(std::countr_zero(left));
}

/// A compare-and-swap that spins may refuse a lane whose word another lane of the instruction has just had, though it
/// holds what is expected. An H100 does so for some: which is not documented, and varied.
bool is_refused(Warp& warp, const Addresses& address, unsigned lane, std::uint32_t came) {
    Launch& launch = *warp.block->launch;
    if (launch.lot == 0) return false;
    for (; came != 0; came &= came - 1)
        if (address[static_cast<unsigned>(std::countr_zero(came))] == address[lane]) return draw(launch, 2) == 0;
    return false;
}

template <MachineSpace Space>
void update(Warp& warp, const Step& step, std::uint32_t lanes) {
    Addresses address;
    find_addresses(warp, step.address, Space == MachineSpace::global, address);
    Longs operand{}, replacement{}, result{};
    const auto read = [&](const Source& source, Longs& out) {
        if (step.bytes == 8) return longs(warp, source, out);
        Words spare;
        std::ranges::copy(integers(warp, source, spare), out.begin());
    };
    read(step.source[0], operand);
    if ((step.variant & 15) == kCompare) read(step.source[1], replacement);
    if (step.variant & kCountsLanes) operand.fill(1);
    if (step.set[0].index != kTruePredicate) {
        // It says which lanes it was done for: those whose address is no other memory's than global.
        const std::uint32_t done = mask_of([&](unsigned i) { return address[i] < kLocalWindow; });
        warp.set(step.set[0], done, lanes);
        lanes &= done;
    }
    LanesBySpace lanes_of;
    std::uint32_t came = 0;
    for (std::uint32_t left = lanes; left != 0;) {
        const unsigned lane = next_of(*warp.block->launch, left);
        left &= ~(1u << lane);
        const Place place = place_of(warp, step, Space, address[lane], lane);
        lanes_of.add(place.space, lane);
        std::uint64_t old = 0;
        std::memcpy(&old, place.bytes, step.bytes);
        const bool refused = step.variant & kTellsSuccess && is_refused(warp, address, lane, came);
        const bool equal = old == operand[lane] && !refused;
        came |= 1u << lane;
        const std::uint64_t fresh = (step.variant & 15) == kCompare
                                        ? equal ? replacement[lane] : old
                                        : after(step.variant, step.bytes, old, operand[lane]);
        if (const auto at = ordered_access(warp, place, address[lane]))
            at->order.update(at->shared, at->address, step.bytes, at->accessor, &old, &fresh);
        std::memcpy(place.bytes, &fresh, step.bytes);
        result[lane] = step.variant & kTellsSuccess ? std::uint64_t{equal} : old;
    }
    const bool reduces = step.target == kZeroRegister && Space == MachineSpace::global && step.to != 0;
    lanes_of.tell(warp, step, reduces ? Kind::reduction : Kind::atomic, address);
    if (step.bytes == 8 && step.target != kZeroRegister) return put_longs(warp, step, result, lanes);
    Words words;
    for (unsigned i = 0; i < kWarp; ++i) words[i] = static_cast<std::uint32_t>(result[i]);
    put(warp, step, words, lanes);
}

template <MachineSpace Space, bool Reduces, bool Generic = false>
void decode_update(Decoding& d, Step& step) {
    struct Named {
        std::string_view name;
        std::uint32_t operation;
    };
    constexpr Named kNamed[] = {{"ADD", kAdd},
                                {"MIN", kLeast},
                                {"MAX", kGreatest},
                                {"AND", kAnd},
                                {"OR", kOr},
                                {"XOR", kXor},
                                {"EXCH", kExchange},
                                {"INC", kIncrement},
                                {"DEC", kDecrement},
                                {"CAS", kCompare},
                                {"CAST", kCompare | kTellsSuccess}};
    step.action = update<Space>;
    if (Generic) step.flags |= kGeneric;
    if (Reduces) step.to = 1;
    if (d.take("POPC")) {
        if (!d.take("INC") || !d.take("32")) d.refuse();
        step.variant = kAdd | kCountsLanes;
    } else {
        const auto found = std::ranges::find_if(kNamed, [&](const Named& named) { return d.take(named.name); });
        if (found == std::end(kNamed)) d.refuse("its operation");
        step.variant = found->operation;
    }
    d.ignore({"SPIN", "RN", "FTZ", "U32"});
    if (d.take("S32")) step.variant |= kSigned;
    if (d.take("S64")) {
        step.variant |= kSigned;
        step.bytes = 8;
    }
    if (d.take("F16x2")) step.variant |= kTwoHalves;
    if (d.take("BF16x2")) step.variant |= kTwoBfloats;
    if (d.take("F32")) step.variant |= kFloat;
    if (d.take("F64")) {
        step.variant |= kFloat;
        step.bytes = 8;
    }
    if (d.take("64") || d.take("U64")) step.bytes = 8;
    take_width(d, step);
    if (step.bytes > 8) d.refuse();
    if (!Reduces) {
        d.set(step, 1);
        if (step.set[0].index != kTruePredicate && !Generic) d.refuse("a predicate that it sets");
        d.target(step);
        if (step.variant & kCountsLanes && step.target != kZeroRegister) d.refuse("its result");
    }
    take_address(d, step);
    if (!(step.variant & kCountsLanes)) step.source[0] = d.source();
    if ((step.variant & 15) == kCompare) step.source[1] = d.source();
}

}  // namespace

Decoder memory_decoder(std::string_view name) {
    using enum MachineSpace;
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"LDG", decode_load<global>},
        {"STG", decode_store<global>},
        {"LD", decode_load<global, true>},
        {"ST", decode_store<global, true>},
        {"LDS", decode_load<shared>},
        {"STS", decode_store<shared>},
        {"LDSM", decode_load_matrices},
        {"LDL", decode_load<local>},
        {"STL", decode_store<local>},
        {"LDC", decode_load_constant},
        {"ULDC", decode_load_constant},
        {"LDGSTS", decode_copy},
        {"ATOMG", decode_update<global, false>},
        {"ATOM", decode_update<global, false, true>},
        {"REDG", decode_update<global, true>},
        {"RED", decode_update<global, true, true>},
        {"ATOMS", decode_update<shared, false>},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine
