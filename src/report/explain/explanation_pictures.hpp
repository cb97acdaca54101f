// Pictures of the requests that an explanation kept.
#pragma once

#include "src/draw/style.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// The worst request of a place in this kind of memory, over all launches; null where none was kept. It lives as long
/// as the explanation.
const ExampleRequest* example_at(const Explanation& explanation, const SourcePlace& place, Space space);

/// The sector map or the bank picture that shows what a finding says; empty where no picture does.
std::string draw_picture(const Explanation& explanation, const Finding& finding, const Style& style);

struct Picture {
    /// "transpose-padded_tile_16-banks-line-17-33.svg", by line and column.
    std::string file;
    std::string svg;
};
/// What the names of an explanation's pictures begin with: "transpose-padded_tile_16"; of a program: "saxpy".
std::string picture_name(const Explanation& explanation);
/// The pictures of all findings that have one, each once.
std::vector<Picture> pictures_of(const Explanation& explanation);

}  // namespace lanework
