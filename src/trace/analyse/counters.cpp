// Adding counters up.
#include "src/trace/analyse/counters.hpp"

#include <algorithm>

#include "src/trace/analyse/explanation.hpp"

namespace lanework {

void GlobalCounters::add(const GlobalCounters& other) {
    requests += other.requests;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    bytes += other.bytes;
    lines += other.lines;
    distinct_addresses += other.distinct_addresses;
    repeated_sectors += other.repeated_sectors;
    together_sectors += other.together_sectors;
    first_sectors += other.first_sectors;
    along_sectors += other.along_sectors;
    lanes += other.lanes;
    most_lanes_per_address = std::max(most_lanes_per_address, other.most_lanes_per_address);
    served_sectors += other.served_sectors;
    unclear += other.unclear;
}

void SharedCounters::add(const SharedCounters& other) {
    requests += other.requests;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    apart_wavefronts += other.apart_wavefronts;
    lanes += other.lanes;
    most_wavefronts = std::max(most_wavefronts, other.most_wavefronts);
    most_lanes_per_address = std::max(most_lanes_per_address, other.most_lanes_per_address);
    unclear += other.unclear;
}

void ConstantCounters::add(const ConstantCounters& other) {
    requests += other.requests;
    distinct_addresses += other.distinct_addresses;
}

void LocalCounters::add(const LocalCounters& other) {
    requests += other.requests;
    lanes += other.lanes;
}

void BranchCounters::add(const BranchCounters& other) {
    entries += other.entries;
    lanes += other.lanes;
    branches += other.branches;
    divergent += other.divergent;
}

void KernelCounters::add(const KernelCounters& other) {
    global_loads.add(other.global_loads);
    global_stores.add(other.global_stores);
    global_atomics.add(other.global_atomics);
    global_reductions.add(other.global_reductions);
    texture_fetches.add(other.texture_fetches);
    shared_loads.add(other.shared_loads);
    shared_stores.add(other.shared_stores);
    shared_atomics.add(other.shared_atomics);
    constant.add(other.constant);
    local_loads.add(other.local_loads);
    local_stores.add(other.local_stores);
    branch.add(other.branch);
}

KernelCounters sum(const std::vector<PlacedSite>& sites) {
    KernelCounters total;
    for (const PlacedSite& placed : sites) {
        const Site& site = placed.site;
        const bool load = site.kind == EventKind::load, store = site.kind == EventKind::store;
        GlobalCounters& global = site.space == Space::texture        ? total.texture_fetches
                                 : load                              ? total.global_loads
                                 : store                             ? total.global_stores
                                 : site.kind == EventKind::reduction ? total.global_reductions
                                                                     : total.global_atomics;
        global.add(site.global);
        (load ? total.shared_loads : store ? total.shared_stores : total.shared_atomics).add(site.shared);
        total.constant.add(site.constant);
        (store ? total.local_stores : total.local_loads).add(site.local);
        total.branch.add(site.branch);
    }
    return total;
}

}  // namespace lanework
