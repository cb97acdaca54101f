// From tapes of threads to requests of warps.
#include "src/trace/record/warp_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanework {
namespace {

/// The codes from the first event on that nobody has read.
const lanework_simt::EventCode* codes_of(const lanework_simt::Tape& tape) {
    return (tape.leader ? tape.leader->codes : tape.codes) + tape.read;
}

/// Events: two cache lines of codes, or of addresses.
constexpr std::size_t kFetchedAhead = 16;

constexpr std::uint32_t bit_of(unsigned lane) { return std::uint32_t{1} << lane; }

}  // namespace

WarpReader::WarpReader(SiteTable& sites, std::span<Analyser* const> analysers) : sites_(sites), analysers_(analysers) {
    for (Analyser* analyser : analysers) {
        if (analyser->sees_steps()) step_analysers_.push_back(analyser);
        for (std::size_t space = 0; space < kSpaces; ++space)
            if (analyser->sees_requests(static_cast<Space>(space))) request_analysers_[space].push_back(analyser);
    }
}

void WarpReader::read(const lanework_simt::ObservedBlock& block, unsigned warp) {
    const unsigned first = warp * kLanes;
    tapes_ = block.tapes + first;
    lanes_ = std::min(block.threads - first, kLanes);
    shared_ = reinterpret_cast<std::uint64_t>(block.shared);
    shared_room_ = lanework_simt::kSharedArenaBytes;
    warp_ = warp;
    request_.block = block.linear_index;
    request_.warp = warp;
    present_ = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) present_ |= std::uint32_t{has_event(lane)} << lane;
    if (present_ == 0) return;
    if (all_alike()) {
        read_alike();
    } else {
        read_apart();
    }
}

/// True when the lanes that have events all wait and did the same, event by event.
bool WarpReader::all_alike() const {
    const unsigned first = static_cast<unsigned>(std::countr_zero(present_));
    const lanework_simt::Tape& model = tapes_[first];
    const std::size_t events = model.size - model.read;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const lanework_simt::Tape& tape = tapes_[lane];
        if (!tape.waits) return false;
        if (!(present_ >> lane & 1) || lane == first) continue;
        if (tape.size - tape.read != events) return false;
        if (tape.leader == &model && tape.read == model.read) continue;
        if (std::memcmp(codes_of(tape), codes_of(model), events * sizeof(EventCode)) != 0) return false;
    }
    return true;
}

void WarpReader::read_alike() {
    const lanework_simt::Tape& model = tapes_[std::countr_zero(present_)];
    const std::size_t events = model.size - model.read;
    const std::size_t first = model.read;
    for (unsigned lane = 0; lane < lanes_; ++lane) ahead_[lane] = tapes_[lane].addresses + tapes_[lane].read;
    for (std::size_t event = 0; event < events; ++event) tell(model.code(first + event), present_, event);
    for (unsigned lane = 0; lane < lanes_; ++lane) tapes_[lane].read = tapes_[lane].size;
}

/// A lane that can still run and has no event left may do anything next: then nothing is certain.
void WarpReader::read_apart() {
    bool certain = true;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        if (has_event(lane))
            look_at(lane);
        else
            certain &= tapes_[lane].waits;
    }
    while (present_ != 0 && certain) certain = read_together(lanes_at(earliest(present_)));
}

/// Reads the event that the lanes are at, and those behind it as long as they all are at one place, no meeting, which
/// comes before those of all others: these stand still meanwhile. False where a lane may do anything next.
bool WarpReader::read_together(std::uint32_t lanes) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    for (std::optional<EventCode> others;;) {
        const EventCode code = heads_[first];
        const bool certain = advance(lanes);
        tell(code, lanes, 0);
        if (!certain || (present_ & lanes) != lanes || (at_meeting_ & lanes) != 0) return certain;
        if (lanes_at(heads_[first], lanes) != lanes) return true;
        if (!others) others = earliest(present_ & ~lanes);
        if (!(heads_[first] < *others)) return true;
    }
}

/// The lanes' next events become those behind. False where a lane that can still run has none.
bool WarpReader::advance(std::uint32_t lanes) {
    bool certain = true;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        ahead_[lane] = tapes_[lane].addresses + tapes_[lane].read++;
        if (has_event(lane)) {
            look_at(lane);
        } else {
            present_ &= ~bit_of(lane);
            certain &= tapes_[lane].waits;
        }
    }
    return certain;
}

