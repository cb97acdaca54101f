// Readings as rows.
#include "src/report/results/survey.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/report/results/facts_json.hpp"

namespace lanework {
namespace {

std::string format_value(const Reading& reading) {
    switch (reading.unit) {
        case Unit::bytes_per_second: return format_bandwidth(reading.value);
        case Unit::flops_per_second: return format_flops(reading.value);
        case Unit::operations_per_second: return format_rate(reading.value);
        case Unit::seconds: return format_seconds(reading.value);
    }
    return {};
}

std::string of_published(const Reading& reading, const Gpu* gpu) {
    const auto figure = published(reading, gpu);
    if (!figure) return "";
    Reading whole = reading;
    whole.value = *figure;
    return fmt::format("{} of {}", format_percent(reading.value / *figure), format_value(whole));
}

Json reading_json(const Reading& reading, const Gpu* gpu) {
    Json entry{{"group", reading.group},
               {"name", reading.name},
               {"by", reading.by},
               {"unit", name_of(reading.unit)},
               {"value", reading.value}};
    if (const auto figure = published(reading, gpu)) {
        entry["published"] = *figure;
        entry["fraction"] = reading.value / *figure;
    }
    return entry;
}

}  // namespace

std::optional<double> published(const Reading& reading, const Gpu* gpu) {
    if (!gpu) return std::nullopt;
    const double figure = [&] {
        switch (reading.part) {
            case Part::memory: return gpu->memory_bandwidth;
            case Part::arithmetic: return gpu->peak_flops(reading.dtype);
            case Part::matrix_products: return gpu->peak_matrix_flops(reading.dtype);
            case Part::shared_memory: return gpu->peak_shared_bandwidth();
            case Part::link: return gpu->link_bandwidth;
            case Part::none: break;
        }
        return 0.0;
    }();
    return figure > 0 ? std::optional(figure) : std::nullopt;
}

Table survey_table(const Survey& survey, const Gpu* gpu) {
    const bool any = std::any_of(survey.readings.begin(), survey.readings.end(),
                                 [&](const Reading& reading) { return published(reading, gpu).has_value(); });
    Table table{{{"part"}, {"figure"}, {"measured", Align::right}}, {}};
    if (any) table.columns.push_back({"of the published", Align::right});
    table.columns.push_back({"by"});
    std::string group;
    for (const Reading& reading : survey.readings) {
        std::vector<std::string> row{reading.group == group ? "" : reading.group, reading.name, format_value(reading)};
        if (any) row.push_back(of_published(reading, gpu));
        row.push_back(reading.by);
        table.rows.push_back(std::move(row));
        group = reading.group;
    }
    return table;
}

std::string draw(std::span<const DescribedDevice> devices, const Style& style) {
    std::string text;
    for (const DescribedDevice& device : devices) {
        if (!text.empty()) text += "\n";
        text += draw(std::span(&device.facts, 1), style);
        if (!device.survey) continue;
        const bool model = device.survey->device.starts_with("simt");
        text += "\n" +
                paint(style, Ink::bold,
                      fmt::format("{}, measured at {}{}", device.facts.title, device.survey->measured_at,
                                  model ? " (the real time of the model, not a GPU's)" : "")) +
                "\n" + draw(survey_table(*device.survey, device.gpu), style);
    }
    return text;
}

std::string devices_to_json(std::span<const DescribedDevice> devices) {
    Json items = Json::array();
    for (const DescribedDevice& device : devices) {
        Json item = section_json(device.facts);
        if (device.survey) {
            item["measured_at"] = device.survey->measured_at;
            item["measured"] = Json::array();
            for (const Reading& reading : device.survey->readings)
                item["measured"].push_back(reading_json(reading, device.gpu));
        }
        items.push_back(std::move(item));
    }
    return json_document({{"schema", 1}, {"devices", items}});
}

}  // namespace lanework
