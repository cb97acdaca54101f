// Where lanes go: branches, calls, convergence barriers, barriers of the block, and the end.
//
// Since Volta the compiler says where the lanes of a warp meet again: BSSY notes which lanes will, BSYNC waits for
// them, BREAK leaves them. Lanes that part without it stay apart.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {

void branch(Warp& warp, std::uint32_t lanes, std::uint32_t to) {
    Group& group = warp.group();
    const std::uint32_t stay = group.lanes & ~lanes;
    if (stay == 0) {
        group.at = to;
        return;
    }
    ++group.at;
    group.lanes = stay;
    if (lanes != 0) warp.groups.push_back({.lanes = lanes, .at = to});
}

namespace {

/// The lanes of groups that wait like `group`, for lanes of `mask`.
template <class Alike>
std::uint32_t gathered(const Warp& warp, Alike alike) {
    std::uint32_t lanes = 0;
    for (const Group& group : warp.groups)
        if (alike(group)) lanes |= group.lanes;
    return lanes;
}

/// Makes one group of those that are alike and at one place, behind it.
template <class Alike>
void go_on_together(Warp& warp, Alike alike) {
    std::vector<Group> merged;
    for (Group& group : warp.groups) {
        if (!alike(group)) continue;
        const auto found = std::ranges::find(merged, group.at + 1, &Group::at);
        if (found == merged.end())
            merged.push_back({.lanes = group.lanes, .at = group.at + 1});
        else
            found->lanes |= group.lanes;
        group.lanes = 0;
    }
    std::erase_if(warp.groups, [](const Group& group) { return group.lanes == 0; });
    warp.groups.insert(warp.groups.end(), merged.begin(), merged.end());
}

bool release_one(Warp& warp) {
    for (const Group& group : warp.groups) {
        if (group.state == Group::State::converging) {
            const auto first = static_cast<unsigned>(std::countr_zero(group.lanes));
            const std::uint32_t mask = warp.convergence[group.barrier][first];
            const auto alike = [barrier = group.barrier, mask](const Group& other) {
                return other.state == Group::State::converging && other.barrier == barrier && (other.lanes & mask);
            };
            if (mask & warp.live & ~gathered(warp, alike)) continue;
            go_on_together(warp, alike);
            return true;
        }
        if (group.state == Group::State::warp_sync) {
            const auto alike = [mask = group.waits_for](const Group& other) {
                return other.state == Group::State::warp_sync && other.waits_for == mask;
            };
            if (group.waits_for & warp.live & ~gathered(warp, alike)) continue;
            go_on_together(warp, alike);
            return true;
        }
    }
    return false;
}

/// The lanes for which a predicate is false do not wait: they go on alone.
Group& waiting(Warp& warp, std::uint32_t lanes) {
    const std::uint32_t others = warp.group().lanes & ~lanes;
    if (others != 0) warp.groups.push_back({.lanes = others, .at = warp.group().at + 1});
    warp.group().lanes = lanes;
    return warp.group();
}

// -- branches ---------------------------------------------------------------------------------------------------------

void jump(Warp& warp, const Step& step, std::uint32_t lanes) { branch(warp, lanes & warp.test(step.test[0]), step.to); }
void decode_jump(Decoding& d, Step& step) {
    step.steers = true;
    step.action = jump;
    d.ignore({"U", "REL", "NOINC", "INC", "ABS"});
    if (d.peek().is_predicate()) step.test[0] = d.test();
    step.to = d.label();
}

// The function that prints comes back at once, with a result that few ask for: how many values it was given.
void print(Warp& warp, const Step&, std::uint32_t lanes) {
    constexpr std::size_t kResult = 4;  // the register in which functions return
    for (unsigned i = 0; i < kWarp; ++i)
        if (lanes >> i & 1) warp.reg[kResult][i] = 0;
    warp.block->launch->run.prints = true;
}
void call_by_address(Warp& warp, const Step& step, std::uint32_t lanes) {
    Longs to;
    longs(warp, step.source[0], to);
    if (lanes & mask_of([&](unsigned i) { return to[i] != kPrintingFunction; }))
        throw Unsupported(fmt::format("instruction {} calls a function by its address", step.index));
    print(warp, step, lanes);
}
void decode_call(Decoding& d, Step& step) {
    const MachineOperand& to = d.peek();
    const bool by_address = to.is(MachineOperand::Kind::reg);
    if (!by_address && to.text != "vprintf") return decode_jump(d, step);
    d.ignore({"REL", "NOINC", "ABS"});
    step.action = by_address ? call_by_address : print;
    if (by_address)
        step.source[0] = d.source();
    else
        d.next();
}

// Goes another way where lanes of the mask are not here.
void jump_apart(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    const std::uint32_t wanted = integers(warp, step.source[0], spare)[0] & warp.live;
    branch(warp, wanted & ~warp.group().lanes ? lanes : 0, step.to);
}
void decode_branch(Decoding& d, Step& step) {
    if (!d.take("DIV")) return decode_jump(d, step);
    step.steers = true;
    step.action = jump_apart;
    step.source[0] = d.source();
    step.to = d.label();
}

constexpr std::uint32_t kInstructionBytes = 16;

// An address of code: of a label, or the instruction's own.
void put_place(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words words;
    words.fill(step.variant);
    put(warp, step, words, lanes);
    put(warp, step, kZeros, lanes, 1);
}
void decode_place(Decoding& d, Step& step) {
    step.action = put_place;
    d.target(step);
    step.variant = d.instruction.address;
    if (!d.more()) return;
    const auto& all = d.launch.kernel.instructions;
    const std::uint32_t to = d.label();
    step.variant = to < all.size() ? all[to].address : all.back().address + kInstructionBytes;
}

/// Each lane goes to its address.
void go_to(Warp& warp, const Words& to, std::uint32_t lanes) {
    const auto& step_at = warp.block->launch->step_at;
    waiting(warp, lanes);
    while (lanes != 0) {
        const std::uint32_t address = to[static_cast<unsigned>(std::countr_zero(lanes))];
        const std::uint32_t same = lanes & mask_of([&](unsigned i) { return to[i] == address; });
        if (address / kInstructionBytes >= step_at.size())
            throw Unsupported(fmt::format("a lane jumps to {:#x}, which is not within the kernel", address));
        const std::uint32_t at = step_at[address / kInstructionBytes];
        lanes &= ~same;
        if (lanes == 0) {
            warp.group().lanes = same;
            warp.group().at = at;
        } else {
            warp.groups.push_back({.lanes = same, .at = at});
        }
    }
}
void jump_back(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    go_to(warp, integers(warp, step.source[0], spare), lanes);
}
void decode_return(Decoding& d, Step& step) {
    step.steers = true;
    step.action = jump_back;
    d.ignore({"REL", "ABS", "NODEC"});
    step.source[0] = d.source();
    d.next();
}

// What the register holds comes on top of a literal and of where the next instruction is: "BRX R6 -0x180". Where the
// table holds an address of another function, the sum is not within the kernel.
void jump_by_table(Warp& warp, const Step& step, std::uint32_t lanes) {
    lanes &= warp.test(step.test[0]);
    if (lanes == 0) {
        ++warp.group().at;
        return;
    }
    Words spare;
    Words to = integers(warp, step.source[0], spare);
    for (std::uint32_t& address : to) address += step.variant;
    go_to(warp, to, lanes);
}
void decode_jump_by_table(Decoding& d, Step& step) {
    step.steers = true;
    step.action = jump_by_table;
    d.ignore({"INC", "NOINC"});
    if (d.peek().is_predicate()) step.test[0] = d.test();
    step.source[0] = d.source();
    step.variant = static_cast<std::uint32_t>(d.literal()) + d.instruction.address + kInstructionBytes;
}

void leave(Warp& warp, const Step& step, std::uint32_t lanes) {
    Group& group = warp.group();
    lanes &= warp.test(step.test[0]);
    group.lanes &= ~lanes;
    warp.live &= ~lanes;
    warp.block->threads -= static_cast<unsigned>(std::popcount(lanes));
    ++group.at;
    if (lanes != 0) release(warp);
}
void decode_leave(Decoding& d, Step& step) {
    step.steers = true;
    step.action = leave;
    if (d.more()) step.test[0] = d.test();
}

// -- convergence ----------------------------------------------------------------------------------------------------

std::uint8_t taken_barrier(Decoding& d) {
    const MachineOperand operand = d.next();
    if (!operand.is(MachineOperand::Kind::barrier) || operand.index >= 16) d.refuse("its barrier");
    return static_cast<std::uint8_t>(operand.index);
}

void note_lanes(Warp& warp, const Step& step, std::uint32_t lanes) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
        warp.convergence[step.barrier][static_cast<unsigned>(std::countr_zero(left))] = lanes;
}
void decode_note_lanes(Decoding& d, Step& step) {
    step.action = note_lanes;
    if (d.peek().is_predicate()) d.refuse("its predicate");
    step.barrier = taken_barrier(d);
    d.next();
}

