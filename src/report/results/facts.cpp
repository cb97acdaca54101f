// Draws sections of facts.
#include "src/report/results/facts.hpp"

#include <algorithm>

#include "src/report/results/facts_json.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMargin = 2, kGap = 2, kNarrowest = 24;

std::size_t name_columns(std::span<const Section> sections) {
    std::size_t width = 0;
    for (const Section& section : sections)
        for (const Fact& fact : section.facts) width = std::max(width, display_width(fact.name));
    return width;
}

std::string draw_fact(const Fact& fact, std::size_t columns, const Style& style) {
    const std::size_t indent = kMargin + columns + kGap;
    const auto width = static_cast<std::size_t>(style.width);
    std::string text = std::string(kMargin, ' ') + paint(style, Ink::dim, pad_right(fact.name, columns + kGap));
    bool first = true;
    for (const std::string& line :
         wrap(fact.value, width ? std::max(kNarrowest, width - std::min(width, indent)) : 0)) {
        text += (first ? "" : std::string(indent, ' ')) + line + "\n";
        first = false;
    }
    return text;
}

}  // namespace

std::string draw(std::span<const Section> sections, const Style& style) {
    const std::size_t columns = name_columns(sections);
    std::string text;
    for (const Section& section : sections) {
        if (!text.empty()) text += "\n";
        text += paragraph(style, Ink::bold, section.title);
        for (const Fact& fact : section.facts) text += draw_fact(fact, columns, style);
    }
    return text;
}

Json section_json(const Section& section) {
    Json facts = Json::object(), figures = Json::object();
    for (const Fact& fact : section.facts) facts[fact.name] = fact.value;
    for (const Figure& figure : section.figures) figures[figure.name] = figure.value;
    return {{"title", section.title}, {"facts", facts}, {"figures", figures}};
}

std::string sections_to_json(std::string_view list, std::span<const Section> sections) {
    Json items = Json::array();
    for (const Section& section : sections) items.push_back(section_json(section));
    Json document{{"schema", 1}};
    document[std::string(list)] = items;
    return json_document(document);
}

}  // namespace lanework
