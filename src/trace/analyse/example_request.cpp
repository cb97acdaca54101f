// Finds the stride in a warp's addresses.
#include "src/trace/analyse/example_request.hpp"

#include <fmt/format.h>

#include <bit>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

class Fit {
public:
    Fit(const ExampleRequest& request, unsigned row_lanes)
        : request_(request),
          first_(static_cast<unsigned>(std::countr_zero(request.lanes))),
          pattern_{row_lanes, 0, 0} {}

    std::optional<LanePattern> fit() {
        if (!take_step(true, pattern_.lane_step) || !take_step(false, pattern_.row_step)) return std::nullopt;
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if (request_.takes_part(lane) && distance(lane) != predicted(lane)) return std::nullopt;
        return pattern_;
    }

private:
    std::int64_t row_of(unsigned lane) const { return lane / pattern_.row_lanes; }
    std::int64_t distance(unsigned lane) const {
        return static_cast<std::int64_t>(request_.address[lane] - request_.address[first_]);
    }
    std::int64_t rows(unsigned lane) const { return row_of(lane) - row_of(first_); }
    std::int64_t columns(unsigned lane) const {
        return std::int64_t{lane % pattern_.row_lanes} - std::int64_t{first_ % pattern_.row_lanes};
    }
    std::int64_t predicted(unsigned lane) const {
        return rows(lane) * pattern_.row_step + columns(lane) * pattern_.lane_step;
    }

    // From the first lane to the next one of its row, or to the next one of another row; false when that is no step.
    bool take_step(bool within_row, std::int64_t& step) const {
        for (unsigned lane = first_ + 1; lane < kLanes; ++lane) {
            if (!request_.takes_part(lane) || (rows(lane) == 0) != within_row) continue;
            const std::int64_t rest = distance(lane) - predicted(lane), count = within_row ? columns(lane) : rows(lane);
            step = rest / count;
            return rest % count == 0;
        }
        return true;
    }

    const ExampleRequest& request_;
    unsigned first_;
    LanePattern pattern_;
};

std::string amount(std::int64_t bytes, bool shared) {
    const bool words = shared && bytes % kWordBytes == 0;
    const std::int64_t count = words ? bytes / kWordBytes : bytes;
    return fmt::format("{} {}{}", count, words ? "word" : "byte", count == 1 ? "" : "s");
}

}  // namespace

std::optional<LanePattern> pattern_of(const ExampleRequest& request) {
    if (std::popcount(request.lanes) < 2) return std::nullopt;
    for (unsigned row_lanes = kLanes; row_lanes > 1; row_lanes /= 2)
        if (const auto pattern = Fit(request, row_lanes).fit()) return pattern;
    return std::nullopt;
}

std::string describe_pattern(const ExampleRequest& request, bool shared) {
    const auto pattern = pattern_of(request);
    if (!pattern) return {};
    const std::string lane_step = amount(pattern->lane_step, shared), row_step = amount(pattern->row_step, shared);
    if (pattern->row_lanes == kLanes)
        return pattern->lane_step == 0 ? "all lanes name one address" : fmt::format("lanes are {} apart", lane_step);
    if (pattern->lane_step == request.bytes)
        return fmt::format("rows of {} lanes are {} apart", pattern->row_lanes, row_step);
    if (pattern->lane_step == 0)
        return fmt::format("groups of {} lanes name one address each, {} apart", pattern->row_lanes, row_step);
    return fmt::format("lanes are {} apart in groups of {}, the groups {}", lane_step, pattern->row_lanes, row_step);
}

}  // namespace lanework
