// Short words for sets of lanes.
#include "src/report/explain/lanes.hpp"

#include <fmt/format.h>

#include <bit>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

// More runs of lanes than these are counted and not named.
constexpr std::size_t kNamedRuns = 3;
constexpr std::size_t kShownRows = 8;

struct Run {
    unsigned first, last;
};

std::vector<Run> runs_of(std::uint32_t lanes) {
    std::vector<Run> runs;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (!(lanes >> lane & 1u)) continue;
        if (!runs.empty() && runs.back().last + 1 == lane)
            runs.back().last = lane;
        else
            runs.push_back({lane, lane});
    }
    return runs;
}

std::string text_of(const Run& run) {
    return run.first == run.last ? fmt::format("{}", run.first) : fmt::format("{}–{}", run.first, run.last);
}

// Single lanes, each as far from the one before it.
bool even_steps(const std::vector<Run>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].first != runs[i].last ||
            (i > 1 && runs[i].first - runs[i - 1].first != runs[1].first - runs[0].first))
            return false;
    return true;
}

}  // namespace

std::string lane_list(std::uint32_t lanes) {
    if (lanes == 0) return "no lane";
    const std::vector<Run> runs = runs_of(lanes);
    if (std::has_single_bit(lanes)) return "lane " + text_of(runs.front());
    std::string text = "lanes ";
    if (runs.size() > kNamedRuns && even_steps(runs))
        return text + fmt::format("{}, {}, {} … {}", runs[0].first, runs[1].first, runs[2].first, runs.back().first);
    int named = 0;
    for (std::size_t i = 0; i < runs.size() && i < kNamedRuns; ++i) {
        text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + text_of(runs[i]);
        named += static_cast<int>(runs[i].last - runs[i].first) + 1;
    }
    const int others = std::popcount(lanes) - named;
    return others == 0 ? text : text + fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
}

std::string cell_label(std::uint32_t lanes) {
    if (lanes == 0) return {};
    const int others = std::popcount(lanes) - 1;
    return others == 0 ? fmt::format("{}", std::countr_zero(lanes))
                       : fmt::format("{}+{}", std::countr_zero(lanes), others);
}

std::string first_and_last(const std::vector<std::string>& rows, const std::string& indent, const char* what) {
    std::string text;
    const bool whole = rows.size() <= kShownRows + 2;
    for (std::size_t i = 0; i < (whole ? rows.size() : kShownRows); ++i) text += rows[i];
    if (whole) return text;
    return text + fmt::format("{}… {} more {} …\n", indent, rows.size() - kShownRows - 1, what) + rows.back();
}

}  // namespace lanework
