// One request as it happened: what pictures are drawn of, and what a reason is read from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace lanework {

/// The worst request of a site.
struct ExampleRequest {
    /// Bit l is set when lane l takes part.
    std::uint32_t lanes = 0;
    /// Of an access, per lane.
    unsigned bytes = 4;
    bool stores = false;
    /// By lane; within shared memory: offsets from its start. Those of lanes that take no part are ignored.
    std::array<std::uint64_t, 32> address{};

    bool takes_part(unsigned lane) const { return lanes >> lane & 1u; }
    /// The words of 4 bytes that a lane's bytes lie in.
    std::uint64_t first_word(unsigned lane) const { return address[lane] / 4; }
    std::uint64_t last_word(unsigned lane) const { return (address[lane] + bytes - 1) / 4; }
};

/// Addresses that go up evenly: by `lane_step` bytes from lane to lane of a row of `row_lanes` lanes (a power of two,
/// counted from lane 0), and by `row_step` from row to row. One row of 32 lanes has no `row_step`.
struct LanePattern {
    unsigned row_lanes = 32;
    std::int64_t lane_step = 0;
    std::int64_t row_step = 0;

    bool operator==(const LanePattern&) const = default;
};
/// The pattern with the longest rows that the lanes follow; nothing for fewer than two lanes or any other order.
std::optional<LanePattern> pattern_of(const ExampleRequest& request);

/// "lanes are 64 bytes apart", "rows of 16 lanes are 17 words apart"; steps are counted in words of 4 bytes for shared
/// memory, else in bytes. Empty for no pattern.
std::string describe_pattern(const ExampleRequest& request, bool shared);

}  // namespace lanework
