// Following the lanes of each warp from basic block to basic block.
#include "src/trace/analyse/branches.hpp"

#include <algorithm>

#include "src/trace/analyse/explanation.hpp"

namespace lanework {

void Branches::launch_begins(const LaunchShape& shape) {
    warps_ = shape.warps_per_block();
    longest_warp_ = 0;
    blocks_.clear();
    ways_.clear();
    last_warps_ = nullptr;
}

void Branches::block_begins(std::uint64_t block) {
    blocks_[block].resize(warps_);
    last_warps_ = nullptr;
}

Branches::Ways& Branches::ways(Site& site) {
    if (site.id >= ways_.size()) ways_.resize(site.id + 1);
    ways_[site.id].site = &site;
    return ways_[site.id];
}

void Branches::leave(Group& group, const Site& to, std::uint32_t lanes) {
    group.lanes &= ~lanes;
    Ways& from = ways(*group.site);
    if (!from.first) from.first = &to;
    from.several = from.several || from.first != &to;
    if (!group.next) group.next = &to;
    group.parted = group.parted || group.next != &to;
    if (group.lanes == 0) close(group);
}

/// Counts the group, whose lanes went on or left the kernel.
void Branches::close(const Group& group) {
    if (!group.next) return;
    Ways& from = ways(*group.site);
    ++from.left;
    from.divergent += group.parted;
}

void Branches::step(const Step& step) {
    step.site->branch.entries += 1;
    step.site->branch.lanes += static_cast<unsigned>(__builtin_popcount(step.lanes));
    if (step.block != last_block_ || !last_warps_) {
        last_warps_ = &blocks_[step.block];
        last_block_ = step.block;
    }
    WarpGroups& warp = (*last_warps_)[step.warp];
    longest_warp_ = std::max(longest_warp_, ++warp.entered);
    auto& open = warp.open;
    for (Group& group : open)
        if (group.lanes & step.lanes) leave(group, *step.site, step.lanes);
    std::erase_if(open, [](const Group& group) { return group.lanes == 0; });
    open.push_back({step.site, step.lanes, nullptr, false});
}

void Branches::block_ends(std::uint64_t block) {
    for (const WarpGroups& warp : blocks_[block])
        for (const Group& group : warp.open) close(group);
    blocks_.erase(block);
    last_warps_ = nullptr;
}

void Branches::launch_ends(const LaunchShape&) {
    for (const Ways& from : ways_) {
        if (!from.several) continue;
        from.site->branch.branches += from.left;
        from.site->branch.divergent += from.divergent;
    }
}

void Branches::record(KernelTrace& trace) const { trace.longest_warp = longest_warp_; }

}  // namespace lanework
