// A picture of bonds by shapes (SVG) and by pixels.
#include <fmt/format.h>

#include <cmath>
#include <lanework/error.hpp>

#include "src/codecs/codecs.hpp"
#include "src/draw/canvas.hpp"
#include "src/report/particles/bonds_picture.hpp"

namespace lanework {
namespace {

using Kind = BondsMark::Kind;

constexpr double kRim = 0.8;  // of paper around a disc, which parts it from what is behind
constexpr double kMargin = 28, kLegendRadius = 5, kBarHeight = 3, kTitleAt = 26, kFooterAt = 18;
constexpr double kPixels = 2, kDot = 1.5;
constexpr double kMostTimesOver = 100;  // that bonds may cover a picture of pixels: nothing is seen long before

double legend_step(const std::string& text) { return 26 + 7.5 * static_cast<double>(text.size()); }

Colour faded(Colour colour, double clarity) {
    const auto mix = [&](std::uint8_t value) {
        return static_cast<std::uint8_t>(std::lround(255 + clarity * (value - 255.0)));
    };
    return {mix(colour.red), mix(colour.green), mix(colour.blue)};
}

void draw_mark(Svg& svg, const BondsMark& mark) {
    if (mark.kind != Kind::atom)
        return svg.line(mark.from.x, mark.from.y, mark.to.x, mark.to.y,
                        {.tone = mark.tone, .width = mark.size, .dashed = mark.kind == Kind::stub});
    svg.circle(mark.from.x, mark.from.y, mark.size + kRim, {.tone = Tone::paper});
    svg.circle(mark.from.x, mark.from.y, mark.size, {.tone = mark.tone, .opacity = mark.clarity});
}

void draw_footer(Svg& svg, const BondsPicture& picture) {
    const double y = picture.height - kFooterAt;
    double x = kMargin;
    for (const BondsLegend& entry : picture.legend) {
        svg.circle(x, y - 4, kLegendRadius, {.tone = entry.tone});
        svg.text(x + 10, y, entry.text);
        x += legend_step(entry.text);
    }
    const double right = picture.width - kMargin;
    svg.rect(right - picture.scale_bar, y, picture.scale_bar, kBarHeight, {.tone = Tone::ink});
    svg.text(right - picture.scale_bar / 2, y - 6, picture.scale_text, {.anchor = Anchor::middle});
}

/// How often the bonds are drawn over all of the picture, edges that fade included.
double times_over(const BondsPicture& picture) {
    double pixels = 0;
    for (const BondsMark& mark : picture.marks)
        if (mark.kind != Kind::atom)
            pixels += (kPixels * std::hypot(mark.to.x - mark.from.x, mark.to.y - mark.from.y) + 1) *
                      (kPixels * mark.size + 2);
    return pixels / (kPixels * picture.width * kPixels * picture.height);
}

Point scaled(Point point) { return {kPixels * point.x, kPixels * point.y}; }

void draw_mark(Canvas& canvas, const BondsMark& mark) {
    if (mark.kind != Kind::atom)
        return canvas.line(scaled(mark.from), scaled(mark.to), kPixels * mark.size,
                           faded(light_colour(mark.tone), mark.clarity * (mark.kind == Kind::stub ? 0.5 : 1)));
    canvas.disc(scaled(mark.from), kPixels * (mark.size + kRim), light_colour(Tone::paper));
    canvas.disc(scaled(mark.from), kPixels * mark.size, faded(light_colour(mark.tone), mark.clarity));
}

void draw_footer(Canvas& canvas, const BondsPicture& picture) {
    const Colour ink = light_colour(Tone::ink);
    const double dot = kPixels * kDot, y = kPixels * (picture.height - kFooterAt);
    double x = kPixels * kMargin;
    for (const BondsLegend& entry : picture.legend) {
        canvas.disc({x, y - 3.5 * dot}, kPixels * kLegendRadius, light_colour(entry.tone));
        canvas.text(x + kPixels * 10, y, entry.text, dot, ink);
        x += kPixels * 20 + Canvas::text_width(entry.text, dot);
    }
    const double right = kPixels * (picture.width - kMargin), bar = kPixels * picture.scale_bar;
    canvas.rect(right - bar, y, bar, kPixels * kBarHeight, ink);
    canvas.text(right - bar / 2 - Canvas::text_width(picture.scale_text, dot) / 2, y - 2 * dot, picture.scale_text, dot,
                ink);
}

}  // namespace

std::string bonds_to_svg(const BondsPicture& picture) {
    if (picture.marks.size() > kMostSvgMarks)
        throw UsageError(fmt::format("{} atoms and bonds are more than the {} that an SVG can show; write a .png",
                                     picture.marks.size(), kMostSvgMarks));
    Svg svg(picture.width, picture.height);
    svg.text(kMargin, kTitleAt, picture.title, {.size = 14, .bold = true});
    for (const auto& edge : picture.outline) svg.polyline(edge, {.tone = Tone::faint});
    for (const BondsMark& mark : picture.marks) draw_mark(svg, mark);
    draw_footer(svg, picture);
    return svg.finish();
}

Image bonds_to_image(const BondsPicture& picture) {
    if (const double times = times_over(picture); times > kMostTimesOver)
        throw UsageError(fmt::format("the bonds would cover the picture {:.0f} times; choose a smaller cutoff", times));
    Canvas canvas(std::lround(kPixels * picture.width), std::lround(kPixels * picture.height),
                  light_colour(Tone::paper));
    for (const auto& edge : picture.outline)
        canvas.line(scaled(edge[0]), scaled(edge[1]), kPixels, light_colour(Tone::faint));
    for (const BondsMark& mark : picture.marks) draw_mark(canvas, mark);
    draw_footer(canvas, picture);
    return canvas.take();
}

void check_bonds_form(const std::filesystem::path& path) {
    if (path.extension() != ".svg" && path.extension() != ".png")
        throw UsageError(fmt::format("{}: a picture of bonds must end in .svg or .png", path.string()));
}

std::vector<std::uint8_t> bonds_file(const std::filesystem::path& path, const BondsPicture& picture) {
    check_bonds_form(path);
    if (path.extension() == ".png") return codec::kPng.encode(bonds_to_image(picture));
    const std::string svg = bonds_to_svg(picture);
    return {svg.begin(), svg.end()};
}

}  // namespace lanework
