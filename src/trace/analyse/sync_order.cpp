// The clocks of blocks, warps and threads, and the search for a chain of releases and acquires between two accesses.
#include "src/trace/analyse/sync_order.hpp"

#include <algorithm>
#include <bit>

namespace lanework {
namespace {

/// Releases and acquires that are kept of a launch, and steps that its searches may take: beyond them every order
/// counts as possible.
constexpr std::size_t kMostKept = std::size_t{1} << 20, kMostSteps = std::size_t{1} << 24;

template <class Body>
void for_each_lane(std::uint32_t lanes, Body body) {
    for (; lanes != 0; lanes &= lanes - 1) body(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

void SyncOrder::launch_begins(const LaunchShape& shape) {
    shape_ = shape;
    for (auto& [block, clock] : running_) free_.push_back(std::move(clock));  // of a launch that failed
    running_.clear();
    stretches_.clear();
    releases_.clear();
    acquires_.clear();
    kept_ = 0;
    steps_left_ = kMostSteps;
    current_ = &nobody_;
    launch_ = advance();
}

Stamp SyncOrder::advance() {
    if (now_ != kLast) ++now_;
    return now_;
}

void SyncOrder::block_begins(std::uint64_t block) {
    if (free_.empty()) {
        free_.push_back(std::make_unique<BlockClock>());
        free_.back()->slot = slots_++;
    }
    std::unique_ptr<BlockClock> clock = std::move(free_.back());
    free_.pop_back();
    clock->block = block;
    clock->partial_barriers = clock->fenced = false;
    clock->warps.resize(shape_.warps_per_block());
    clock->threads.clear();
    current_ = clock.get();
    running_[block] = std::move(clock);
    stretches_.push_back({advance(), block});
    current_->begin = current_->barrier = now_;
    for (WarpClock& warp : current_->warps) warp.all = now_;
}

void SyncOrder::block_ends(std::uint64_t block) {
    const auto found = running_.find(block);
    if (found == running_.end()) return;
    if (current_ == found->second.get()) current_ = &nobody_;
    free_.push_back(std::move(found->second));
    running_.erase(found);
}

BlockClock& SyncOrder::switch_to(std::uint64_t block) {
    const auto found = running_.find(block);
    if (found == running_.end()) {
        block_begins(block);
        return *current_;
    }
    current_ = found->second.get();
    stretches_.push_back({advance(), block});
    return *current_;
}

void SyncOrder::barrier(std::uint64_t block) { enter(block).barrier = advance(); }

void SyncOrder::meeting(const Meeting& meeting) {
    if (meeting.site->kind == EventKind::warp_exchange) return;
    BlockClock& clock = enter(meeting.block);
    if (meeting.site->kind == EventKind::barrier) clock.partial_barriers = true;
    const Stamp stamp = advance();
    WarpClock& warp = clock.warps[meeting.warp];
    const unsigned threads = std::min(shape_.threads_per_block() - meeting.warp * kLanes, kLanes);
    if (meeting.lanes == ~std::uint32_t{0} >> (kLanes - threads)) {
        warp.all = stamp;
        return;
    }
    if (!warp.known) warp.known = std::make_unique<WarpClock::Known>();
    // Each learns what any of them knew of the others, and all that the others did.
    std::array<Stamp, kLanes> together{};
    for_each_lane(meeting.lanes, [&](unsigned lane) {
        const auto& knows = (*warp.known)[lane];
        for (unsigned other = 0; other < kLanes; ++other) together[other] = std::max(together[other], knows[other]);
    });
    for_each_lane(meeting.lanes, [&](unsigned lane) { together[lane] = stamp; });
    for_each_lane(meeting.lanes, [&](unsigned lane) { (*warp.known)[lane] = together; });
}

void SyncOrder::fence(const Meeting& fence) {
    BlockClock& clock = enter(fence.block);
    clock.fenced = true;
    clock.threads.resize(shape_.threads_per_block());
    advance();
    for_each_lane(fence.lanes, [&](unsigned lane) {
        const unsigned thread = fence.warp * kLanes + lane;
        ThreadClock& mine = clock.threads[thread];
        const bool block_scope = fence.site->block_scope;
        const FenceClock passed{now_, clock.barrier, clock.warps[fence.warp].all, block_scope};
        switch (fence.site->kind) {
            case EventKind::release: mine.next = passed; break;
            case EventKind::acquire:
                if (mine.atomics != 0) acquire(clock, thread, mine.last, block_scope);
                break;
            default:
                acquire(clock, thread, block_scope);
                mine.fence = passed;
                mine.atomics = 0;
        }
    });
}

void SyncOrder::atomic(const Request& request) {
    BlockClock& clock = enter(request.block);
    clock.threads.resize(shape_.threads_per_block());
    // An offset in shared memory is a location of this block alone; device addresses are below 2^48.
    const bool shared = request.site->space == Space::shared;
    const std::uint64_t place = shared ? (request.block + 1) << 48 : 0;
    for_each_lane(request.lanes, [&](unsigned lane) {
        const unsigned thread = request.warp * kLanes + lane;
        const std::uint64_t location = request.address[lane] ^ place;
        ThreadClock& mine = clock.threads[thread];
        const bool block_scope = request.site->block_scope;
        if (mine.fence.stamp != 0) release(clock, thread, mine.fence, location, block_scope);
        if (mine.next.stamp != 0) release(clock, thread, mine.next, location, block_scope);
        mine.next = {};
        for (std::size_t i = 0; i < std::min(mine.atomics, ThreadClock::kRecent); ++i)
            if (mine.recent[i] == location && mine.recent_block_scope[i] == block_scope) {
                mine.recent_until[i] = now_;
                mine.last = i;
                return;
            }
        mine.last = mine.atomics++ % ThreadClock::kRecent;
        mine.recent[mine.last] = location;
        mine.recent_until[mine.last] = now_;
        mine.recent_block_scope[mine.last] = block_scope;
    });
}

void SyncOrder::doubt_order() { kept_ = kMostKept + 1; }

void SyncOrder::release(const BlockClock& clock, unsigned thread, const FenceClock& fence, std::uint64_t location,
                        bool block_scope) {
    block_scope |= fence.block_scope;
    std::vector<Release>& all = releases_[clock.block];
    for (auto last = all.rbegin(); last != all.rend() && last - all.rbegin() < 8; ++last)
        if (last->thread == thread && last->location == location && last->fence.stamp == fence.stamp &&
            last->block_scope == block_scope)
            return;
    if (++kept_ > kMostKept) return;
    all.push_back({thread, location, fence, clock.barrier, block_scope});
}

void SyncOrder::acquire(const BlockClock& clock, unsigned thread, bool block_scope) {
    const ThreadClock& mine = clock.threads[thread];
    for (std::size_t i = 0; i < std::min(mine.atomics, ThreadClock::kRecent); ++i)
        acquire(clock, thread, i, block_scope);
}

void SyncOrder::acquire(const BlockClock& clock, unsigned thread, std::size_t recent, bool block_scope) {
    if (++kept_ > kMostKept) return;
    const ThreadClock& mine = clock.threads[thread];
    const std::uint64_t location = mine.recent[recent];
    acquires_[location].push_back({{clock.block, thread},
                                   location,
                                   now_,
                                   mine.recent_until[recent],
                                   block_scope || mine.recent_block_scope[recent]});
}

std::uint64_t SyncOrder::block_of_earlier(Stamp stamp) const {
    const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), stamp,
                                        [](Stamp value, const Stretch& stretch) { return value < stretch.first; });
    return after == stretches_.begin() ? ~std::uint64_t{0} : std::prev(after)->block;
}

bool SyncOrder::knows(const BlockClock& clock, unsigned thread, unsigned other, Stamp stamp) const {
    if (stamp < clock.barrier || thread == other) return true;
    if (thread / kLanes != other / kLanes) return false;
    const WarpClock& warp = clock.warps[thread / kLanes];
    return stamp < warp.all || (warp.known && stamp < (*warp.known)[thread % kLanes][other % kLanes]);
}

Moment SyncOrder::moment(const BlockClock& clock, unsigned thread) const {
    return {{clock.block, thread}, now_, clock.barrier, clock.warps[thread / kLanes].all};
}

/// Whether the release comes after what this thread did before `after`.
bool SyncOrder::covers(const Release& release, unsigned thread, Stamp after) const {
    if (after <= release.fence.barrier || (release.thread == thread && after <= release.fence.stamp)) return true;
    return release.thread / kLanes == thread / kLanes && after <= release.fence.warp;
}

bool SyncOrder::reaches(const Acquire& acquire, const Moment& moment) {
    if (acquire.thread.block != moment.thread.block) return false;
    if (acquire.fence <= moment.barrier) return true;
    if (acquire.thread == moment.thread) return acquire.fence <= moment.stamp;
    return acquire.thread.warp() == moment.thread.warp() && acquire.fence <= moment.warp;
}

bool SyncOrder::may_precede(const Moment& first, const Moment& second, bool any_scope) {
    if (kept_ > kMostKept) return true;
    struct Point {
        ThreadId thread;
        Stamp after;
    };
    std::vector<Point> points{{first.thread, first.stamp + 1}};
    std::unordered_map<const Acquire*, bool> seen;
    while (!points.empty()) {
        const Point point = points.back();
        points.pop_back();
        const auto releases = releases_.find(point.thread.block);
        if (releases == releases_.end()) continue;
        for (const Release& release : releases->second) {
            if (steps_left_ == 0) return true;
            --steps_left_;
            if (!covers(release, point.thread.thread, point.after)) continue;
            const auto acquires = acquires_.find(release.location);
            if (acquires == acquires_.end()) continue;
            for (const Acquire& acquire : acquires->second) {
                if (steps_left_ == 0) return true;
                --steps_left_;
                const bool of_block = (release.block_scope || acquire.block_scope) && !any_scope;
                if (of_block && acquire.thread.block != point.thread.block) continue;
                if (release.from > acquire.until || !seen.emplace(&acquire, true).second) continue;
                if (reaches(acquire, second)) return true;
                points.push_back({acquire.thread, acquire.fence});
            }
        }
    }
    return false;
}

}  // namespace lanework
