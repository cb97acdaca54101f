// Draws discs, lines and short labels into a picture of pixels, with smooth edges.
#pragma once

#include <lanework/image_file.hpp>
#include <string_view>

#include "src/draw/svg.hpp"

namespace lanework {

/// Coordinates are pixels from the upper left corner; what lies outside is cut off.
class Canvas {
public:
    /// All of it in one colour.
    Canvas(std::int64_t width, std::int64_t height, Colour paper);

    void disc(Point centre, double radius, Colour colour, double opacity = 1);
    /// With round ends.
    void line(Point from, Point to, double width, Colour colour);
    void rect(double x, double y, double width, double height, Colour colour);
    /// Letters and digits, "." and "-", and Å; others are left blank. (x, y) is the lower left corner, a letter is
    /// 5 × 7 dots of `dot` pixels.
    void text(double x, double y, std::string_view text, double dot, Colour colour);
    static double text_width(std::string_view text, double dot);

    Image take() { return std::move(image_); }

private:
    /// Of a row of pixels, the columns that a shape may cover.
    struct Span {
        double left, right;
    };
    /// Colours each pixel between top and bottom, in the span of the row that is centred at y, by its coverage(x, y).
    template <class SpanOfRow, class Coverage>
    void cover(double top, double bottom, Colour colour, SpanOfRow span_of_row, Coverage coverage);

    Image image_;
};

}  // namespace lanework
