// The rule about tiles that are copied to shared memory through registers: a warp waits for what it loaded before it
// can store it, while an asynchronous copy of the next tile would arrive as the present one is used. Only the machine
// code tells a copy that passes registers from one that does not.
#include <fmt/format.h>

#include <algorithm>

#include "src/gpu/sass/instructions.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kTiles = 2;            // of a block, one after the other
constexpr double kBarriersOfATile = 2;  // before it is read, and before the next one is written
constexpr double kMostly = 0.5;         // of the stores to shared memory
constexpr int kHasCopies = 80;          // the first capability with cp.async

/// Warps' instructions, and among them stores to shared memory of what they loaded, as it is.
struct Copies {
    double instructions = 0, stores = 0;
};

Copies copies_of(const KernelTrace& launch) {
    const MachineTrace* const machine = launch.machine.get();
    if (!machine || !machine->known() || machine->copies) return {};
    const std::vector<bool> copies = copies_by_registers(*machine->kernel);
    Copies sum;
    for (std::size_t i = 0; i < machine->counts.size(); ++i) {
        const auto executed = static_cast<double>(machine->counts[i].executed);
        sum.instructions += executed;
        if (copies[i]) sum.stores += executed;
    }
    return sum;
}

/// The store to shared memory that is executed most often.
const PlacedSite* most_executed(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    for (const PlacedSite& placed : launch.sites) {
        if (placed.site.kind != EventKind::store || placed.site.space != Space::shared) continue;
        if (!most || placed.site.shared.requests > most->site.shared.requests) most = &placed;
    }
    return most;
}

double tiles_of(const Demand& d) { return d.barriers / d.blocks / kBarriersOfATile; }

void find(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || in.gpu.capability < kHasCopies || tiles_of(*in.demand) < kTiles) return;
    const PlacedSite* const store = most_executed(in.launch);
    const double copies = copies_of(in.launch).stores;
    if (!store || copies < kMostly * static_cast<double>(in.counters.shared_stores.requests) || copies == 0) return;
    findings.push_back(
        {.rule = Rule::synchronous_copies,
         .severity = Severity::advice,
         .place = store->place,
         .evidence = fmt::format("{:.0f} tiles of a block go to shared memory through registers, one after "
                                 "the other: its warps wait for each before they use it",
                                 tiles_of(*in.demand)),
         .remedy = "Copy the next tile while the present one is used, into a second buffer: cp.async "
                   "(__pipeline_memcpy_async, cuda::memcpy_async) needs no registers and is not waited "
                   "for.",
         .other = {}});
}

/// Of the waits for all tiles but the first so much passes as a warp does other things; and a copy is one instruction.
void copy_ahead(Demand& d, const Mending& mending) {
    const WarpChain chain = warp_chain(d);
    const double later = 1 - 1 / std::max(1.0, tiles_of(d));
    const double others = chain.repeated() - chain.global - chain.start;
    if (chain.global > 0) d.load_latency *= 1 - later * std::min(chain.global, others) / chain.global;
    const Copies copies = copies_of(mending.launch);
    const double kept = 1 - copies.stores / std::max(1.0, copies.instructions);
    d.instructions *= kept;
    d.stall_clocks *= kept;
}

}  // namespace

LANEWORK_COST_RULE(synchronous_copies, {.find = find, .asks_the_model = true, .mend = copy_ahead});

}  // namespace lanework
