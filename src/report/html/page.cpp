// Puts the page together: our own text, the library of charts with its licence, and the data.
#include "src/draw/palette.hpp"
#include "src/report/html/report.hpp"
#include "src/report/html/resources.hpp"

namespace lanework {
namespace {

/// JSON inside <script>: no "<" can end it. Everything else that JSON allows is data to a browser.
std::string as_data(std::string_view json) {
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    }
    return text;
}

std::string as_text(std::string_view plain) {
    std::string text;
    for (const char c : plain) {
        if (c == '<')
            text += "&lt;";
        else if (c == '&')
            text += "&amp;";
        else
            text += c;
    }
    return text;
}

/// The text in place of the comment that names it: `<!-- name -->`.
void put(std::string& page, std::string_view name, std::string_view text) {
    const std::string mark = "<!-- " + std::string(name) + " -->";
    if (const std::size_t at = page.find(mark); at != page.npos) page.replace(at, mark.size(), text);
}

}  // namespace

bool has_charts() { return !resources::charts_library.empty() && !resources::charts_licence.empty(); }

std::string to_html(const Report& report) {
    std::string page(resources::page_html);
    // The data last: nothing in it is read as a mark.
    put(page, "title", as_text(report.title));
    put(page, "style", std::string(resources::page_css) + palette_css());
    put(page, "charts", has_charts() ? resources::charts_library : "");
    put(page, "licence", has_charts() ? as_text(resources::charts_licence) : "");
    put(page, "program", std::string(resources::charts_js) + std::string(resources::page_js));
    put(page, "pictures", packed_pictures(report));
    put(page, "data", as_data(page_data(report)));
    return page;
}

}  // namespace lanework
