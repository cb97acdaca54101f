// SVG 1.1 with classes for colours: presentation rules in one style sheet, so that a media query can change them.
#include "src/draw/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "src/draw/palette.hpp"

namespace lanework {
namespace {

// At most two decimals, none that say nothing.
std::string number(double value) {
    if (!std::isfinite(value)) throw std::invalid_argument("an SVG coordinate must be a finite number");
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

// Bytes of the UTF-8 sequence at the front of the text; 0 for what is none (overlong forms, surrogates).
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0u) != 0x80u) return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return length;
}

// U+0000 … U+001F but for white space, and U+FFFE and U+FFFF, are no characters of XML 1.0.
bool forbidden(std::string_view sequence) {
    const char first = sequence.front();
    if (sequence.size() == 1)
        return static_cast<unsigned char>(first) < 0x20 && first != '\t' && first != '\n' && first != '\r';
    return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

std::string escaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const std::string_view sequence = text.substr(0, length ? length : 1);
        text.remove_prefix(sequence.size());
        if (length == 0 || forbidden(sequence))
            result += "\xEF\xBF\xBD";
        else if (sequence == "&")
            result += "&amp;";
        else if (sequence == "<")
            result += "&lt;";
        else if (sequence == ">")
            result += "&gt;";
        else
            result += sequence;
    }
    return result;
}

std::string points_attribute(std::span<const Point> points) {
    std::string text;
    for (const Point& point : points)
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(point.x), number(point.y));
    return text;
}

std::string rules(std::string_view property, char prefix, const std::array<bool, kTones>& used, bool dark) {
    std::string text;
    for (std::size_t tone = 0; tone < kTones; ++tone)
        if (used[tone])
            text += fmt::format(
                ".{}{}{{{}:{}}}", prefix, tone, property,
                dark ? colours_of(static_cast<Tone>(tone)).dark : colours_of(static_cast<Tone>(tone)).light);
    return text;
}

constexpr std::string_view kAnchors[] = {"start", "middle", "end"};

}  // namespace

Svg::Svg(double width, double height) : width_(width), height_(height) {
    rect(0, 0, width, height, {.tone = Tone::paper});
}

std::string Svg::filled(const Fill& fill) {
    fills_[static_cast<std::size_t>(fill.tone)] = true;
    std::string text = fmt::format(" class=\"f{}\"", static_cast<int>(fill.tone));
    if (fill.opacity < 1) text += fmt::format(" fill-opacity=\"{}\"", number(fill.opacity));
    return text;
}

std::string Svg::stroked(const Stroke& stroke) {
    strokes_[static_cast<std::size_t>(stroke.tone)] = true;
    std::string text = fmt::format(" class=\"s{}\"", static_cast<int>(stroke.tone));
    if (stroke.width != 1) text += fmt::format(" stroke-width=\"{}\"", number(stroke.width));
    if (stroke.dashed) text += " stroke-dasharray=\"4 3\"";
    return text;
}

void Svg::line(double x1, double y1, double x2, double y2, const Stroke& stroke) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", number(x1), number(y1), number(x2),
                         number(y2), stroked(stroke));
}

void Svg::rect(double x, double y, double width, double height, const Fill& fill) {
    const std::string corner = fill.corner > 0 ? fmt::format(" rx=\"{}\"", number(fill.corner)) : "";
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", number(x), number(y),
                         number(width), number(height), corner, filled(fill));
}

void Svg::circle(double x, double y, double radius, const Fill& fill) {
    body_ +=
        fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(x), number(y), number(radius), filled(fill));
}

void Svg::polyline(std::span<const Point> points, const Stroke& stroke) {
    body_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", points_attribute(points), stroked(stroke));
}

void Svg::polygon(std::span<const Point> points, const Fill& fill) {
    body_ += fmt::format("<polygon points=\"{}\"{}/>\n", points_attribute(points), filled(fill));
}

void Svg::text(double x, double y, std::string_view text, const TextStyle& style) {
    std::string attributes = filled({.tone = style.tone});
    if (style.size != 12) attributes += fmt::format(" font-size=\"{}\"", number(style.size));
    if (style.anchor != Anchor::start)
        attributes += fmt::format(" text-anchor=\"{}\"", kAnchors[static_cast<int>(style.anchor)]);
    if (style.bold) attributes += " font-weight=\"600\"";
    if (style.monospace) attributes += " font-family=\"ui-monospace, monospace\" xml:space=\"preserve\"";
    if (style.rotate != 0)
        attributes += fmt::format(" transform=\"rotate({} {} {})\"", number(style.rotate), number(x), number(y));
    body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", number(x), number(y), attributes, escaped(text));
}

void Svg::begin_group(std::string_view title) {
    ++groups_;
    body_ += fmt::format("<g><title>{}</title>\n", escaped(title));
}

void Svg::end_group() {
    if (groups_ == 0) throw std::logic_error("no group of the picture is open");
    --groups_;
    body_ += "</g>\n";
}

std::string Svg::finish() {
    while (groups_ > 0) end_group();
    const std::string light = rules("fill", 'f', fills_, false) + rules("stroke", 's', strokes_, false);
    const std::string dark = rules("fill", 'f', fills_, true) + rules("stroke", 's', strokes_, true);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
        "<style>{2}@media (prefers-color-scheme:dark){{{3}}}</style>\n{4}</svg>\n",
        number(width_), number(height_), light, dark, body_);
}

}  // namespace lanework
