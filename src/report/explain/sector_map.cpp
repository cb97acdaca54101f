// Draws a request for global memory on the lines of 128 bytes that it touches.
#include "src/report/explain/sector_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "src/draw/svg.hpp"
#include "src/gpu/memory_units.hpp"
#include "src/report/explain/lanes.hpp"

namespace lanework {
namespace {

constexpr unsigned kSectors = kLineBytes / kSectorBytes, kWordsPerSector = kSectorBytes / kWordBytes;

std::set<std::uint64_t> wanted_bytes(const ExampleRequest& request) {
    std::set<std::uint64_t> bytes;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned byte = 0; request.takes_part(lane) && byte < request.bytes; ++byte)
            bytes.insert(request.address[lane] + byte);
    return bytes;
}

// "+128": from the first line on.
std::string offset_of(const TouchedLine& line, const SectorMap& map) {
    return fmt::format("+{}", line.address - map.lines.front().address);
}

bool touched(const TouchedLine& line, unsigned sector) { return line.sectors >> sector & 1u; }

std::string cells_of(const TouchedLine& line, const Style& style) {
    std::string text;
    for (unsigned sector = 0; sector < kSectors; ++sector) {
        text += " ";
        for (unsigned word = sector * kWordsPerSector; word < (sector + 1) * kWordsPerSector; ++word)
            text += line.words >> word & 1u ? paint(style, Ink::accent, "█")
                    : touched(line, sector) ? paint(style, Ink::bad, "░")
                                            : paint(style, Ink::dim, "·");
    }
    return text;
}

// Bits of the lanes that want a byte of a word.
std::uint32_t lanes_of(const ExampleRequest& request, std::uint64_t word_address) {
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        if (request.takes_part(lane) && request.address[lane] < word_address + kWordBytes &&
            request.address[lane] + request.bytes > word_address)
            lanes |= 1u << lane;
    return lanes;
}

bool shares_words(const ExampleRequest& request, const SectorMap& map) {
    for (const TouchedLine& line : map.lines)
        for (unsigned word = 0; word < kLineBytes / kWordBytes; ++word)
            if (std::popcount(lanes_of(request, line.address + word * kWordBytes)) > 1) return true;
    return false;
}

constexpr double kMargin = 16, kLabelWidth = 88, kCell = 22, kRow = 22, kSectorGap = 8, kHeader = 64, kNote = 16;

double x_of(unsigned word) { return kMargin + kLabelWidth + word * kCell + word / kWordsPerSector * kSectorGap; }

void draw_line(Svg& svg, const ExampleRequest& request, const TouchedLine& line, const SectorMap& map, double y) {
    svg.begin_group(fmt::format("{}: {}", offset_of(line, map), lane_list(line.lanes)));
    svg.text(kMargin + kLabelWidth - 8, y + 15, offset_of(line, map), {.anchor = Anchor::end, .monospace = true});
    for (unsigned sector = 0; sector < kSectors; ++sector)
        svg.rect(x_of(sector * kWordsPerSector), y, kWordsPerSector * kCell, kRow - 4,
                 {.tone = touched(line, sector) ? Tone::bad : Tone::faint,
                  .opacity = touched(line, sector) ? 0.35 : 0.3,
                  .corner = 3});
    for (unsigned word = 0; word < kLineBytes / kWordBytes; ++word) {
        if (!(line.words >> word & 1u)) continue;
        svg.rect(x_of(word) + 1, y + 1, kCell - 2, kRow - 6, {.tone = Tone::accent, .corner = 2});
        const std::string label = cell_label(lanes_of(request, line.address + word * kWordBytes));
        svg.text(x_of(word) + kCell / 2, y + 13, label,
                 {.size = label.size() > 3 ? 8.0 : 10.0, .tone = Tone::paper, .anchor = Anchor::middle});
    }
    svg.end_group();
}

}  // namespace

SectorMap sector_map(const ExampleRequest& request) {
    std::map<std::uint64_t, TouchedLine> lines;
    const auto bytes = wanted_bytes(request);
    for (const std::uint64_t byte : bytes) {
        const std::uint64_t base = byte / kLineBytes * kLineBytes;
        TouchedLine& line = lines[base];
        line.address = base;
        line.words |= 1u << (byte - base) / kWordBytes;
        line.sectors |= 1u << (byte - base) / kSectorBytes;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned byte = 0; request.takes_part(lane) && byte < request.bytes; ++byte)
            lines[(request.address[lane] + byte) / kLineBytes * kLineBytes].lanes |= 1u << lane;
    SectorMap map;
    for (const auto& [base, line] : lines) {
        map.lines.push_back(line);
        map.sectors += static_cast<unsigned>(std::popcount(line.sectors));
    }
    map.bytes = static_cast<unsigned>(bytes.size());
    map.ideal = (map.bytes + kSectorBytes - 1) / kSectorBytes;
    return map;
}

std::string describe_sectors(const ExampleRequest& request) {
    const SectorMap map = sector_map(request);
    const auto plural = [](unsigned count) { return count == 1 ? "" : "s"; };
    std::string text =
        fmt::format("{} sector{} for {} byte{}", map.sectors, plural(map.sectors), map.bytes, plural(map.bytes));
    if (map.sectors > map.ideal) text += fmt::format(", where {} would do", map.ideal);
    const std::string pattern = describe_pattern(request, false);
    return pattern.empty() ? text : text + ": " + pattern;
}

std::string draw_sector_map(const ExampleRequest& request, const Style& style) {
    const SectorMap map = sector_map(request);
    std::size_t label = 0;
    for (const TouchedLine& line : map.lines) label = std::max(label, offset_of(line, map).size());
    std::vector<std::string> rows;
    for (const TouchedLine& line : map.lines)
        rows.push_back("  " + pad_left(offset_of(line, map), label) + " " + cells_of(line, style) + "  " +
                       lane_list(line.lanes) + "\n");
    return paragraph(style, Ink::plain, describe_sectors(request)) +
           first_and_last(rows, std::string(label + 4, ' '), "lines");
}

std::string sector_map_svg(const ExampleRequest& request) {
    const SectorMap map = sector_map(request);
    const double width = x_of(kLanes - 1) + kCell + kMargin;
    const bool shared = shares_words(request, map);
    const double header = kHeader + (shared ? kNote : 0);
    Svg svg(width, header + kRow * static_cast<double>(map.lines.size()) + kMargin);
    svg.text(kMargin, 26, describe_sectors(request), {.size = 15, .bold = true});
    for (unsigned sector = 0; sector < kSectors; ++sector)
        svg.text(x_of(sector * kWordsPerSector), header - 10,
                 fmt::format("bytes {} to {}", sector * kSectorBytes, (sector + 1) * kSectorBytes - 1), {.size = 11});
    if (shared) svg.text(kMargin, 44, "0+7: lane 0 and 7 others want something of the same word", {.size = 11});
    double y = header;
    for (const TouchedLine& line : map.lines) {
        draw_line(svg, request, line, map, y);
        y += kRow;
    }
    return svg.finish();
}

}  // namespace lanework
