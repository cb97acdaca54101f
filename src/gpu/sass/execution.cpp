// A launch, block by block: some blocks at a time where blocks wait for each other, each warp for a while.
#include "src/gpu/sass/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework {
namespace {

using namespace machine;

// Warp instructions that a warp, or a part of one, may execute before others have their turn.
constexpr std::uint64_t kTurn = std::uint64_t{1} << 16;
// Times that it may ask for what others write before it lets them go on.
constexpr unsigned kMostAsked = 32;
// Where a launch's sizes lie in constant bank 0, and the thread's own memory: the same on all architectures so far.
constexpr std::size_t kBlockSize = 0x0, kGridSize = 0xc, kLocalBase = 0x20, kStackTop = 0x28, kMeetingPlaceHigh = 0x44,
                      kMeetingPlaceLow = 0x48;  // of compute capability 9.0
// Blocks that are begun together where the order is varied, and where all warps go in step.
constexpr std::uint64_t kMostTogether = 24, kTogetherInStep = 96;
constexpr std::uint32_t kInstructionBytes = 16;
// Up to here the system has words of its own, which also kernels without parameters read.
constexpr std::size_t kLeastBank = 0x400;
constexpr std::uint32_t kStackRoom = 1024;  // what functions that are called may need

template <class T>
void place(std::vector<std::byte>& bank, std::size_t at, const T& value) {
    std::memcpy(bank.data() + at, &value, sizeof value);
}

std::vector<std::byte> parameter_bank(const MachineKernel& kernel, const MachineLaunch& about, std::uint32_t stack) {
    std::vector<std::byte> bank(std::max(kLeastBank, kernel.parameter_base + about.parameters.size() + 16));
    for (unsigned i = 0; i < 3; ++i) {
        place(bank, kBlockSize + 4 * i, about.block[i]);
        place(bank, kGridSize + 4 * i, about.grid[i]);
    }
    place(bank, kLocalBase, kLocalWindow);
    place(bank, kStackTop, stack);
    place(bank, kMeetingPlaceHigh, static_cast<std::uint32_t>(kMeetingPlace >> 32));
    place(bank, kMeetingPlaceLow, static_cast<std::uint32_t>(kMeetingPlace));
    std::ranges::copy(about.parameters, bank.begin() + kernel.parameter_base);
    return bank;
}

void execute_unknown(Warp& warp, const Step& step, std::uint32_t) {
    throw Unsupported(warp.block->launch->unknown.at(step.index));
}

/// Code of which much is never executed, such as what an assertion calls where it fails, is known as far as it is.
Step decode_or_note(const MachineInstruction& instruction, Launch& launch, std::uint32_t index) {
    Step step;
    try {
        step = decode(instruction, launch);
    } catch (const Unsupported& error) {
        step.action = execute_unknown;
        step.guard = guard_of(instruction, launch);
        launch.unknown.emplace(index, error.what());
    }
    step.index = index;
    return step;
}

void prepare(Launch& launch) {
    const auto& instructions = launch.kernel.instructions;
    if (instructions.empty()) throw Unsupported("the kernel has no machine code");
    launch.step_at.assign(instructions.back().address / kInstructionBytes + 2,
                          static_cast<std::uint32_t>(instructions.size()));
    for (std::size_t i = 0; i < instructions.size(); ++i)
        launch.step_at[instructions[i].address / kInstructionBytes] = static_cast<std::uint32_t>(i);
    std::vector<bool> of_quotients(instructions.size());
    if (launch.about.variation.unfused != 0) of_quotients = steps_of_quotients(launch.kernel);
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        launch.steps.push_back(decode_or_note(instructions[i], launch, static_cast<std::uint32_t>(i)));
        if (launch.lot != 0) vary(launch, instructions[i], launch.steps.back(), of_quotients[i]);
        if (launch.about.doubtful) follow_doubts(launch, instructions[i], launch.steps.back());
    }
    const std::vector<bool> waiting = waiting_instructions(launch.kernel), idle = idle_instructions(launch.kernel);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        launch.steps[i].asks = waiting[i];
        launch.steps[i].idle = idle[i];
    }
}

