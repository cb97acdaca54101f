// Checks that a picture is well-formed XML, by its tags; enough for documents without comments and processing
// instructions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What is wrong with the document; empty when nothing is.
inline std::string svg_fault(std::string_view svg) {
    std::vector<std::string> open;
    if (!svg.starts_with("<svg ")) return "does not begin with <svg";
    for (std::size_t at = 0; at < svg.size();) {
        if (svg[at] == '&' && !svg.substr(at).starts_with("&amp;") && !svg.substr(at).starts_with("&lt;") &&
            !svg.substr(at).starts_with("&gt;"))
            return "a bare & in: " + std::string(svg.substr(at, 20));
        if (svg[at] != '<') {
            ++at;
            continue;
        }
        const std::size_t end = svg.find('>', at);
        if (end == std::string_view::npos) return "a tag does not end";
        const std::string_view tag = svg.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string_view::npos) return "a bare < in: " + std::string(tag);
        const std::string name(tag.substr(tag.starts_with('/'), tag.find_first_of(" /", 1) - tag.starts_with('/')));
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1))
                return "</" + std::string(tag.substr(1)) + "> closes nothing";
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// How often a piece of text stands in another.
inline int count_of(std::string_view piece, std::string_view text) {
    int count = 0;
    for (std::size_t at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1)) ++count;
    return count;
}

}  // namespace lanework
