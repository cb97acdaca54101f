// The colours of everything that is drawn: pictures, pages, pixels. They are chosen here and nowhere else.
#pragma once

#include <string>
#include <string_view>

#include "src/draw/svg.hpp"

namespace lanework {

/// A tone on light and on dark paper, "#1f2328".
struct Colours {
    std::string_view light, dark;
};
Colours colours_of(Tone tone);

/// The palette as a style sheet for pages: each tone as a variable, `--t0`, `--t1`, … by its number and the named ones
/// by name too, in light and dark as the system or `data-theme` of the root says, light on paper; and the classes of
/// pictures inside `.picture`.
std::string palette_css();

}  // namespace lanework