/// Warp instructions of a turn that could be so long.
std::uint64_t turn(Launch& launch, std::uint64_t most) {
    if (launch.lot == 0) return most;
    if (launch.about.variation.in_step) return 1;
    // Short ones as likely as long ones.
    return std::max<std::uint64_t>(1, most >> draw(launch, std::bit_width(most)));
}

void begin(Block& block, Launch& launch, std::uint64_t number) {
    const auto& [gx, gy, gz] = launch.about.grid;
    block.launch = &launch;
    block.number = number;
    block.index = {static_cast<unsigned>(number % gx), static_cast<unsigned>(number / gx % gy),
                   static_cast<unsigned>(number / gx / gy)};
    block.shared.assign(launch.shared_bytes, std::byte{0});
    block.doubtful_shared.clear();
    block.barriers = {};
    block.met = 0;
    const auto& size = launch.about.block;
    block.threads = size[0] * size[1] * size[2];
    block.warps.resize((block.threads + kWarp - 1) / kWarp);
    for (unsigned w = 0; w < block.warps.size(); ++w) {
        Warp& warp = block.warps[w];
        const unsigned lanes = std::min(kWarp, block.threads - w * kWarp);
        warp.block = &block;
        warp.number = w;
        warp.live = lanes == kWarp ? kAll : (1u << lanes) - 1;
        warp.groups = {{.lanes = warp.live, .at = 0}};
        warp.current = 0;
        warp.executed = warp.waited = 0;
        warp.predicate.fill(0);
        warp.upredicate.fill(0);
        warp.predicate[kTruePredicate] = warp.upredicate[kTruePredicate] = kAll;
        warp.local.resize(std::size_t{launch.stack_bytes} * kWarp);
        if (!launch.about.doubtful) continue;
        warp.doubtful.fill(0);
        warp.doubtful_local.clear();
    }
}

/// What a warp executes in a turn of a loop that does nothing but ask, from its first question on.
class Asking {
public:
    void begin() { on_ = true; }
    void executed(std::uint32_t at, unsigned lanes, unsigned on) {
        if (on_) executed_.push_back({at, lanes, on});
    }
    /// The answer came.
    void end() {
        on_ = false;
        executed_.clear();
    }
    /// It did not: nothing of it is work. Returns how many instructions that was.
    std::size_t take_back(std::vector<MachineCount>& counts) const {
        for (const Executed& each : executed_) {
            MachineCount& counted = counts[each.at];
            --counted.executed;
            counted.lanes -= each.lanes;
            counted.lanes_on -= each.on;
        }
        return executed_.size();
    }

private:
    struct Executed {
        std::uint32_t at;
        unsigned lanes, on;
    };
    bool on_ = false;
    std::vector<Executed> executed_;
};

