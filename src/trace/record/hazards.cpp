// From a request to its runs, and from a run to the memory that it lies in.
#include "src/trace/record/hazards.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/simt/observer.hpp"

namespace lanework {
namespace {

constexpr std::size_t kArenaBytes = lanework_simt::kSharedArenaBytes;
/// Stamps that a launch may find used up: the next half is for its own.
constexpr Stamp kMostUsed = Stamp{1} << 31;

bool reads(EventKind kind) { return kind != EventKind::store; }
bool writes(EventKind kind) { return kind != EventKind::load; }

/// Whether the request's first lanes access words that do not lie side by side: then others are likely to, too.
bool lie_apart(const Request& request) {
    const std::uint32_t others = request.lanes & (request.lanes - 1);
    if (others == 0) return false;
    const auto first = static_cast<unsigned>(std::countr_zero(request.lanes));
    const auto second = static_cast<unsigned>(std::countr_zero(others));
    // No further than one access from each other, to either side.
    return request.address[second] - request.address[first] + request.site->bytes > 2 * request.site->bytes;
}

/// A value that nobody wrote, on its way from a load to the stores that it is moved to.
struct Moving {
    /// What is told where it leaves the block.
    Hazard hazard;
    /// Those that it has not come to.
    std::vector<std::uint64_t> stores;
};

}  // namespace

struct Hazards::SharedState {
    Marks marks;
    ZeroedArray<std::uint64_t> written;
    /// Bytes at its start that the block, or one before it, touched.
    std::size_t touched = 0;
    /// By the block's threads.
    std::unordered_map<unsigned, std::vector<Moving>> moving;
};

Hazards::Hazards(MovedBy moved_by) : find_moved_by_(std::move(moved_by)) {}
Hazards::~Hazards() = default;

void Hazards::launch_begins(const LaunchShape& shape) {
    if (order_.now() > kMostUsed) {
        book_.forget_marks();
        shared_.clear();
        order_.restart();
    }
    used_leftovers_ = false;
    list_.launch_begins(shape);
    book_.launch_begins();
    bounds_.launch_begins();
    order_.launch_begins(shape);
}

Hazards::SharedState& Hazards::shared_state(const BlockClock& clock) {
    if (clock.slot >= shared_.size()) shared_.resize(clock.slot + 1);
    return shared_[clock.slot];
}

void Hazards::block_begins(std::uint64_t block) {
    order_.block_begins(block);
    SharedState& state = shared_state(order_.enter(block));
    std::uint64_t* const bits = state.written.make(kArenaBytes / 64);
    std::fill_n(bits, (state.touched + 63) / 64, 0);
    state.touched = 0;
    state.moving.clear();
}

/// Lanes that access words here and there would each wait for the marks of theirs: all are asked for at once.
inline void Hazards::fetch_marks(const Request& request) const {
    const Allocation* const allocation = book_.last_of(request.site->id);
    if (!allocation) return;
    std::uint64_t before = ~std::uint64_t{0};
    for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
        const std::uint64_t offset = request.address[static_cast<unsigned>(std::countr_zero(left))] - allocation->base;
        const std::uint64_t sector = offset / kSectorBytes;
        if (sector == before || offset >= allocation->bytes) continue;
        before = sector;
        allocation->pages[offset / kPageBytes].marks.fetch(offset % kPageBytes / kWordBytes);
    }
}

void Hazards::request(const Request& request) {
    const Site& site = *request.site;
    if (site.space == Space::constant) return;
    const BlockClock& clock = order_.enter(request.block);
    const bool moves = clock.slot < shared_.size() && !shared_[clock.slot].moving.empty();
    if (moves && reads(site.kind)) forget_moving(shared_[clock.slot], request);
    if (site.space == Space::local) {
        if (moves && site.kind == EventKind::store) settle_moving(shared_[clock.slot], request);
        return;
    }
    const bool shared = site.space == Space::shared;
    if (!shared && lie_apart(request)) fetch_marks(request);
    races_.begin(request);
    SharedState* const state = shared ? &shared_state(clock) : nullptr;
    for_each_run(request, [&](const Run& run) {
        bounds_.alignment(request, run);
        state ? shared_run(request, run, *state) : global_run(request, run);
    });
    if (moves && site.kind == EventKind::store) settle_moving(shared_[clock.slot], request);
    if (site.is_atomic() || site.is_volatile) order_.atomic(request);
}

void Hazards::global_run(const Request& request, const Run& run) {
    Allocation* const allocation = bounds_.allocation_of(request, run);
    if (!allocation) {
        if (run.lanes == 1) return bounds_.outside(request, run);
        for (unsigned lane = 0; lane < run.lanes; ++lane) global_run(request, run.single(lane));
        return;
    }
    const std::size_t offset = run.address - allocation->base, page = offset / kPageBytes;
    if (run.lanes > 1 && (offset + run.span() - 1) / kPageBytes != page) {
        for (unsigned lane = 0; lane < run.lanes; ++lane)
            in_page(request, run.single(lane), *allocation, (run.single(lane).address - allocation->base) / kPageBytes);
        return;
    }
    in_page(request, run, *allocation, page);
}

