// Which sectors of 32 bytes a warp's request for global memory touches: 4 for 32 neighbouring words, 32 for 32 words of
// a column.
#pragma once

#include "src/draw/style.hpp"
#include "src/trace/analyse/example_request.hpp"

namespace lanework {

/// A line of 128 bytes holds the bytes that one request wants.
struct TouchedLine {
    std::uint64_t address;  ///< a multiple of 128
    /// Bits of its 32 words: those of which a lane wants a byte.
    std::uint32_t words = 0;
    /// Bits of its 4 sectors.
    unsigned sectors = 0;
    /// Lanes that want something of it.
    std::uint32_t lanes = 0;
};

struct SectorMap {
    /// By address.
    std::vector<TouchedLine> lines;
    unsigned sectors = 0;
    /// The sectors that as many bytes would fill side by side.
    unsigned ideal = 0;
    /// Bytes that lanes want, each once.
    unsigned bytes = 0;
};
SectorMap sector_map(const ExampleRequest& request);

/// "32 sectors for 128 bytes, where 4 would do: lanes are 400 bytes apart".
std::string describe_sectors(const ExampleRequest& request);
/// A row for each line: words that are wanted, words that are moved in vain, sectors that stay where they are.
std::string draw_sector_map(const ExampleRequest& request, const Style& style);
std::string sector_map_svg(const ExampleRequest& request);

}  // namespace lanework