/// Lets a group run until it waits, leaves or had its turn; true where it asked so often that others should come first.
/// One that has asked so often and does nothing else asks once in a turn from then on, and what it executed since its
/// first question is not counted: on a GPU, where blocks begin together, it waits for less, and it waits for what
/// others do, not for what it executes.
bool run_group(Warp& warp, Launch& launch) {
    const std::uint64_t until = launch.executed + turn(launch, kTurn);
    const Step* const steps = launch.steps.data();
    const std::size_t count = launch.steps.size();
    warp.groups[warp.current].midway = false;
    const bool idle = std::exchange(warp.groups[warp.current].idle, false);
    Asking asking;
    if (idle) asking.begin();
    const unsigned most_asked = idle ? 1 : kMostAsked;
    unsigned asked = 0;
    std::uint32_t asked_at = 0;
    while (launch.executed < until) {
        Group& group = warp.groups[warp.current];
        if (group.at >= count) throw Unsupported("lanes ran behind the kernel's end");
        const Step& step = steps[group.at];
        const std::uint32_t here = group.lanes, lanes = here & warp.test(step.guard);
        const auto all = static_cast<unsigned>(std::popcount(here)), on = static_cast<unsigned>(std::popcount(lanes));
        MachineCount& counted = launch.run.counts[group.at];
        ++launch.executed;
        ++counted.executed;
        counted.lanes += all;
        counted.lanes_on += on;
        if (step.idle) asking.begin();
        asking.executed(group.at, all, on);
        if (!step.steers) {
            if (lanes != 0 || launch.about.doubtful) step.action(warp, step, lanes);
            if (step.asks) ++asked, asked_at = group.at;
            ++group.at;
            continue;
        }
        const std::size_t groups = warp.groups.size();
        step.action(warp, step, lanes);
        if (warp.groups.size() > groups) {
            ++counted.divergent;
            counted.parted += warp.groups.size() - groups;
        }
        // Groups may have come and gone: the one that ran is not known by its place any more.
        if (warp.groups.size() != groups || warp.current >= warp.groups.size() ||
            warp.groups[warp.current].state != Group::State::ready || warp.groups[warp.current].lanes == 0)
            return false;
        Group& after = warp.groups[warp.current];
        const bool asks_again = asked > 0 && after.at <= asked_at;
        if (!asks_again) asking.end();
        if (asks_again && asked >= most_asked) {
            after.idle = steps[asked_at].idle;
            if (after.idle) warp.waited += asking.take_back(launch.run.counts);
            return true;
        }
        if (launch.executed >= until) return false;
    }
    warp.groups[warp.current].midway = true;
    return false;
}

/// How a turn ended: nobody could go on; all that can ask for what others write; or otherwise.
enum class Turn : std::uint8_t { none, asks, some };

Turn run_warp(Warp& warp, Launch& launch) {
    const std::uint64_t until = launch.executed + turn(launch, kTurn);
    std::size_t asking = 0;  // groups in a row
    bool any = false;
    while (launch.executed < until) {
        std::erase_if(warp.groups, [](const Group& group) { return group.lanes == 0; });
        if (launch.lot != 0 && warp.groups.size() > 1)
            std::swap(warp.groups[0], warp.groups[draw(launch, warp.groups.size())]);
        auto ready = std::ranges::find(warp.groups, true, &Group::midway);
        if (ready == warp.groups.end()) ready = std::ranges::find(warp.groups, Group::State::ready, &Group::state);
        if (ready == warp.groups.end()) return any ? Turn::some : Turn::none;
        // Whoever had a turn comes last the next time.
        std::rotate(ready, ready + 1, warp.groups.end());
        warp.current = warp.groups.size() - 1;
        const std::uint64_t before = launch.executed;
        const bool asks = run_group(warp, launch);
        asking = asks ? asking + 1 : 0;
        launch.only_waits = launch.only_waits && asks && warp.groups[warp.current].idle;
        warp.executed += launch.executed - before;
        any = true;
        if (launch.about.limit != 0 && launch.executed > launch.about.limit)
            throw Unsupported("the kernel executes more instructions than are followed");
        if (asking >= warp.groups.size()) return Turn::asks;
    }
    return Turn::some;
}

/// Lets threads go on that all met at a barrier of the block.
bool release_barriers(Block& block) {
    bool any = false;
    for (unsigned id = 0; id < block.barriers.size(); ++id) {
        Block::Arrivals& arrivals = block.barriers[id];
        const unsigned expected = arrivals.expected != 0 ? arrivals.expected : block.threads;
        if (arrivals.count == 0 || arrivals.count < expected) continue;
        for (Warp& warp : block.warps)
            for (Group& group : warp.groups) {
                if (group.state != Group::State::block_sync || group.barrier != id) continue;
                group.state = Group::State::ready;
                ++group.at;
                if (arrivals.reduction != Block::Arrivals::none) warp.result = arrivals.result();
            }
        arrivals = {};
        // A barrier of some warps orders nothing for the others.
        if (expected >= block.threads) ++block.met;
        any = true;
    }
    return any;
}

