// Draws the list of operations and ladders.
#include "src/report/results/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/draw/table.hpp"

namespace lanework {
namespace {

constexpr std::size_t kLabelColumns = 14;

std::string joined_types(const std::vector<DType>& types) {
    std::vector<std::string_view> names;
    for (const DType dtype : types) names.push_back(name_of(dtype));
    return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string_view> names_of(const Operation& operation, DeviceKind kind, const Listed& listed,
                                       bool library) {
    std::vector<std::string_view> names;
    for (const Rung* rung : listed.rungs(operation, kind))
        if (rung->library == library) names.push_back(rung->name);
    return names;
}

// "a → b → c; d → e": an arrow leads to what climbs from the rung before it.
std::string chain_of(const Operation& operation, DeviceKind kind, const Listed& listed) {
    std::string text;
    std::string_view before;
    for (const Rung* rung : listed.rungs(operation, kind)) {
        if (rung->library) continue;
        if (!text.empty()) text += rung->climbs_from == before ? " → " : "; ";
        text += rung->name;
        before = rung->name;
    }
    return text;
}

std::string labelled(std::string_view label, std::string_view text, const Style& style) {
    constexpr std::size_t kIndent = 2 + kLabelColumns;
    const auto width = static_cast<std::size_t>(style.width);
    std::string result = "  " + paint(style, Ink::dim, pad_right(label, kLabelColumns));
    bool first = true;
    for (const std::string& line : wrap(text, width > kIndent ? width - kIndent : width)) {
        result += (first ? "" : std::string(kIndent, ' ')) + line + "\n";
        first = false;
    }
    return result;
}

// Devices whose ladders have the same rungs share a line: "cuda, simt".
std::string ladder_lines(const Operation& operation, const Listed& listed, const Style& style) {
    const std::vector<DevicePresence>& devices = listed.devices;
    std::string text;
    for (std::size_t i = 0, end = 0; i < devices.size(); i = end) {
        const auto names = names_of(operation, devices[i].kind, listed, false);
        std::string label(name_of(devices[i].kind));
        for (end = i + 1; end < devices.size() && names_of(operation, devices[end].kind, listed, false) == names; ++end)
            label += fmt::format(", {}", name_of(devices[end].kind));
        if (!names.empty()) text += labelled(label, chain_of(operation, devices[i].kind, listed), style);
    }
    for (const DevicePresence& device : devices)
        if (const auto names = names_of(operation, device.kind, listed, true); !names.empty())
            text += labelled(fmt::format("{} library", name_of(device.kind)), fmt::format("{}", fmt::join(names, ", ")),
                             style);
    return text;
}

// A rung is set in by one step for every fork below it, except along the fork's last branch.
std::size_t depth_of(const Rung& rung, const std::vector<const Rung*>& all) {
    if (rung.climbs_from.empty()) return 0;
    const auto below = std::find_if(all.begin(), all.end(), [&](auto* r) { return r->name == rung.climbs_from; });
    if (below == all.end()) return 0;
    const Rung* last = nullptr;
    for (const Rung* each : all)
        if (each->climbs_from == rung.climbs_from) last = each;
    return depth_of(**below, all) + (last == &rung ? 0 : 1);
}

Table ladder_table(const Operation& operation, DeviceKind kind, const Listed& listed) {
    Table table{{{"rung"}, {"climbs from"}, {"types"}, {"lesson"}}, {}};
    const auto all = listed.rungs(operation, kind);
    for (const Rung* rung : all) {
        const std::string name = std::string(2 * depth_of(*rung, all), ' ') + std::string(rung->name);
        table.rows.push_back({name, rung->library ? "(library)" : std::string(rung->climbs_from), types_of(*rung),
                              std::string(rung->lesson)});
    }
    return table;
}

}  // namespace

std::string types_of(const Rung& rung) {
    std::vector<DType> types;
    for (const auto& typed : rung.types)
        if (rung.typed(typed.dtype)) types.push_back(typed.dtype);
    return joined_types(types);
}

std::string types_of(const Operation& operation) {
    std::vector<DType> types;
    for (const auto& typed : operation.types) types.push_back(typed.dtype);
    return joined_types(types);
}

std::vector<const Rung*> Listed::rungs(const Operation& operation, DeviceKind kind) const {
    std::vector<const Rung*> all = ladder(operation, kind);
    std::erase_if(all, [&](const Rung* rung) { return dtype && !rung->typed(*dtype); });
    return all;
}

std::string draw_catalogue(std::span<const Operation* const> operations, const Listed& listed, const Style& style) {
    std::string text;
    for (const Operation* operation : operations) {
        if (!text.empty()) text += "\n";
        text += paragraph(style, Ink::plain,
                          fmt::format("{}  {}", paint(style, Ink::bold, operation->name), operation->summary));
        text += labelled("types", types_of(*operation), style);
        text += ladder_lines(*operation, listed, style);
    }
    text += "\n";
    for (const DevicePresence& device : listed.devices)
        if (!device.reason.empty())
            text += paragraph(style, Ink::plain,
                              fmt::format("{} refuses every rung: {}", name_of(device.kind), device.reason));
    if (const auto names = operations_left_out(); !names.empty())
        text +=
            paragraph(style, Ink::plain,
                      fmt::format("This build leaves out {}; `make` builds every operation.", fmt::join(names, ", ")));
    return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

std::string draw_ladders(const Operation& operation, const Listed& listed, const Style& style) {
    std::string text =
        paragraph(style, Ink::plain, fmt::format("{}  {}", paint(style, Ink::bold, operation.name), operation.summary));
    text += labelled("axes", describe_axes(operation), style);
    text += labelled("types", types_of(operation), style);
    if (!operation.variants.empty())
        text += labelled("variants", fmt::format("{}", fmt::join(operation.variants, ", ")), style);
    for (const DevicePresence& device : listed.devices) {
        text += "\n" + paint(style, Ink::bold, name_of(device.kind)) + "\n";
        if (!device.reason.empty())
            text += paragraph(style, Ink::plain, fmt::format("every rung is refused: {}", device.reason));
        const Table table = ladder_table(operation, device.kind, listed);
        if (!table.rows.empty())
            text += draw(table, style);
        else if (device.reason.empty())
            text += "no rungs\n";
    }
    return text;
}

std::string selection_names() {
    std::string text;
    for (const Operation* operation : operations()) {
        text += fmt::format("{}\n", operation->name);
        std::vector<std::string_view> names;
        for (const DeviceKind kind : kDeviceKinds)
            for (const Rung* rung : ladder(*operation, kind))
                if (std::find(names.begin(), names.end(), rung->name) == names.end()) names.push_back(rung->name);
        for (const std::string_view name : names) text += fmt::format("{}/{}\n", operation->name, name);
    }
    return text;
}

}  // namespace lanework
