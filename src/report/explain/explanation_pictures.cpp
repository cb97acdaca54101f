// Chooses the request and the picture that show a finding.
#include "src/report/explain/explanation_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "src/report/explain/bank_picture.hpp"
#include "src/report/explain/sector_map.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

std::size_t cost_of(const ExampleRequest& request, Space space) {
    return space == Space::shared ? bank_use(request).wavefronts.size() : sector_map(request).sectors;
}

// The memory that a finding's picture is of.
std::optional<Space> pictured(Rule rule) {
    const CostRule* const costs = find_cost_rule(rule);
    return costs ? costs->picture : std::nullopt;
}

}  // namespace

const ExampleRequest* example_at(const Explanation& explanation, const SourcePlace& place, Space space) {
    const ExampleRequest* worst = nullptr;
    for (const KernelTrace& kernel : explanation.kernels)
        for (const PlacedSite& placed : kernel.sites) {
            if (placed.site.space != space || !placed.example || !(placed.place == place)) continue;
            if (!worst || cost_of(*placed.example, space) > cost_of(*worst, space)) worst = &*placed.example;
        }
    return worst;
}

std::string draw_picture(const Explanation& explanation, const Finding& finding, const Style& style) {
    const auto space = pictured(finding.rule);
    const ExampleRequest* example = space ? example_at(explanation, finding.place, *space) : nullptr;
    if (!example) return {};
    return *space == Space::shared ? draw_bank_picture(*example, style) : draw_sector_map(*example, style);
}

std::string picture_name(const Explanation& explanation) {
    if (explanation.rung.empty()) return std::filesystem::path(explanation.operation).stem().string();
    return explanation.operation + "-" + explanation.rung;
}

std::vector<Picture> pictures_of(const Explanation& explanation) {
    std::vector<Picture> pictures;
    for (const Finding& finding : explanation.findings) {
        const auto space = pictured(finding.rule);
        const ExampleRequest* example = space ? example_at(explanation, finding.place, *space) : nullptr;
        if (!example) continue;
        const bool banks = *space == Space::shared;
        Picture picture{fmt::format("{}-{}-line-{}-{}.svg", picture_name(explanation), banks ? "banks" : "sectors",
                                    finding.place.line, finding.place.column),
                        banks ? bank_picture_svg(*example) : sector_map_svg(*example)};
        const auto same = [&](const Picture& other) { return other.file == picture.file; };
        if (std::none_of(pictures.begin(), pictures.end(), same)) pictures.push_back(std::move(picture));
    }
    return pictures;
}

}  // namespace lanework