enum class Progress : std::uint8_t { done, some, none };

Progress run_block(Block& block, Launch& launch) {
    const std::uint64_t until = launch.executed + turn(launch, kTurn * 4);
    Progress progress = Progress::none;
    while (launch.executed < until) {
        Turn most = Turn::none;
        const std::size_t first = launch.lot == 0 ? 0 : draw(launch, block.warps.size());
        for (std::size_t i = 0; i < block.warps.size(); ++i)
            most = std::max(most, run_warp(block.warps[(first + i) % block.warps.size()], launch));
        if (block.threads == 0) return Progress::done;
        if (release_barriers(block)) most = Turn::some;
        if (most == Turn::none) return progress;
        progress = Progress::some;
        // What they ask for another block may have to write.
        if (most == Turn::asks) return progress;
    }
    return Progress::some;
}

void run_grid(Launch& launch) {
    const auto& grid = launch.about.grid;
    const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
    std::vector<std::unique_ptr<Block>> running, idle;
    std::uint64_t next = 0;
    const auto begin_next = [&] {
        if (idle.empty()) idle.push_back(std::make_unique<Block>());
        running.push_back(std::move(idle.back()));
        idle.pop_back();
        begin(*running.back(), launch, next++);
    };
    const std::size_t together = launch.lot == 0                  ? 1
                                 : launch.about.variation.in_step ? kTogetherInStep
                                                                  : 1 + draw(launch, kMostTogether);
    while (next < blocks || !running.empty()) {
        if (next < blocks) begin_next();
        while (next < blocks && running.size() < together) begin_next();
        bool any = false;
        launch.only_waits = true;
        if (launch.lot != 0) std::swap(running[0], running[draw(launch, running.size())]);
        for (std::unique_ptr<Block>& block : running) {
            const Progress progress = run_block(*block, launch);
            any = any || progress != Progress::none;
            if (progress != Progress::done) continue;
            if (launch.order) launch.order->end(block->number);
            for (const Warp& warp : block->warps)
                launch.run.longest_warp = std::max(launch.run.longest_warp, warp.executed - warp.waited);
            idle.push_back(std::move(block));
        }
        std::erase(running, nullptr);
        if (next < blocks) continue;
        if (!any) throw Unsupported("threads wait for others that never come");
        // Then nothing but time lets them go on: few turns pass it, and the last is not much too long.
        constexpr std::uint64_t kPart = 8;
        if (launch.only_waits) launch.waited_for_clock += launch.clock() / kPart;
    }
}

}  // namespace

MachineRun execute(const MachineKernel& kernel, const MachineLaunch& about, MachineWorld& world) {
    MachineRun run;
    run.counts.resize(kernel.instructions.size());
    constexpr std::uint32_t kAlignment = 16;
    const std::uint32_t stack = (kernel.stack_bytes + kStackRoom + kAlignment - 1) / kAlignment * kAlignment;
    Launch launch{.kernel = kernel,
                  .about = about,
                  .world = world,
                  .run = run,
                  .steps = {},
                  .unknown = {},
                  .step_at = {},
                  .bank0 = parameter_bank(kernel, about, stack),
                  .shared_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(kernel.shared_bytes, 1024) +
                                                             about.dynamic_shared),
                  .stack_bytes = stack,
                  .known = {}};
    // Neighbouring seeds draw different lots.
    launch.lot = about.variation.seed * 0x9e3779b97f4a7c15u;
    const bool by_order = about.doubtful_parameters || about.unordered;
    if (about.doubtful) launch.doubts = about.doubtful->why() | (by_order ? DoubtfulMemory::order : 0);
    std::optional<AccessOrder> order;
    if (about.unordered_found) launch.order = &order.emplace(*about.unordered_found);
    try {
        prepare(launch);
        run_grid(launch);
    } catch (const Unsupported& error) {
        run.error = error.what();
    }
    run.executed = launch.executed;
    return run;
}

}  // namespace lanework
