// Which lanes of each warp of a block that runs in regions meet, and what becomes of the block where they do not.
#include <lanework_simt/warp_regions.hpp>

#include <fmt/format.h>

#include "src/simt/worker.hpp"

namespace lanework_simt {
namespace {

/// The lanes of a warp, by what is kept of each of its threads.
unsigned bits_of(const bool* values, unsigned count) {
    unsigned bits = 0;
    for (unsigned lane = 0; lane < count; ++lane) bits |= static_cast<unsigned>(values[lane]) << lane;
    return bits;
}

/// Whether each lane that comes is named by its mask, and all that this names come with the same one.
bool agree(unsigned comes, unsigned awaited, const WarpsMeeting& meeting, unsigned first) {
    bool good = true;
    lane_rules::for_each(comes, [&](unsigned lane) {
        const unsigned mask = meeting.masks ? meeting.masks[first + lane] : meeting.mask;
        const unsigned others = mask & awaited;
        good = good && (mask >> lane & 1) && (others & ~comes) == 0;
        if (meeting.masks)
            lane_rules::for_each(others & comes,
                                 [&](unsigned other) { good = good && meeting.masks[first + other] == mask; });
    });
    return good;
}

}  // namespace

void refuse_in_region(WarpOperation operation, Place place) {
    context.worker->leave_regions(
        {cudaErrorIllegalInstruction,
         fmt::format(
             "the lanes of a warp of block {} do not meet at {} at {}, where each lane's mask has to name it, and "
             "those alone that come with the same mask; LANEWORK_SIMT_LOOPS=0 runs every thread by itself",
             engine::to_text(context.block_index), engine::name_of(operation), engine::to_text(place)),
         place});
}

void meet_in_warps(const WarpsMeeting& meeting, unsigned* lanes_of_warps) {
    const bool excuses = lane_rules::excuses_exited(meeting.operation) || engine::exited_excused;
    for (unsigned warp = meeting.first_warp; warp < meeting.end_warp; ++warp) {
        const unsigned first = warp * kWarpLanes;
        const unsigned count = std::min(meeting.threads - first, kWarpLanes);
        const unsigned there = kFullMask >> (kWarpLanes - count);
        const unsigned gone = meeting.left ? bits_of(meeting.left + first, count) : 0;
        const unsigned comes = there & ~gone & (meeting.comes ? bits_of(meeting.comes + first, count) : kFullMask);
        const unsigned awaited = !excuses ? there : meeting.others_leave ? comes : there & ~gone;
        if (meeting.operation != WarpOperation::activemask && !agree(comes, awaited, meeting, first))
            refuse_in_region(meeting.operation, meeting.place);
        lanes_of_warps[warp] = comes;
    }
}

}  // namespace lanework_simt
