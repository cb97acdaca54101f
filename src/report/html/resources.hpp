// Text that was built in (cmake/LaneworkText.cmake): the page's own, and the library of charts with its licence.
#pragma once

#include <string_view>

namespace lanework::resources {

extern const std::string_view page_html, page_css, page_js, charts_js;
/// Empty where the library was not installed when this program was built.
extern const std::string_view charts_library, charts_licence;

}  // namespace lanework::resources
