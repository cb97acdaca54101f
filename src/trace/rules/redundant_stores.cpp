// The rule about a sum that lies in memory: a thread stores to the place that it stored to last, turn after turn, where
// a register would hold the value and one store would do.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kMostly = 0.5;  // of the stores

/// Lanes of stores to the address that their thread stored to last at the same site.
struct Overwritten : Observation {
    std::vector<std::uint64_t> lanes;  // by site id
    std::uint64_t at(const Site& site) const { return site.id < lanes.size() ? lanes[site.id] : 0; }
};

class OverwrittenStores final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::global; }
    void launch_begins(const LaunchShape& shape) override {
        threads_ = shape.warps_per_block() * kLanes;
        blocks_.clear();
        counted_.lanes.clear();
    }
    void request(const Request& request) override {
        const Site& site = *request.site;
        if (site.kind != EventKind::store || site.atomic_access || site.is_volatile) return;
        LastOfThreads& last = blocks_[request.block][site.id];
        last.resize(threads_);
        if (counted_.lanes.size() <= site.id) counted_.lanes.resize(site.id + 1);
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            if (!(request.lanes >> lane & 1)) continue;
            std::uint64_t& before = last[request.warp * kLanes + lane];
            counted_.lanes[site.id] += before == request.address[lane];
            before = request.address[lane];
        }
    }
    void block_ends(std::uint64_t block) override { blocks_.erase(block); }
    void record(KernelTrace& trace) const override {
        trace.observed.push_back(std::make_shared<Overwritten>(counted_));
    }

private:
    using LastOfThreads = std::vector<std::uint64_t>;
    unsigned threads_ = 0;
    std::map<std::uint64_t, std::map<std::uint32_t, LastOfThreads>> blocks_;  // and by site id
    Overwritten counted_;
};

double overwritten_part(const KernelTrace& launch, const Site& site) {
    const Overwritten* const seen = launch.observed_as<Overwritten>();
    return seen ? share(seen->at(site), site.global.lanes) : 0;
}

void find_redundant_stores(const RuleInputs& in, std::vector<Finding>& findings) {
    // Where the machine code was followed, and has fewer stores: the compiler keeps the sum in a register.
    const std::uint64_t written = in.launch.counters().global_stores.requests;
    if (static_cast<double>(in.counters.global_stores.requests) < kMostly * static_cast<double>(written)) return;
    for (const PlacedSite& placed : in.launch.sites) {
        const double part = overwritten_part(in.launch, placed.site);
        if (part < kMostly) continue;
        findings.push_back(
            {.rule = Rule::redundant_stores,
             .severity = Severity::advice,
             .place = placed.place,
             .evidence = fmt::format("{:.0f}% of these stores go where the same thread stored just before", 100 * part),
             .remedy = "Keep the value in a variable and store it once, behind the loop; where no other pointer leads "
                       "there, __restrict__ lets the compiler do it.",
             .other = {}});
    }
}

/// The stores that are not needed, and as many loads of the same line, which read them back.
void keep_in_register(Demand& d, const Mending& mending) {
    const SourcePlace& place = mending.finding.place;
    std::vector<const PlacedSite*> line;
    for (const PlacedSite& placed : mending.launch.sites)
        if (placed.place.file == place.file && placed.place.line == place.line) line.push_back(&placed);
    GlobalCounters stores, loads;
    double part = 0;
    for (const PlacedSite* placed : line) {
        part = std::max(part, overwritten_part(mending.launch, placed->site));
        if (placed->site.kind == EventKind::store) stores.add(placed->site.global);
    }
    for (const PlacedSite* placed : line)
        if (placed->site.kind == EventKind::load && placed->site.global.requests == stores.requests)
            loads.add(placed->site.global);
    const double fewer_stores = part * share(stores.requests, mending.all.global_stores.requests);
    const double fewer_written = part * share(stores.sectors, mending.all.global_stores.sectors);
    const double fewer_loads = part * share(loads.requests, mending.all.global_loads.requests);
    const double fewer_read = part * share(loads.sectors, mending.all.global_loads.sectors);
    d.accesses -= std::min(d.accesses, fewer_stores * d.store_requests + fewer_loads * d.load_requests);
    for (double Demand::*const falls : {&Demand::store_requests, &Demand::store_lines}) d.*falls *= 1 - fewer_stores;
    for (double Demand::*const falls :
         {&Demand::written_sectors, &Demand::written_lines, &Demand::partly_written_sectors})
        d.*falls *= 1 - fewer_written;
    for (double Demand::*const falls : {&Demand::load_requests, &Demand::load_lines}) d.*falls *= 1 - fewer_loads;
    for (double Demand::*const falls : {&Demand::l2_read_sectors, &Demand::l2_read_lines}) d.*falls *= 1 - fewer_read;
    d.memory_written_sectors = std::min(d.memory_written_sectors, d.written_sectors);
}

std::unique_ptr<Analyser> follow_overwritten_stores() { return std::make_unique<OverwrittenStores>(); }

}  // namespace

LANEWORK_COST_RULE(redundant_stores, {.find = find_redundant_stores,
                                      .asks_the_model = true,
                                      .mend = keep_in_register,
                                      .analyser = follow_overwritten_stores});

}  // namespace lanework
