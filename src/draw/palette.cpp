// Two schemes of one palette.
#include "src/draw/palette.hpp"

#include <fmt/format.h>

#include <charconv>

namespace lanework {
namespace {

// By tone. Each keeps a contrast of 3:1 or more to the paper of its scheme, except faint, which is to stand back. The
// hues began as those of Okabe and Ito (jfly.uni-koeln.de/color) and were moved until eyes without one kind of cone see
// any two of them at least 10 apart in CIELAB (tests/report/palette_test.cpp).
constexpr std::array<Colours, kTones> kColours{{{"#1f2328", "#e6edf3"},
                                                {"#c4cad1", "#444c56"},
                                                {"#ffffff", "#0d1117"},
                                                {"#0969da", "#58a6ff"},
                                                {"#1a7f37", "#3fb950"},
                                                {"#9a6700", "#d29922"},
                                                {"#bc4c00", "#f0883e"},
                                                {"#cf222e", "#f85149"},
                                                {"#0072b2", "#62b2d8"},
                                                {"#f96428", "#e69f00"},
                                                {"#167f5a", "#009971"},
                                                {"#b5518d", "#cb78a6"},
                                                {"#828300", "#f0e442"},
                                                {"#5b91b0", "#92ccdc"},
                                                {"#6f42c1", "#b193f4"},
                                                {"#7a5230", "#cfa87a"}}};

}  // namespace

Colours colours_of(Tone tone) { return kColours[static_cast<std::size_t>(tone)]; }

Colour light_colour(Tone tone) {
    const std::string_view text = kColours[static_cast<std::size_t>(tone)].light.substr(1);
    unsigned value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value)};
}

std::string palette_css() {
    constexpr std::string_view names[] = {"ink", "faint", "paper", "accent", "good", "fair", "poor", "bad"};
    std::string light, dark, pictures;
    for (std::size_t tone = 0; tone < kTones; ++tone) {
        light += fmt::format("--t{}:{};", tone, kColours[tone].light);
        dark += fmt::format("--t{}:{};", tone, kColours[tone].dark);
        pictures += fmt::format(".picture .f{0}{{fill:var(--t{0})}}.picture .s{0}{{stroke:var(--t{0})}}\n", tone);
    }
    std::string named;
    for (std::size_t tone = 0; tone < std::size(names); ++tone)
        named += fmt::format("--{}:var(--t{});", names[tone], tone);
    return fmt::format(
        ":root{{{0}{2}}}\n:root[data-theme=dark]{{{1}}}\n"
        "@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
        "@media print{{:root,:root[data-theme],:root:not([data-theme=light]){{{0}}}}}\n{3}",
        light, dark, named, pictures);
}

}  // namespace lanework