/// Keeps the lane's next event at hand: it is compared with those of the other lanes until its turn comes.
void WarpReader::look_at(unsigned lane) {
    const lanework_simt::Tape& tape = tapes_[lane];
    const EventCode* const code = codes_of(tape);
    // The lanes' tapes are more streams than a processor sees coming.
    __builtin_prefetch(code + kFetchedAhead);
    __builtin_prefetch(tape.addresses + tape.read + kFetchedAhead);
    heads_[lane] = *code;
    at_meeting_ = (at_meeting_ & ~bit_of(lane)) | (is_meeting(heads_[lane].kind()) ? bit_of(lane) : 0);
}

/// Whether the lanes that the lane's next event, a meeting, waits for are all at a meeting.
bool WarpReader::may_meet(unsigned lane) const {
    return (static_cast<std::uint32_t>(head_address(lane)) & present_ & ~at_meeting_) == 0;
}

/// The first place in the code at which one of the lanes is that need not wait; of all that have events there is one: a
/// lane waits for another that is at no meeting. A place behind all others where there is none.
lanework_simt::EventCode WarpReader::earliest(std::uint32_t lanes) const {
    constexpr EventCode kNone(~std::uint64_t{0}, EventKind::fence, 0);
    EventCode earliest = kNone;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const bool waits = (at_meeting_ & bit_of(lane)) && !may_meet(lane);
        if (!waits) earliest = std::min(earliest, heads_[lane]);
    }
    return earliest;
}

/// Of these lanes, the ones whose next event is this one.
std::uint32_t WarpReader::lanes_at(EventCode code, std::uint32_t lanes) const {
    std::uint32_t found = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        found |= std::uint32_t{heads_[lane] == code} << lane;
    }
    return found;
}

/// The lanes' event, whose addresses are the `event`th ahead of each.
void WarpReader::tell(EventCode code, std::uint32_t lanes, std::size_t event) {
    switch (code.kind()) {
        case EventKind::path: {
            const Step step{&sites_.at(code), lanes, request_.block, warp_};
            for (Analyser* analyser : step_analysers_) analyser->step(step);
            break;
        }
        case EventKind::warp_sync:
        case EventKind::warp_exchange:
        case EventKind::fence:
        case EventKind::release:
        case EventKind::acquire:
        case EventKind::barrier: tell_meeting(code, lanes); break;
        default: tell_access(code, lanes, event);
    }
}

void WarpReader::tell_access(EventCode code, std::uint32_t lanes, std::size_t event) {
    if (lanes == ~std::uint32_t{0}) {
        for (unsigned lane = 0; lane < kLanes; ++lane) request_.address[lane] = ahead_[lane][event];
    } else {
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            request_.address[lane] = ahead_[lane][event];
        }
    }
    if (code.kind() == EventKind::fetch) return tell_request(sites_.texture(code), lanes);
    // A pointer that is chosen may lead some lanes to shared memory and others elsewhere.
    std::uint32_t shared = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        shared |= std::uint32_t{request_.address[lane] - shared_ < shared_room_} << lane;
    shared &= lanes;
    if (const std::uint32_t others = lanes & ~shared)
        tell_request(sites_.outside(code, request_.address[static_cast<unsigned>(std::countr_zero(others))]), others);
    if (shared == 0) return;
    for (std::uint64_t& each : request_.address) each -= shared_;
    tell_request(sites_.shared(code), shared);
}

void WarpReader::tell_request(Site& site, std::uint32_t lanes) {
    request_.site = &site;
    request_.lanes = lanes;
    for (Analyser* analyser : request_analysers_[static_cast<std::size_t>(site.space)]) analyser->request(request_);
}

void WarpReader::tell_meeting(EventCode code, std::uint32_t lanes) {
    const Meeting meeting{&sites_.at(code), lanes, request_.block, warp_};
    if (is_fence(code.kind())) {
        for (Analyser* analyser : analysers_) analyser->fence(meeting);
        return;
    }
    for (Analyser* analyser : analysers_) analyser->meeting(meeting);
}

}  // namespace lanework