void converge(Warp& warp, const Step& step, std::uint32_t lanes) {
    if (lanes == 0) {
        ++warp.group().at;
        return;
    }
    Group& group = waiting(warp, lanes);
    group.state = Group::State::converging;
    group.barrier = step.barrier;
    release(warp);
}
void decode_converge(Decoding& d, Step& step) {
    step.steers = true;
    step.action = converge;
    step.barrier = taken_barrier(d);
}

void leave_barrier(Warp& warp, const Step& step, std::uint32_t lanes) {
    lanes &= warp.test(step.test[0]);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        for (std::uint32_t others = warp.convergence[step.barrier][lane]; others != 0; others &= others - 1)
            warp.convergence[step.barrier][static_cast<unsigned>(std::countr_zero(others))] &= ~lanes;
    }
    ++warp.group().at;
    if (lanes != 0) release(warp);
}
void decode_leave_barrier(Decoding& d, Step& step) {
    step.steers = true;
    step.action = leave_barrier;
    if (d.peek().is_predicate()) step.test[0] = d.test();
    step.barrier = taken_barrier(d);
}

void keep_barrier(Warp& warp, const Step& step, std::uint32_t lanes) {
    put(warp, step, warp.convergence[step.barrier], lanes);
}
void fetch_barrier(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    const Words& words = integers(warp, step.source[0], spare);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        warp.convergence[step.barrier][lane] = words[lane];
    }
}
void decode_move_barrier(Decoding& d, Step& step) {
    d.ignore({"32", "CLEAR", "PQUAD"});
    if (d.peek().is(MachineOperand::Kind::barrier)) {
        step.action = fetch_barrier;
        step.barrier = taken_barrier(d);
        step.source[0] = d.source();
    } else {
        step.action = keep_barrier;
        d.target(step);
        step.barrier = taken_barrier(d);
    }
}

