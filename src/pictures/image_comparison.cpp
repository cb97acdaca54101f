// Counting differences, and drawing the counts.
#include "src/pictures/image_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lanework/error.hpp>

#include "src/draw/table.hpp"
#include "src/report/results/facts.hpp"
#include "src/report/results/ladder.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr std::size_t kBarColumns = 40;

std::string shape_text(const Image& image) {
    return fmt::format("{}×{} with {} {}", image.height, image.width, image.channels,
                       image.channels == 1 ? "channel" : "channels");
}

/// Differences of first … last: small ones by themselves, then up to each power of two.
struct Bin {
    int first, last;
    std::int64_t samples;
};
std::vector<Bin> bins_of(const ImageComparison& comparison) {
    std::vector<Bin> bins{{0, 0, comparison.histogram[0]}};
    constexpr int single = 8;
    for (int first = 1; first <= comparison.most(); first = bins.back().last + 1) {
        Bin bin{first, first <= single ? first : std::min(2 * (first - 1), 255), 0};
        for (int d = bin.first; d <= bin.last; ++d) bin.samples += comparison.histogram[static_cast<std::size_t>(d)];
        bins.push_back(bin);
    }
    return bins;
}

double share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Table histogram_table(const ImageComparison& comparison, const Style& style) {
    Table table{{{"difference", Align::right}, {"samples", Align::right}, {"share", Align::right}}, {}};
    if (style.bars) table.columns.push_back({""});
    Style plain = style;
    plain.colour = false;
    for (const Bin& bin : bins_of(comparison)) {
        const double part = share(bin.samples, comparison.samples);
        table.rows.push_back(
            {bin.first == bin.last ? fmt::format("{}", bin.first) : fmt::format("{}–{}", bin.first, bin.last),
             fmt::format("{}", bin.samples), fmt::format("{:.4f}%", 100 * part)});
        if (style.bars)
            table.rows.back().push_back(paint(style, Ink::accent, draw_bar(plain, part, std::nullopt, kBarColumns)));
    }
    return table;
}

std::string largest_text(const ComparedFiles& files) {
    const auto& d = files.comparison.largest;
    if (!d) return "0";
    return fmt::format("{} at x {}, y {}, {}: {} and {}", d->size(), d->x, d->y,
                       channel_name(d->channel, files.channels), d->first, d->second);
}

std::string psnr_text(const ImageComparison& comparison) {
    const auto psnr = comparison.psnr();
    return psnr ? fmt::format("{:.2f} dB", *psnr) : "infinite";
}

std::string draw_one(const ComparedFiles& files, const Style& style) {
    const ImageComparison& c = files.comparison;
    const Section section{
        fmt::format("{} and {}", files.first, files.second),
        {{"samples", fmt::format("{}", c.samples)},
         {"mismatches", fmt::format("{}, {:.4f}%", c.mismatches(), 100 * share(c.mismatches(), c.samples))},
         {"largest difference", largest_text(files)},
         {"PSNR", psnr_text(c)}}};
    return draw(std::span(&section, 1), style) + "\n" + draw(histogram_table(c, style), style);
}

Json json_of(const ComparedFiles& files) {
    Json json{{"first", files.first}, {"second", files.second}};
    const ImageComparison& c = files.comparison;
    const bool compared = files.problem.empty();
    json["samples"] = compared ? Json(c.samples) : Json();
    json["mismatches"] = compared ? Json(c.mismatches()) : Json();
    json["largest"] = nullptr;
    if (const auto& d = c.largest)
        json["largest"] = {{"difference", d->size()}, {"x", d->x},         {"y", d->y},
                           {"channel", d->channel},   {"first", d->first}, {"second", d->second}};
    const auto psnr = c.psnr();
    json["psnr_db"] = psnr ? Json(*psnr) : Json();
    Json histogram = Json::array();
    for (std::size_t d = 0; d < c.histogram.size(); ++d)
        if (c.histogram[d] > 0) histogram.push_back({{"difference", d}, {"samples", c.histogram[d]}});
    json["histogram"] = compared ? histogram : Json();
    json["problem"] = compared ? Json() : Json(files.problem);
    return json;
}

}  // namespace

std::optional<double> ImageComparison::psnr() const {
    if (!(squares > 0)) return std::nullopt;
    return 10 * std::log10(255.0 * 255.0 * static_cast<double>(samples) / squares);
}

ImageComparison compare_images(const Image& first, const Image& second) {
    if (first.height != second.height || first.width != second.width || first.channels != second.channels)
        throw UsageError(
            fmt::format("{} and {}: their sizes or channels differ", shape_text(first), shape_text(second)));
    ImageComparison comparison;
    comparison.samples = static_cast<std::int64_t>(first.pixels.size());
    int most = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < first.pixels.size(); ++i) {
        const int difference = std::abs(int{first.pixels[i]} - int{second.pixels[i]});
        ++comparison.histogram[static_cast<std::size_t>(difference)];
        if (difference > most) most = difference, where = i;
    }
    for (std::size_t d = 0; d < comparison.histogram.size(); ++d)
        comparison.squares += static_cast<double>(d * d) * static_cast<double>(comparison.histogram[d]);
    if (most > 0) {
        const auto at = static_cast<std::int64_t>(where), pixel = at / first.channels;
        comparison.largest =
            SampleDifference{pixel % first.width, pixel / first.width, static_cast<int>(at % first.channels),
                             first.pixels[where], second.pixels[where]};
    }
    return comparison;
}

std::string_view channel_name(int channel, int channels) {
    constexpr std::string_view names[] = {"red", "green", "blue", "alpha"};
    return channels == 1 ? "gray" : names[channel];
}

std::string draw(std::span<const ComparedFiles> files, const Style& style) {
    if (files.size() == 1 && files.front().problem.empty()) return draw_one(files.front(), style);
    Table table{{{"first"},
                 {"second"},
                 {"mismatches", Align::right},
                 {"share", Align::right},
                 {"PSNR", Align::right},
                 {"largest difference"}},
                {}};
    for (const ComparedFiles& pair : files) {
        const ImageComparison& c = pair.comparison;
        if (pair.problem.empty())
            table.rows.push_back({pair.first, pair.second, fmt::format("{}", c.mismatches()),
                                  fmt::format("{:.4f}%", 100 * share(c.mismatches(), c.samples)), psnr_text(c),
                                  largest_text(pair)});
        else
            table.rows.push_back({pair.first, pair.second, "", "", "", pair.problem});
    }
    return draw(table, style);
}

std::string comparisons_to_json(std::span<const ComparedFiles> files) {
    Json list = Json::array();
    for (const ComparedFiles& pair : files) list.push_back(json_of(pair));
    const Json document{{"schema", 1}, {"pictures", list}};
    return json_document(document);
}

}  // namespace lanework