void Hazards::in_page(const Request& request, const Run& run, Allocation& allocation, std::size_t index) {
    Page& page = allocation.pages[index];
    const std::uint64_t base = allocation.base + index * kPageBytes;
    const EventKind kind = request.site->kind;
    // A misaligned access may go on in the next page; only its part in this one is looked at.
    const std::size_t offset = run.address - base, count = std::min<std::size_t>(run.span(), kPageBytes - offset);
    if (allocation.watched && !page.all_written) {
        if (reads(kind) && page.first_unwritten(offset, count) < offset + count)
            check_written(request, run, page, base, kPageBytes, allocation.base);
        if (writes(kind)) page.set_written(offset, count);
    }
    races_.access(run, page.marks, kPageBytes / kWordBytes, base, allocation.base);
}

void Hazards::shared_run(const Request& request, const Run& run, SharedState& state) {
    const std::size_t end = run.address + run.span();
    bounds_.shared(request, run);
    if (run.address >= kArenaBytes || end > kArenaBytes) return;
    state.touched = std::max(state.touched, end);
    WrittenBytes written(state.written.get());
    if (reads(request.site->kind) && written.first_unwritten(run.address, run.span()) < end)
        check_written(request, run, written, 0, kArenaBytes, 0);
    if (writes(request.site->kind)) written.set(run.address, run.span());
    races_.access(run, state.marks, kArenaBytes / kWordBytes, 0, 0);
}

/// Some bytes that the run reads, of the `end` bytes that start at `base`, were not written as far as is known;
/// `object` is the start of their allocation.
template <class Bytes>
void Hazards::check_written(const Request& request, const Run& run, const Bytes& bytes, std::uint64_t base,
                            std::size_t end, std::uint64_t object) {
    // Behind a fence, or a barrier of some warps, what another block or warp wrote may not have been told yet.
    const BlockClock& clock = order_.enter(request.block);
    const bool shared = request.site->space == Space::shared;
    if (clock.fenced || clock.partial_barriers) {
        used_leftovers_ = used_leftovers_ || shared;
        return;
    }
    for (unsigned lane = 0; lane < run.lanes; ++lane) {
        const std::uint64_t address = run.single(lane).address, first = address - base;
        const std::size_t count = std::min<std::size_t>(run.bytes, end - first);
        if (bytes.first_unwritten(first, count) == first + count) continue;
        const MovedValue* const moved =
            request.site->kind == EventKind::load && !request.site->is_atomic() ? &moved_by(request.site->pc) : nullptr;
        const bool only_moved = moved && moved->only_moved;
        used_leftovers_ = used_leftovers_ || (shared && !only_moved);
        // A structure is copied with its padding: a part of a wide access may be nobody's.
        if (run.bytes > kWordBytes && bytes.any_written(first, count)) continue;
        const unsigned thread = request.warp * kLanes + run.first_lane + lane;
        const Hazard hazard{.rule = Rule::uninitialised_read,
                            .site = AccessSite::of(*request.site),
                            .thread = {request.block, thread},
                            .address = address,
                            .object = object};
        if (!only_moved) {
            list_.add(hazard);
        } else if (!moved->stores.empty()) {
            shared_state(clock).moving[thread].push_back({hazard, moved->stores});
        }
    }
}

bool Hazards::counts_unwritten(const HazardCounts& counts) const {
    return std::ranges::any_of(
        counts, [&](const auto& each) { return list_.hazards()[each.first].rule == Rule::uninitialised_read; });
}

const MovedValue& Hazards::moved_by(std::uint64_t load) {
    const auto [found, is_new] = moved_by_.try_emplace(load);
    if (is_new) found->second = find_moved_by_(load);
    return found->second;
}

/// The lanes load what goes to the same stores: an older value of theirs does not any more.
void Hazards::forget_moving(SharedState& state, const Request& request) {
    const MovedValue& loaded = moved_by(request.site->pc);
    for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
        const auto found = state.moving.find(request.warp * kLanes + static_cast<unsigned>(std::countr_zero(left)));
        if (found == state.moving.end()) continue;
        std::erase_if(found->second, [&](const Moving& each) {
            return std::ranges::any_of(each.stores, [&](std::uint64_t pc) { return loaded.is_stored_by(pc); });
        });
        if (found->second.empty()) state.moving.erase(found);
    }
}

/// The lanes have stored what they loaded before. Where that was nobody's, a place in shared memory still is; all other
/// memory is where it is told.
void Hazards::settle_moving(SharedState& state, const Request& request) {
    const Site& site = *request.site;
    for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const auto found = state.moving.find(request.warp * kLanes + lane);
        if (found == state.moving.end()) continue;
        for (Moving& each : found->second) {
            if (std::erase(each.stores, site.pc) == 0) continue;
            const std::uint64_t address = request.address[lane];
            const bool kept = site.space == Space::shared && site.bytes == each.hazard.site.bytes &&
                              address + site.bytes <= kArenaBytes;
            if (kept) {
                WrittenBytes(state.written.get()).clear(address, site.bytes);
                continue;
            }
            used_leftovers_ = used_leftovers_ || each.hazard.site.space == Space::shared;
            list_.add(each.hazard);
        }
    }
}

void Hazards::launch_ends(const LaunchShape& shape) {
    races_.launch_ends();
    bounds_.launch_ends(shape);
}

}  // namespace lanework