void meet_warp(Warp& warp, const Step& step, std::uint32_t lanes) {
    if (lanes == 0) {
        ++warp.group().at;
        return;
    }
    Words spare;
    const std::uint32_t mask = integers(warp, step.source[0], spare)[static_cast<unsigned>(std::countr_zero(lanes))];
    Group& group = waiting(warp, lanes);
    group.state = Group::State::warp_sync;
    group.waits_for = mask;
    release(warp);
}
void decode_meet_warp(Decoding& d, Step& step) {
    step.steers = true;
    step.action = meet_warp;
    step.source[0].value = kAll;
    const bool all = d.take("ALL");
    const bool collective = d.take("COLLECTIVE");
    d.take("EXCLUSIVE");
    if (!all) step.source[0] = d.source();
    if (collective) d.next();
}

// -- barriers of the block ------------------------------------------------------------------------------------------

constexpr std::uint32_t kNone = Block::Arrivals::none, kCount = Block::Arrivals::count_true,
                        kAny = Block::Arrivals::any_true, kEvery = Block::Arrivals::all_true;

void meet_block(Warp& warp, const Step& step, std::uint32_t lanes) {
    if (lanes == 0) {
        ++warp.group().at;
        return;
    }
    Block::Arrivals& arrivals = warp.block->barriers[step.barrier];
    const std::uint32_t votes = warp.test(step.test[0]) & lanes;
    Group& group = waiting(warp, lanes);
    group.state = Group::State::block_sync;
    group.barrier = step.barrier;
    arrivals.count += static_cast<unsigned>(std::popcount(lanes));
    if (step.source[1].value != 0) arrivals.expected = static_cast<unsigned>(step.source[1].value);
    arrivals.sum += static_cast<unsigned>(std::popcount(votes));
    arrivals.any = arrivals.any || votes != 0;
    arrivals.every = arrivals.every && votes == lanes;
    arrivals.reduction = step.variant;
}
void decode_meet_block(Decoding& d, Step& step) {
    step.steers = true;
    step.action = meet_block;
    d.ignore({"DEFER_BLOCKING"});
    if (d.take("RED")) {
        step.variant = d.take("POPC") ? kCount : d.take("OR") ? kAny : d.take("AND") ? kEvery : kNone;
        if (step.variant == kNone) d.refuse();
    } else if (!d.take("SYNC")) {
        d.refuse();
    }
    if (!d.peek().is(MachineOperand::Kind::number)) d.refuse("a barrier that is computed");
    step.barrier = static_cast<std::uint8_t>(d.literal());
    if (step.barrier >= 16) d.refuse("its barrier");
    if (d.peek().is(MachineOperand::Kind::number)) step.source[1].value = d.literal();
    if (step.variant != kNone) step.test[0] = d.test();
    if (d.more()) d.refuse("a count that is computed");
}

