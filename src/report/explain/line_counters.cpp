// Adds the sites of a line up, kind by kind.
#include "src/report/explain/line_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace lanework {
namespace {

bool is_access(EventKind kind) {
    return kind == EventKind::load || kind == EventKind::store || kind == EventKind::atomic ||
           kind == EventKind::reduction;
}

LineAccess& access_of(LineCounters& line, const Site& site) {
    const auto key = std::pair(site.kind, site.space);
    const auto at =
        std::lower_bound(line.accesses.begin(), line.accesses.end(), key,
                         [](const auto& access, auto wanted) { return std::pair(access.kind, access.space) < wanted; });
    if (at != line.accesses.end() && std::pair(at->kind, at->space) == key) return *at;
    LineAccess access;
    access.kind = site.kind;
    access.space = site.space;
    return *line.accesses.insert(at, access);
}

void add(LineCounters& line, const Site& site) {
    line.branch.add(site.branch);
    // Of an access to nobody's memory nothing is counted: a finding names it.
    if (!is_access(site.kind) || site.space == Space::unknown) return;
    LineAccess& access = access_of(line, site);
    access.global.add(site.global);
    access.shared.add(site.shared);
    access.constant.add(site.constant);
    access.local.add(site.local);
}

}  // namespace

std::uint64_t LineAccess::requests() const {
    return global.requests + shared.requests + constant.requests + local.requests;
}
std::uint64_t LineAccess::lanes() const { return global.lanes + shared.lanes + local.lanes; }

std::uint64_t LineAccess::cost() const {
    return space == Space::shared     ? shared.wavefronts
           : space == Space::constant ? constant.distinct_addresses
                                      : global.sectors;
}
std::uint64_t LineAccess::ideal() const {
    return space == Space::shared     ? shared.ideal_wavefronts
           : space == Space::constant ? constant.requests
                                      : global.ideal_sectors;
}
std::string_view LineAccess::unit() const {
    constexpr std::string_view units[] = {"sectors", "wavefronts", "", "addresses", ""};
    return units[static_cast<int>(space)];
}

std::string LineAccess::name() const {
    constexpr std::string_view kinds[] = {"ld", "st", "atom", "red"};
    return fmt::format("{} {}", kinds[static_cast<int>(kind)], name_of(space));
}

std::vector<LineCounters> lines_of(std::span<const KernelTrace> kernels, const std::string& first_file,
                                   std::span<const Finding> findings) {
    std::map<std::tuple<bool, bool, std::string, int>, LineCounters> lines;
    for (const KernelTrace& kernel : kernels)
        for (const PlacedSite& placed : kernel.sites) {
            const SourcePlace& place = placed.place;
            LineCounters& line = lines[{place.line == 0, place.file != first_file, place.file, place.line}];
            line.file = place.file;
            line.line = place.line;
            line.function = place.function;
            add(line, placed.site);
        }
    std::vector<LineCounters> result;
    for (auto& each : lines) {
        LineCounters& line = each.second;
        const bool named = line.line != 0 && std::ranges::any_of(findings, [&](const Finding& finding) {
                               return finding.is_at(line.file, line.line);
                           });
        if (!line.accesses.empty() || line.branch.divergent != 0 || named) result.push_back(std::move(line));
    }
    return result;
}

std::string format_ratio(double ratio) {
    std::string text = fmt::format("{:.2f}", ratio);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace lanework
