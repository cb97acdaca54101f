// From a request to its runs, and from a run to the memory that it lies in.
#include "src/trace/record/hazards.hpp"

#include <algorithm>

#include "src/simt/observer.hpp"

namespace lanework {
namespace {

constexpr std::size_t kArenaBytes = lanework_simt::kSharedArenaBytes;
/// Stamps that a launch may find used up: the next half is for its own.
constexpr Stamp kMostUsed = Stamp{1} << 31;

bool reads(EventKind kind) { return kind != EventKind::store; }
bool writes(EventKind kind) { return kind != EventKind::load; }

}  // namespace

struct Hazards::SharedState {
    Marks marks;
    ZeroedArray<std::uint64_t> written;
    /// Bytes at its start that the block, or one before it, touched.
    std::size_t touched = 0;
};

Hazards::Hazards() = default;
Hazards::~Hazards() = default;

void Hazards::launch_begins(const LaunchShape& shape) {
    if (order_.now() > kMostUsed) {
        book_.forget_marks();
        shared_.clear();
        order_.restart();
    }
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
}

void Hazards::request(const Request& request) {
    const Site& site = *request.site;
    if (site.space == Space::local || site.space == Space::constant) return;
    order_.enter(request.block);
    const bool shared = site.space == Space::shared;
    for_each_run(request, [&](const Run& run) {
        bounds_.alignment(request, run);
        shared ? shared_run(request, run) : global_run(request, run);
    });
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
    races_.access(request, run, page.marks, kPageBytes / kWordBytes, base, allocation.base);
}

void Hazards::shared_run(const Request& request, const Run& run) {
    const std::size_t end = run.address + run.span();
    bounds_.shared(request, run);
    if (run.address >= kArenaBytes || end > kArenaBytes) return;
    SharedState& state = shared_state(order_.enter(request.block));
    state.touched = std::max(state.touched, end);
    WrittenBytes written(state.written.get());
    if (reads(request.site->kind) && written.first_unwritten(run.address, run.span()) < end)
        check_written(request, run, written, 0, kArenaBytes, 0);
    if (writes(request.site->kind)) written.set(run.address, run.span());
    races_.access(request, run, state.marks, kArenaBytes / kWordBytes, 0, 0);
}

/// Some bytes that the run reads, of the `end` bytes that start at `base`, were not written as far as is known;
/// `object` is the start of their allocation.
template <class Bytes>
void Hazards::check_written(const Request& request, const Run& run, const Bytes& bytes, std::uint64_t base,
                            std::size_t end, std::uint64_t object) {
    // Behind a fence, or a barrier of some warps, what another block or warp wrote may not have been told yet.
    const BlockClock& clock = order_.enter(request.block);
    if (clock.fenced || clock.partial_barriers) return;
    for (unsigned lane = 0; lane < run.lanes; ++lane) {
        const std::uint64_t address = run.single(lane).address, first = address - base;
        const std::size_t count = std::min<std::size_t>(run.bytes, end - first);
        if (bytes.first_unwritten(first, count) == first + count) continue;
        // A structure is copied with its padding: a part of a wide access may be nobody's.
        if (run.bytes > kWordBytes && bytes.any_written(first, count)) continue;
        list_.add({.rule = Rule::uninitialised_read,
                   .site = AccessSite::of(*request.site),
                   .thread = {request.block, request.warp * kLanes + run.first_lane + lane},
                   .address = address,
                   .object = object});
    }
}

void Hazards::launch_ends(const LaunchShape& shape) {
    races_.launch_ends();
    bounds_.launch_ends(shape);
}

}  // namespace lanework
