// How a function is called where its scope and template arguments are left out.
#pragma once

#include <string_view>

namespace lanework {

/// "scale" of "a::scale<float, 2>".
inline std::string_view base_name(std::string_view function) {
    function = function.substr(0, function.find('<'));
    if (const auto scope = function.rfind("::"); scope != function.npos) function.remove_prefix(scope + 2);
    while (function.ends_with(' ')) function.remove_suffix(1);
    return function;
}

}  // namespace lanework
