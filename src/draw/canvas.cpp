// A pixel's share of a shape is taken from the distance of its centre to the edge: right to a few percent for shapes
// that are wider than a pixel.
#include "src/draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "src/draw/dot_letters.hpp"

namespace lanework {
namespace {

double inside(double distance_to_edge) { return std::clamp(distance_to_edge + 0.5, 0.0, 1.0); }

/// "Å" is the one letter of two bytes.
std::size_t letter_length(std::string_view text) { return text.starts_with(kAngstrom) ? kAngstrom.size() : 1; }

}  // namespace

Canvas::Canvas(std::int64_t width, std::int64_t height, Colour paper) : image_{height, width, 3, {}} {
    image_.pixels.resize(static_cast<std::size_t>(3 * width * height));
    for (std::size_t i = 0; i < image_.pixels.size(); i += 3) {
        image_.pixels[i] = paper.red;
        image_.pixels[i + 1] = paper.green;
        image_.pixels[i + 2] = paper.blue;
    }
}

template <class SpanOfRow, class Coverage>
void Canvas::cover(double top, double bottom, Colour colour, SpanOfRow span_of_row, Coverage coverage) {
    const auto bound = [](double at, std::int64_t most) {
        return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(most)));
    };
    const std::int64_t y_end = bound(std::ceil(bottom) + 1, image_.height);
    const std::uint8_t ink[] = {colour.red, colour.green, colour.blue};
    for (std::int64_t y = bound(std::floor(top) - 1, image_.height); y < y_end; ++y) {
        const double row = static_cast<double>(y) + 0.5;
        const Span span = span_of_row(row);
        const std::int64_t x_end = bound(std::ceil(span.right) + 1, image_.width);
        for (std::int64_t x = bound(std::floor(span.left) - 1, image_.width); x < x_end; ++x) {
            const double share = coverage(static_cast<double>(x) + 0.5, row);
            if (share <= 0) continue;
            std::uint8_t* pixel = &image_.pixels[static_cast<std::size_t>(3 * (y * image_.width + x))];
            for (int c = 0; c < 3; ++c)
                pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + share * (ink[c] - pixel[c])));
        }
    }
}

void Canvas::disc(Point centre, double radius, Colour colour, double opacity) {
    cover(
        centre.y - radius, centre.y + radius, colour,
        [&](double) {
            return Span{centre.x - radius, centre.x + radius};
        },
        [&](double x, double y) { return opacity * inside(radius - std::hypot(x - centre.x, y - centre.y)); });
}

void Canvas::line(Point from, Point to, double width, Colour colour) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy, half = width / 2;
    const auto share_along = [](double t) { return std::clamp(t, 0.0, 1.0); };
    cover(
        std::min(from.y, to.y) - half, std::max(from.y, to.y) + half, colour,
        // Around the part of the line that is as near to the row: the rectangle around all of a slanted line has
        // hundreds of times as many pixels as the line.
        [&](double y) {
            const double reach = half + 1;
            const bool level = !(std::abs(dy) > 1e-9);
            const double begin = level ? 0 : share_along((y - reach - from.y) / dy),
                         end = level ? 1 : share_along((y + reach - from.y) / dy);
            const double one = from.x + begin * dx, other = from.x + end * dx;
            return Span{std::min(one, other) - half, std::max(one, other) + half};
        },
        [&](double x, double y) {
            const double along = ((x - from.x) * dx + (y - from.y) * dy);
            const double t = length > 0 ? share_along(along / length) : 0;
            const double right = x - from.x - t * dx, down = y - from.y - t * dy;
            return inside(half - std::sqrt(right * right + down * down)) * std::min(1.0, width);
        });
}

void Canvas::rect(double left, double top, double width, double height, Colour colour) {
    const auto overlap = [](double centre, double begin, double end) {
        return std::clamp(std::min(centre + 0.5, end) - std::max(centre - 0.5, begin), 0.0, 1.0);
    };
    cover(
        top, top + height, colour,
        [&](double) {
            return Span{left, left + width};
        },
        [&](double x, double y) { return overlap(x, left, left + width) * overlap(y, top, top + height); });
}

void Canvas::text(double x, double y, std::string_view text, double dot, Colour colour) {
    x = std::round(x), y = std::round(y);  // no seams between dots of whole pixels
    for (; !text.empty(); text.remove_prefix(letter_length(text)), x += dot * (kLetterColumns + 1)) {
        const auto rows = dots_of(text.substr(0, letter_length(text)));
        for (int row = 0; row < kLetterRows; ++row)
            for (int column = 0; column < kLetterColumns; ++column)
                if (rows[static_cast<std::size_t>(row)] >> (kLetterColumns - 1 - column) & 1)
                    rect(x + dot * column, y - dot * (kLetterRows - row), dot, dot, colour);
    }
}

double Canvas::text_width(std::string_view text, double dot) {
    double width = 0;
    for (; !text.empty(); text.remove_prefix(letter_length(text))) width += dot * (kLetterColumns + 1);
    return width;
}

}  // namespace lanework
