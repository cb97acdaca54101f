// Named facts in sections: what devices, doctor and info print.
#pragma once

#include <lanework/measurement.hpp>

#include "src/draw/style.hpp"

namespace lanework {

struct Figure {
    std::string name;
    double value;
};

struct Section {
    std::string title;
    std::vector<Fact> facts;
    /// Numbers behind the facts, in the unit that their name states; for programs only.
    std::vector<Figure> figures = {};
};

/// Titles, and under each its facts as two columns.
std::string draw(std::span<const Section> sections, const Style& style);
/// {"schema":1,"<list>":[{"title","facts":{…},"figures":{…}}]}
std::string sections_to_json(std::string_view list, std::span<const Section> sections);

}  // namespace lanework
