// Writes pictures as SVG: shapes and text in named tones, which a viewer shows in light or dark colours as it prefers.
// The same calls give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanework {

struct Point {
    double x, y;
};

/// Colours by their meaning. The hues tell things apart that have no order; `hue` counts through them.
enum class Tone : std::uint8_t {
    ink,
    faint,  ///< grids, axes, what stands back
    paper,  ///< the background, and text on a filled shape
    accent,
    good,
    fair,
    poor,
    bad,
    hue_first,
};
inline constexpr unsigned kHues = 8;
inline constexpr std::size_t kTones = static_cast<std::size_t>(Tone::hue_first) + kHues;
/// The hue of the `index`-th of several things; they repeat after kHues.
constexpr Tone hue(std::size_t index) {
    return static_cast<Tone>(static_cast<std::size_t>(Tone::hue_first) + index % kHues);
}

struct Colour {
    std::uint8_t red, green, blue;
};
/// How a tone looks on light paper: for pictures that have one look only.
Colour light_colour(Tone tone);

struct Stroke {
    Tone tone = Tone::ink;
    double width = 1;
    bool dashed = false;
};

struct Fill {
    Tone tone = Tone::accent;
    double opacity = 1;
    /// Radius of the corners.
    double corner = 0;
};

enum class Anchor : std::uint8_t { start, middle, end };

struct TextStyle {
    double size = 12;
    Tone tone = Tone::ink;
    Anchor anchor = Anchor::start;
    bool bold = false;
    /// Digits and letters of one width.
    bool monospace = false;
    /// Degrees clockwise about the point of the text.
    double rotate = 0;
};

/// Coordinates are pixels at the natural size, from the upper left corner. A coordinate that is not finite is a
/// std::invalid_argument.
class Svg {
public:
    Svg(double width, double height);

    void line(double x1, double y1, double x2, double y2, const Stroke& stroke = {});
    void rect(double x, double y, double width, double height, const Fill& fill = {});
    void circle(double x, double y, double radius, const Fill& fill = {});
    void polyline(std::span<const Point> points, const Stroke& stroke = {});
    /// A filled shape without an outline.
    void polygon(std::span<const Point> points, const Fill& fill = {});
    /// (x, y) is on the baseline. Text that is not UTF-8, and what XML forbids, becomes U+FFFD.
    void text(double x, double y, std::string_view text, const TextStyle& style = {});

    /// What is drawn until end_group belongs together; viewers show the title when it is pointed at.
    void begin_group(std::string_view title);
    void end_group();

    double width() const { return width_; }
    double height() const { return height_; }

    /// The whole document, on paper of its own. Groups that are still open end here.
    std::string finish();

private:
    std::string filled(const Fill& fill);
    std::string stroked(const Stroke& stroke);

    double width_, height_;
    int groups_ = 0;
    std::string body_;
    std::array<bool, kTones> fills_{}, strokes_{};
};

}  // namespace lanework
