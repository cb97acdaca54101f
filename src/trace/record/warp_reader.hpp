// Reads the tapes of a warp's lanes and tells what the warp did: which lanes executed what together.
//
// Lanes that are at the same place of the code execute it together; where lanes are at different places, the one that
// comes first in the code goes first, as long as the others could still join it. That is where structured programs
// reconverge, and what the layout of the instrumented kernels (cmake/LaneworkRungs.cmake) is kept in order for.
#pragma once

#include <optional>
#include <span>

#include "src/simt/observer.hpp"
#include "src/trace/analyse/analyser.hpp"
#include "src/trace/record/site_table.hpp"

namespace lanework {

class WarpReader {
public:
    WarpReader(SiteTable& sites, std::span<Analyser* const> analysers);

    /// Reads a warp's tapes as far as what its lanes did is certain: to their ends where all of them wait.
    void read(const lanework_simt::ObservedBlock& block, unsigned warp);

private:
    using EventCode = lanework_simt::EventCode;

    bool all_alike() const;
    void read_alike();
    void read_apart();
    void look_at(unsigned lane);
    bool read_together(std::uint32_t lanes);
    bool advance(std::uint32_t lanes);
    EventCode earliest(std::uint32_t lanes) const;
    bool may_meet(unsigned lane) const;
    std::uint32_t lanes_at(EventCode code, std::uint32_t lanes) const;
    std::uint32_t lanes_at(EventCode code) const { return lanes_at(code, present_); }
    void tell(EventCode code, std::uint32_t lanes, std::size_t event);
    void tell_access(EventCode code, std::uint32_t lanes, std::size_t event);
    void tell_request(Site& site, std::uint32_t lanes);
    void tell_meeting(EventCode code, std::uint32_t lanes);

    std::uint64_t head_address(unsigned lane) const { return tapes_[lane].addresses[tapes_[lane].read]; }
    bool has_event(unsigned lane) const { return tapes_[lane].read < tapes_[lane].size; }

    SiteTable& sites_;
    std::span<Analyser* const> analysers_;
    std::array<std::vector<Analyser*>, kSpaces> request_analysers_;  // by space
    std::vector<Analyser*> step_analysers_;

    // Of the warp that is read.
    lanework_simt::Tape* tapes_ = nullptr;
    unsigned lanes_ = 0;
    std::uint32_t present_ = 0;                         // lanes with events
    std::array<EventCode, kLanes> heads_{};             // the next event of each of these
    std::uint32_t at_meeting_ = 0;                      // lanes whose next event is a meeting
    std::array<const std::uint64_t*, kLanes> ahead_{};  // addresses of the events that are told next
    std::uint64_t shared_ = 0;
    std::uint64_t shared_room_ = 0;
    unsigned warp_ = 0;
    Request request_{};
};

}  // namespace lanework
