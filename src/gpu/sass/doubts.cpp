// Where values go that a GPU may hold otherwise: from memory that is in doubt through registers, predicates and all
// memories, lane by lane. What they never decide, a branch, whether memory is accessed, or where, is the same on a GPU
// whatever it holds.
//
// A value counts as in doubt where anything is that it was computed from. What a branch in doubt would have another
// lane do is not followed: such a run says so, and another one turns comparisons round.
#include <algorithm>
#include <bit>
#include <cmath>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

// A matrix takes so many registers at most.
constexpr unsigned kMatrix = 8;

bool has(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

bool loads_constant(std::string_view name) { return name.starts_with("LDC") || name.starts_with("ULDC"); }
bool is_uniform(unsigned number) {
    return (number >= kUniformsBegin && number < kPredicatesBegin) || number >= kUniformPredicatesBegin;
}

/// Registers side by side that a source or the target may be, and those that the target is for certain.
struct Width {
    unsigned source, target, certain;
};
Width width_of(const Step& step, std::string_view name, Pipe pipe) {
    if (pipe == Pipe::matrix || name.starts_with("LDSM") || name.starts_with("MOVM")) return {kMatrix, kMatrix, 1};
    const unsigned words = std::max(1u, step.bytes / 4u);
    if (pipe == Pipe::memory || loads_constant(name)) return {words, words, words};
    const bool two = pipe == Pipe::double_precision || has(name, ".WIDE");
    const bool maybe = two || (has(name, "64") && !has(name, "SHF"));
    return {maybe ? 2u : 1u, maybe || step.bytes == 8 ? 2u : 1u, two ? 2u : 1u};
}

void add_registers(Registers& registers, const Source& source, unsigned width) {
    const unsigned zero = source.from == Source::From::uniform ? kZeroUniform : kZeroRegister;
    const unsigned kind = source.from == Source::From::uniform ? kUniformsBegin : 0;
    if (source.from == Source::From::value) return;
    for (unsigned i = source.index; i < source.index + width && i < zero; ++i) registers.set(kind + i);
}
void add_predicate(Registers& registers, const Predicate& predicate) {
    if (predicate.index != kTruePredicate)
        registers.set((predicate.uniform ? kUniformPredicatesBegin : kPredicatesBegin) + predicate.index);
}
void add_all_predicates(Registers& registers) {
    for (unsigned i = 0; i < kTruePredicate; ++i) registers.set(kPredicatesBegin + i);
}
void add_address(Registers& registers, const Address& address) {
    const Source::From reg = Source::From::reg, uniform = Source::From::uniform;
    add_registers(registers, {.from = reg, .index = address.base}, address.wide ? 2 : 1);
    add_registers(registers, {.from = uniform, .index = address.uniform_base},
                  address.uniform_base == kZeroUniform ? 1 : 2);
}

std::vector<std::uint16_t> list_of(const Registers& registers) {
    std::vector<std::uint16_t> list;
    for (unsigned i = 0; i < kAllRegisters; ++i)
        if (registers.test(i)) list.push_back(static_cast<std::uint16_t>(i));
    return list;
}

std::uint32_t in_doubt(const Warp& warp, const std::vector<std::uint16_t>& registers) {
    std::uint32_t lanes = 0;
    for (const std::uint16_t each : registers) lanes |= warp.doubtful[each];
    return lanes;
}

bool takes_parameter(const MachineInstruction& instruction, const MachineLaunch& about) {
    if (!about.doubtful_parameters) return false;
    return std::ranges::any_of(parse_operands(instruction.operands), [](const MachineOperand& operand) {
        return operand.is(MachineOperand::Kind::constant) && operand.index == 0;
    });
}

/// Turns the comparison round for one lane in eight of those that are in doubt.
void turn_round(Warp& warp, const Step& step, std::uint32_t lanes) {
    constexpr std::uint64_t kWords = std::uint64_t{1} << 32;
    Launch& launch = *warp.block->launch;
    for (unsigned half = 0; half < 3; ++half) lanes &= static_cast<std::uint32_t>(draw(launch, kWords));
    for (const Predicate& set : step.set) {
        if (set.index == kTruePredicate) continue;
        if (!set.uniform)
            warp.predicate[set.index] ^= lanes;
        else if (lanes & kUniformLane)
            warp.upredicate[set.index] = ~warp.upredicate[set.index];
    }
}

/// Lanes of a quotient whose numbers are in doubt, but go the same way: rounding alone leaves them in doubt, which
/// does not bring an exponent there where the long way begins, unless nearly all of a number is rounding. Whether that
/// is so, a run tells that shakes such numbers.
std::uint32_t surely_short(const Warp& warp, const Step& step) {
    constexpr int kMargin = 16;
    if (warp.block->launch->doubts != DoubtfulMemory::rounding) return 0;
    return short_quotients(warp, step, kMargin);
}

/// Other last places for the words that were loaded, where they look like floats or like a part of a double.
void shake(Warp& warp, const Step& step, std::uint32_t lanes) {
    constexpr std::uint64_t kMostBits = 12;  // of 24, or of a double's upper word
    constexpr float kLeast = 1e-30f;         // less looks like an integer
    Launch& launch = *warp.block->launch;
    for (unsigned word = 0; word < std::max(1u, step.bytes / 4u); ++word)
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            std::uint32_t& bits = warp.reg[step.target + word][static_cast<unsigned>(std::countr_zero(left))];
            const float size = std::fabs(bits_as<float>(bits));
            if (!(size > kLeast) || !std::isfinite(size)) continue;
            const std::uint64_t reach = std::uint64_t{1} << draw(launch, kMostBits);
            bits += static_cast<std::uint32_t>(draw(launch, 2 * reach + 1) - reach);
        }
}

// -- memory -----------------------------------------------------------------------------------------------------------

/// The bytes of shared memory, or of a lane's own, that are in doubt, a flag each; null for global memory.
std::vector<std::uint8_t>* flags_of(Warp& warp, MachineSpace space) {
    Block& block = *warp.block;
    if (space == MachineSpace::shared) {
        block.doubtful_shared.resize(block.shared.size());
        return &block.doubtful_shared;
    }
    warp.doubtful_local.resize(warp.local.size());
    return &warp.doubtful_local;
}

/// Where a lane's access lies among the flags.
std::uint64_t offset_of(const Launch& launch, MachineSpace space, std::uint64_t address, unsigned lane) {
    if (space == MachineSpace::shared) return address >= kSharedWindow ? address - kSharedWindow : address;
    return std::uint64_t{lane} * launch.stack_bytes + (address >= kLocalWindow ? address - kLocalWindow : address);
}

bool holds_doubt(Warp& warp, const MachineAccess& access, std::uint64_t address, unsigned lane) {
    Launch& launch = *warp.block->launch;
    const UnorderedWords* const unordered = launch.about.unordered;
    if (access.space == MachineSpace::global)
        return launch.about.doubtful->why(address, access.bytes) != 0 ||
               (unordered &&
                (unordered->left.why(address, access.bytes) | unordered->found.why(address, access.bytes)));
    if (unordered && access.space == MachineSpace::shared &&
        unordered->shared.why(offset_of(launch, access.space, address, lane), access.bytes) != 0)
        return true;
    const std::vector<std::uint8_t>& flags = *flags_of(warp, access.space);
    const std::uint64_t at = offset_of(launch, access.space, address, lane);
    const auto first = flags.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(at, flags.size()));
    const auto end =
        flags.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(at + access.bytes, flags.size()));
    return std::find(first, end, 1) != end;
}

void keep_doubt(Warp& warp, const MachineAccess& access, std::uint64_t address, unsigned lane, bool doubtful,
                bool stray) {
    Launch& launch = *warp.block->launch;
    if (access.space == MachineSpace::global) {
        DoubtfulMemory& memory = *launch.about.doubtful;
        if (stray) {
            // It may have gone to another place of the same array.
            const MachineArray array = launch.world.array(address);
            memory.add(launch.doubts, array.base, array.bytes);
        }
        if (doubtful)
            memory.add(launch.doubts, address, access.bytes);
        else if (!stray)
            memory.remove(address, access.bytes);
        return;
    }
    std::vector<std::uint8_t>& flags = *flags_of(warp, access.space);
    if (stray) {
        std::ranges::fill(flags, 1);
        return;
    }
    const std::uint64_t at = offset_of(launch, access.space, address, lane);
    for (std::uint64_t i = at; i < std::min<std::uint64_t>(at + access.bytes, flags.size()); ++i) flags[i] = doubtful;
}

// -- instructions ---------------------------------------------------------------------------------------------------

void follow(Warp& warp, const Step& step, std::uint32_t lanes) {
    Launch& launch = *warp.block->launch;
    const Flow& flow = launch.flows[step.index];
    const std::uint32_t here = warp.group().lanes;
    const std::uint32_t guard = in_doubt(warp, flow.guard) & here, places = in_doubt(warp, flow.address) & lanes;
    std::uint32_t doubtful = in_doubt(warp, flow.reads) & here;
    if (flow.takes_parameter) doubtful = here;
    if (flow.checks_quotient && (doubtful & lanes) != 0) {
        const std::uint32_t same = surely_short(warp, step);
        launch.run.doubts.quotients |= (doubtful & lanes & same) != 0;
        doubtful &= ~same;
    }
    MachineDoubts& found = launch.run.doubts;
    found.course = found.course || (flow.steers && (guard | doubtful) != 0) || (flow.accesses && guard != 0);
    found.places = found.places || places != 0;
    launch.run.counts[step.index].doubtful_places += places != 0 ? 1 : 0;
    if (flow.crosses_lanes && doubtful != 0) doubtful = kAll;

    launch.told = {};
    if (step.steers || lanes != 0) flow.action(warp, step, lanes);
    if (step.steers) return;
    if (flow.compares && launch.about.variation.turns_doubts && launch.lot != 0)
        turn_round(warp, step, doubtful & lanes);

    if (launch.told != LanesTold{}) {
        MachineAccess& access = launch.last;
        const bool loads = access.kind == MachineAccessKind::load;
        std::uint32_t loaded = 0;
        for (std::size_t space = 0; space < launch.told.size(); ++space) {
            access.space = static_cast<MachineSpace>(space);
            for (std::uint32_t left = launch.told[space]; left != 0; left &= left - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(left));
                const std::uint32_t bit = 1u << lane;
                const bool held = access.kind != MachineAccessKind::store &&
                                  holds_doubt(warp, access, launch.last_address[lane], lane);
                if (held) loaded |= bit;
                if (!loads)
                    keep_doubt(warp, access, launch.last_address[lane], lane, held || ((doubtful | guard) & bit) != 0,
                               (places & bit) != 0);
            }
        }
        doubtful |= loaded | places;
        if (flow.crosses_lanes && doubtful != 0) doubtful = kAll;
        if (loads && !flow.copies && launch.about.variation.shakes_doubts &&
            launch.doubts == DoubtfulMemory::rounding && step.target != kZeroRegister && !step.uniform_target)
            shake(warp, step, loaded);
        // A copy to shared memory does not say where it goes.
        if (flow.copies && doubtful != 0) std::ranges::fill(*flags_of(warp, MachineSpace::shared), 1);
    }
    if (flow.fetches) doubtful = lanes;  // what textures hold is not followed
    for (const std::uint16_t each : flow.certain) warp.doubtful[each] &= is_uniform(each) && lanes != 0 ? 0 : ~lanes;
    const std::uint32_t written = (doubtful & lanes) | guard;
    for (const std::uint16_t each : flow.writes)
        warp.doubtful[each] |= is_uniform(each) && written != 0 ? kAll : written;
}

}  // namespace

void follow_doubts(Launch& launch, const MachineInstruction& instruction, Step& step) {
    const std::string_view name = instruction.name;
    const Pipe pipe = pipe_of(instruction);
    const Width width = width_of(step, name, pipe);
    Registers reads, writes, certain, guard, address;
    add_predicate(guard, step.guard);
    for (std::size_t i = 0; i < step.source.size(); ++i)
        add_registers(reads, step.source[i], has(name, ".WIDE") && i < 2 ? 1 : width.source);
    for (const Predicate& test : step.test) add_predicate(reads, test);
    const Source::From kind = step.uniform_target ? Source::From::uniform : Source::From::reg;
    add_registers(writes, {.from = kind, .index = step.target}, width.target);
    add_registers(certain, {.from = kind, .index = step.target}, width.certain);
    for (const Predicate& set : step.set) {
        add_predicate(writes, set);
        add_predicate(certain, set);
    }
    add_address(loads_constant(name) ? reads : address, step.address);
    if (pipe == Pipe::matrix || name.starts_with("MOVM"))
        for (const MachineOperand& operand : parse_operands(instruction.operands))
            if (operand.is(MachineOperand::Kind::reg))
                add_registers(reads, {.from = Source::From::reg, .index = static_cast<std::uint8_t>(operand.index)},
                              kMatrix);
    const bool fetches = name.starts_with("TEX") || name.starts_with("TLD");
    if (fetches) {
        add_registers(writes, {.from = kind, .index = step.target}, 2);
        add_registers(writes, {.from = kind, .index = static_cast<std::uint8_t>(step.to)}, 2);
        certain.reset();
    }
    if (name.starts_with("R2P")) add_all_predicates(writes);
    if (name.starts_with("P2R")) add_all_predicates(reads);
    const bool copies = name.starts_with("LDGSTS");
    launch.flows.push_back({.action = step.action,
                            .reads = list_of(reads),
                            .writes = list_of(writes),
                            .certain = list_of(certain),
                            .guard = list_of(guard),
                            .address = list_of(address),
                            .steers = step.steers,
                            .accesses = pipe == Pipe::memory && !loads_constant(name) && !name.starts_with("SHFL"),
                            .compares = has(name, "SETP") || name.starts_with("FCHK"),
                            .checks_quotient = name.starts_with("FCHK"),
                            .copies = copies,
                            .fetches = fetches,
                            .crosses_lanes = step.uniform_target || pipe == Pipe::matrix || name.starts_with("SHFL") ||
                                             name.starts_with("VOTE") || name.starts_with("MATCH") ||
                                             name.starts_with("LDSM") || name.starts_with("MOVM"),
                            .takes_parameter = takes_parameter(instruction, launch.about)});
    step.action = follow;
}

}  // namespace lanework::machine
