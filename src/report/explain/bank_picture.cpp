// Draws a request for shared memory on the 32 banks.
#include "src/report/explain/bank_picture.hpp"

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

std::string row_of(const Wavefront& wavefront, bool first, const Style& style) {
    std::string cells;
    for (unsigned bank = 0; bank < kBanks; ++bank) {
        const bool used = wavefront.banks >> bank & 1u;
        cells += paint(style, !used ? Ink::dim : first ? Ink::good : Ink::bad, used ? "█" : "·");
    }
    return cells;
}

constexpr double kMargin = 16, kLabelWidth = 96, kCell = 24, kRow = 24, kHeader = 84;

double x_of(unsigned bank) { return kMargin + kLabelWidth + bank * kCell; }

// The rows of 32 words that hold something that is wanted.
std::vector<std::uint64_t> memory_rows(const ExampleRequest& request) {
    std::set<std::uint64_t> rows;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (std::uint64_t word = request.first_word(lane); request.takes_part(lane) && word <= request.last_word(lane);
             ++word)
            rows.insert(word / kBanks);
    return {rows.begin(), rows.end()};
}

// Bits of the lanes that want a word, by word.
std::map<std::uint64_t, std::uint32_t> lanes_by_word(const ExampleRequest& request) {
    std::map<std::uint64_t, std::uint32_t> lanes;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (std::uint64_t word = request.first_word(lane); request.takes_part(lane) && word <= request.last_word(lane);
             ++word)
            lanes[word] |= 1u << lane;
    return lanes;
}

void draw_word(Svg& svg, std::uint64_t word, std::uint32_t lanes, const BankUse& use,
               const std::vector<std::uint64_t>& rows) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), word / kBanks) - rows.begin();
    const double x = x_of(static_cast<unsigned>(word % kBanks)), y = kHeader + kRow * static_cast<double>(row);
    const std::string label = cell_label(lanes);
    svg.begin_group(fmt::format("word {}: {}", word, lane_list(lanes)));
    svg.rect(x + 1, y + 1, kCell - 2, kRow - 2,
             {.tone = hue(use.wavefront_of_lane[static_cast<unsigned>(std::countr_zero(lanes))]), .corner = 2});
    svg.text(x + kCell / 2, y + 16, label,
             {.size = label.size() > 3 ? 8.0 : 11.0, .tone = Tone::paper, .anchor = Anchor::middle});
    svg.end_group();
}

void draw_memory(Svg& svg, const std::vector<std::uint64_t>& rows) {
    for (unsigned bank = 0; bank < kBanks; ++bank)
        svg.text(x_of(bank) + kCell / 2, kHeader - 8, fmt::format("{}", bank), {.size = 10, .anchor = Anchor::middle});
    svg.text(kMargin + kLabelWidth - 8, kHeader - 8, "bank", {.size = 11, .anchor = Anchor::end});
    double y = kHeader;
    for (const std::uint64_t row : rows) {
        svg.text(kMargin + kLabelWidth - 8, y + 16, fmt::format("word {}", row * kBanks),
                 {.size = 11, .anchor = Anchor::end});
        for (unsigned bank = 0; bank < kBanks; ++bank)
            svg.rect(x_of(bank) + 1, y + 1, kCell - 2, kRow - 2, {.tone = Tone::faint, .opacity = 0.3, .corner = 2});
        y += kRow;
    }
}

}  // namespace

std::string describe_banks(const ExampleRequest& request) {
    const BankUse use = bank_use(request);
    std::string text = fmt::format("{} wavefront{}", use.wavefronts.size(), use.wavefronts.size() == 1 ? "" : "s");
    if (!use.worst) return text + ": no bank is asked for two words at a time";
    const std::string pattern = describe_pattern(request, true);
    return fmt::format("{}, where {} would do: {}{}{}", text, use.ideal, describe_collision(use),
                       pattern.empty() ? "" : "; ", pattern);
}

std::string draw_bank_picture(const ExampleRequest& request, const Style& style) {
    const BankUse use = bank_use(request);
    std::string text = paragraph(style, Ink::plain, describe_banks(request));
    text += paint(style, Ink::dim, "  bank      0       8       16      24") + "\n";
    std::vector<std::string> rows;
    for (const Wavefront& wavefront : use.wavefronts)
        rows.push_back(fmt::format("  pass {:>2}   {}  {}\n", rows.size() + 1,
                                   row_of(wavefront, rows.empty() || use.wavefronts.size() == use.ideal, style),
                                   lane_list(wavefront.lanes)));
    return text + first_and_last(rows, std::string(12, ' '), "passes");
}

std::string bank_picture_svg(const ExampleRequest& request) {
    const BankUse use = bank_use(request);
    const auto rows = memory_rows(request);
    Svg svg(x_of(kBanks) + kMargin, kHeader + kRow * static_cast<double>(rows.size()) + kMargin + 20);
    const std::string about = describe_banks(request);
    const auto colon = about.find(": ");  // what, and why
    svg.text(kMargin, 26, about.substr(0, colon), {.size = 15, .bold = true});
    svg.text(kMargin, 46, about.substr(colon + 2));
    draw_memory(svg, rows);
    bool shared = false;
    for (const auto& [word, lanes] : lanes_by_word(request)) {
        draw_word(svg, word, lanes, use, rows);
        shared = shared || std::popcount(lanes) > 1;
    }
    svg.text(kMargin, svg.height() - kMargin,
             std::string("Columns are banks, numbers are lanes, colours are wavefronts: two colours in a column are a "
                         "conflict.") +
                 (shared ? " 0+7: lane 0 and 7 others want the same word." : ""),
             {.size = 11});
    return svg.finish();
}

}  // namespace lanework