// What the last barrier that reduced came to.
void read_result(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words words;
    words.fill(warp.result);
    put(warp, step, words, lanes);
    warp.set(step.set[0], warp.result != 0 ? kAll : 0, lanes);
}
void decode_read_result(Decoding& d, Step& step) {
    step.action = read_result;
    if (!d.take("RESULT")) d.refuse();
    d.target(step);
    d.set(step, 1);
}

// -- what changes nothing here --------------------------------------------------------------------------------------

void nothing(Warp&, const Step&, std::uint32_t) {}
void decode_nothing(Decoding& d, Step& step) {
    step.action = nothing;
    d.ignore({"SC",   "ALL", "GPU",  "SM", "SYS",  "VC", "CTA", "LE",    "IVALL", "ASYNC", "ARV",
              "PRED", "OFF", "WARP", "U",  "VIEW", "S",  "T",   "PROXY", "CGA",   "COMMON"});
    while (d.more()) d.next();
}

}  // namespace

void release(Warp& warp) {
    std::erase_if(warp.groups, [](const Group& group) { return group.lanes == 0; });
    while (release_one(warp)) {
    }
}

Decoder control_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"BRA", decode_branch},          {"CALL", decode_call},         {"RET", decode_return},
        {"LEPC", decode_place},          {"BRX", decode_jump_by_table}, {"BRXU", decode_jump_by_table},
        {"EXIT", decode_leave},          {"BSSY", decode_note_lanes},   {"BSYNC", decode_converge},
        {"BREAK", decode_leave_barrier}, {"BMOV", decode_move_barrier}, {"WARPSYNC", decode_meet_warp},
        {"BAR", decode_meet_block},      {"B2R", decode_read_result},   {"NOP", decode_nothing},
        {"YIELD", decode_nothing},       {"NANOSLEEP", decode_nothing}, {"MEMBAR", decode_nothing},
        {"ERRBAR", decode_nothing},      {"CGAERRBAR", decode_nothing}, {"CCTL", decode_nothing},
        {"DEPBAR", decode_nothing},      {"LDGDEPBAR", decode_nothing}, {"ENDCOLLECTIVE", decode_nothing},
        {"PREEXIT", decode_nothing},     {"ACQBULK", decode_nothing},   {"FENCE", decode_nothing},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine
