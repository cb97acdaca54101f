// Moves: registers, predicates, special registers, and between lanes and the uniform datapath.
#include <algorithm>
#include <bit>
#include <iterator>

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

void move(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    put(warp, step, integers(warp, step.source[0], spare), lanes);
}
void decode_move(Decoding& d, Step& step) {
    step.action = move;
    d.target(step);
    step.source[0] = d.source();
    if (d.more()) d.literal();  // which bytes are moved: all of them
}

// A uniform register takes the word of the first lane that is there; a predicate says whether all have it.
void move_to_uniform(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    const Words& words = integers(warp, step.source[0], spare);
    const std::uint32_t first = words[static_cast<unsigned>(std::countr_zero(lanes)) % kWarp];
    const bool one = (lanes & mask_of([&](unsigned i) { return words[i] != first; })) == 0;
    warp.set(step.set[0], one ? kAll : 0, lanes);
    if (step.target != kZeroUniform) warp.uniform[step.target] = first;
}
void decode_move_to_uniform(Decoding& d, Step& step) {
    step.action = move_to_uniform;
    d.set(step, 1);
    d.target(step);
    step.source[0] = d.source();
}

// -- special registers ------------------------------------------------------------------------------------------------

enum Special : std::uint32_t {
    kThreadX,
    kThreadY,
    kThreadZ,
    kBlockX,
    kBlockY,
    kBlockZ,
    kLane,
    kClusterRank,
    kZero,
    kEqualLanes,
    kLessLanes,
    kLessEqualLanes,
    kGreaterLanes,
    kGreaterEqualLanes,
    kWarp_,
    kSharedWindowHigh,
    kClock,
};

std::uint32_t special_value(const Warp& warp, std::uint32_t which, unsigned lane) {
    const Block& block = *warp.block;
    const auto& size = block.launch->about.block;
    const unsigned thread = warp.number * kWarp + lane;
    switch (which) {
        case kThreadX: return thread % size[0];
        case kThreadY: return thread / size[0] % size[1];
        case kThreadZ: return thread / size[0] / size[1];
        case kBlockX: return block.index[0];
        case kBlockY: return block.index[1];
        case kBlockZ: return block.index[2];
        case kLane: return lane;
        case kEqualLanes: return 1u << lane;
        case kLessLanes: return (1u << lane) - 1;
        case kLessEqualLanes: return kAll >> (31 - lane);
        case kGreaterLanes: return ~(kAll >> (31 - lane));
        case kGreaterEqualLanes: return kAll << lane;
        case kWarp_: return warp.number;
        case kClock: return static_cast<std::uint32_t>(block.launch->clock());
        case kSharedWindowHigh: return static_cast<std::uint32_t>(kSharedWindow >> 32);
        default: return 0;
    }
}
void read_special(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words words;
    for (unsigned i = 0; i < kWarp; ++i) words[i] = special_value(warp, step.variant, i);
    if (step.uniform_target) words[0] = words[static_cast<unsigned>(std::countr_zero(lanes)) % kWarp];
    put(warp, step, words, lanes);
    if (step.bytes != 8) return;
    words.fill(step.variant == kClock ? static_cast<std::uint32_t>(warp.block->launch->clock() >> 32) : 0);
    put(warp, step, words, lanes, 1);
}
void decode_read_special(Decoding& d, Step& step) {
    struct Named {
        std::string_view name;
        Special special;
    };
    constexpr Named kNamed[] = {
        {"SR_TID.X", kThreadX},
        {"SR_TID.Y", kThreadY},
        {"SR_TID.Z", kThreadZ},
        {"SR_CTAID.X", kBlockX},
        {"SR_CTAID.Y", kBlockY},
        {"SR_CTAID.Z", kBlockZ},
        {"SR_LANEID", kLane},
        {"SR_CgaCtaId", kClusterRank},
        {"SRZ", kZero},
        {"SR_EQMASK", kEqualLanes},
        {"SR_LTMASK", kLessLanes},
        {"SR_LEMASK", kLessEqualLanes},
        {"SR_GTMASK", kGreaterLanes},
        {"SR_GEMASK", kGreaterEqualLanes},
        {"SR_WARPID", kWarp_},
        {"SR_SWINHI", kSharedWindowHigh},
        {"SR_CLOCKLO", kClock},
        {"SR_GLOBALTIMERLO", kClock},
    };
    step.action = read_special;
    step.bytes = d.name() == "CS2R" && !d.take("32") ? 8 : 4;
    d.target(step);
    const MachineOperand operand = d.next();
    const auto found = std::ranges::find(kNamed, std::string_view(operand.text), &Named::name);
    if (!operand.is(MachineOperand::Kind::special) || found == std::end(kNamed)) d.refuse("its register");
    step.variant = found->special;
}

// -- predicates as bits of a register ---------------------------------------------------------------------------------

void predicates_to_register(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    Words words = integers(warp, step.source[0], spare);
    for (unsigned i = 0; i < kWarp; ++i) {
        std::uint32_t bits = 0;
        for (unsigned p = 0; p < kTruePredicate; ++p) bits |= (warp.predicate[p] >> i & 1) << p;
        words[i] = (words[i] & ~step.variant) | (bits & step.variant);
    }
    put(warp, step, words, lanes);
}
void decode_predicates_to_register(Decoding& d, Step& step) {
    step.action = predicates_to_register;
    d.target(step);
    if (!d.next().is(MachineOperand::Kind::predicates)) d.refuse();
    step.source[0] = d.source();
    step.variant = static_cast<std::uint32_t>(d.literal());
}
void register_to_predicates(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    const Words& words = integers(warp, step.source[0], spare);
    for (unsigned p = 0; p < kTruePredicate; ++p)
        if (step.variant >> p & 1)
            warp.set({static_cast<std::uint8_t>(p), false, false},
                     mask_of([&](unsigned i) { return (words[i] >> p & 1) != 0; }), lanes);
}
void decode_register_to_predicates(Decoding& d, Step& step) {
    step.action = register_to_predicates;
    if (!d.next().is(MachineOperand::Kind::predicates)) d.refuse();
    step.source[0] = d.source();
    step.variant = static_cast<std::uint32_t>(d.literal());
}

}  // namespace

Decoder move_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"MOV", decode_move},
        {"UMOV", decode_move},
        {"R2UR", decode_move_to_uniform},
        {"S2R", decode_read_special},
        {"S2UR", decode_read_special},
        {"CS2R", decode_read_special},
        {"P2R", decode_predicates_to_register},
        {"R2P", decode_register_to_predicates},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine
